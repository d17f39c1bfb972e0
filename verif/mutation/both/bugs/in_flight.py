"""Counters of things in flight that keep one bit less than their largest values have (docs/verification-in-flight.md): those that the twin has, too."""
from .words import PAGE

BUGS = [
    ("issue", "a count of instructions in flight with six bits", "core/issue", "@decide_head += h->tracked;", "= (v->inflight + h->tracked) & 63;", PAGE),
    ("mem_arb", "a count of requests with nine bits", "noc/mem_arb", "@mem_arb_tick 1023", "511", PAGE),
    ("compactor/tbc", "a count of instructions in flight with six bits", "core/compactor", "@flies & 127", "& 63", PAGE),
    ("lsu", "a count of stores with seven bits", "core/lsu_store", "@lsu_store_send s->unacked++", "s->unacked = (s->unacked + 1) & 127", PAGE),
    ("lsu", "a count of loads with one bit less", "core/lsu_front", "@go_on s->loads++", "s->loads = (s->loads + 1) % (LSU_ENTRIES * THREADS)", PAGE),
    ("lsu", "a count of atomics with one bit less", "core/lsu_store", "@lsu_store_send s->atomics++", "s->atomics = (s->atomics + 1) % (LSU_ENTRIES * THREADS)", PAGE),
    ("walk_cache/odd", "a count of reads with one bit less", "mmu/walk_cache", "@walk_cache_tick s->open + takes - s->rsp_valid", "(s->open + takes - s->rsp_valid) & 3", PAGE),
    ("l2_tlb_mshr", "a count of waiting misses with one bit less", "mmu/l2_tlb_mshr", "@take_head s->waiting++", "s->waiting = (s->waiting + 1) & 7", PAGE),
    ("dispatcher", "a count of groups with one bit less", "top/dispatcher", "@tick_source += taken;", "= (s->out + taken) & ((1u << (31 - __builtin_clz(CORES * GROUPS))) - 1);", PAGE),
]
