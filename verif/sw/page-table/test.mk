# Page tables of host memory (docs/host-memory.md), with sanitizers.
PAGE_TABLE_TEST := $(addprefix $(BUILD)/san/,verif/sw/page-table/test.o sw/runtime/page_table.o sim_c/ref/translate.o verif/ref/lib/rng.o)
$(BUILD)/test/page-table: $(PAGE_TABLE_TEST)
	@mkdir -p $(@D)
	$(LINK) $(SAN) -o $@ $^
