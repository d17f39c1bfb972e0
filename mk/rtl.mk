# Generated RTL packages, C types and glue, verilated blocks and twins, per configuration: everything under build/cfg/NAME/.
CONFIGS  := $(filter-out schema,$(basename $(notdir $(wildcard rtl/config/*.toml))))
# The counters of each unit: modules and twins of rtl/common/counters.toml (scripts/gen/perf.py), with one page and one bench for all.
COUNTER_BLOCKS := $(shell sed -n 's/^module = "\(.*\)"/\1/p' rtl/common/counters.toml)
COUNTER_RTL := $(COUNTER_BLOCKS:%=$(BUILD)/gen/perf/%.sv)
RTL      := $(wildcard rtl/*/*.sv rtl/*/*.svh) $(COUNTER_RTL)
# Verilator's own sources. Asked once: a test that calls make has the answer from this one.
ifndef VINC
VINC     := $(shell verilator --getenv VERILATOR_ROOT 2>/dev/null || echo /usr/share/verilator)/include
export VINC
endif
VCXXFLAGS := -std=c++17 -O2 -w -I. -I$(BUILD)/gen -I$(VINC) -I$(VINC)/vltstd -DVERILATOR=1 -DVL_TIME_CONTEXT -DVM_SC=0 -DVM_COVERAGE=0 -faligned-new
CCACHE   := $(shell command -v ccache 2>/dev/null)

# Packages in order of use for configuration $(1).
PACKAGES := $(shell sed 's/#.*//' rtl/packages.f)
packages  = $(subst {cfg},$(BUILD)/cfg/$(1),$(PACKAGES))
# Asked for each module once, not once a configuration: each make of a test reads all of this.
$(foreach f,$(filter %.sv,$(RTL)),$(eval UNIT_OF_$(basename $(notdir $(f))) := $(patsubst rtl/%/,%,$(dir $(f)))))
$(foreach b,$(COUNTER_BLOCKS),$(eval UNIT_OF_$(b) := perf))
unit_of   = $(UNIT_OF_$(1))

$(BUILD)/gen/perf_pkg.sv: rtl/common/counters.toml $(wildcard scripts/gen/perf*.py) $(wildcard rtl/*/*_pkg.sv)
	$(PYTHON) scripts/gen/perf.py
	@touch $@
$(BUILD)/gen/vl_perf.h $(COUNTER_RTL) $(COUNTER_RTL:.sv=.c) $(COUNTER_RTL:.sv=_twin.h): $(BUILD)/gen/perf_pkg.sv ;
$(BUILD)/gen/regs_pkg.sv: rtl/common/registers.toml scripts/gen/regs.py scripts/gen/policies.py
	$(PYTHON) scripts/gen/regs.py
	@touch $@
$(BUILD)/gen/policy_pkg.sv $(BUILD)/gen/vl_regs.h $(BUILD)/gen/vl_policies.h: $(BUILD)/gen/regs_pkg.sv ;

$(BUILD)/gen/vl_fields.h: rtl/config/schema.toml scripts/gen/schema.py scripts/gen/config.py
	$(PYTHON) scripts/gen/schema.py
	@touch $@

# Verilator's own runtime, compiled once. Trace support is always in (it costs nothing unless opened).
VRUN := $(BUILD)/obj/verilated/verilated.o $(BUILD)/obj/verilated/verilated_fst_c.o $(BUILD)/obj/verilated/verilated_threads.o
$(BUILD)/obj/verilated/%.o: $(VINC)/%.cpp | setup
	@mkdir -p $(@D)
	$(CCACHE) $(CXX) $(VCXXFLAGS) -fPIC -DVM_TRACE=1 -DVM_TRACE_FST=1 -c $< -o $@

# Structs on ports: a new block may add some (the file is written only if its contents change).
$(BUILD)/gen/.port_types: $(RTL) $(wildcard docs/blocks/*.md) scripts/gen/ports.py scripts/gen/sources.py
	@mkdir -p $(@D)
	$(PYTHON) scripts/gen/ports.py heads $(BUILD)/gen/port_types
	@touch $@
$(BUILD)/gen/port_types: $(BUILD)/gen/.port_types ;

# Sources that include nothing of a configuration: they are compiled once, as the OpenCL driver has them (mk/vellumcl.mk), and each configuration has a link to the object.
COMMON_SRCS := sim_c/core/softfp.c $(wildcard sim_c/dram/*.c) $(filter-out sim_c/ref/judge%,$(wildcard sim_c/ref/*.c))
-include $(COMMON_SRCS:%.c=$(BUILD)/pic/%.d)

define CONFIG_RULES
$(BUILD)/cfg/$(1)/vl_cfg_pkg.sv: rtl/config/$(1).toml rtl/config/schema.toml $(wildcard rtl/config/dram/*.toml) scripts/gen/config.py scripts/gen/dram.py scripts/gen/fields.py
	$$(PYTHON) scripts/gen/config.py $(1) --out $$(@D)
	@touch $$@ $$(@D)/vl_config.json
$(BUILD)/cfg/$(1)/vl_cfg.h $(BUILD)/cfg/$(1)/vl_config.json: $(BUILD)/cfg/$(1)/vl_cfg_pkg.sv ;
$(BUILD)/cfg/$(1)/gen/vl_types.h: $(call packages,$(1)) $(BUILD)/gen/port_types rtl/packages.f scripts/gen/ports.py scripts/gen/svxml.py scripts/gen/sources.py
	$$(PYTHON) scripts/gen/ports.py types $(BUILD)/cfg/$(1)
	@touch $$@
$(BUILD)/cfg/$(1)/gen/vl_types.c: $(BUILD)/cfg/$(1)/gen/vl_types.h ;

# The twin's objects of this configuration.
$(BUILD)/cfg/$(1)/obj/%.o: %.c $(BUILD)/cfg/$(1)/gen/vl_types.h | setup $(BUILD)/cfg/$(1)/gen/.ports $(BUILD)/gen/vl_regs.h $(BUILD)/gen/vl_policies.h
	@mkdir -p $$(@D)
	$$(CCACHE) $$(CC) $$(CFLAGS) -fPIC -I$(BUILD)/cfg/$(1) -I$(BUILD)/cfg/$(1)/gen -MMD -MP -c $$< -o $$@
$(COMMON_SRCS:%.c=$(BUILD)/cfg/$(1)/obj/%.o): $(BUILD)/cfg/$(1)/obj/%.o: $(BUILD)/pic/%.o
	@mkdir -p $$(@D)
	@ln -f $$< $$@
# Machines that are there for tests alone run for a second at a time: with -O2 the compiler takes a fifth longer, and they are no faster.
$(BUILD)/cfg/$(1)/obj/%.o: private CFLAGS += $(if $(filter odd mask2 tbc umh2m warp32,$(1)),$(OPT:-O2=-O1))
# A bench spends its time in the RTL: -O2 takes half as long again to compile, and makes it no faster.
$(BUILD)/cfg/$(1)/obj/verif/%.o: private CFLAGS += $(OPT:-O2=-O1)
$(BUILD)/cfg/$(1)/obj/gen/%.o: $(BUILD)/cfg/$(1)/gen/%.c $(BUILD)/cfg/$(1)/gen/vl_types.h | setup $(BUILD)/cfg/$(1)/gen/.ports
	@mkdir -p $$(@D)
	$$(CCACHE) $$(CC) $$(CFLAGS) -Wno-unused-variable -fPIC -I$(BUILD)/cfg/$(1) -I$(BUILD)/cfg/$(1)/gen -MMD -MP -c $$< -o $$@
endef
$(foreach c,$(CONFIGS),$(eval $(call CONFIG_RULES,$(c))))
-include $(shell find $(CONFIGS:%=$(BUILD)/cfg/%/obj) -name '*.d' 2>/dev/null)

# Ports of all blocks at once, and the wiring of their twins: a file is written only if its contents change.
define PORT_RULES
$(BUILD)/cfg/$(1)/gen/.ports: $(call packages,$(1)) $(RTL) rtl/packages.f $(addprefix scripts/gen/,ports.py wiring.py wiring_words.py wiring_values.py wiring_moves.py wiring_publish.py netlist.py svxml.py sources.py) sim_c/wiring.toml
	@mkdir -p $$(@D)
	$$(PYTHON) scripts/gen/ports.py blocks $(BUILD)/cfg/$(1) $(foreach b,$(BLOCKS),$(call unit_of,$(b))/$(b))
	@touch $$@
$(patsubst %,$(BUILD)/cfg/$(1)/gen/%,ports.c $(foreach n,core compute memside vellum,$(n)_nets.h $(n)_nets.inc)): $(BUILD)/cfg/$(1)/gen/.ports ;
endef

# Sources of a twin besides sim_c/UNIT/BLOCK.c and its parts, sim_c/UNIT/BLOCK_PART.c (docs/conventions.md).
TWIN_EXTRA_fpu  := sim_c/core/softfp.c
TWIN_EXTRA_fdiv := sim_c/core/softfp.c
TWIN_EXTRA_ctrl := sim_c/top/kernel_ctl.c
TWIN_EXTRA_l2c  := $(addprefix sim_c/cache/,l2_amo.c l2_lru.c l2_maint.c l2_resv.c)

# Blocks are the modules that have a page; leaf cells have none. Who builds some of them in a tree gives these as BLOCKS.
ALL_BLOCKS := $(filter $(basename $(notdir $(wildcard docs/blocks/*.md))),$(basename $(notdir $(wildcard rtl/*/*.sv)))) $(COUNTER_BLOCKS)
BLOCKS := $(ALL_BLOCKS)
# The sources of block $(1)'s twin; the blocks that composition $(1) names.
other_blocks = $(foreach b,$(filter-out $(1),$(ALL_BLOCKS)),sim_c/$(call unit_of,$(1))/$(b).c)
$(foreach b,$(ALL_BLOCKS),$(eval TWIN_OF_$(b) := sim_c/$(call unit_of,$(b))/$(b).c $(filter-out $(call other_blocks,$(b)),$(wildcard sim_c/$(call unit_of,$(b))/$(b)_*.c)) $(TWIN_EXTRA_$(b))))
$(foreach b,$(COUNTER_BLOCKS),$(eval TWIN_OF_$(b) := $(BUILD)/gen/perf/$(b).c))
twin_of = $(TWIN_OF_$(1))
# The object of a bench.
bench_of = $(BUILD)/cfg/$(1)/obj/verif/$(if $(filter $(2),$(COUNTER_BLOCKS)),core/perf/$(2).o,$(call unit_of,$(2))/$(2)/bench.o)
inside  = $(filter-out $(1),$(sort $(filter $(BLOCKS),$(file <$(wildcard rtl/*/$(1).sv)))))
# Further C sources of a bench: BENCH_EXTRA_BLOCK.
# The ports of block $(2) in configuration $(1). All ports of a machine are one file, gen/ports.c, which compiles in a third of the time of single files; so where `make test` has a
# machine in lockstep its benches have that object, too. In other configurations few blocks have benches.
ports_of = $(BUILD)/cfg/$(1)/obj/gen/$(if $(filter tiny small odd mask2 tbc umh2,$(1)),ports,$(2)_ports).o

# A block: ports header, verilated library, bench. $(1) configuration, $(2) block. A bench runs its block for a second: -O2 takes a fifth longer to compile, and makes it a twentieth faster. So too machines that are there for tests alone.
define BLOCK_RULES
$(BUILD)/cfg/$(1)/gen/$(2)_ports.h $(BUILD)/cfg/$(1)/gen/$(2)_ports.c $(BUILD)/cfg/$(1)/gen/$(2)_glue.cpp: $(BUILD)/cfg/$(1)/gen/.ports ;
$(BUILD)/cfg/$(1)/rtl/$(2)/lib$(2).a: $(BUILD)/cfg/$(1)/gen/$(2)_glue.cpp $(BUILD)/cfg/$(1)/gen/vl_types.h $(RTL) scripts/verilate
	VERILATE_OPT=$$$${VERILATE_OPT:-$(if $(filter odd mask2 tbc warp32 case,$(1))$(filter-out vellum memside,$(2)),-O1,-O2)} scripts/verilate $(1) $(2) $$@
$(BUILD)/cfg/$(1)/bench/$(2): $(BUILD)/cfg/$(1)/gen/$(2)_ports.h $(BUILD)/cfg/$(1)/rtl/$(2)/lib$(2).a $(VRUN) \
    $(call bench_of,$(1),$(2)) \
    $(call ports_of,$(1),$(2)) $(BUILD)/cfg/$(1)/obj/gen/vl_types.o \
    $$(patsubst %.c,$(BUILD)/cfg/$(1)/obj/%.o,$$(sort $$(call twin_of,$(2)) $$(BENCH_EXTRA_$(2)))) $(BUILD)/obj/$(BUILD)/gen/isa_gen.o
	@mkdir -p $$(@D)
	$$(LINKXX) -o $$@ $$(filter %.o,$$^) $$(filter %.a,$$^) -lz -lpthread -lm
endef
$(foreach c,$(CONFIGS),$(eval $(call PORT_RULES,$(c))))
$(foreach c,$(CONFIGS),$(foreach b,$(BLOCKS),$(eval $(call BLOCK_RULES,$(c),$(b)))))
