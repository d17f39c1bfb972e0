"""What is ahead of its machine: blocks that have a page and stand in no composition yet. A composition that gets them takes them out here (config/wiring fails otherwise)."""

# Of translation = shared (docs/shared-translation.md).
BLOCKS = {"fill_tokens", "stall_count", "walk_bypass", "walk_cache"}
