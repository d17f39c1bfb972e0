"""Blocks ahead of their machine: they have a page and stand in no composition yet. A composition that gets them takes them out here (config/wiring fails otherwise)."""

# Now that of warp scheduling.
BLOCKS = {"warp_locality"}
