# The device library: everything that `vellum cc` needs beside the compiler, in build/device/.
#   vellum-clang19.bc  builtins, linked into each kernel before optimisation (clang-22 reads it as well)
#   vellum-double-clang19.bc  those of double, for kernels that name it
#   memory.o           memcpy and friends, which the code generator calls by itself
#   double.o           arithmetic of double, which it calls as well
#   vellum-loops       the loop step (docs/compiler.md), a program of its own: LLVM's library is large
#   names, kernel.ld, vellum.h, vellum_print.h
DEVICE      := $(BUILD)/device
DEVICE_GEN  := $(BUILD)/gen/device
LLVM        := -19
LIBCLC      := /usr/lib/clc/nvptx64--.bc
# clang-19 calls Zacas experimental; the option changes nothing else.
DEVICE_ARCH := --target=riscv64-unknown-elf -mabi=lp64 -march=rv64ima_zfinx_zicond_zba_zbb_zbs_zacas1p0 -menable-experimental-extensions
DEVICE_FLAGS := $(DEVICE_ARCH) -ffreestanding -fno-math-errno -fno-jump-tables -Wall -Wextra -Werror -Wno-unused-value -Wno-unused-parameter
# Results are written aside and renamed: several makes may run at once. PIPE: a failed compiler in a pipe is a failure.
PIPE := set -o pipefail;
# Not optimised here: `opt` below only tidies, and inlining happens in the kernel.
DEVICE_IR   := -O2 -Xclang -disable-llvm-passes -S -emit-llvm
DEVICE_CL   := -x cl -cl-std=CL1.2 -cl-no-stdinc -Xclang -ffake-address-space-map

$(DEVICE_GEN)/%.ll $(DEVICE)/%-clang19.bc: SHELL := /bin/bash

# $(1): double or float, $(2): what files of double have in their names.
define device_kind
$(DEVICE_GEN)/builtins$(2).cl: sw/device/builtins.py sw/device/libclc.py mk/device.mk
	@mkdir -p $$(@D)
	PYTHONDONTWRITEBYTECODE=1 $(PYTHON) $$< $(1) $$@.$$$$$$$$ && mv $$@.$$$$$$$$ $$@
$(DEVICE_GEN)/libclc$(2).ll: sw/device/libclc.py mk/device.mk | setup
	@mkdir -p $$(@D)
	PYTHONDONTWRITEBYTECODE=1 $(PYTHON) $$< $(LLVM) $(1) $(LIBCLC) $$@.$$$$$$$$ && mv $$@.$$$$$$$$ $$@
endef
$(eval $(call device_kind,float,))
$(eval $(call device_kind,double,-double))

# The library takes the features of the kernel that it is inlined into, whatever the compiler calls them.
DEVICE_NEUTRAL := -e 's/ "target-\(cpu\|features\)"="[^"]*"//g' -e '/^!llvm.ident/d' -e '/"riscv-isa"/d' -e 's/^!llvm.module.flags.*/!llvm.module.flags = !{}/'

# OpenCL C marks every function convergent. Only those of sync.cl are, and the mark would prevent the motion of conversions.
DEVICE_DOUBLE := -Xclang -cl-ext=+cl_khr_fp64
$(DEVICE_GEN)/builtins-double.ll $(DEVICE_GEN)/double.ll: DEVICE_CL += $(DEVICE_DOUBLE)
$(DEVICE_GEN)/builtins.ll $(DEVICE_GEN)/builtins-double.ll: $(DEVICE_GEN)/%.ll: $(DEVICE_GEN)/%.cl mk/device.mk | setup
	$(PIPE) clang$(LLVM) $(DEVICE_FLAGS) $(DEVICE_CL) $(DEVICE_IR) $< -o - | sed $(DEVICE_NEUTRAL) -e 's/\bconvergent //' >$@.$$$$ && mv $@.$$$$ $@
$(DEVICE_GEN)/%.ll: sw/device/%.cl mk/device.mk | setup
	@mkdir -p $(@D)
	$(PIPE) clang$(LLVM) $(DEVICE_FLAGS) $(DEVICE_CL) $(DEVICE_IR) $< -o - | sed $(DEVICE_NEUTRAL) -e 's/\bconvergent //' >$@.$$$$ && mv $@.$$$$ $@
$(DEVICE_GEN)/sync.ll: sw/device/sync.cl mk/device.mk | setup
	@mkdir -p $(@D)
	$(PIPE) clang$(LLVM) $(DEVICE_FLAGS) $(DEVICE_CL) $(DEVICE_IR) $< -o - | sed $(DEVICE_NEUTRAL) >$@.$$$$ && mv $@.$$$$ $@
$(DEVICE_GEN)/workitem.ll: sw/device/workitem.c mk/device.mk | setup
	@mkdir -p $(@D)
	$(PIPE) clang$(LLVM) $(DEVICE_FLAGS) $(DEVICE_IR) $< -o - | sed $(DEVICE_NEUTRAL) >$@.$$$$ && mv $@.$$$$ $@

