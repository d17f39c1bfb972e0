# Workloads two at a time, verif/system/pairs.
PAIRS := $(patsubst %.c,$(BUILD)/obj/%.o,verif/system/pairs/main.c $(filter-out sw/workloads/main.c,$(WORKLOADS_SRCS)))
$(BUILD)/test/pairs: $(PAIRS) $(BUILD)/libvellum.a | $(BUILD)/vellum $(DEVICE_LIBRARY)
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ -Wl,--wrap=vl_launch $(LDLIBS) -lpthread
# What the machine of the planted bugs is linked from.
$(BUILD)/test/system-pairs/%.objects: $(BUILD)/cfg/%/libvlmodel.so
	@mkdir -p $(@D)
	@printf '%s\n' $(patsubst %.c,$(BUILD)/cfg/$*/obj/%.o,$(TWIN_SRCS) $(MACHINE_SRCS) sim_c/top/machine_model.c) $(BUILD)/cfg/$*/obj/isa_gen.o >$@
