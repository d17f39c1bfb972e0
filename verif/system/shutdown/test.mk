# A device that is shut down in mid-run, verif/system/shutdown.
$(BUILD)/test/system-shutdown/shutdown: $(BUILD)/obj/verif/system/shutdown/main.o $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(LDLIBS)
$(eval $(call MODEL_OBJECTS,shutdown))
