# The memory side is a composition: its twin needs those of its blocks, its bench the chips. (rtl.mk and sim.mk have been read before this. The name is for scripts/mutate.)
BENCH_EXTRA_memside := $(filter-out sim_c/mem/memside.c,$(MEMSIDE_SRCS)) $(DRAM_SRCS)
$(foreach c,$(CONFIGS),$(eval $(BUILD)/cfg/$(c)/bench/memside: $(BENCH_EXTRA_memside:%.c=$(BUILD)/cfg/$(c)/obj/%.o)))
# The scoreboard of its counters reads the rows of each unit (verif/core/perf).
$(foreach c,$(CONFIGS),$(eval $(BUILD)/cfg/$(c)/obj/verif/mem/memside/bench.o: | $(COUNTER_BLOCKS:%=$(BUILD)/gen/perf/%_rows.h)))
