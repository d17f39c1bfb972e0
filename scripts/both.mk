# Benches with the twin in both seats (scripts/both, scripts/mutate-both): no RTL is verilated for them. `make both-parts C=CONFIG B=BLOCK` builds the objects of one
# and prints which they are. (rtl.mk and the benches' own pieces have been read before this.)
ifdef B
BOTH_CFG  := $(BUILD)/cfg/$(C)
# The twin's own sources, and what else the bench is linked from (memory chips are the bench's, not the twin's).
BOTH_TWIN := $(filter-out sim_c/dram/%,$(call twin_of,$(B)) $(BENCH_EXTRA_$(B)))
BOTH_REST := $(call bench_of,$(C),$(B)) $(call ports_of,$(C),$(B)) $(BOTH_CFG)/obj/gen/vl_types.o \
    $(BUILD)/obj/$(BUILD)/gen/isa_gen.o $(patsubst %.c,$(BOTH_CFG)/obj/%.o,$(filter sim_c/dram/%,$(BENCH_EXTRA_$(B)))) $(BENCH_LIBS_$(B))
BOTH_SEAT := $(BOTH_CFG)/obj/both/$(B).o
$(BOTH_SEAT): verif/common/both.c $(BOTH_CFG)/gen/.ports
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -DBLOCK=$(B) -I$(BOTH_CFG) -I$(BOTH_CFG)/gen -c $< -o $@
.PHONY: both-parts
both-parts: $(BOTH_REST) $(BOTH_SEAT)
	@echo TWIN $(BOTH_TWIN)
	@echo REST $(BOTH_REST)
	@echo SEAT $(BOTH_SEAT)
endif

# The tests of libvellum, for bugs in sw/runtime: built, with the objects that each is linked from.
RUNTIME_TESTS := page-table driver loader vm
.PHONY: runtime-parts
runtime-parts: $(RUNTIME_TESTS:%=$(BUILD)/test/%) $(BUILD)/cfg/tiny/libvlmodel.so $(BUILD)/vellum
	@echo page-table $(PAGE_TABLE_TEST)
	@echo driver $(DRIVER_TEST) $(RUNTIME_SAN)
	@echo loader $(LOADER_TEST) $(RUNTIME_SAN)
	@echo vm -Wl,--wrap=vl_show $(VM_TEST) $(RUNTIME_SAN)
