# libvellumcl, the OpenCL driver (sw/opencl, docs/opencl.md). A library of its own kind of objects: position-independent, and nothing of libvellum leaves it.
OPENCL_SRCS := $(wildcard sw/opencl/*.c)
OPENCL_ALL  := $(OPENCL_SRCS) $(RUNTIME_SRCS) $(REF_OBJS:$(BUILD)/obj/%.o=%.c) $(ISA_OBJS:$(BUILD)/obj/%.o=%.c)
OPENCL_OBJS := $(OPENCL_ALL:%.c=$(BUILD)/pic/%.o)
OPENCL_LINK := -shared -Wl,-Bsymbolic -Wl,--version-script=sw/opencl/exports.map -Wl,-soname,libvellumcl.so

$(BUILD)/pic/%.o: %.c | setup $(BUILD)/gen/vl_regs.h $(BUILD)/gen/isa_gen.h $(BUILD)/gen/vl_perf.h
	@mkdir -p $(@D)
	$(CCACHE) $(CC) $(CFLAGS) -fPIC -fvisibility=hidden -MMD -MP -c $< -o $@
$(BUILD)/pic/$(BUILD)/gen/%.o: $(BUILD)/gen/%.c | setup
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -fPIC -fvisibility=hidden -c $< -o $@

PROGRAMS += $(BUILD)/libvellumcl.so $(BUILD)/vellum.icd
$(BUILD)/libvellumcl.so: $(OPENCL_OBJS) sw/opencl/exports.map | $(BUILD)/vellum $(DEVICE_LIBRARY)
	$(LINK) $(OPENCL_LINK) -o $@ $(OPENCL_OBJS) $(LDLIBS) -lpthread
# What OCL_ICD_VENDORS names: written again in a tree that was copied or moved, where the file names the library of the old place. $(1): their folder.
.PHONY: moved
if_moved = $(if $(filter $(CURDIR)/$(1)/libvellumcl.so,$(file <$(1)/vellum.icd)),,moved)
$(BUILD)/vellum.icd: $(call if_moved,$(BUILD))
	@mkdir -p $(@D)
	echo $(CURDIR)/$(BUILD)/libvellumcl.so >$@

-include $(OPENCL_OBJS:.o=.d)

# The driver's own objects with sanitizers, for verif/sw/opencl: libvellum has tests of its own with them. $(1) prefix of the names, $(2) the sanitizers.
define OPENCL_SAN_RULES
OPENCL_FLAGS_$(1) := -fsanitize=$(2) -fno-sanitize-recover=all
OPENCL_OBJS_$(1) := $(OPENCL_SRCS:%.c=$(BUILD)/pic-$(1)/%.o) $(filter-out $(OPENCL_SRCS:%.c=$(BUILD)/pic/%.o),$(OPENCL_OBJS))
$(BUILD)/pic-$(1)/%.o: %.c | setup $(BUILD)/gen/vl_regs.h
	@mkdir -p $$(@D)
	$$(CCACHE) $$(CC) $$(CFLAGS) -O1 -fsanitize=$(2) -fno-sanitize-recover=all -fPIC -fvisibility=hidden -MMD -MP -c $$< -o $$@
$(BUILD)/test/opencl/$(1)/libvellumcl.so: $$(OPENCL_OBJS_$(1)) sw/opencl/exports.map | $(BUILD)/vellum $(DEVICE_LIBRARY)
	@mkdir -p $$(@D)
	$$(LINK) $(OPENCL_LINK) -fsanitize=$(2) -o $$@ $$(OPENCL_OBJS_$(1)) $(LDLIBS) -lpthread
$(BUILD)/test/opencl/$(1)/vellum.icd: $$(call if_moved,$(BUILD)/test/opencl/$(1))
	@mkdir -p $$(@D)
	echo $(CURDIR)/$(BUILD)/test/opencl/$(1)/libvellumcl.so >$$@
$(BUILD)/test/opencl/$(1)/%: verif/sw/opencl/%.c verif/sw/opencl/check.h | setup
	@mkdir -p $$(@D)
	$$(LINK) $$(CFLAGS) -O1 -fsanitize=$(2) -fno-sanitize-recover=all $$< -o $$@ -lOpenCL -lpthread
-include $(OPENCL_SRCS:%.c=$(BUILD)/pic-$(1)/%.d)
endef
comma := ,
$(eval $(call OPENCL_SAN_RULES,asan,address$(comma)undefined))
$(eval $(call OPENCL_SAN_RULES,tsan,thread))
