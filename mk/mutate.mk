# Mutation testing of the RTL (docs/mutation.md): make mutate [MUTANTS=400] [SEED=0]
MUTANTS ?= 400
SEED    ?= 0
.PHONY: mutate
mutate: test-needs
	scripts/mutate --count $(MUTANTS) --seed $(SEED)

# Mutation testing of the scoreboards (docs/mutation-both.md): the twins broken in both seats.
.PHONY: mutate-both
mutate-both: all
	scripts/mutate-both --count $(MUTANTS) --seed $(SEED)
