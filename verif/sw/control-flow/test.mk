# What runs the generated kernels of verif/sw/control-flow.
$(BUILD)/control-flow: $(BUILD)/obj/verif/sw/control-flow/run.o $(BUILD)/libvellum.a | $(BUILD)/vellum $(DEVICE_LIBRARY)
	$(LINK) -rdynamic -o $@ $^ $(LDLIBS)
