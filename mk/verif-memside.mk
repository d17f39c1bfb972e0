# The memory side is a composition: its twin needs those of its blocks, its bench the chips. (rtl.mk and sim.mk have been read before this. The name is for scripts/mutate.)
TWIN_EXTRA_memside := $(MEM_TWINS:%=sim_c/%.c) $(DRAM_SRCS)
$(foreach c,$(CONFIGS),$(eval $(BUILD)/cfg/$(c)/bench/memside: $(TWIN_EXTRA_memside:%.c=$(BUILD)/cfg/$(c)/obj/%.o)))
