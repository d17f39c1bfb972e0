# Two applications, one hostile, verif/system/isolation.
ISOLATION := $(patsubst %.c,$(BUILD)/obj/%.o,verif/system/isolation/main.c)
$(BUILD)/test/isolation: $(ISOLATION) $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(LDLIBS)
$(eval $(call MODEL_OBJECTS,isolation))
