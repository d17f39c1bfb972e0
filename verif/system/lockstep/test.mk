# The controls of the lockstep link their own from these.
LOCKSTEP_TEST := $(BUILD)/test/system-lockstep
$(foreach c,tiny small mask2 odd tbc umh1 umh2 umh2d umh2m,$(eval $(LOCKSTEP_TEST)/$(c).objects: $(call lockstep_parts,$(c))))
$(LOCKSTEP_TEST)/%.objects:
	@mkdir -p $(@D)
	@printf '%s\n' $(call lockstep_objects,$*) >$@
# These without RTL: so that no other test builds the judge for them meanwhile.
test-needs: $(LOCKSTEP_TEST)/umh2m.objects $(if $(VELLUM_REGRESS),$(LOCKSTEP_TEST)/umh1.objects $(LOCKSTEP_TEST)/umh2d.objects)
