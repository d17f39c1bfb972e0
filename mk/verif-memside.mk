# The memory side is a composition: its twin needs those of its blocks, its bench the chips. (rtl.mk has been read before this: the name is for scripts/mutate.)
MEMSIDE_TWINS := $(addprefix sim_c/,noc/req_net.c noc/rsp_net.c cache/l2.c $(addprefix mem/,mem_quota.c mem_sched.c dram_ctrl.c perf_slice.c perf_channel.c))
TWIN_EXTRA_memside := $(MEMSIDE_TWINS) $(DRAM_SRCS)
$(foreach c,$(CONFIGS),$(eval $(BUILD)/cfg/$(c)/bench/memside: $(TWIN_EXTRA_memside:%.c=$(BUILD)/cfg/$(c)/obj/%.o)))
