# DRAM: the device model (sim_c/dram), and the files made of a configuration's timing set in build/cfg/NAME/.
DRAM_SRCS := $(addprefix sim_c/dram/,check.c device.c phy.c report.c set.c store.c trace.c)

define DRAM_RULES
$(BUILD)/cfg/$(1)/vl_dram_pkg.sv: $(BUILD)/cfg/$(1)/vl_config.json $(wildcard rtl/config/dram/*.toml) scripts/gen/dram.py
	$$(PYTHON) scripts/gen/dram.py $$$$(sed -n 's/.*"\(host_\)\{0,1\}dram": "\(.*\)".*/\2/p' $$<) --out $$(@D)
	@touch $$@
$(BUILD)/cfg/$(1)/vl_dram.h $(BUILD)/cfg/$(1)/vl_dram_set.h: $(BUILD)/cfg/$(1)/vl_dram_pkg.sv ;
endef
$(foreach c,$(filter-out schema,$(basename $(notdir $(wildcard rtl/config/*.toml)))),$(eval $(call DRAM_RULES,$(c))))

$(BUILD)/libdram.a: $(DRAM_SRCS:%.c=$(BUILD)/obj/%.o)
	@rm -f $@
	$(AR) rcs $@ $^
