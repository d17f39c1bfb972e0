# Hand-made programs on whole machines, verif/system/isa.
SYSTEM_ISA := $(patsubst %.c,$(BUILD)/obj/%.o,verif/system/isa/main.c verif/system/isa/generate.c verif/system/lib/pack.c verif/ref/lib/code.c verif/ref/lib/rng.c)
$(SYSTEM_ISA): | $(BUILD)/gen/isa_gen.h
$(BUILD)/test/system-isa: $(SYSTEM_ISA) $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(LDLIBS)
