# The bench of dram_ctrl has the device model behind the pins.
$(foreach c,$(CONFIGS),$(eval $(BUILD)/cfg/$(c)/bench/dram_ctrl: $(DRAM_SRCS:%.c=$(BUILD)/obj/%.o)))
