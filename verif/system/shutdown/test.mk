# A device that is shut down in mid-run, verif/system/shutdown.
$(BUILD)/test/system-shutdown/shutdown: $(BUILD)/obj/verif/system/shutdown/main.o $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(LDLIBS)
# What the machine of planted bugs is linked from.
$(BUILD)/test/system-shutdown/%.objects: $(BUILD)/cfg/%/libvlmodel.so
	@mkdir -p $(@D)
	@printf '%s\n' $(patsubst %.c,$(BUILD)/cfg/$*/obj/%.o,$(TWIN_SRCS) $(MACHINE_SRCS) sim_c/top/machine_model.c) $(BUILD)/cfg/$*/obj/isa_gen.o >$@
