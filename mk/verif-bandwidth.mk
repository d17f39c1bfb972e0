# What the memory side sustains (verif/mem/bandwidth): a program over the twin and one over the verilated RTL. (rtl.mk has been read before this.)
BANDWIDTH_TWINS := $(addprefix sim_c/,noc/req_net.c noc/rsp_net.c cache/l2.c mem/mem_quota.c mem/mem_sched.c mem/dram_ctrl.c mem/perf_slice.c mem/perf_channel.c mem/memside.c)
define BANDWIDTH_RULES
$(patsubst %,$(BUILD)/cfg/$(1)/obj/verif/mem/bandwidth/%.o,bandwidth twin rtl): $(BUILD)/cfg/$(1)/gen/.ports
$(BUILD)/cfg/$(1)/bandwidth: $(patsubst %.c,$(BUILD)/cfg/$(1)/obj/%.o,verif/mem/bandwidth/bandwidth.c verif/mem/bandwidth/twin.c $(BANDWIDTH_TWINS) $(DRAM_SRCS))
	$$(CC) -o $$@ $$^ -lm
$(BUILD)/cfg/$(1)/bandwidth-rtl: $(patsubst %.c,$(BUILD)/cfg/$(1)/obj/%.o,verif/mem/bandwidth/bandwidth.c verif/mem/bandwidth/rtl.c $(DRAM_SRCS)) \
    $(BUILD)/cfg/$(1)/obj/gen/memside_ports.o $(BUILD)/cfg/$(1)/obj/gen/vl_types.o $(BUILD)/cfg/$(1)/rtl/memside/libmemside.a $(VRUN)
	$$(CXX) -o $$@ $$(filter %.o,$$^) $$(filter %.a,$$^) -lz -lpthread -lm
endef
$(foreach c,$(CONFIGS),$(eval $(call BANDWIDTH_RULES,$(c))))
