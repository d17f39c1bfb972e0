# One bench for the counters of every unit: the rows of each as data (describe.py), and bench.c with -DBLOCK=module.
$(COUNTER_BLOCKS:%=$(BUILD)/gen/perf/%_rows.h): $(BUILD)/gen/perf/%_rows.h: rtl/common/counters.toml verif/core/perf/describe.py
	@mkdir -p $(@D)
	$(PYTHON) verif/core/perf/describe.py $* $@
define COUNTER_BENCH
$(BUILD)/cfg/$(1)/obj/verif/core/perf/$(2).o: verif/core/perf/bench.c $(BUILD)/gen/perf/$(2)_rows.h $(BUILD)/cfg/$(1)/gen/vl_types.h | setup $(BUILD)/cfg/$(1)/gen/.ports
	@mkdir -p $$(@D)
	$$(CCACHE) $$(CC) $$(CFLAGS) $$(OPT:-O2=-O1) -DBLOCK=$(2) -fPIC -I$(BUILD)/cfg/$(1) -I$(BUILD)/cfg/$(1)/gen -MMD -MP -c $$< -o $$@
endef
$(foreach c,$(CONFIGS),$(foreach b,$(COUNTER_BLOCKS),$(eval $(call COUNTER_BENCH,$(c),$(b)))))
