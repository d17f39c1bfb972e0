# A device that is opened again after a fault, verif/system/faults.
$(BUILD)/test/system-faults/reopen: $(BUILD)/obj/verif/system/faults/reopen.o $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(LDLIBS)