$(DEVICE)/vellum-clang19.bc: $(patsubst %,$(DEVICE_GEN)/%.ll,libclc math special sync workitem builtins)
$(DEVICE)/vellum-double-clang19.bc: $(patsubst %,$(DEVICE_GEN)/%.ll,libclc-double double builtins-double)
$(DEVICE)/vellum-clang19.bc $(DEVICE)/vellum-double-clang19.bc:
	@mkdir -p $(@D)
	$(PIPE) llvm-link$(LLVM) $^ -o - | opt$(LLVM) -passes='function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)' -o $@.$$$$ && mv $@.$$$$ $@

$(DEVICE)/memory.o $(DEVICE)/double.o: $(DEVICE)/%.o: sw/device/%.c mk/device.mk | setup
	@mkdir -p $(@D)
	clang$(LLVM) $(DEVICE_FLAGS) -O2 -fno-builtin -fno-optimize-sibling-calls -ffunction-sections -fstack-size-section -mllvm -disable-tail-duplicate -mllvm -tail-dup-placement=false -c $< -o $@.$$$$ && mv $@.$$$$ $@
# Names that the library defines: a program's own functions of these names are renamed.
$(DEVICE)/names: $(addprefix $(DEVICE)/,vellum-clang19.bc vellum-double-clang19.bc memory.o double.o)
	llvm-nm$(LLVM) --defined-only --extern-only --just-symbol-name $^ | sort -u >$@.$$$$ && mv $@.$$$$ $@
$(DEVICE)/kernel.ld: sw/device/kernel.ld
	@mkdir -p $(@D)
	cp $< $@.$$$$ && mv $@.$$$$ $@
$(DEVICE)/vellum.h $(DEVICE)/vellum_print.h: $(DEVICE)/%: sw/device/%
	@mkdir -p $(@D)
	cp $< $@.$$$$ && mv $@.$$$$ $@

# The headers of LLVM are others' work, so warnings stop there.
LOOPS_SOURCES := $(wildcard sw/tools/loops/*.c)
LOOPS_OBJECTS := $(LOOPS_SOURCES:%.c=$(BUILD)/obj/%.o)
LOOPS_LIBRARY := -L/usr/lib/llvm$(LLVM)/lib -lLLVM$(LLVM)
$(LOOPS_OBJECTS) $(LOOPS_SOURCES:%.c=$(BUILD)/san/%.o): CFLAGS += -isystem /usr/lib/llvm$(LLVM)/include
$(DEVICE)/vellum-loops: $(LOOPS_OBJECTS) $(BUILD)/obj/sw/tools/cc_memory.o
	@mkdir -p $(@D)
	$(LINK) $(CFLAGS) $^ $(LOOPS_LIBRARY) -o $@.$$$$ && mv $@.$$$$ $@

DEVICE_LIBRARY := $(addprefix $(DEVICE)/,vellum-clang19.bc vellum-double-clang19.bc memory.o double.o names kernel.ld vellum.h vellum_print.h vellum-loops)
CC_SOURCES := sw/tools/cc.c sw/tools/cc_options.c sw/tools/cc_passes.c sw/tools/cc_meta.c sw/tools/cc_entry.c sw/tools/cc_object.c sw/tools/cc_memory.c sw/tools/cc_output.c sw/tools/cc_run.c sw/tools/cc_source.c sw/tools/cc_where.c sw/tools/cc_volatile.c sw/tools/cc_subword.c sw/tools/cc_inline.c sw/tools/cc_names.c sw/tools/cc_link.c
CC_OBJECTS := $(CC_SOURCES:%.c=$(BUILD)/obj/%.o)

# The compiler alone, as a program of its own, for the tests of this area.
$(CC_OBJECTS) $(CC_SOURCES:%.c=$(BUILD)/san/%.o): | $(BUILD)/gen/isa_gen.h
# The parts of libvellum that read configurations; the whole command has them anyway.
CC_RUNTIME := sw/runtime/config.c sw/runtime/error.c sw/runtime/process.c sw/runtime/words.c
$(BUILD)/vellum-cc: $(CC_OBJECTS) $(CC_RUNTIME:%.c=$(BUILD)/obj/%.o) $(BUILD)/obj/sw/tools/cc_main.o $(BUILD)/obj/$(BUILD)/gen/isa_gen.o
	$(LINK) $(CFLAGS) $^ -lelf -ldw -ljansson -o $@
$(BUILD)/vellum-cc: | $(DEVICE_LIBRARY)

# The same with sanitizers; it lives in build/ too, to find the library.
$(BUILD)/vellum-cc-san: $(CC_SOURCES:%.c=$(BUILD)/san/%.o) $(CC_RUNTIME:%.c=$(BUILD)/san/%.o) $(BUILD)/san/sw/tools/cc_main.o $(BUILD)/san/$(BUILD)/gen/isa_gen.o
	$(LINK) $(CFLAGS) -fsanitize=address,undefined $^ -lelf -ldw -ljansson -o $@
$(BUILD)/vellum-cc-san: | $(DEVICE_LIBRARY)

PROGRAMS += $(BUILD)/vellum-cc $(DEVICE_LIBRARY)
