# printf in kernels (docs/printf.md): a program of libvellum, one of OpenCL, and the host's C library for the same formats.
PRINT_TEST := $(BUILD)/test/print
$(PRINT_TEST)/library: $(BUILD)/obj/verif/sw/print/library.o $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(LDLIBS)
$(PRINT_TEST)/opencl: verif/sw/print/opencl.c | setup
	@mkdir -p $(@D)
	$(LINK) $(CFLAGS) $< -o $@ -lOpenCL
$(PRINT_TEST)/host: verif/sw/print/host.c verif/sw/print/formats.inc | setup
	@mkdir -p $(@D)
	$(LINK) $(CFLAGS) -Wno-format $< -o $@
.PHONY: print-test print-objects
print-test: all $(addprefix $(PRINT_TEST)/,library opencl host)
# The objects linked with a copy of the host's side with a planted bug.
print-objects:
	@echo $(BUILD)/obj/verif/sw/print/library.o $(RUNTIME_OBJS) $(REF_OBJS) $(ISA_OBJS)
test-needs: print-test
