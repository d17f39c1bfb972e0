"""Bugs that must make the litmus tests across devices and the host fail, as in verif/system/litmus/controls.py: name, on the loose network, {source: changes}, tests; the test of the short form; the machine, if it is not `umh2`."""
import re

import shapes
from controls import ANY_ORDER, LOOSE, NET, NO_HIT, L1D, OWN

# In the lines of the locations (main.c's pool), so that the threads still meet.
HMD, L2C = "sim_c/coherence/hmd_transact.c", "sim_c/coherence/l2c.c"
GRAINS = "umh2+mask_grain=4"  # a part of a word is a coherent store there

BUGS = [
    ("a block is taken from its owner alone, by atomics and evictions", OWN,
     {HMD: [("@plan !t->sharers; x->probes =", "!t->sharers; x->probes = x->line >> 14 == 0x84 ? 0 :")]},
     r"CoRR_devices_(plain|fence)|CoWW_devices_fence|CoWR_devices_plain|CoRW_(devices|to_host)_plain|CoRR_to_host_plain|CoWW_to_host_sync|CoRR_(then_)?atomic_devices_plain|bytes_.*|"
     r"MP_flag_.*_(n_store_atomic|atomic_load)|MP_flag_block_n_store_load|SB_(apart|block)_.*|IRIW_(apart|block)_.*|MP_to_host_.*_sync|MP_to_host_block_flag|SB_host_.*_sync|SB_host_block_n_store", "SB_apart_n_store_atomic"),
    ("the host takes the block from its owner alone", OWN,
     {HMD: [("@plan asks &= first || t->sharers; x->probes =", "asks &= first || t->sharers; x->probes = x->line >> 14 == 0x84 ? 0 :")]},
     r"CoWW_to_host_sync|CoRR_(then_)?atomic_devices_plain|bytes_.*|MP_from_host_apart_fence|MP_to_host_.*_sync|SB_host_.*_(sync|atomic)|SB_host_block_n_store", "SB_host_apart_n_store_sync"),
    ("a synchronisation asks for nothing", OWN,
     {L2C: [("@stage1 what_of(r)", "r->op == MEM_STORE && !(r->be.w[0] | r->be.w[1]) ? (unsigned)NM_LOAD : what_of(r)")]}, r"(MP_to|SB)_host_apart_.*_sync", "SB_host_apart_n_store_sync"),
    ("the host's cache keeps what devices store", OWN, {HMD: [("@plan asks ?", "asks && (x->op != HMD_OWN || x->line >> 14 != 0x84) ?")]},
     r"MP_to_host_.*_atomics|SB_host_.*_atomic|IRIW_host_apart_atomics", "SB_host_apart_atomic"),
    ("a fence leaves the cache as it is", OWN, {L1D: [("@inval e->invalidate = true; e->poison = e->mshr_valid;", "")]},
     r"MP_from_host_.*_fence|SB_.*_atomic_load|SB_host_.*_atomic", "SB_apart_atomic_load"),
    ("atomics of four bytes are performed in whatever state", OWN,
     {L2C: [("@stage1 what_of(r)", "r->op == MEM_AMO && !r->amo_dword ? (unsigned)NM_N_STORE : what_of(r)")]}, r"amoadd_.*|LRSC_devices_.*|CoRR_(then_)?atomic_devices_plain|MP_flag_.*_atomics|SB_host_apart_atomic", "amoadd_devices_plain"),
    ("requests to one line overtake each other", LOOSE, {NET: [ANY_ORDER]}, r"CoWW_(devices_fence|to_host_sync)|CoWR_to_host_plain|CoRW_(devices|to_host|atomic_host)_plain", "CoWW_devices_fence"),
    ("loads to one line overtake each other", LOOSE, {NET: [ANY_ORDER], L1D: NO_HIT}, r"CoRR_from_host_plain|CoWR_devices_plain", "CoWR_devices_plain"),
    # Two rules prevent it, each enough by itself: an SC without ownership of its line fails, and a reservation ends with the line. A host's cache that keeps the block (above) cannot show it: the host's own store is last there.
    ("an SC brings its line back, and its reservation has outlived the loss", OWN,
     {L2C: [("@stage1 r->op == MEM_AMO && r->amo == AMO_SC", "0"), ("@pipeline l2_resv_end(&s->resv, s->s2_victim)", "")]}, r"LRSC_(host_.*|devices_plain)", "LRSC_host_plain"),
    ("a fence leaves the cache as it is, and a load beside a miss misses it", OWN,
     {L1D: [("@inval e->invalidate = true; e->poison = e->mshr_valid;", ""), ("@compare s->key[base + w] == key", "s->key[base + w] == key && (s->s2.op != L1D_LOAD || !e->mshr_valid)")]},
     r"(CoRR|CoWW)_from_host_fence|(SB|IRIW)_.*_atomic_load|MP_from_host_.*_fence|SB_host_.*", "CoRR_from_host_fence"),
    ("the host's cache loses what it is asked to bring home and keep", OWN,
     {L2C: [("@stage_probe (st, what);", "(st, what) && !(what == NM_CLEAN && hit >= 0 && s->p1.line >> 14 == 0x84);"),
            ("@stage_probe nmoesi_next", "what == NM_CLEAN && s->p1.line >> 14 == 0x84 ? NMOESI_I : nmoesi_next")]},
     r"Co.._from_host_.*|bytes_(n_stores|of_word)_and_host", "CoWR_from_host_plain"),
    ("the host's cache keeps half of a block's lines", OWN, {HMD: [("@plan BLOCK_LINES", "x->line >> 14 == 0x84 ? BLOCK_LINES / 2 : BLOCK_LINES")]},
     r"MP_to_host_.*_(n_stores_sync|flag_sync|atomics)|SB_host_.*_(sync|atomic)|IRIW_host_.*_atomics", "SB_host_apart_atomic"),
    ("a store to a part of a word is an n-store", OWN, {L2C: [("@what_of mask_partial(&r->be)", "false")]}, r"bytes_of_word_.*", "bytes_of_word_and_host", GRAINS),
]


def named(bug):
    return [t for t in shapes.DEVICES if t.verdict == shapes.FORBIDDEN and re.fullmatch(bug[3], t.name)]
