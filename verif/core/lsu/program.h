/* Instructions: their choice, and their expected results: a warp's instructions are executed one after another, thread by thread. */
#ifndef LSU_BENCH_PROGRAM_H
#define LSU_BENCH_PROGRAM_H
#include "verif/common/atomics.h"
#include "verif/core/lsu/env.h"

/* The datum after an atomic; false if it writes nothing. SC succeeds when it would write an odd number. */
static bool atomic(unsigned amo, unsigned size, uint64_t m, uint64_t v, uint64_t cmp, uint64_t *now)
{
    *now = amo_value(amo, size, m, v);
    switch (amo) {
    case AMO_LR: return false;
    case AMO_SC: return v & 1;
    case AMO_CAS: return m == memop_low(cmp, size);
    default: return true;
    }
}

/* Performs one thread's access at p. Returns the doubleword that the LSU must receive. */
static uint64_t perform(unsigned op, uint64_t at, unsigned char *p, uint64_t v, uint64_t cmp)
{
    unsigned size = memop_size(op), kind = memop_kind(op), amo = memop_amo(op);
    uint64_t word = datum_get(p - (at & 7), 8), m = datum_get(p, size), now;
    if (kind == MEMOP_STORE) {
        memcpy(p, &v, size);
    } else if (kind == MEMOP_ATOMIC) {
        bool write = atomic(amo, size, m, v, cmp, &now);
        if (write)
            memcpy(p, &now, size);
        if (amo == AMO_SC)
            return write ? 0 : 0x100000001ull;
    }
    return word;
}

static unsigned op_index(unsigned op)
{
    if (op >= OP_LB && op <= OP_SD)
        return op - OP_LB;
    if (op == OP_FENCE || op == OP_FENCE_I)
        return 11 + (op == OP_FENCE_I);
    if (op == OP_VL_FENCE_WG)
        return 13;
    return 14 + op - OP_LR_W;
}

static unsigned char *program_at(env_t *e, unsigned w, uint64_t a)
{
    return in_spad(a) ? e->program.spad + (e->base[w] + a) % SPAD_BYTES : e->program.mem + place(e, a);
}

static bool canonical(uint64_t a)
{
    return a >> 47 == 0 || a >> 47 == 0x1ffff;
}

typedef enum { GOOD, MISALIGNED, ACCESS, PAGE } check_t;

static check_t check(const env_t *e, uint64_t a, unsigned size)
{
    if (a % size)
        return MISALIGNED;
    if (in_spad(a))
        return (a & 0xffff) < e->kernel.spad_bytes ? GOOD : ACCESS;
    if (e->phase.sv48)
        return canonical(a) ? GOOD : PAGE;
    return a >= e->kernel.mem_base && a < e->kernel.mem_limit ? GOOD : ACCESS;
}

/* ---- choice of instructions ---- */

static unsigned atomics_under_way(const env_t *e)
{
    unsigned n = 0;
    for (unsigned i = 0; i < INSNS; i++)
        n += e->insn[i].busy && e->insn[i].kind == MEMOP_ATOMIC;
    return n;
}

static unsigned pick_op(bench_t *b, env_t *e)
{
    if (e->scene.kind && e->scene.step == WRITE)
        return e->scene.kind == ATOMIC_FENCE ? OP_AMOSWAP_W : OP_SB + vl_below(&b->rng, 4);
    if (e->scene.kind)
        return e->scene.kind >= STORE_RL ? OP_LR_W + vl_below(&b->rng, OP_AMOCAS_D - OP_LR_W + 1)
                                         : OP_FENCE + vl_below(&b->rng, 2);
    unsigned p = vl_below(&b->rng, 32);
    if (e->kinds == 5)
        return OP_SD;
    if (e->kinds == 4 + ATOMICS) /* a fence behind as many as there are entries waits for all of them */
        return atomics_under_way(e) < LSU_ENTRIES ? OP_AMOADD_D : OP_FENCE;
    if (e->kinds > 5)
        return OP_LD;
    if (e->kinds == 0 && p < 28)
        return OP_LB + vl_below(&b->rng, 7);
    if (e->kinds == 1 && p < 28)
        return OP_SB + vl_below(&b->rng, 4);
    if (e->kinds == 2 && p < 28)
        return OP_LR_W + vl_below(&b->rng, OP_AMOCAS_D - OP_LR_W + 1);
    if (p == 0)
        return OP_FENCE + vl_below(&b->rng, 2);
    if (p == 1)
        return OP_VL_FENCE_WG;
    if (p < 14)
        return OP_LB + vl_below(&b->rng, 7);
    if (p < 24)
        return OP_SB + vl_below(&b->rng, 4);
    return OP_LR_W + vl_below(&b->rng, OP_AMOCAS_D - OP_LR_W + 1);
}

