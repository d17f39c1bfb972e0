# Sourced by tests that plant bugs: `some [SHARE]` is true for every third (or so) bug, the first among them; with VELLUM_REGRESS=1 for all.
some_of=0
some() { [ -n "${VELLUM_REGRESS:-}" ] || [ $((some_of++ % ${1:-3})) = 0 ]; }
