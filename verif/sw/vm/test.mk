# Address spaces and pagers of host memory (docs/host-memory.md), with sanitizers.
VM_TEST := $(patsubst %.c,$(BUILD)/san/%.o,$(wildcard verif/sw/vm/*.c)) $(BUILD)/san/verif/ref/lib/rng.o
$(VM_TEST): | $(BUILD)/gen/isa_gen.h
$(BUILD)/test/vm: $(VM_TEST) $(RUNTIME_SAN)
	@mkdir -p $(@D)
	$(LINK) $(SAN) -Wl,--wrap=vl_show,--wrap=malloc,--wrap=calloc,--wrap=realloc -o $@ $^ $(LDLIBS) -lcmocka
