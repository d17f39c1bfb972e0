# libvellum (sw/runtime) and the vellum command (sw/tools).
RUNTIME_SRCS := $(wildcard sw/runtime/*.c)
RUNTIME_OBJS := $(RUNTIME_SRCS:%.c=$(BUILD)/obj/%.o)
TOOLS_SRCS   := $(addprefix sw/tools/,vellum.c run.c info.c options.c outfile.c spec.c)
TOOLS_OBJS   := $(TOOLS_SRCS:%.c=$(BUILD)/obj/%.o)
REF_OBJS     ?= $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard sim_c/ref/*.c))

$(RUNTIME_OBJS) $(TOOLS_OBJS) $(REF_OBJS): | $(BUILD)/gen/isa_gen.h

# What a host program links to use libvellum: $(BUILD)/libvellum.a $(LDLIBS).
$(BUILD)/libvellum.a: $(RUNTIME_OBJS) $(REF_OBJS) $(ISA_OBJS)
	@rm -f $@
	ar rcs $@ $^

PROGRAMS += $(BUILD)/vellum
$(BUILD)/vellum: $(TOOLS_OBJS) $(CC_OBJECTS) $(BUILD)/libvellum.a
	$(CC) -o $@ $^ $(LDLIBS)
