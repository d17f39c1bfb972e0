# Mutation testing of the RTL (docs/mutation.md): make mutate [MUTANTS=400] [SEED=0]
SEED ?= 0
.PHONY: mutate
mutate: test-needs
	scripts/mutate --count $(or $(MUTANTS),400) --seed $(SEED)

# Mutation testing of the OpenCL driver (docs/mutation-driver.md): make mutate-driver [MUTANTS=200] [SEED=0]
.PHONY: mutate-driver
mutate-driver: all
	scripts/mutate-driver --count $(or $(MUTANTS),200) --seed $(SEED)

# Mutation testing of the scoreboards (docs/mutation-both.md), the twins broken in both seats: make mutate-both [MUTANTS=500] [SEED=0].
# Of 500 at least 400 are valid: the others do not compile, or to the same code.
.PHONY: mutate-both
mutate-both: all
	scripts/mutate-both --count $(or $(MUTANTS),500) --seed $(SEED)
