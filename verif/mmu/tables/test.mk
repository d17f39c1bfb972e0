# tlb, itlb, tlb_mshr and ptw together under random page tables, RTL and twins: verif/mmu/tables.
TABLES_BLOCKS := tlb itlb tlb_mshr ptw
define TABLES_RULES
$(BUILD)/cfg/$(1)/obj/verif/mmu/tables/tables.o: $(foreach b,$(TABLES_BLOCKS),$(BUILD)/cfg/$(1)/gen/$(b)_ports.h)
$(BUILD)/cfg/$(1)/bench/tables: $(BUILD)/cfg/$(1)/obj/verif/mmu/tables/tables.o $(BUILD)/obj/sim_c/ref/translate.o $(BUILD)/cfg/$(1)/obj/gen/vl_types.o \
    $(sort $(foreach b,$(TABLES_BLOCKS),$(call ports_of,$(1),$(b)))) $(foreach b,$(TABLES_BLOCKS),$(BUILD)/cfg/$(1)/obj/sim_c/mmu/$(b).o $(BUILD)/cfg/$(1)/rtl/$(b)/lib$(b).a) $(VRUN)
	@mkdir -p $$(@D)
	$$(LINKXX) -o $$@ $$(filter %.o,$$^) $$(filter %.a,$$^) -lz -lpthread -lm
endef
$(foreach c,$(CONFIGS),$(eval $(call TABLES_RULES,$(c))))
test-needs: $(foreach c,tiny odd,$(BUILD)/cfg/$(c)/bench/tables)
