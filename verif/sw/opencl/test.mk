# Programs of verif/sw/opencl: plain OpenCL host programs, linked to the loader alone; with sanitizers, as the driver that they load.
OPENCL_PROGRAMS := $(notdir $(basename $(wildcard verif/sw/opencl/*.c)))
$(BUILD)/test/opencl/%: verif/sw/opencl/%.c verif/sw/opencl/check.h | setup
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -O1 $(OPENCL_SAN) $< -o $@ -lOpenCL -lpthread
$(BUILD)/test/opencl/plain-%: verif/sw/opencl/%.c verif/sw/opencl/check.h | setup
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -O1 $< -o $@ -lOpenCL -lpthread
.PHONY: opencl-test
opencl-test: $(addprefix $(BUILD)/test/opencl/,libvellumcl.so vellum.icd plain-vecadd $(OPENCL_PROGRAMS)) $(BUILD)/libvellumcl.so $(BUILD)/vellum.icd
test-needs: opencl-test $(BUILD)/cfg/opencl/libvlmodel.so
