# Scoreboards that ask the architectural reference for results (verif/core/arith.h). (rtl.mk has been read before this; the names are for scripts/mutate and scripts/both.)
ARITH_BENCHES := alu mul idiv fdiv fpu
$(foreach b,$(ARITH_BENCHES),$(eval BENCH_LIBS_$(b) := $(BUILD)/libref.a))
$(foreach c,$(CONFIGS),$(foreach b,$(ARITH_BENCHES),$(eval $(BUILD)/cfg/$(c)/bench/$(b): $(BUILD)/libref.a)))
