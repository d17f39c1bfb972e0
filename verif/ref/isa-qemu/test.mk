# The reference against QEMU, verif/ref/isa-qemu.
ISA_QEMU := $(addprefix $(BUILD)/obj/verif/ref/,isa-qemu/main.o isa-qemu/program.o isa-qemu/machines.o lib/code.o lib/rng.o)
$(ISA_QEMU): | $(BUILD)/gen/isa_gen.h
$(BUILD)/ref/isa-qemu/isa-qemu: $(ISA_QEMU) $(BUILD)/libref.a
	@mkdir -p $(@D)
	$(LINK) $(CFLAGS) $^ -lm -o $@
