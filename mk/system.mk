# The tests of whole machines, verif/system.
SYSTEM_ISA := $(patsubst %.c,$(BUILD)/obj/%.o,verif/system/isa/main.c verif/system/isa/generate.c verif/system/lib/pack.c verif/ref/lib/code.c verif/ref/lib/rng.c)
$(SYSTEM_ISA): | $(BUILD)/gen/isa_gen.h
$(BUILD)/test/system-isa: $(SYSTEM_ISA) $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(CC) -o $@ $^ $(LDLIBS)

$(BUILD)/test/system-faults/reopen: $(BUILD)/obj/verif/system/faults/reopen.o $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(CC) -o $@ $^ $(LDLIBS)

# Waves are read back by the reader that comes with Verilator's copy of the FST library.
FSTLIB := $(VINC)/gtkwave
$(BUILD)/test/system-traces/fst: verif/system/traces/fst.c | setup
	@mkdir -p $(@D)
	$(CC) -std=gnu17 -O1 -w -DFST_CONFIG_INCLUDE='"fst_config.h"' -I$(FSTLIB) -o $@ $< $(FSTLIB)/fstapi.c $(FSTLIB)/fastlz.c $(FSTLIB)/lz4.c -lz

# The controls of the lockstep link their own from these.
LOCKSTEP_TEST := $(BUILD)/test/system-lockstep
$(LOCKSTEP_TEST)/%.objects: $(BUILD)/cfg/%/libvllockstep.so
	@mkdir -p $(@D)
	@printf '%s\n' $(call lockstep_objects,$*) >$@
