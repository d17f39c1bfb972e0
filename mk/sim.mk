# The cycle machines as shared objects of a configuration: build/cfg/NAME/libvl{model,rtl,lockstep}.so (sim_c/top/machine.h), and those that can
# write waves, of a device verilated once more: libvl{rtl,lockstep}-waves.so.
TWIN_SRCS  := $(sort $(foreach b,$(BLOCKS),$(call twin_of,$(b))))
MEMSIDE_SRCS := $(foreach b,memside $(call inside,memside),$(call twin_of,$(b)))
CHIP_SRCS  := $(filter-out %/trace.c,$(DRAM_SRCS))
MACHINE_SRCS := sim_c/top/machine.c sim_c/top/buffers.c sim_c/top/chips.c sim_c/top/occupants.c sim_c/top/trace.c sim_c/top/trace_kanata.c sim_c/top/trace_timeline.c sim_c/top/trace_lanes.c $(CHIP_SRCS)
JUDGE_SRCS := $(wildcard sim_c/ref/judge*.c) $(addprefix sim_c/ref/,amo.c csr.c fp.c group.c kernel.c map.c mem.c run.c step.c translate.c versions.c)
LOCKSTEP_SRCS := sim_c/top/recorder.c sim_c/top/machine_lockstep.c

# Objects of a lockstep without the verilated device and the taps into it; and with the taps.
lockstep_parts = $(patsubst %.c,$(BUILD)/cfg/$(1)/obj/%.o,$(TWIN_SRCS) $(MACHINE_SRCS) $(JUDGE_SRCS) $(LOCKSTEP_SRCS)) \
    $(BUILD)/cfg/$(1)/obj/gen/ports.o $(BUILD)/cfg/$(1)/obj/gen/vl_types.o \
    $(BUILD)/cfg/$(1)/obj/isa_gen.o
lockstep_objects = $(call lockstep_parts,$(1)) $(BUILD)/cfg/$(1)/obj/gen/taps.o

# Of test system/$(1): the objects that the model of a configuration is linked from, a line each. A planted bug is linked with all but its own.
define MODEL_OBJECTS
$(BUILD)/test/system-$(1)/%.objects: $(BUILD)/cfg/%/libvlmodel.so
	@mkdir -p $$(@D)
	@printf '%s\n' $$(patsubst %.c,$(BUILD)/cfg/$$*/obj/%.o,$$(TWIN_SRCS) $$(MACHINE_SRCS) sim_c/top/machine_model.c) $(BUILD)/cfg/$$*/obj/isa_gen.o >$$@
endef

# The verilated code is thousands of functions that call each other, which shall not go through a table.
MACHINE := -shared -Wl,-Bsymbolic
define MACHINE_RULES
$(BUILD)/cfg/$(1)/obj/isa_gen.o: $(BUILD)/gen/isa_gen.c
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) -fPIC -c $$< -o $$@
$(BUILD)/cfg/$(1)/libvlmodel.so: $(patsubst %.c,$(BUILD)/cfg/$(1)/obj/%.o,$(TWIN_SRCS) $(MACHINE_SRCS) sim_c/top/machine_model.c) \
    $(BUILD)/cfg/$(1)/obj/isa_gen.o
	$$(LINK) $(MACHINE) -o $$@ $$^ -lm
# One verilated device serves rtl and lockstep: its blocks' outputs stay visible (taps.vlt), which costs a few per cent of its speed.
$(BUILD)/cfg/$(1)/gen/taps.vlt: $(BUILD)/cfg/$(1)/gen/.ports scripts/gen/taps.py scripts/gen/netlist.py
	$$(PYTHON) scripts/gen/taps.py vlt $(BUILD)/cfg/$(1)
	@touch $$@
$(BUILD)/cfg/$(1)/rtl/vellum/libvellum.a: $(BUILD)/cfg/$(1)/gen/taps.vlt scripts/gen/share.py
# Who writes waves waits for the writing: -O2 would take the compiler longer for nothing.
$(BUILD)/cfg/$(1)/waves/vellum/libvellum.a: $(BUILD)/cfg/$(1)/gen/vellum_glue.cpp $(BUILD)/cfg/$(1)/gen/vl_types.h $(RTL) scripts/verilate $(BUILD)/cfg/$(1)/gen/taps.vlt scripts/gen/share.py
	VERILATE_TRACE=1 VERILATE_OPT=$$$${VERILATE_OPT:--O1} scripts/verilate $(1) vellum $$@