/* Some threads get addresses that must fault. */
static void spoil_addresses(bench_t *b, env_t *e, unsigned size, uint64_t lo, uint64_t hi)
{
    const uint64_t sb = e->kernel.spad_bytes;
    unsigned which = vl_below(&b->rng, 4);
    for (unsigned t = 0; t < THREADS; t++) {
        const uint64_t bare[] = {e->kernel.mem_base - 8, e->kernel.mem_limit, 1ull << 48 | lo,
                                 vl_random(&b->rng) | 1ull << 63, ~0ull << 40};
        const uint64_t odd = 1ull << (48 + vl_below(&b->rng, 16));
        const uint64_t beyond[] = {SPAD_BASE + sb, SPAD_BASE + 0x8000 + vl_below(&b->rng, 0x8000), SPAD_BASE ^ odd};
        const uint64_t sv48[] = {lo ^ odd, (hi - 8) ^ odd, 1ull << 47, ~(1ull << 47) - 7, lo ^ 1ull << 47};
        if (!((which == 0 && t == THREADS - 1) || (which == 1 && vl_below(&b->rng, 3) == 0)
              || (which == 2 && t >= THREADS - LANES) || (which == 3 && t == vl_below(&b->rng, THREADS))))
            continue;
        if (vl_below(&b->rng, 2) && size > 1)
            e->addr[t] += 1 + vl_below(&b->rng, size - 1);
        else if (vl_below(&b->rng, 3) == 0)
            e->addr[t] = beyond[vl_below(&b->rng, 3)] & ~(size - 1ull);
        else
            e->addr[t] = (e->phase.sv48 ? sv48 : bare)[vl_below(&b->rng, 5)] & ~(size - 1ull);
    }
}

static void pick_addresses(bench_t *b, env_t *e, unsigned w, unsigned size)
{
    uint64_t lo = e->phase.window + w * WARP_BYTES, hi = lo + WARP_BYTES, sb = e->kernel.spad_bytes;
    if (!e->phase.sv48) {
        lo = w == 0 ? e->kernel.mem_base : lo;
        hi = w == WARPS - 1 ? e->kernel.mem_limit : hi;
    }
    const uint64_t span = hi - lo; /* hi may be 0: the end of the address space */
    unsigned pattern = e->kinds == 4 + ANSWERS ? 7
                       : e->kinds >= 5         ? 4
                                               : vl_below(&b->rng, 9),
             pages = vl_below(&b->rng, 6);
    if (e->kinds == 0 && vl_below(&b->rng, 2)) /* loads of one sector, one behind the other */
        pattern = 3;
    uint64_t at = vl_below(&b->rng, WARP_BYTES) & ~127ull, sat = vl_below(&b->rng, (unsigned)sb);
    for (unsigned t = 0; t < THREADS; t++) {
        uint64_t off;
        switch (pattern) {
        case 0: off = at + t * size; break;
        case 1: off = at; break;
        case 2: off = at + vl_below(&b->rng, 128); break;
        case 3: off = at + vl_below(&b->rng, 16); break;
        case 4: off = at + t * LINE_BYTES; break;
        case 5: off = at + vl_below(&b->rng, 512); break;
        case 6: off = (uint64_t)vl_below(&b->rng, 1u << pages) * 4096 + vl_below(&b->rng, 4096); break;
        case 7: off = (uint64_t)t * 4096 + (at & 0xf80); break;
        default: off = vl_random(&b->rng); break;
        }
        bool spad = e->where == 1 || (e->where == 2 && vl_below(&b->rng, 2));
        if (e->scene.kind)
            spad = false;
        else if (e->where == 3)
            spad = vl_below(&b->rng, 16) == 0;
        uint64_t a = spad ? SPAD_BASE + (sat + off) % sb : lo + off % span;
        if (vl_below(&b->rng, 40) == 0 && e->kinds <= 5) {
            const uint64_t edge[] = {lo, hi - size, SPAD_BASE + sb - size, SPAD_BASE};
            a = edge[vl_below(&b->rng, 4)];
        }
        e->addr[t] = a & ~(size - 1ull);
    }
    if (vl_below(&b->rng, e->spoil) == 0 && e->kinds < 5)
        spoil_addresses(b, e, size, lo, hi);
}

