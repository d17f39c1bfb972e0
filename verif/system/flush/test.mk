# A flush of one program's translations, verif/system/flush.
FLUSH := $(patsubst %.c,$(BUILD)/obj/%.o,verif/system/flush/main.c)
$(BUILD)/test/flush: $(FLUSH) $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(LDLIBS)
$(eval $(call MODEL_OBJECTS,flush))
