/* Random memory instructions, and the expected results of each. */
#ifndef VERIF_CORE_MEMPATH_PROGRAM_H
#define VERIF_CORE_MEMPATH_PROGRAM_H
#include "verif/core/mempath/sequential.h"

/* Makes an instruction for warp w and notes its expected results. */
static void make(env_t *e, unsigned w)
{
    static const uint8_t loads[] = {OP_LB, OP_LH, OP_LW, OP_LD, OP_LBU, OP_LHU, OP_LWU};
    vl_rng_t *r = &e->rng;
    unsigned op, kind = vl_below(r, 100), atomics = e->mode == 2 ? 40 : 12;
    if (kind < 3)
        op = vl_chance(r, 128) ? OP_FENCE : vl_chance(r, 128) ? OP_FENCE_I : OP_VL_FENCE_WG;
    else if (kind < 3 + atomics)
        op = OP_LR_W + vl_below(r, 24);
    else if (kind < 65)
        op = loads[vl_below(r, 7)];
    else
        op = OP_SB + vl_below(r, 4);
    bool atomic = memop_kind(op) == MEMOP_ATOMIC, fence = op == OP_FENCE || op == OP_FENCE_I || op == OP_VL_FENCE_WG;
    unsigned n = fence ? 1 : memop_size(op);
    uint32_t instr = (uint32_t)vl_random(r);
    if (!vl_chance(r, 40))
        instr &= ~(3u << 25);
    bool serial = fence || (atomic && (instr >> 25 & 3));
    if (serial && e->inflight[w])
        return;
    uint64_t tmask = vl_chance(r, 128) ? ~0ull : vl_random(r);
    if (THREADS < 64)
        tmask &= (1ull << (THREADS % 64)) - 1;
    if (!tmask)
        tmask = 1;

    /* Addresses: a style for the instruction. */
    uint64_t addr[THREADS], rs2[THREADS], rs3[THREADS];
    unsigned style = vl_below(r, 8), where = vl_below(r, 10);
    bool wild = vl_chance(r, 4);
    uint64_t line = vl_below(r, e->mode == 1 ? 4 : WINDOW / 4096), in_page = vl_below(r, 4096),
             stride = n << vl_below(r, 4);
    for (unsigned t = 0; t < THREADS; t++) {
        uint64_t off;
        switch (style) {
        case 0:
        case 1:
        case 2: off = line * 4096 + in_page / LINE_BYTES * LINE_BYTES + t * stride; break;
        case 3: off = line * 4096 + in_page; break;
        case 4: off = (uint64_t)vl_below(r, WINDOW / 4096) * 4096 + (in_page & 0x180) + vl_below(r, 128); break;
        case 5: off = (uint64_t)vl_below(r, 3) * 4096 + vl_below(r, 256); break;
        case 6: off = vl_random(r); break;
        default: off = line * 4096 + in_page / LINE_BYTES * LINE_BYTES + vl_below(r, 16); break;
        }
        bool spad = where < 3 || (where == 3 && vl_chance(r, 128));
        off -= off % n;
        addr[t] = spad ? 0x30000000ull + off % GROUP_SPAD : BASE + off % WINDOW;
        if (wild && vl_chance(r, 60))
            switch (vl_below(r, 6)) {
            case 0: addr[t]++; break;
            case 1: addr[t] = BASE + WINDOW; break;
            case 2: addr[t] = BASE - n; break;
            case 3: addr[t] = 0x30000000ull + GROUP_SPAD; break;
            case 4: addr[t] ^= 1ull << (48 + vl_below(r, 16)); break;
            default: addr[t] = vl_random(r) & ~7ull; break;
            }
        rs2[t] = vl_chance(r, 128) ? vl_random(r) : vl_below(r, 4);
        rs3[t] = vl_chance(r, 200) ? vl_below(r, 4) : vl_random(r);
    }
    uint64_t imm = atomic || fence ? 0 : (uint64_t)((int64_t)vl_below(r, 4096) - 2048);

    uint8_t seq = e->seq[w], rd = (uint8_t)vl_below(r, 32);
    if (e->expect[w][seq].live)
        return;
    for (unsigned b = 0; b < BEATS; b++) {
        operands_t *o = &e->beat[b];
        operands_t_random(r, o);
        o->pipe = PIPE_LSU;
        o->op = op;
        o->warp = w;
        o->seq = seq;
        o->instr = instr;
        o->pc = 0x10000000u + e->instructions * 4 % 0x1000000;
        o->beat = b;
        o->first = b == 0;
        o->last = b == BEATS - 1;
        o->rd = rd;
        o->tmask = tmask;
        o->imm = imm;
        o->mask = tmask >> (b * LANES) & (LANES < 64 ? (1ull << (LANES % 64)) - 1 : ~0ull);
        for (unsigned l = 0; l < LANES; l++) {
            unsigned t = b * LANES + l;
            ((uint64_t *)o->rs1)[l] = addr[t] - imm;
            ((uint64_t *)o->rs2)[l] = rs2[t];
            ((uint64_t *)o->rs3)[l] = rs3[t];
        }
    }
    e->beat_at = 0;
    e->seq[w]++;
    e->instructions++;
    if (e->dead[w])
        return;

    expect_t *x = &e->expect[w][seq];
    memset(x, 0, sizeof *x);
    x->serial = serial;
    x->rd = rd;
    if (fence) {
        x->live = true;
        x->rd = 0;
        e->inflight[w]++;
        e->blocked[w] = true;
        return;
    }

    /* Faults. */
    fault_t f = {0};
    for (unsigned t = 0; t < THREADS; t++) {
        if (!(tmask >> t & 1))
            continue;
        bool load = memop_kind(op) != MEMOP_STORE && !(atomic && op != OP_LR_W && op != OP_LR_D);
        bool mis = addr[t] % n;
        bool in_spad = addr[t] >> 16 == 0x3000;
        bool bad = in_spad ? (addr[t] & 0xffff) >= GROUP_SPAD : addr[t] < BASE || addr[t] >= BASE + WINDOW;
        if (!mis && !bad)
            continue;
        if (!f.mask) {
            f.cause = mis    ? (load ? FAULT_LOAD_MISALIGNED : FAULT_STORE_MISALIGNED)
                      : load ? FAULT_LOAD_ACCESS
                             : FAULT_STORE_ACCESS;
            f.warp = w;
            f.pc = e->beat[0].pc;
            f.value = addr[t];
        }
        f.mask |= 1ull << t;
    }
    if (f.mask) {
        e->faults[w] = f;
        e->dead[w] = true;
        return;
    }

    insn_t *q = &e->insns[w][seq];
    *q = (insn_t){.op = op, .tmask = tmask, .untraced = tmask};
    memcpy(q->addr, addr, sizeof addr);
    memcpy(q->rs2, rs2, sizeof rs2);
    memcpy(q->rs3, rs3, sizeof rs3);
    e->order[w][e->order_w[w]++ % SEQS] = seq;
    if (memop_kind(op) != MEMOP_STORE) {
        x->live = true;
        x->todo = tmask;
        e->inflight[w]++;
        e->blocked[w] = serial;
    }
}
#endif
