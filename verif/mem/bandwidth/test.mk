# Sustained bandwidth of the memory side (verif/mem/bandwidth): a program over the twin and one over the verilated RTL. (rtl.mk and sim.mk have been read before this.)
define BANDWIDTH_RULES
$(patsubst %,$(BUILD)/cfg/$(1)/obj/verif/mem/bandwidth/%.o,bandwidth twin rtl): $(BUILD)/cfg/$(1)/gen/.ports
$(BUILD)/cfg/$(1)/bandwidth: $(patsubst %.c,$(BUILD)/cfg/$(1)/obj/%.o,verif/mem/bandwidth/bandwidth.c verif/mem/bandwidth/twin.c $(MEMSIDE_SRCS) $(DRAM_SRCS))
	$$(LINK) -o $$@ $$^ -lm
$(BUILD)/cfg/$(1)/bandwidth-rtl: $(patsubst %.c,$(BUILD)/cfg/$(1)/obj/%.o,verif/mem/bandwidth/bandwidth.c verif/mem/bandwidth/rtl.c $(DRAM_SRCS)) \
    $(call ports_of,$(1),memside) $(BUILD)/cfg/$(1)/obj/gen/vl_types.o $(BUILD)/cfg/$(1)/rtl/memside/libmemside.a $(VRUN)
	$$(LINKXX) -o $$@ $$(filter %.o,$$^) $$(filter %.a,$$^) -lz -lpthread -lm
endef
$(foreach c,$(CONFIGS),$(eval $(call BANDWIDTH_RULES,$(c))))
