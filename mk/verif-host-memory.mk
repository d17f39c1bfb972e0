# Tests of host memory: page tables, address spaces, pagers (docs/host-memory.md).
PAGE_TABLE_TEST := $(addprefix $(BUILD)/san/,verif/sw/page-table/test.o sw/runtime/page_table.o sim_c/ref/translate.o verif/ref/lib/rng.o)
$(BUILD)/test/page-table: $(PAGE_TABLE_TEST)
	@mkdir -p $(@D)
	$(CC) $(SAN) -o $@ $^

VM_TEST := $(patsubst %.c,$(BUILD)/san/%.o,$(wildcard verif/sw/vm/*.c)) $(BUILD)/san/verif/ref/lib/rng.o
$(VM_TEST): | $(BUILD)/gen/isa_gen.h
$(BUILD)/test/vm: $(VM_TEST) $(RUNTIME_SAN)
	@mkdir -p $(@D)
	$(CC) $(SAN) -Wl,--wrap=vl_show -o $@ $^ $(LDLIBS) -lcmocka
