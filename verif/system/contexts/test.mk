# Two contexts at once, verif/system/contexts.
CONTEXTS := $(patsubst %.c,$(BUILD)/obj/%.o,verif/system/contexts/main.c)
$(BUILD)/test/contexts: $(CONTEXTS) $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(LDLIBS)
$(eval $(call MODEL_OBJECTS,contexts))
