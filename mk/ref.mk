# The architectural reference: build/libref.a (isa_gen included).
REF_SRCS := $(addprefix sim_c/ref/,amo.c csr.c fp.c group.c kernel.c mem.c run.c step.c translate.c)
REF_OBJS := $(REF_SRCS:%.c=$(BUILD)/obj/%.o)
REF_SAN  := $(REF_SRCS:%.c=$(BUILD)/san/%.o) $(BUILD)/san/$(BUILD)/gen/isa_gen.o

# Each instruction of the runner keeps its own jump to the next one, for the branch predictor; by default clang-19 joins these jumps.
$(BUILD)/obj/sim_c/ref/run.o $(BUILD)/pic/sim_c/ref/run.o: private CFLAGS += -mllvm -tail-dup-pred-size=5000 -mllvm -tail-dup-succ-size=5000

$(REF_OBJS) $(REF_SAN): | $(BUILD)/gen/isa_gen.h

$(BUILD)/libref.a: $(REF_OBJS) $(ISA_OBJS)
	@rm -f $@
	$(AR) rcs $@ $^

# With sanitizers, for tests. The compiler takes twelve seconds to optimise the checks in two of them, more than all tests gain.
$(BUILD)/san/sim_c/ref/run.o $(BUILD)/san/sim_c/ref/step.o: SAN_OPT := -O0
$(BUILD)/libref-san.a: $(REF_SAN)
	@rm -f $@
	$(AR) rcs $@ $^

PROGRAMS += $(BUILD)/libref.a