/* ---- expected results ---- */

static void cover_shape(bench_t *b, const env_t *e, const insn_t *n)
{
    uint64_t line0 = place(e, n->addr[lowest(n->threads)]) / LINE_BYTES, spad = n->words;
    bool one = !spad, each = !spad, sectors = false, beats = false, byte_beat = false, byte_beats = false,
         page_beats = false;
    for EACH(t, n->threads & ~spad) {
        uint64_t a = n->addr[t];
        one &= place(e, a) / LINE_BYTES == line0;
        BENCH_COVER(b, COV_V_UPPER, a >> 63);
        for EACH(u, n->threads & ~spad & (BIT(t) - 1)) {
            page_beats |= n->addr[u] >> 12 == a >> 12 && u / LANES != t / LANES;
            if (n->addr[u] / LINE_BYTES != a / LINE_BYTES)
                continue;
            each = false;
            sectors |= n->addr[u] / SECTOR_BYTES != a / SECTOR_BYTES;
            beats |= u / LANES != t / LANES && n->addr[u] / SECTOR_BYTES == a / SECTOR_BYTES;
            if (n->addr[u] == a)
                *(u / LANES == t / LANES ? &byte_beat : &byte_beats) = true;
        }
    }
    bool several = n->threads & (n->threads - 1), mixed = spad && spad != n->threads, amo = n->kind == MEMOP_ATOMIC;
    BENCH_COVER(b, COV_OP + op_index(n->op), true);
    BENCH_COVER(b, COV_ONE_LINE, !amo && one && several);
    BENCH_COVER(b, COV_LINE_EACH, !amo && each && several);
    BENCH_COVER(b, COV_SECTORS, !amo && sectors);
    BENCH_COVER(b, COV_SECTOR_BEATS, !amo && beats);
    BENCH_COVER(b, COV_BYTE_BEAT, n->kind == MEMOP_STORE && byte_beat);
    BENCH_COVER(b, COV_BYTE_BEATS, n->kind == MEMOP_STORE && byte_beats);
    BENCH_COVER(b, COV_MIX_LOAD, n->kind == MEMOP_LOAD && mixed);
    BENCH_COVER(b, COV_MIX_STORE, n->kind == MEMOP_STORE && mixed);
    BENCH_COVER(b, COV_MIX_AMO, amo && mixed);
    BENCH_COVER(b, COV_V_BEATS, e->phase.sv48 && page_beats);
    uint64_t private = 0, one_line = 0;
    const uint64_t line = n->addr[lowest(n->threads)] / LINE_BYTES;
    for EACH(t, n->threads) {
        private |= (uint64_t)in_private(&e->kernel, n->addr[t]) << t;
        one_line |= (uint64_t)(n->addr[t] / LINE_BYTES == line) << t;
    }
    BENCH_COVER(b, COV_P_ONE, (one_line & private) & ((one_line & private) - 1));
    BENCH_COVER(b, COV_P_MIX, private && private != n->threads);
    BENCH_COVER(b, COV_P_LEAST, private && e->kernel.stack_log2 == 4);
    BENCH_COVER(b, COV_P_MOST, private && e->kernel.stack_log2 == 19);
    BENCH_COVER(b, COV_P_LESS, e->kernel.stack_log2 == 3);
    BENCH_COVER(b, COV_P_MORE, e->kernel.stack_log2 == 20);
    BENCH_COVER(b, COV_RL, n->rl && !n->aq);
    BENCH_COVER(b, COV_AQ, n->aq && !n->rl);
    BENCH_COVER(b, COV_AQRL, n->aq && n->rl);
}

