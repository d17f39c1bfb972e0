# The litmus tests of whole machines: verif/system/litmus. Its controls link machines of their own from the twins' objects.
$(BUILD)/test/system-litmus/runner: $(BUILD)/obj/verif/system/litmus/main.o $(BUILD)/obj/verif/ref/lib/rng.o $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(LDLIBS)
$(eval $(call MODEL_OBJECTS,litmus))
