# The architectural reference: build/libref.a (isa_gen included).
REF_SRCS := $(addprefix sim_c/ref/,amo.c csr.c fp.c kernel.c mem.c run.c step.c translate.c)
REF_OBJS := $(REF_SRCS:%.c=$(BUILD)/obj/%.o)
REF_SAN  := $(REF_SRCS:%.c=$(BUILD)/san/%.o) $(BUILD)/san/$(BUILD)/gen/isa_gen.o

$(REF_OBJS) $(REF_SAN): | $(BUILD)/gen/isa_gen.h

$(BUILD)/libref.a: $(REF_OBJS) $(ISA_OBJS)
	@rm -f $@
	$(AR) rcs $@ $^

# With sanitizers, for tests.
$(BUILD)/libref-san.a: $(REF_SAN)
	@rm -f $@
	$(AR) rcs $@ $^

PROGRAMS += $(BUILD)/libref.a

# Tests of the reference
ISA_QEMU := $(addprefix $(BUILD)/obj/verif/ref/,isa-qemu/main.o isa-qemu/program.o isa-qemu/machines.o lib/code.o lib/rng.o)
$(ISA_QEMU): | $(BUILD)/gen/isa_gen.h
$(BUILD)/ref/isa-qemu/isa-qemu: $(ISA_QEMU) $(BUILD)/libref.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $^ -lm -o $@
REF_TRANSLATE := $(addprefix $(BUILD)/san/,verif/ref/translate/test.o verif/ref/translate/random.o sim_c/ref/translate.o)
$(BUILD)/ref/translate/test: $(REF_TRANSLATE)
	@mkdir -p $(@D)
	$(CC) -fsanitize=address,undefined $^ -lcmocka -o $@