static void enqueue(env_t *e, const insn_t *n)
{
    e->queue[n->warp][e->queued[n->warp]++] = (uint8_t)(n - e->insn);
}

/* The visible rest of an instruction of a warp that is dead, or dies before it. */
static void ghost(bench_t *b, env_t *e)
{
    unsigned kind = memop_kind(e->op.op);
    BENCH_COVER(b, COV_DROPPED, true);
    e->loads_after[e->op.warp] |= kind != MEMOP_STORE;
    if (!e->phase.sv48 || kind == MEMOP_FENCE || kind == MEMOP_WG)
        return;
    bool write = kind == MEMOP_STORE || (kind == MEMOP_ATOMIC && memop_amo(e->op.op) != AMO_LR);
    for EACH(t, e->tmask)
        if (place(e, e->addr[t]) < BYTES)
            page_of(e, e->addr[t])->ghost[write] = true;
}

static void faults(bench_t *b, env_t *e, insn_t *n, uint64_t bad)
{
    unsigned t = lowest(bad), kind = n->kind, amo = memop_amo(n->op);
    check_t why = check(e, n->addr[t], n->size);
    bool load = kind == MEMOP_LOAD || (kind == MEMOP_ATOMIC && amo == AMO_LR);
    static const uint8_t cause[2][4] = {{0, FAULT_STORE_MISALIGNED, FAULT_STORE_ACCESS, FAULT_STORE_PAGE},
                                        {0, FAULT_LOAD_MISALIGNED, FAULT_LOAD_ACCESS, FAULT_LOAD_PAGE}};
    n->faulty = true;
    n->fault = (fault_t){.cause = cause[load][why], .warp = n->warp, .pc = n->pc, .value = n->addr[t], .mask = bad};
    unsigned row = kind == MEMOP_LOAD    ? COV_LOAD_MISALIGNED
                   : kind == MEMOP_STORE ? COV_STORE_MISALIGNED
                   : amo == AMO_LR       ? COV_LR_MISALIGNED
                                         : COV_ATOMIC_MISALIGNED;
    BENCH_COVER(b, row + why - MISALIGNED, true);
    BENCH_COVER(b, COV_FAULT_HIGH, bad == 1ull << (THREADS - 1) && (e->tmask & (e->tmask - 1)));
    BENCH_COVER(b, COV_FAULT_SEVERAL, bad & (bad - 1));
    BENCH_COVER(b, COV_FAULT_LAST_BEAT, t >= THREADS - LANES);
    e->alive[n->warp] = false;
    e->follow = vl_below(&b->rng, 4);
    e->followed = n->warp;
    if (!e->phase.drain && vl_below(&b->rng, 4) == 0) { /* so that they are still looked up when they are dropped */
        e->issue = 256;
        e->l1d_ready = 40;
        e->miss_ready = e->look_ready = 8 + vl_below(&b->rng, 60);
        e->hit = 60;
    }
}

