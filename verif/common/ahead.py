"""What is ahead of its machine: blocks that have a page, RTL, a twin and a bench, and stand in no composition yet, with the configuration fields that only they read. One list for the
tests that look at every block or every field. A composition that gets them takes them out here (config/wiring fails otherwise)."""

# Of translation = shared (docs/shared-translation.md).
BLOCKS = {"ask_net", "ans_net", "l2_tlb", "l2_tlb_mshr", "seam_port", "walker"}
FIELDS = {"l2_tlb_entries", "l2_tlb_ways", "l2_tlb_super", "l2_tlb_ports", "l2_tlb_latency"}
