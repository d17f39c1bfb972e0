# Waits of a simulated machine, verif/system/waits.
$(BUILD)/test/waits: $(BUILD)/obj/verif/system/waits/main.o $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(LDLIBS)
