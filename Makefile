# Vellum: two commands are enough, `make run` and `make test`. `make help` lists the rest.
# Each area adds its own fragment mk/AREA.mk: sources, libraries, programs; each test verif/UNIT/NAME/test.mk (see mk/README.md).

BUILD   := build
CC      := clang-19
CXX     := clang++-19
# lld links in half of the time that ld takes.
LINK    := $(CC) -fuse-ld=lld
LINKXX  := $(CXX) -fuse-ld=lld
PYTHON  := python3
CONFIG  ?= small
OPT     ?= -O2
# What a sanitizer or a crash reports: functions and lines. For a debugger DEBUG=-g, which takes the compiler a seventh longer.
DEBUG   ?= -g1
CFLAGS  := -std=c17 $(OPT) $(DEBUG) -Wall -Wextra -Werror -D_GNU_SOURCE -I. -I$(BUILD)/gen
LDLIBS  := -lelf -ldw -ljansson -lm
MAKEFLAGS += --no-builtin-rules
$(if $(filter-out 1,$(VELLUM_REGRESS)),$(error VELLUM_REGRESS=$(VELLUM_REGRESS): 1 for the long forms of tests, or not set))
# Scripts and tests that call make are makes of their own: none has this one's jobs, and a warning about that would be in every log.
unexport MAKEFLAGS

.PHONY: all test clean setup
.DEFAULT_GOAL := all
.SECONDARY:

# Host objects: one object a source, dependencies by the compiler.
$(BUILD)/obj/%.o: %.c | setup $(BUILD)/gen/vl_regs.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

# The same with sanitizers, for tests and fuzzers.
SAN_OPT := -O1
$(BUILD)/san/%.o: %.c | setup $(BUILD)/gen/vl_regs.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(SAN_OPT) -fsanitize=address,undefined -fno-sanitize-recover=all -MMD -MP -c $< -o $@

setup:
	@scripts/setup

# The compiler's cache goes by the lists of headers that the compiler writes: without them it preprocesses each unknown file before it compiles it, which takes
# a third longer. Variants of a configuration differ in a few constants, most files do not use them, and their preprocessed text is known.
ifeq ($(findstring /experiments/trees/,$(CURDIR)),)
export CCACHE_DEPEND ?= 1
else
unexport CCACHE_DEPEND
endif

# Areas first, then tests, then what asks about both.
include $(wildcard mk/*.mk) $(wildcard verif/*/*/test.mk) $(wildcard verif/*/*.mk) $(wildcard scripts/*.mk)

all: $(PROGRAMS)

test: all
	@scripts/run-tests

# A static pattern: an implicit rule test-% would not match a name with a slash.
$(patsubst verif/%/,test-%,$(wildcard verif/*/*/)): test-%: all
	@scripts/run-tests $*

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD)/obj $(BUILD)/san -name '*.d' 2>/dev/null)