/* Executes the instruction in program order; notes its expected results. */
static void execute(bench_t *b, env_t *e, insn_t *n, bool rl, bool aq)
{
    const unsigned op = e->op.op, w = e->op.warp;
    if (!e->alive[w]) {
        ghost(b, e);
        return;
    }
    *n = (insn_t){.busy = true,
                  .warp = w,
                  .seq = e->op.seq,
                  .rd = e->op.rd,
                  .op = op,
                  .kind = memop_kind(op),
                  .size = memop_size(op),
                  .pc = e->op.pc,
                  .issued = b->cycle,
                  .base = e->base[w],
                  .rl = rl,
                  .aq = aq,
                  .serial = rl || aq};
    n->write = n->kind == MEMOP_STORE || (n->kind == MEMOP_ATOMIC && memop_amo(op) != AMO_LR);
    enqueue(e, n);
    if (n->kind == MEMOP_FENCE || n->kind == MEMOP_WG) {
        n->fence = n->serial = true;
        BENCH_COVER(b, COV_OP + op_index(op), true);
        BENCH_COVER(b, COV_WG, n->kind == MEMOP_WG);
        BENCH_COVER(b, COV_FENCE_NOW, n->kind == MEMOP_FENCE && !e->stores[w]);
        BENCH_COVER(b, COV_FENCE_WAIT, n->kind == MEMOP_FENCE && e->stores[w]);
        e->outstanding[w]++;
        e->blocked[w] = true;
        return;
    }
    uint64_t bad = 0;
    memcpy(n->addr, e->addr, sizeof n->addr);
    memcpy(n->rs2, e->rs2, sizeof n->rs2);
    memcpy(n->rs3, e->rs3, sizeof n->rs3);
    n->threads = e->tmask;
    for EACH(t, n->threads) {
        const uint64_t a = n->addr[t], lo = e->kernel.mem_base, hi = e->kernel.mem_limit, sb = e->kernel.spad_bytes;
        bad |= (uint64_t)(check(e, a, n->size) != GOOD) << t;
        BENCH_COVER(b, COV_BASE, !e->phase.sv48 && a == lo);
        BENCH_COVER(b, COV_BELOW, !e->phase.sv48 && a == lo - 8);
        BENCH_COVER(b, COV_LIMIT_IN, !e->phase.sv48 && a == hi - n->size);
        BENCH_COVER(b, COV_LIMIT_OUT, !e->phase.sv48 && a == hi);
        BENCH_COVER(b, COV_SPAD_IN, a == SPAD_BASE + sb - n->size);
        BENCH_COVER(b, COV_SPAD_OUT, a == SPAD_BASE + sb);
        BENCH_COVER(b, COV_SPAD_ABOVE, a == (SPAD_BASE ^ 1ull << 63));
        BENCH_COVER(b, COV_HIGH, !e->phase.sv48 && a >> 48 == 1);
        BENCH_COVER(b, COV_V_CANON_LOW, e->phase.sv48 && !canonical(a) && !(a >> 47 & 1));
        BENCH_COVER(b, COV_V_CANON_HIGH, e->phase.sv48 && !canonical(a) && a >> 47 & 1);
    }
    if (bad) {
        faults(b, e, n, bad);
        return;
    }
    for EACH(t, n->threads) {
        const uint64_t a = n->addr[t];
        uint64_t word = perform(op, a, program_at(e, w, a), n->rs2[t], n->rs3[t]);
        unsigned s = n->kind == MEMOP_ATOMIC && memop_amo(op) == AMO_SC ? 4 : n->size;
        uint64_t v = memop_low(word >> 8 * (a & 7), s);
        n->want[t] = memop_unsigned(op) || s == 8 ? v : (uint64_t)((int64_t)(v << (64 - 8 * s)) >> (64 - 8 * s));
        *(in_spad(a) ? &n->words : &n->unsent) |= BIT(t);
    }
    cover_shape(b, e, n);
    if (n->kind == MEMOP_STORE)
        return;
    n->left = e->tmask;
    e->outstanding[w]++;
    e->blocked[w] = n->serial;
}

