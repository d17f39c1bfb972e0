"""Bugs that must make the litmus tests fail: machines with a bug planted in a copy of the twin. A forbidden outcome must be seen in each test that a bug
names, and every test with a forbidden outcome is named by one.

A bug: name, on the loose network (loose_net.c) or the machine's own, {source: changes}, tests; and the tests of the short form."""
import re

import shapes

LSU, STORE, L1D, L2, L2_AMO, RESV, ISSUE = "sim_c/core/lsu_front.c", "sim_c/core/lsu_store.c", "sim_c/cache/l1d.c", "sim_c/cache/l2.c", "sim_c/cache/l2_amo.c", "sim_c/cache/l2_resv.c", "sim_c/core/issue.c"
ARB, SPAD, BARRIER, NET = "sim_c/noc/mem_arb.c", "sim_c/core/spad.c", "sim_c/core/barrier.c", "verif/system/litmus/loose_net.c"

LOOSE, OWN = True, False
READS = r"(MP|SB|R|WRC|IRIW|IRIW_writers|WRC_warps|IRIW_warps|publish)"

ANY_ORDER = ("@LINE_KEEPS_ORDER true", "false")
NO_HIT = [("@compare s->key[base + w] == key", "s->key[base + w] == key && s->s2.op != L1D_LOAD"),
          ("@compare s->mshr[__builtin_ctzll(v)].key == key", "s->mshr[__builtin_ctzll(v)].key == key && s->s2.op != L1D_LOAD")]
NO_SERIAL = {ISSUE: [("@refresh h->is_serial", "h->is_serial && h->pipe != PIPE_LSU")]}
# One access at a time is put aside and the others pass.
SET_ASIDE = [("@spad spad_req_t q[2]", "spad_req_t q[2], late; unsigned wait, random"), ("@spad_reset s->count", "s->count = s->wait = s->random"),
             ("@spad_tick s->q[s->count++] = in->spad_req;", """{
        s->random = s->random * 1103515245 + 12345;
        if (memop_kind(in->spad_req.op) != MEMOP_ATOMIC && !s->wait && !(s->random >> 16 & 3))
            s->late = in->spad_req, s->wait = 200;
        else
            s->q[s->count++] = in->spad_req;
    } else if (s->wait > 1) {
        s->wait--;
    } else if (s->wait && s->count != 2) {
        s->q[s->count++] = s->late, s->wait = 0;
    }"""), ("@spad_idle s->count", "s->count && !s->wait")]

