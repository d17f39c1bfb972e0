# lsu, spad and l1d together against a sequential machine: verif/core/mempath.
define MEMPATH_RULES
$(BUILD)/cfg/$(1)/obj/verif/core/mempath/mempath.o: $(foreach b,lsu spad l1d,$(BUILD)/cfg/$(1)/gen/$(b)_ports.h)
$(BUILD)/cfg/$(1)/bench/mempath: $(BUILD)/cfg/$(1)/obj/verif/core/mempath/mempath.o $(BUILD)/cfg/$(1)/obj/gen/vl_types.o \
    $(sort $(foreach b,lsu spad l1d,$(call ports_of,$(1),$(b)))) $(foreach b,lsu spad l1d,$(BUILD)/cfg/$(1)/rtl/$(b)/lib$(b).a) $(BUILD)/obj/$(BUILD)/gen/isa_gen.o $(VRUN)
	@mkdir -p $$(@D)
	$$(LINKXX) -o $$@ $$(filter %.o,$$^) $$(filter %.a,$$^) -lz -lpthread -lm
endef
$(foreach c,$(CONFIGS),$(eval $(call MEMPATH_RULES,$(c))))