/* Begins an instruction, if a warp can have one. */
static void begin(bench_t *b, env_t *e)
{
    unsigned w = e->follow ? e->followed : e->phase.limit == ANSWERS ? e->phase.warp : vl_below(&b->rng, WARPS);
    scene_t *scene = &e->scene;
    insn_t *n = NULL;
    if (scene->kind && (scene->step == HOLD || (scene->step == ORDER && w == scene->writer)))
        return;
    for (unsigned i = 0; i < INSNS; i++)
        if (!e->insn[i].busy)
            n = &e->insn[i];
    if (!n || !e->started[w] || e->blocked[w] || (!e->alive[w] && !e->follow && vl_below(&b->rng, 4)))
        return;
    e->follow -= e->follow != 0;
    operands_t *o = &e->op;
    operands_t_random(&b->rng, o);
    o->pipe = PIPE_LSU;
    o->warp = w;
    o->op = pick_op(b, e);
    unsigned size = memop_size(o->op), kind = memop_kind(o->op);
    bool rl = kind == MEMOP_ATOMIC && vl_below(&b->rng, 8) == 0, aq = kind == MEMOP_ATOMIC && vl_below(&b->rng, 8) == 0;
    if (e->kinds > 5)
        rl = aq = false;
    if (scene->kind)
        rl = scene->kind == STORE_RL && scene->step == ORDER, aq = scene->kind == STORE_AQ && scene->step == ORDER;
    if (kind == MEMOP_ATOMIC) {
        o->imm = 0;
        o->instr = (o->instr & ~(3u << 25)) | (uint32_t)aq << 26 | (uint32_t)rl << 25;
    }
    if ((rl || aq || kind == MEMOP_FENCE || kind == MEMOP_WG) && e->outstanding[w])
        return;
    if (scene->kind && scene->step == WRITE) {
        scene->writer = w;
        scene->step = ORDER;
    } else if (scene->kind) {
        scene->step = HOLD;
        scene->end = b->cycle + 20 + vl_below(&b->rng, 60);
    }
    o->seq = e->seq[w]++;
    e->tmask = vl_random_bits(&b->rng, THREADS);
    if (vl_below(&b->rng, 3) == 0)
        e->tmask = vl_random_bits(&b->rng, THREADS) | 1ull << (THREADS - 1);
    if (vl_below(&b->rng, 3) == 0 || e->kinds >= 5)
        e->tmask = ALL_THREADS;
    if (vl_below(&b->rng, 6) == 0 && e->kinds <= 5)
        e->tmask &= -e->tmask;
    if (!e->tmask)
        e->tmask = 1;
    o->tmask = e->tmask;
    pick_addresses(b, e, w, size);
    for (unsigned t = 0; t < THREADS; t++) {
        e->rs2[t] = vl_random(&b->rng);
        e->rs3[t] = vl_random(&b->rng);
        uint64_t a = e->addr[t];
        if (e->alive[w] && check(e, a, size) == GOOD && vl_below(&b->rng, 2)) /* so that AMOCAS compares equal */
            e->rs3[t] = datum_get(program_at(e, w, a), size);
    }
    execute(b, e, n, rl, aq);
    e->building = true;
    e->beat = 0;
}

/* The program's address of the byte that lies at p: the table of docs/private-memory.md read from right to left. */
static uint64_t meant(const kernel_t *k, uint64_t p)
{
    const unsigned s = k->stack_log2;
    uint64_t a = 0, slots, threads = THREADS;
    if (!in_private(k, p))
        return p;
    slots = 1ull << (s - 3);
    a = p / 8 % threads * (slots * 8) + p / 8 / threads % slots * 8 + p % 8;
    return p - p % (slots * 8 * threads) + a;
}

static void beat(env_t *e, operands_t *o)
{
    *o = e->op;
    o->beat = e->beat;
    o->first = e->beat == 0;
    o->last = e->beat == BEATS - 1;
    o->mask = e->tmask >> e->beat * LANES & ALL_LANES;
    for (unsigned l = 0; l < LANES; l++) {
        unsigned t = e->beat * LANES + l;
        o->rs1[l] = meant(&e->kernel, e->addr[t]) - o->imm;
        o->rs2[l] = e->rs2[t];
        o->rs3[l] = e->rs3[t];
    }
    e->building = ++e->beat < BEATS;
}
#endif
