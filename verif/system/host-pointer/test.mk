# The host's pointers beside a kernel, verif/system/host-pointer.
$(BUILD)/test/host-pointer/host-pointer: $(BUILD)/obj/verif/system/host-pointer/main.o $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(LDLIBS)
