# Programs of verif/sw/opencl: plain OpenCL host programs, linked to the loader alone. All but one with AddressSanitizer and UBSan, those of order and threads with ThreadSanitizer
# as well, as the driver that they load (mk/vellumcl.mk).
OPENCL_TEST := $(BUILD)/test/opencl
$(OPENCL_TEST)/plain/%: verif/sw/opencl/%.c | setup
	@mkdir -p $(@D)
	$(LINK) $(CFLAGS) $< -o $@ -lOpenCL
.PHONY: opencl-test opencl-objects-asan opencl-objects-tsan
opencl-test: $(addprefix $(OPENCL_TEST)/,plain/vecadd $(addprefix asan/,libvellumcl.so vellum.icd basic buffers cache doubles events every_type facts faults fork kernels linking misuse objects slow threads) \
    $(addprefix tsan/,libvellumcl.so vellum.icd events threads)) $(BUILD)/libvellumcl.so $(BUILD)/vellum.icd
# What a copy of the driver with a planted bug is linked with.
opencl-objects-asan opencl-objects-tsan: opencl-objects-%:
	@echo $(OPENCL_OBJS_$*)
test-needs: opencl-test $(BUILD)/cfg/opencl/libvlmodel.so
