# The loader, verif/sw/loader, with sanitizers.
LOADER_TEST := $(patsubst %.c,$(BUILD)/san/%.o,$(wildcard verif/sw/loader/*.c))
$(LOADER_TEST): | $(BUILD)/gen/isa_gen.h $(BUILD)/gen/vl_perf.h
$(BUILD)/test/loader: $(LOADER_TEST) $(RUNTIME_SAN)
	@mkdir -p $(@D)
	$(LINK) $(SAN) -o $@ $^ $(LDLIBS) -lcmocka
