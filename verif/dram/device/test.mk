# The test of the device model: with sanitizers, and once without for its speed.
DRAM_TEST := $(wildcard verif/dram/device/*.c)
$(BUILD)/test/dram-device: $(patsubst %.c,$(BUILD)/san/%.o,$(DRAM_SRCS) $(filter-out %/speed.c,$(DRAM_TEST)))
	@mkdir -p $(@D)
	$(LINK) -fsanitize=address,undefined -fno-sanitize-recover=all -o $@ $^ -lcmocka
$(BUILD)/test/dram-speed: $(BUILD)/obj/verif/dram/device/speed.o $(BUILD)/libdram.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^
