# libvellum (sw/runtime), the vellum command (sw/tools).
RUNTIME_SRCS := $(wildcard sw/runtime/*.c)
RUNTIME_OBJS := $(RUNTIME_SRCS:%.c=$(BUILD)/obj/%.o)
TOOLS_SRCS   := $(addprefix sw/tools/,vellum.c run.c run_options.c run_report.c run_apps.c run_samples.c info.c objdump.c options.c copies.c outfile.c spec.c)
TOOLS_OBJS   := $(TOOLS_SRCS:%.c=$(BUILD)/obj/%.o)

$(RUNTIME_OBJS) $(TOOLS_OBJS): | $(BUILD)/gen/isa_gen.h $(BUILD)/gen/vl_perf.h $(BUILD)/gen/vl_fields.h

# A host program links with libvellum by $(BUILD)/libvellum.a $(LDLIBS).
$(BUILD)/libvellum.a: $(RUNTIME_OBJS) $(REF_OBJS) $(ISA_OBJS)
	@rm -f $@
	ar rcs $@ $^

# The commit of the sources that are made, for the provenance of results (sw/runtime/provenance.c): written when it is another.
.PHONY: commit
commit:
	@mkdir -p $(BUILD); text=$$(git describe --always --abbrev=40 --exclude '*' --dirty=' modified' 2>/dev/null || echo unknown); \
	 [ "$$text" = "$$(cat $(BUILD)/commit 2>/dev/null)" ] || echo "$$text" >$(BUILD)/commit
$(BUILD)/commit: | commit ;

PROGRAMS += $(BUILD)/vellum
# Newer than its loop step: images that are older than the command are compiled again.
$(BUILD)/vellum: $(TOOLS_OBJS) $(CC_OBJECTS) $(BUILD)/libvellum.a $(DEVICE)/vellum-loops | $(DEVICE_LIBRARY) $(BUILD)/commit
	$(LINK) -o $@ $(filter-out $(DEVICE)/%,$^) $(LDLIBS)

# The library again with sanitizers, for its tests.
SAN          := -fsanitize=address,undefined -fno-sanitize-recover=all
RUNTIME_SAN  := $(RUNTIME_SRCS:%.c=$(BUILD)/san/%.o) $(REF_SAN)
$(RUNTIME_SAN): | $(BUILD)/gen/isa_gen.h $(BUILD)/gen/vl_perf.h
