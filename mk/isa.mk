# The instruction table: decoders for RTL and C, and docs/isa-table.md, all from rtl/common/isa.toml.
# A program that uses isa_gen.h links $(ISA_OBJS) and has its objects depend on $(BUILD)/gen/isa_gen.h (order-only will do).
ISA_GEN  := $(BUILD)/gen/isa_pkg.sv $(BUILD)/gen/isa_gen.h $(BUILD)/gen/isa_gen.c
ISA_OBJS := $(BUILD)/obj/$(BUILD)/gen/isa_gen.o

$(ISA_GEN) &: scripts/gen/isa.py $(wildcard scripts/gen/isa/*.in) rtl/common/isa.toml
	$(PYTHON) scripts/gen/isa.py $(BUILD)/gen

$(ISA_OBJS): $(BUILD)/gen/isa_gen.h

.PHONY: isa-docs
isa-docs:
	$(PYTHON) scripts/gen/isa.py --docs docs/isa-table.md
