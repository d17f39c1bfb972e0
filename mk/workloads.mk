# The workloads: build/workloads compiles the kernels of sw/workloads with build/vellum and runs them.
WORKLOADS_SRCS := $(wildcard sw/workloads/*.c sw/workloads/*/*.c)
WORKLOADS_OBJS := $(WORKLOADS_SRCS:%.c=$(BUILD)/obj/%.o)

PROGRAMS += $(BUILD)/workloads
$(BUILD)/workloads: $(WORKLOADS_OBJS) $(BUILD)/obj/sw/tools/outfile.o $(BUILD)/obj/sw/tools/copies.o $(BUILD)/libvellum.a | $(BUILD)/vellum $(DEVICE_LIBRARY)
	$(LINK) -o $@ $^ $(LDLIBS)
