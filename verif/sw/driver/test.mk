# The driver on a mock host, verif/sw/driver.
DRIVER_TEST := $(patsubst %.c,$(BUILD)/san/%.o,$(wildcard verif/sw/driver/*.c))
$(DRIVER_TEST): | $(BUILD)/gen/isa_gen.h $(BUILD)/gen/vl_perf.h
$(BUILD)/test/driver: $(DRIVER_TEST) $(RUNTIME_SAN)
	@mkdir -p $(@D)
	$(LINK) $(SAN) -o $@ $^ $(LDLIBS) -lcmocka
test-needs: $(BUILD)/test/driver
