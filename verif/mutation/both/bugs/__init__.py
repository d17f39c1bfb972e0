"""The bugs: block, with /CONFIGURATION where it is another than of the block's other bugs; what; source; text that occurs once, its replacement; words of the report."""
from . import choice, coherence, compaction, counters, in_flight, output, results, shared_tlb, stacks, warps

BUGS = [row for part in (choice, coherence, warps, compaction, output, shared_tlb, stacks, counters, results, in_flight) for row in part.BUGS]
