# The experiments of the papers (docs/experiments/): plots, tables and numbers under build/experiments/. The name of this file makes
# it come after rtl.mk and sim.mk: the rules need their variables.
.PHONY: experiments-translation experiments-umh experiments-mask experiments-warps
experiments-translation: all
	scripts/experiments/translation
experiments-umh: all
	scripts/experiments/umh
experiments-warps: all
	scripts/experiments/warps
experiments-mask: all
	scripts/experiments/mask

# The model of a configuration with more counted on the side (scripts/experiments/*.c): $(1) configuration, $(2) name, $(3) sources, $(4) functions of the model that they wrap.
define PROBE_RULES
$(BUILD)/cfg/$(1)/$(2)/libvlmodel.so: $(BUILD)/cfg/$(1)/libvlmodel.so $(3:%=$(BUILD)/cfg/$(1)/obj/scripts/experiments/%.o)
	@mkdir -p $$(@D)
	$$(LINK) -shared $(patsubst %,-Wl$(comma)--wrap=%,$(4)) -o $$@ $$(filter-out %.so,$$^) \
	  $(patsubst %.c,$(BUILD)/cfg/$(1)/obj/%.o,$(TWIN_SRCS) $(MACHINE_SRCS) sim_c/top/machine_model.c) $(BUILD)/cfg/$(1)/obj/isa_gen.o -lm
endef
comma := ,
$(foreach c,$(CONFIGS),$(eval $(call PROBE_RULES,$(c),probe,page_divergence miss_latency,lsu_tick l1d_tick vellum_tick vellum_skip)))
IDEAL := tlb_tick tlb_out itlb_tick simt_core_vm chips_use_store
$(foreach c,$(CONFIGS),$(eval $(call PROBE_RULES,$(c),ideal,address_spaces ideal_translation,l2_tlb_tick mem_sched_tick vellum_tick vellum_skip $(IDEAL))))
$(foreach c,$(CONFIGS),$(eval $(call PROBE_RULES,$(c),spaces,address_spaces,l2_tlb_tick mem_sched_tick vellum_tick vellum_skip)))
