# The loader under a fuzzer, verif/sw/loader-fuzz. The fuzzer instruments what of the library an image comes to for coverage; the rest is as other tests have it.
$(BUILD)/fuzz/%.o: %.c | setup $(BUILD)/gen/isa_gen.h $(BUILD)/gen/vl_perf.h $(BUILD)/gen/vl_regs.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -O1 $(SAN) -fsanitize=fuzzer-no-link -MMD -MP -c $< -o $@
FUZZED    := $(addprefix sw/runtime/,error.c flow.c image.c kernel.c)
FUZZ_OBJS := $(patsubst %.c,$(BUILD)/fuzz/%.o,$(FUZZED) verif/sw/loader/image_maker.c verif/sw/loader-fuzz/fuzz.c $(BUILD)/gen/isa_gen.c)
$(BUILD)/test/loader-fuzz: $(FUZZ_OBJS) $(patsubst %.c,$(BUILD)/san/%.o,$(filter-out $(FUZZED),$(RUNTIME_SRCS))) $(REF_SAN) $(BUILD)/test/loader-seeds
	@mkdir -p $(@D)
	$(LINK) $(SAN) -fsanitize=fuzzer -o $@ $(filter-out $(BUILD)/san/$(BUILD)/gen/isa_gen.o,$(filter %.o,$^)) $(LDLIBS)
$(BUILD)/test/loader-seeds: $(BUILD)/obj/verif/sw/loader-fuzz/seeds.o $(BUILD)/obj/verif/sw/loader/image_maker.o
	@mkdir -p $(@D)
	$(LINK) -o $@ $^
-include $(FUZZ_OBJS:.o=.d)

.PHONY: fuzz-loader
fuzz-loader:
	VELLUM_REGRESS=1 verif/sw/loader-fuzz/run
