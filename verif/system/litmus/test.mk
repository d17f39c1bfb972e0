# The litmus tests of whole machines: verif/system/litmus. Its controls link machines of their own from the twins' objects.
$(BUILD)/test/system-litmus/runner: $(BUILD)/obj/verif/system/litmus/main.o $(BUILD)/obj/verif/ref/lib/rng.o $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(LDLIBS)
$(BUILD)/test/system-litmus/%.objects: $(BUILD)/cfg/%/libvlmodel.so
	@mkdir -p $(@D)
	@printf '%s\n' $(patsubst %.c,$(BUILD)/cfg/$*/obj/%.o,$(TWIN_SRCS) $(MACHINE_SRCS) sim_c/top/machine_model.c) $(BUILD)/cfg/$*/obj/isa_gen.o >$@
