# The cycle machines as shared objects of a configuration: build/cfg/NAME/libvl{model,rtl,lockstep}.so (sw/runtime/backend.h).
# Sources that several twins share.
TWIN_SHARED := $(wildcard sim_c/common/*.c) $(wildcard sim_c/core/softfp.c sim_c/core/lsu_*.c)
CORE_TWINS := alu barrier fdiv fetch fpu idiv issue launch lsu mul perf regfile simt spad status
MMU_TWINS  := tlb itlb tlb_mshr ptw
MEM_TWINS  := noc/req_net noc/rsp_net cache/l2 mem/mem_quota mem/mem_sched mem/dram_ctrl mem/perf_slice mem/perf_channel
MEMSIDE_SRCS := $(MEM_TWINS:%=sim_c/%.c) sim_c/mem/memside.c
TWIN_SRCS  := $(CORE_TWINS:%=sim_c/core/%.c) sim_c/core/core.c sim_c/cache/l1d.c sim_c/cache/l1i.c sim_c/noc/mem_arb.c $(MMU_TWINS:%=sim_c/mmu/%.c) sim_c/mmu/vm_ctl.c \
              $(MEMSIDE_SRCS) \
              sim_c/top/ctrl.c sim_c/top/kernel_ctl.c sim_c/top/dispatcher.c sim_c/top/compute.c sim_c/top/vellum.c $(TWIN_SHARED)
CHIP_SRCS  := $(filter-out %/trace.c,$(DRAM_SRCS))
MACHINE_SRCS := sim_c/top/backend.c sim_c/top/chips.c sim_c/top/trace.c sim_c/top/trace_kanata.c sim_c/top/trace_timeline.c $(CHIP_SRCS)
JUDGE_SRCS := sim_c/ref/judge.c sim_c/ref/judge_memory.c sim_c/ref/judge_pages.c sim_c/ref/judge_faults.c sim_c/ref/judge_walks.c sim_c/ref/judge_requests.c sim_c/ref/versions.c sim_c/top/recorder.c $(addprefix sim_c/ref/,amo.c csr.c fp.c kernel.c mem.c run.c step.c translate.c)
PORTED     := $(CORE_TWINS) l1d l1i mem_arb $(MMU_TWINS) vm_ctl $(notdir $(MEM_TWINS)) ctrl dispatcher vellum

# What a lockstep is linked from, without the verilated device.
lockstep_objects = $(patsubst %.c,$(BUILD)/cfg/$(1)/obj/%.o,$(TWIN_SRCS) $(MACHINE_SRCS) $(JUDGE_SRCS) sim_c/top/machine_lockstep.c) \
    $(patsubst %,$(BUILD)/cfg/$(1)/obj/gen/%_ports.o,$(PORTED)) $(BUILD)/cfg/$(1)/obj/gen/vl_types.o \
    $(BUILD)/cfg/$(1)/obj/isa_gen.o $(BUILD)/cfg/$(1)/obj/gen/taps.o

# The verilated code is thousands of functions that call each other, which shall not go through a table.
MACHINE := -shared -Wl,-Bsymbolic
define MACHINE_RULES
$(BUILD)/cfg/$(1)/obj/isa_gen.o: $(BUILD)/gen/isa_gen.c
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) -fPIC -c $$< -o $$@
$(BUILD)/cfg/$(1)/libvlmodel.so: $(patsubst %.c,$(BUILD)/cfg/$(1)/obj/%.o,$(TWIN_SRCS) $(MACHINE_SRCS) sim_c/top/machine_model.c) \
    $(BUILD)/cfg/$(1)/obj/isa_gen.o
	$$(CC) $(MACHINE) -o $$@ $$^ -lm
$(BUILD)/cfg/$(1)/libvlrtl.so: $(patsubst %.c,$(BUILD)/cfg/$(1)/obj/%.o,$(MACHINE_SRCS) sim_c/top/machine_rtl.c) \
    $(BUILD)/cfg/$(1)/obj/gen/vellum_ports.o $(BUILD)/cfg/$(1)/obj/gen/vl_types.o $(BUILD)/cfg/$(1)/obj/isa_gen.o \
    $(BUILD)/cfg/$(1)/rtl/vellum/libvellum.a $(VRUN)
	$$(CXX) $(MACHINE) -o $$@ $$^ -lz -lpthread
# One verilated device serves rtl and lockstep: its blocks' outputs stay visible (taps.vlt), which costs a few per cent of its speed.
$(BUILD)/cfg/$(1)/gen/taps.vlt: $(BUILD)/cfg/$(1)/gen/.ports scripts/gen/taps.py
	$$(PYTHON) scripts/gen/taps.py vlt $(BUILD)/cfg/$(1)
	@touch $$@
$(BUILD)/cfg/$(1)/rtl/vellum/libvellum.a: $(BUILD)/cfg/$(1)/gen/taps.vlt scripts/gen/share.py
$(BUILD)/cfg/$(1)/gen/taps.cpp: $(BUILD)/cfg/$(1)/rtl/vellum/libvellum.a
	$$(PYTHON) scripts/gen/taps.py cpp $(BUILD)/cfg/$(1)
	@touch $$@
$(BUILD)/cfg/$(1)/obj/gen/taps.o: $(BUILD)/cfg/$(1)/gen/taps.cpp
	@mkdir -p $$(@D)
	$$(CCACHE) $$(CXX) $(VCXXFLAGS) -fPIC -DVM_TRACE=1 -DVM_TRACE_FST=1 -I$(BUILD)/cfg/$(1) -I$(BUILD)/cfg/$(1)/gen -I$(BUILD)/cfg/$(1)/rtl/vellum/v -c $$< -o $$@
$(BUILD)/cfg/$(1)/libvllockstep.so: $(call lockstep_objects,$(1)) $(VRUN)
	$$(CXX) $(MACHINE) -o $$@ $$^ $(BUILD)/cfg/$(1)/rtl/vellum/libvellum.a -lz -lpthread -lm
endef
$(foreach c,$(CONFIGS),$(eval $(call MACHINE_RULES,$(c))))

# What the tests run: built in one go before two of them run at a time (scripts/run-tests), so that none builds what another builds.
TEST_CONFIGS := tiny small warp32 odd
BENCHES := $(patsubst %/bench.c,%,$(wildcard verif/*/*/bench.c))
.PHONY: test-needs
test-needs: all $(VRUN) $(foreach c,$(TEST_CONFIGS),$(patsubst %,$(BUILD)/cfg/$(c)/libvl%.so,model rtl lockstep) \
    $(patsubst %,$(BUILD)/cfg/$(c)/bench/%,$(notdir $(BENCHES)) mempath)) \
    $(patsubst %,$(BUILD)/verif/%,fpu-arith softfp) $(patsubst %,$(BUILD)/test/%,loader loader-fuzz system-isa dram-device dram-speed)
