# libvellum (sw/runtime), the vellum command (sw/tools), and their tests.
RUNTIME_SRCS := $(wildcard sw/runtime/*.c)
RUNTIME_OBJS := $(RUNTIME_SRCS:%.c=$(BUILD)/obj/%.o)
TOOLS_SRCS   := $(addprefix sw/tools/,vellum.c run.c info.c options.c outfile.c spec.c)
TOOLS_OBJS   := $(TOOLS_SRCS:%.c=$(BUILD)/obj/%.o)

$(RUNTIME_OBJS) $(TOOLS_OBJS): | $(BUILD)/gen/isa_gen.h $(BUILD)/gen/vl_perf.h

# What a host program links to use libvellum: $(BUILD)/libvellum.a $(LDLIBS).
$(BUILD)/libvellum.a: $(RUNTIME_OBJS) $(REF_OBJS) $(ISA_OBJS)
	@rm -f $@
	ar rcs $@ $^

PROGRAMS += $(BUILD)/vellum
$(BUILD)/vellum: $(TOOLS_OBJS) $(CC_OBJECTS) $(BUILD)/libvellum.a | $(DEVICE_LIBRARY)
	$(CC) -o $@ $^ $(LDLIBS)

# Unit tests and the fuzzer: the library again, with sanitizers.
SAN          := -fsanitize=address,undefined -fno-sanitize-recover=all
RUNTIME_SAN  := $(RUNTIME_SRCS:%.c=$(BUILD)/san/%.o) $(REF_SAN)
LOADER_TEST  := $(patsubst %.c,$(BUILD)/san/%.o,$(wildcard verif/sw/loader/*.c))
$(RUNTIME_SAN) $(LOADER_TEST): | $(BUILD)/gen/isa_gen.h $(BUILD)/gen/vl_perf.h

$(BUILD)/test/loader: $(LOADER_TEST) $(RUNTIME_SAN)
	@mkdir -p $(@D)
	$(CC) $(SAN) -o $@ $^ $(LDLIBS) -lcmocka

# The fuzzer instruments the library for coverage.
$(BUILD)/fuzz/%.o: %.c | setup $(BUILD)/gen/isa_gen.h $(BUILD)/gen/vl_perf.h $(BUILD)/gen/vl_regs.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -O1 $(SAN) -fsanitize=fuzzer-no-link -MMD -MP -c $< -o $@
FUZZ_OBJS := $(patsubst %.c,$(BUILD)/fuzz/%.o,$(filter-out %/backend_ref.c %/backends.c,$(RUNTIME_SRCS)) verif/sw/loader/image_maker.c verif/sw/loader-fuzz/fuzz.c \
             $(BUILD)/gen/isa_gen.c)
$(BUILD)/test/loader-fuzz: $(FUZZ_OBJS) $(BUILD)/san/sw/runtime/backends.o $(BUILD)/san/sw/runtime/backend_ref.o $(REF_SAN) $(BUILD)/test/loader-seeds
	@mkdir -p $(@D)
	$(CC) $(SAN) -fsanitize=fuzzer -o $@ $(filter-out $(BUILD)/san/$(BUILD)/gen/isa_gen.o,$(filter %.o,$^)) $(LDLIBS)
$(BUILD)/test/loader-seeds: $(BUILD)/obj/verif/sw/loader-fuzz/seeds.o $(BUILD)/obj/verif/sw/loader/image_maker.o
	@mkdir -p $(@D)
	$(CC) -o $@ $^
-include $(FUZZ_OBJS:.o=.d)

.PHONY: fuzz-loader
fuzz-loader:
	VELLUM_REGRESS=1 verif/sw/loader-fuzz/run
