# Programs of verif/sw/opencl: plain OpenCL host programs, linked to the loader alone. All but one with AddressSanitizer and UBSan, those of order and threads with ThreadSanitizer
# as well, as the driver that they load (mk/vellumcl.mk).
OPENCL_TEST := $(BUILD)/test/opencl
$(OPENCL_TEST)/plain/%: verif/sw/opencl/%.c | setup
	@mkdir -p $(@D)
	$(LINK) $(CFLAGS) $< -o $@ -lOpenCL
.PHONY: opencl-test opencl-failing-link opencl-objects-asan opencl-objects-tsan
opencl-test: $(addprefix $(OPENCL_TEST)/,plain/vecadd $(addprefix asan/,libvellumcl.so vellum.icd basic buffers cache compiler doubles events every_type facts failures faults fork kernels linking misuse objects slow threads vecadd) \
    $(addprefix tsan/,libvellumcl.so vellum.icd events threads)) $(BUILD)/libvellumcl.so $(BUILD)/vellum.icd
# `failures` is linked with the driver, so that the driver's allocations can fail.
FAILING_LINK := $(addprefix -Wl$(comma)--wrap=,malloc calloc realloc strdup asprintf posix_memalign pthread_create)
$(OPENCL_TEST)/asan/failures: verif/sw/opencl/failures.c verif/sw/opencl/check.h verif/common/failing.h $(OPENCL_OBJS_asan) | setup
	@mkdir -p $(@D)
	$(LINK) $(CFLAGS) -O1 $(OPENCL_FLAGS_asan) $(FAILING_LINK) -o $@ $< $(OPENCL_OBJS_asan) $(LDLIBS) -lpthread
# The objects linked with a copy of the driver with a planted bug.
opencl-objects-asan opencl-objects-tsan: opencl-objects-%:
	@echo $(OPENCL_OBJS_$*)
opencl-failing-link:
	@echo $(FAILING_LINK)
test-needs: opencl-test $(BUILD)/cfg/opencl/libvlmodel.so
