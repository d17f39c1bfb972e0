# What people type.
.PHONY: help run lint format diagrams bench synth regress machines
help:
	@echo 'make run        build, run the demonstration in lockstep, print the report'
	@echo 'make test       build, run all tests; make test-UNIT/NAME runs one'
	@echo 'make            build the command at build/vellum'
	@echo 'make lint       Verilator and C compiler warnings, generated files up to date'
	@echo 'make format     clang-format over the C of the tree; config/lint finds it formatted'
	@echo 'make diagrams   the pictures of docs/, from their texts'
	@echo 'make bench      speed figures as ratios (docs/performance.md)'
	@echo 'make synth      tiny through Yosys and nextpnr: area by block, Fmax'
	@echo 'make regress    the long tests that are due, BUDGET=20m of them; make regress-UNIT/NAME runs one'
	@echo 'make install    PREFIX=/usr/local: command, libraries, man pages (docs/install.md)'
	@echo 'make clean      remove build/'

# The everyday cycle machines (others are built on first use).
machines: $(foreach b,model rtl lockstep,$(BUILD)/cfg/small/libvl$(b).so)

run: all
	@scripts/demo

lint: all
	@scripts/lint

diagrams:
	@scripts/setup diagrams
	@scripts/diagrams

bench: all
	@scripts/benchmark

synth:
	@scripts/setup synth
	@scripts/synth/run

regress: all
	@scripts/regress $(if $(BUDGET),--budget $(BUDGET))
$(patsubst verif/%/,regress-%,$(wildcard verif/*/*/)): regress-%: all
	@scripts/regress $*

format:
	@git ls-files -co --exclude-standard '*.c' '*.h' | xargs clang-format-19 -i
