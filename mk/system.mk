# The tests of whole machines, verif/system.
SYSTEM_ISA := $(patsubst %.c,$(BUILD)/obj/%.o,verif/system/isa/main.c verif/system/isa/generate.c verif/system/lib/pack.c verif/ref/lib/code.c verif/ref/lib/rng.c)
$(SYSTEM_ISA): | $(BUILD)/gen/isa_gen.h
$(BUILD)/test/system-isa: $(SYSTEM_ISA) $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(CC) -o $@ $^ $(LDLIBS)

$(BUILD)/test/system-faults/reopen: $(BUILD)/obj/verif/system/faults/reopen.o $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(CC) -o $@ $^ $(LDLIBS)
