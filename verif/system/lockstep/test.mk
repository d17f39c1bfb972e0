# The controls of the lockstep link their own from these.
LOCKSTEP_TEST := $(BUILD)/test/system-lockstep
$(LOCKSTEP_TEST)/%.objects: $(BUILD)/cfg/%/libvllockstep.so
	@mkdir -p $(@D)
	@printf '%s\n' $(call lockstep_objects,$*) >$@
