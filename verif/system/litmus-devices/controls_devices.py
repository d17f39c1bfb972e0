"""What must make the litmus tests across devices and the host fail, as in verif/system/litmus/controls.py: name, on the loose network, {source: changes}, tests; the test of the short form."""
import re

import shapes
from controls import ANY_ORDER, LOOSE, NET, NO_HIT, L1D, OWN

# Of the lines that locations lie in (main.c's pool), so that the threads still meet.
HMD, L2C = "sim_c/coherence/hmd_transact.c", "sim_c/coherence/l2c.c"

BUGS = [
    ("an atomic takes the block from its owner alone", OWN,
     {HMD: [("x->first.to_peer = first && peers && !mine && !t->sharers; x->probes = t->sharers;", "x->first.to_peer = first && peers && !mine && !t->sharers; x->probes = 0;")]},
     r"MP_flag_(apart|block)_(n_store_atomic|atomic_load)|SB_(apart|block)_(n_store_atomic|atomic_load)|IRIW_(apart|block)_n_store_atomic", "SB_apart_n_store_atomic"),
    ("the host takes the block from its owner alone", OWN,
     {HMD: [("asks &= first || t->sharers; x->probes = t->sharers;", "asks &= first || t->sharers;")]},
     r"MP_from_host_.*_fence|.*_sync|SB_host_.*|bytes_.*", "MP_from_host_apart_fence"),
    ("a synchronisation asks for nothing", OWN,
     {L2C: [("what = what_of[r->op];", "what = r->op == MEM_STORE && !(r->be.w[0] | r->be.w[1]) ? (unsigned)NM_LOAD : what_of[r->op];")]}, r".*_sync", "SB_host_apart_n_store_sync"),
    ("the host's cache keeps what devices store", OWN, {HMD: [("x->lprobes = asks ? BLOCK_LINES : 0;", "x->lprobes = asks && (x->op != HMD_OWN || x->line >> 14 != 0x84) ? BLOCK_LINES : 0;")]},
     r"MP_to_host_.*_atomics|SB_host_.*_atomic|IRIW_host_.*_atomics", "SB_host_apart_atomic"),
    ("a fence leaves the cache as it is", OWN, {L1D: [("    e->invalidate = true;\n    e->poison = e->mshr_valid;", "")]},
     r"MP_from_host_.*_fence|SB_.*_atomic_load|IRIW_.*_atomic_load|MP_flag_.*_atomic_load", "SB_apart_atomic_load"),
    ("atomics of four bytes are performed in whatever state", OWN,
     {L2C: [("what = what_of[r->op];", "what = r->op == MEM_AMO && !r->amo_dword ? (unsigned)NM_N_STORE : what_of[r->op];")]}, r"amoadd_.*|LRSC_.*|CoRW_atomic_.*", "amoadd_devices_plain"),
    ("requests to one line overtake each other", LOOSE, {NET: [ANY_ORDER]}, r"CoWW_.*|CoWR_.*|CoRW_.*_plain", "CoWW_devices_fence"),
    ("loads to one line overtake each other", LOOSE, {NET: [ANY_ORDER], L1D: NO_HIT}, r"CoRR_.*plain", "CoRR_devices_plain"),
]

# Forbidden, and no bug of one place shows it.
WITHOUT = ()


def named(bug):
    return [t for t in shapes.DEVICES if t.verdict == shapes.FORBIDDEN and re.fullmatch(bug[3], t.name)]
