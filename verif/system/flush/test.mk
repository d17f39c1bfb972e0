# A flush of one program's translations, verif/system/flush.
FLUSH := $(patsubst %.c,$(BUILD)/obj/%.o,verif/system/flush/main.c)
$(BUILD)/test/flush: $(FLUSH) $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(LDLIBS)
# What the machine of the planted bugs is linked from.
$(BUILD)/test/system-flush/%.objects: $(BUILD)/cfg/%/libvlmodel.so
	@mkdir -p $(@D)
	@printf '%s\n' $(patsubst %.c,$(BUILD)/cfg/$*/obj/%.o,$(TWIN_SRCS) $(MACHINE_SRCS) sim_c/top/machine_model.c) $(BUILD)/cfg/$*/obj/isa_gen.o >$@
