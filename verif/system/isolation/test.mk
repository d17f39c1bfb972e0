# Two applications, one hostile, verif/system/isolation.
ISOLATION := $(patsubst %.c,$(BUILD)/obj/%.o,verif/system/isolation/main.c)
$(BUILD)/test/isolation: $(ISOLATION) $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(LDLIBS)
# What the machine of the planted bugs is linked from.
$(BUILD)/test/system-isolation/%.objects: $(BUILD)/cfg/%/libvlmodel.so
	@mkdir -p $(@D)
	@printf '%s\n' $(patsubst %.c,$(BUILD)/cfg/$*/obj/%.o,$(TWIN_SRCS) $(MACHINE_SRCS) sim_c/top/machine_model.c) $(BUILD)/cfg/$*/obj/isa_gen.o >$@