BUGS = [
    ("fence, rl and aq do not wait", LOOSE, {LSU: [("@lsu_show !s->unacked && !s->atomics &&", "")],
                                             **NO_SERIAL},
     r"LB_fence_(both|data)|(S|R|2\+2W|MP|SB)_fence_both|S_fence_(data|ctrl)|MP_atomic_.*|MP_release_store_plain|(WRC|WRC_warps|publish)_fence_both|publish_rl_fence",
     ("2+2W_fence_both",)),
    ("fence waits for the stores of its warp alone", LOOSE,
     {STORE: [("@scatter static", "uint64_t stored[CORES]; static"),
              ("@lsu_store_send s->unacked++", "stored[s->core] = (s->unacked++ ? stored[s->core] : 0) | 1ull << s->st.warp")],
      LSU: [("@spad_sent static", "extern uint64_t stored[CORES]; static"),
            ("@lsu_show quiet = !s->unacked", "quiet = (!s->unacked || !(stored[s->core] >> w & 1))")]},
     r"(WRC_warps|publish)_fence_both|publish_rl_fence"),
    ("fence does not wait for loads", LOOSE, {ISSUE: [("@refresh h->is_serial", "h->is_serial && h->op != OP_FENCE")]}, r"LB_fence_(both|data)"),
    ("fence leaves the cache as it is", OWN, {L1D: [("@inval e->invalidate = true; e->poison = e->mshr_valid;", "")]},
     READS + r"_fence_both|WRC_data_fence|publish_rl_fence|MP_atomic_(rl_aq|aqrl)|MP_release_store_plain", ("MP_fence_both", "SB_fence_both")),
    ("x ^ x depends on nothing", LOOSE,
     {ISSUE: [("@refresh (h->regs & v->busy)", "(h->regs & v->busy) && !((h->instr & 0xfe00707f) == 0x4033 && (h->instr >> 15 & 31) == (h->instr >> 20 & 31))")]},
     r"LB_(data|addr)_both|LB_fence_data|S_fence_data"),
    ("a branch to the next instruction depends on nothing", LOOSE, {ISSUE: [("@refresh (h->regs & v->busy)", "(h->regs & v->busy) && (h->instr & 0xfe007fff) != 0x4263")]},
     r"LB_ctrl_both|S_fence_ctrl"),
    ("requests to one line overtake each other", LOOSE, {NET: [ANY_ORDER]}, r"CoWW_plain|CoWW_other_fence|CoWR_(atomic_)?plain|CoRW_(atomic_)?plain"),
    ("loads to one line overtake each other", LOOSE, {NET: [ANY_ORDER], L1D: NO_HIT}, r"CoRR_.*plain"),
    ("a line from memory covers what was stored", OWN, {L2: [("@l2_tick m->fetch_mask", "(line_be_t){{0, 0}}")]}, r"CoRR_fence"),
    ("an atomic leaves the line in the cache", OWN, {L1D: [("@atomic if (e->hit >= 0) s->valid[e->hit] = false;", "")]}, r"CoRR_atomic_plain"),
    ("an atomic reads what the one before it read", OWN,
     {L2: [("@stage2 fill_s3(s, L2_K_AMO);", "bool same = s->s3_kind == L2_K_AMO && s->s3_row == row && !r->amo_dword; fill_s3(s, L2_K_AMO); if (!same)")]},
     r"amoadd_.*|amocas_cores|lanes_amoadd|SB_atomic_aqrl"),
    ("a reservation outlives writes", OWN, {RESV: [("@l2_resv_end v->of[vl_first(left)].key == key", "0")]}, r"LRSC_cores|LRSC_write_cores"),
    ("a reservation outlives an LR or SC to another slice", OWN, {ARB: [("@reserve = sc", "= false")]}, r"LRSC_two_LR_.*", ("LRSC_two_LR_LR_SC",)),
    ("SC always says that it has stored", OWN, {L2_AMO: [("@l2_amo_perform !stores", "0")]}, r"LRSC_.*"),
    ("a store leaves the line in the cache as it was", OWN, {L1D: [("@store line[k] = from[k];", "(void)line, (void)from, (void)k;")]},
     r"group_g[gs]_(MP|SB|R)_plain|group_gg_(MP|SB|R)_fence_wg|CoWR_plain"),
    ("requests to one line overtake each other, fences of the workgroup do not wait for loads", LOOSE, {NET: [ANY_ORDER], L1D: NO_HIT, **NO_SERIAL}, r"group_g[gs]_(MP|SB|LB|S|R|2\+2W)_(plain|fence_wg)",
     ("group_gg_MP_fence_wg", "group_gs_2+2W_plain")),
    ("accesses to scratchpad overtake each other, fences of the workgroup do not wait for loads", OWN, {SPAD: SET_ASIDE, **NO_SERIAL}, r"group_ss_(?!IRIW).*_(plain|fence_wg)",
     ("group_ss_SB_fence_wg",)),
    ("stores leave the line in the cache as it was, which half of the warps see", OWN,
     {L1D: [("@store line[k] = from[k];", "(void)line, (void)from, (void)k;"),
            ("@compare s->key[base + w] == key", "s->key[base + w] == key && (s->s2.op != L1D_LOAD || (s->s2.warp ^ s->s2.line) & 1)"),
            ("@compare key == key", "key == key && (s->s2.op != L1D_LOAD || (s->s2.warp ^ s->s2.line) & 1)")]},
     r"group_g[gs]_(WRC|IRIW)_(plain|fence_wg)"),
    ("scratchpad answers old values to some", OWN, {SPAD: [("@read_into memcpy", "v *= (s->rsp.entry + bank) % 4 != 0; memcpy")]},
     r"group_ss_IRIW_(plain|fence_wg)"),
    ("barriers do not wait", OWN, {BARRIER: [("@barrier_tick [g] == s->size[g]", "[g]"), ("@barrier_tick (ended_before || ending == g) && !s->fault_valid", "0")]}, r"group_[gs]_barrier_plain"),
    ("the lowest thread wins", OWN, {STORE: [("@scatter m - 1) { unsigned l = lowest(m",
                                            "~(1ull << (63 - __builtin_clzll(m)))) { unsigned l = (unsigned)(63 - __builtin_clzll(m)")]},
     r"lanes_store"),
]


def named(bug):
    return [t for t in shapes.TESTS if t.verdict == shapes.FORBIDDEN and re.fullmatch(bug[3], t.name)]
