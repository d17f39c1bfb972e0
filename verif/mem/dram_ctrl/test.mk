# The bench of dram_ctrl has the device model behind the pins. (rtl.mk has been read before this: the name is for scripts/mutate.)
BENCH_EXTRA_dram_ctrl := $(DRAM_SRCS)
$(foreach c,$(CONFIGS),$(eval $(BUILD)/cfg/$(c)/bench/dram_ctrl: $(DRAM_SRCS:%.c=$(BUILD)/cfg/$(c)/obj/%.o)))
