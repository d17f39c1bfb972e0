# Workloads two at a time, verif/system/pairs.
PAIRS := $(patsubst %.c,$(BUILD)/obj/%.o,verif/system/pairs/main.c $(filter-out sw/workloads/main.c,$(WORKLOADS_SRCS)) sw/tools/copies.c)
$(BUILD)/test/pairs: $(PAIRS) $(BUILD)/libvellum.a | $(BUILD)/vellum $(DEVICE_LIBRARY)
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ -Wl,--wrap=vl_launch $(LDLIBS) -lpthread
$(eval $(call MODEL_OBJECTS,pairs))
