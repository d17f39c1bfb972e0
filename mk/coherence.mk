# The coherence protocol, from rtl/coherence/nmoesi.toml: package, C functions, the model checker's input, and the table of docs/coherence.md.
NMOESI_GEN := $(BUILD)/gen/nmoesi_pkg.sv $(BUILD)/gen/vl_nmoesi.h $(BUILD)/gen/nmoesi.pml
$(NMOESI_GEN) &: rtl/coherence/nmoesi.toml scripts/gen/nmoesi.py
	$(PYTHON) scripts/gen/nmoesi.py $(BUILD)/gen
	@touch $(NMOESI_GEN)

.PHONY: coherence-docs
coherence-docs:
	$(PYTHON) scripts/gen/nmoesi.py --docs docs/coherence.md