endef
# rtl and lockstep over one of the two devices: $(1) configuration, $(2) its folder, $(3) a suffix of names.
define DEVICE_RULES
$(BUILD)/cfg/$(1)/libvlrtl$(3).so: $(patsubst %.c,$(BUILD)/cfg/$(1)/obj/%.o,$(MACHINE_SRCS) sim_c/top/machine_rtl.c) \
    $(BUILD)/cfg/$(1)/obj/gen/ports.o $(BUILD)/cfg/$(1)/obj/gen/vl_types.o $(BUILD)/cfg/$(1)/obj/isa_gen.o \
    $(BUILD)/cfg/$(1)/$(2)/vellum/libvellum.a $(VRUN)
	$$(LINKXX) $(MACHINE) -o $$@ $$^ -lz -lpthread
$(BUILD)/cfg/$(1)/gen/taps$(3).cpp: $(BUILD)/cfg/$(1)/$(2)/vellum/libvellum.a
	$$(PYTHON) scripts/gen/taps.py cpp $(BUILD)/cfg/$(1) $(BUILD)/cfg/$(1)/$(2)/vellum/v $$@
	@touch $$@
$(BUILD)/cfg/$(1)/obj/gen/taps$(3).o: $(BUILD)/cfg/$(1)/gen/taps$(3).cpp
	@mkdir -p $$(@D)
	$$(CCACHE) $$(CXX) $(VCXXFLAGS) -fPIC -DVM_TRACE=1 -DVM_TRACE_FST=1 -I$(BUILD)/cfg/$(1) -I$(BUILD)/cfg/$(1)/gen -I$(BUILD)/cfg/$(1)/$(2)/vellum/v -c $$< -o $$@
$(BUILD)/cfg/$(1)/libvllockstep$(3).so: $(call lockstep_parts,$(1)) $(BUILD)/cfg/$(1)/obj/gen/taps$(3).o $(VRUN)
	$$(LINKXX) $(MACHINE) -o $$@ $$^ $(BUILD)/cfg/$(1)/$(2)/vellum/libvellum.a -lz -lpthread -lm
endef
$(foreach c,$(CONFIGS),$(eval $(call MACHINE_RULES,$(c))))
$(foreach c,$(CONFIGS),$(eval $(call DEVICE_RULES,$(c),rtl))$(eval $(call DEVICE_RULES,$(c),waves,-waves)))

# Targets of the tests: built in one go before two tests run at a time (scripts/run-tests), so that no two tests build the same file.
# Machines in RTL. VELLUM_REGRESS=1: in warp32, too.
TEST_CONFIGS := tiny small odd mask2 tbc umh2 $(if $(VELLUM_REGRESS),warp32)
# The model alone of these: the blocks of warp32 are on benches and its beats are four for odd's two; those of umh2m are umh2's in other sizes, its memory side is on verif/mem/memside-devices. VELLUM_REGRESS=1: umh1 and umh2d, too.
MODEL_CONFIGS := warp32 umh2m $(if $(VELLUM_REGRESS),umh1 umh2d)
# A bench runs in the configurations that verif/common/bench-configs names, one that is not there in these two; with VELLUM_REGRESS=1 every one in all four.
USUAL_CONFIGS := $(if $(VELLUM_REGRESS),tiny small warp32 odd,tiny odd)
BENCHES := $(sort $(notdir $(patsubst %/bench.c,%,$(wildcard verif/*/*/bench.c))) $(COUNTER_BLOCKS))
FEW := $(shell sed 's/#.*//' verif/common/bench-configs)
some_configs = $(patsubst $(1)/%,%,$(filter $(1)/%,$(FEW)))
# Those that are named are all; with VELLUM_REGRESS=1 beside the usual ones, unless all of them are others.
bench_configs = $(if $(VELLUM_REGRESS),$(if $(filter $(USUAL_CONFIGS),$(or $(call some_configs,$(1)),tiny)),$(sort $(USUAL_CONFIGS) $(call some_configs,$(1))),$(call some_configs,$(1))),$(or $(call some_configs,$(1)),$(USUAL_CONFIGS)))
BENCH_NEEDS := $(foreach b,$(BENCHES) mempath,$(patsubst %,$(BUILD)/cfg/%/bench/$(b),$(call bench_configs,$(b))))
.PHONY: test-needs
test-needs: all $(VRUN) $(foreach c,$(TEST_CONFIGS),$(patsubst %,$(BUILD)/cfg/$(c)/libvl%.so,model rtl lockstep)) $(patsubst %,$(BUILD)/cfg/%/libvlmodel.so,$(MODEL_CONFIGS)) $(BENCH_NEEDS) \
    $(patsubst %,$(BUILD)/verif/%,fpu-arith softfp) $(patsubst %,$(BUILD)/test/%,loader loader-fuzz system-isa dram-device dram-speed)
