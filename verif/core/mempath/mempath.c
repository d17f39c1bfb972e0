/* The verilated lsu, spad and l1d, wired as in a core, in front of a memory that answers late and out of order: random memory instructions
 * of all warps must give what a sequential machine gives that executes them in the order of issue (one core: its cache is coherent with itself).
 *
 *   mempath [--seed N | --seeds N] [--cycles N] [--fst FILE] [--speed]
 *
 * --speed prints the cycles an instruction of each kind takes when nothing is in its way. */
#include <stdlib.h>
#include "isa_gen.h"
#include "l1d_ports.h"
#include "lsu_ports.h"
#include "spad_ports.h"
#include "sim_c/common/vl_bits.h"
#include "verif/common/crash.h"

enum {
    IN_DEPTH = LSU_IN_DEPTH,
    WINDOW = 96 * 1024,
    GROUP_SPAD = 1024,
    GROUPS_USED = 2,
    PENDING = 4096,
    SEQS = 256,
};
#define BASE 0x10000000ull

typedef struct {
    bool live, serial;
    uint8_t rd;
    uint64_t todo; /* threads without a result */
    uint64_t value[THREADS];
} expect_t;

typedef struct {
    bool used;
    uint64_t due;
    mem_rsp_t rsp;
} pending_t;

typedef struct {
    bool valid;
    uint64_t id; /* hart for global; hart for scratchpad */
    uint64_t where;
} reservation_t;

/* An instruction with accesses, until its last beat is traced. Which warp's goes first is the LSU's choice: it is executed on the sequential machine when
 * its first beat is traced. */
typedef struct {
    unsigned op;
    uint64_t tmask, untraced; /* untraced: threads */
    uint64_t addr[THREADS], rs2[THREADS], rs3[THREADS];
} insn_t;

typedef struct {
    vl_rng_t rng;
    uint64_t seed, cycle;
    unsigned mode;
    bool failed;
    void *lsu, *spad, *l1d;
    lsu_out_t lo;
    spad_out_t so;
    l1d_out_t co;
    lsu_in_t li;
    spad_in_t si;
    l1d_in_t ci;
    uint8_t mem[WINDOW], ref[WINDOW], ref_spad[SPAD_BYTES];
    reservation_t mem_res, ref_res, ref_spad_res;
    pending_t pending[PENDING];
    unsigned npending;
    uint8_t seq[WARPS];
    bool dead[WARPS], blocked[WARPS];
    unsigned inflight[WARPS];
    expect_t expect[WARPS][SEQS];
    fault_t faults[WARPS]; /* with a mask: to come */
    insn_t insns[WARPS][SEQS];
    uint8_t order[WARPS][SEQS]; /* seq of each warp's instructions with accesses */
    unsigned order_w[WARPS], order_r[WARPS];
    unsigned credits;
    unsigned waking; /* the dead warp that restarts when all beats are given back, else WARPS */
    operands_t beat[BEATS];
    unsigned beat_at; /* BEATS: none */
    uint64_t instructions, results;
} env_t;

static void fail(env_t *e, const char *what, uint64_t a, uint64_t b)
{
    if (!e->failed)
        printf("seed %" PRIu64 " cycle %" PRIu64 ": %s: 0x%" PRIx64 ", expected 0x%" PRIx64 "\n", e->seed, e->cycle,
               what, a, b);
    e->failed = true;
}

/* ---- instructions ---------------------------------------------------------------------------------------------- */
static bool is_atomic(unsigned op)
{
    return op >= OP_LR_W && op <= OP_AMOCAS_D;
}

static unsigned op_size(unsigned op)
{
    return 1u << (isa_rows[op].match >> 12 & 3); /* funct3, of loads, stores and atomics alike */
}

static bool is_store(unsigned op)
{
    return op >= OP_SB && op <= OP_SD;
}

static uint64_t read_le(const uint8_t *p, unsigned n)
{
    uint64_t v = 0;
    memcpy(&v, p, n);
    return v;
}

static uint64_t extend(uint64_t v, unsigned op, unsigned n)
{
    if (n == 8 || op == OP_LBU || op == OP_LHU || op == OP_LWU)
        return v;
    return (uint64_t)((int64_t)(v << (64 - 8 * n)) >> (64 - 8 * n));
}

/* The sequential machine's atomic; writes through p. Returns rd. */
static uint64_t ref_atomic(unsigned op, uint8_t *p, uint64_t src, uint64_t cmp, uint64_t hart, uint64_t where,
                           reservation_t *r, bool spad)
{
    unsigned n = op_size(op), k = op - (n == 4 ? OP_LR_W : OP_LR_D);
    uint64_t old = read_le(p, n), m = n == 8 ? ~0ull : 0xffffffffull, v = src & m;
    int64_t so = (int64_t)extend(old, OP_LW, n), ss = (int64_t)extend(v, OP_LW, n);
    bool write = true;
    uint64_t result = extend(old, OP_LW, n);
    switch (k) {
    case 0: /* lr */ *r = (reservation_t){true, hart, where}; return result;
    case 1: /* sc */
        write = r->valid && r->id == hart && r->where == where;
        result = !write;
        if (spad && r->id == hart)
            r->valid = false;
        break;
    case 2: break;
    case 3: v = (old + v) & m; break;
    case 4: v ^= old; break;
    case 5: v &= old; break;
    case 6: v |= old; break;
    case 7: v = so < ss ? old : v; break;
    case 8: v = so < ss ? v : old; break;
    case 9: v = old < v ? old : v; break;
    case 10: v = old < v ? v : old; break;
    default: write = old == (cmp & m); break;
    }
    if (write) {
        memcpy(p, &v, n);
        if (r->where == where)
            r->valid = false;
    }
    return result;
}

static void execute(env_t *e, const insn_t *q, unsigned w, uint64_t *value)
{
    unsigned n = op_size(q->op);
    for (unsigned t = 0; t < THREADS; t++) {
        if (!(q->tmask >> t & 1))
            continue;
        bool spad = q->addr[t] >> 16 == 0x3000;
        uint64_t spot = spad ? w % GROUPS_USED * GROUP_SPAD + (q->addr[t] & 0xffff) : q->addr[t] - BASE;
        uint8_t *p = spad ? e->ref_spad + spot : e->ref + spot;
        reservation_t *res = spad ? &e->ref_spad_res : &e->ref_res;
        uint64_t unit = spad ? spot / 8 : q->addr[t] / 128, hart = w * THREADS + t;
        if (is_store(q->op)) {
            memcpy(p, &q->rs2[t], n);
            if (res->where == unit)
                res->valid = false;
        } else if (is_atomic(q->op)) {
            value[t] = ref_atomic(q->op, p, q->rs2[t], q->rs3[t], hart, unit, res, spad);
        } else {
            value[t] = extend(read_le(p, n), q->op, n);
        }
    }
}

static void check_trace(env_t *e, const memtrace_t *m)
{
    unsigned w = m->warp;
    if (w >= WARPS || e->order_r[w] == e->order_w[w]) {
        fail(e, "trace of nothing, seq", m->seq, 0);
        return;
    }
    uint8_t seq = e->order[w][e->order_r[w] % SEQS];
    insn_t *q = &e->insns[w][seq];
    memtrace_t want = {.warp = w, .seq = seq, .beat = m->beat};
    want.mask = q->untraced >> (m->beat * LANES) & (LANES < 64 ? (1ull << (LANES % 64)) - 1 : ~0ull);
    for (unsigned l = 0; l < LANES; l++) {
        ((uint64_t *)want.addr)[l] = q->addr[m->beat * LANES + l];
        ((uint64_t *)want.data)[l] = q->rs2[m->beat * LANES + l];
    }
    vl_diff_t d;
    if (!want.mask)
        fail(e, "a beat is traced twice", m->beat, 0);
    else if (memtrace_t_diff(m, &want, &d))
        printf("trace %s: %s expected %s\n", d.field, d.a, d.b), fail(e, "trace differs", 0, 0);
    if (q->untraced == q->tmask)
        execute(e, q, w, e->expect[w][seq].value);
    q->untraced &= ~((uint64_t)want.mask << (m->beat * LANES));
    if (!q->untraced)
        e->order_r[w]++;
}

/* Makes an instruction for warp w and notes what must come out. */
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
    bool atomic = is_atomic(op), fence = op == OP_FENCE || op == OP_FENCE_I || op == OP_VL_FENCE_WG;
    unsigned n = fence ? 1 : op_size(op);
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
        case 2: off = line * 4096 + in_page / 128 * 128 + t * stride; break;
        case 3: off = line * 4096 + in_page; break;
        case 4: off = (uint64_t)vl_below(r, WINDOW / 4096) * 4096 + (in_page & 0x180) + vl_below(r, 128); break;
        case 5: off = (uint64_t)vl_below(r, 3) * 4096 + vl_below(r, 256); break;
        case 6: off = vl_random(r); break;
        default: off = line * 4096 + in_page / 128 * 128 + vl_below(r, 16); break;
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
        bool load = !is_store(op) && !(atomic && op != OP_LR_W && op != OP_LR_D);
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
    if (!is_store(op)) {
        x->live = true;
        x->todo = tmask;
        e->inflight[w]++;
        e->blocked[w] = serial;
    }
}

/* ---- the memory side ------------------------------------------------------------------------------------------- */
static void mem_take(env_t *e, const mem_req_t *q)
{
    mem_rsp_t rsp;
    memset(&rsp, 0, sizeof rsp);
    rsp.id = q->id;
    uint64_t off = (q->line << 7) - BASE;
    if (off > WINDOW - 128) {
        fail(e, "memory address", q->line << 7, BASE);
        return;
    }
    uint8_t *p = e->mem + off;
    if (q->op == MEM_READ) {
        memcpy(&rsp.data, p, 128);
    } else if (q->op == MEM_WRITE) {
        for (unsigned k = 0; k < 128; k++)
            if (q->be.w[k / 64] >> (k % 64) & 1)
                p[k] = ((const uint8_t *)&q->data)[k];
            else if (((const uint8_t *)&q->data)[k] != ((const uint8_t *)&q->data)[k % SECTOR_BYTES])
                fail(e, "a sector that is not repeated", ((const uint8_t *)&q->data)[k],
                     ((const uint8_t *)&q->data)[k % SECTOR_BYTES]);
        if (e->mem_res.where == q->line)
            e->mem_res.valid = false;
    } else {
        static const uint8_t ops[] = {
            [AMO_SWAP] = 2, [AMO_ADD] = 3,  [AMO_XOR] = 4,   [AMO_AND] = 5,  [AMO_OR] = 6, [AMO_MIN] = 7,
            [AMO_MAX] = 8,  [AMO_MINU] = 9, [AMO_MAXU] = 10, [AMO_CAS] = 11, [AMO_LR] = 0, [AMO_SC] = 1};
        unsigned op = (q->amo_dword ? OP_LR_D : OP_LR_W) + ops[q->amo];
        uint64_t v = ref_atomic(op, p + q->amo_off, q->data.w[0], q->data.w[1], q->hart, q->line, &e->mem_res, false);
        rsp.data.w[0] = q->amo_dword ? v : (v & 0xffffffff) | v << 32;
    }
    for (unsigned k = 0; k < PENDING; k++)
        if (!e->pending[k].used) {
            e->pending[k] = (pending_t){true, e->cycle + 1 + vl_below(&e->rng, e->mode == 3 ? 3 : 60), rsp};
            e->npending++;
            return;
        }
    fail(e, "too many requests outstanding", PENDING, 0);
}

/* One response a cycle, any that is due. */
static void mem_answer(env_t *e)
{
    if (!e->npending || vl_chance(&e->rng, 30))
        return;
    unsigned from = vl_below(&e->rng, 64);
    for (unsigned i = 0; i < PENDING; i++) {
        pending_t *p = &e->pending[i < 64 ? i ^ from : i];
        if (p->used && p->due <= e->cycle) {
            e->ci.mem_rsp_valid = true;
            e->ci.mem_rsp = p->rsp;
            p->used = false;
            e->npending--;
            return;
        }
    }
}

/* ---- a cycle ---------------------------------------------------------------------------------------------------- */
static void check_result(env_t *e, const result_t *q)
{
    expect_t *x = &e->expect[q->warp][q->seq];
    if (!x->live) {
        fail(e, "result of nothing, seq", q->seq, 0);
        return;
    }
    if (q->rd != x->rd)
        fail(e, "rd", q->rd, x->rd);
    for (unsigned l = 0; l < LANES; l++) {
        unsigned t = q->beat * LANES + l;
        if (!(q->mask >> l & 1))
            continue;
        if (!(x->todo >> t & 1))
            fail(e, "thread answered twice or not asked", t, 0);
        x->todo &= ~(1ull << t);
        if (((const uint64_t *)q->data)[l] != x->value[t])
            fail(e, "result", ((const uint64_t *)q->data)[l], x->value[t]);
    }
    if (q->last != !x->todo)
        fail(e, "last", q->last, !x->todo);
    if (q->last) {
        x->live = false;
        e->inflight[q->warp]--;
        if (x->serial)
            e->blocked[q->warp] = false;
    }
    e->results++;
}

static void wire(env_t *e)
{
    lsu_rtl_out(e->lsu, &e->lo);
    spad_rtl_out(e->spad, &e->so);
    l1d_rtl_out(e->l1d, &e->co);
    memset(&e->ci, 0, sizeof e->ci);
    e->li.ops_valid = false;
    e->li.start_valid = false;
    e->li.l1d_req_ready = e->co.l1d_req_ready;
    e->li.l1d_rsp_valid = e->co.l1d_rsp_valid;
    e->li.l1d_rsp = e->co.l1d_rsp;
    e->li.l1d_ack = e->co.l1d_ack;
    e->li.spad_req_ready = e->so.spad_req_ready;
    e->li.spad_rsp_valid = e->so.spad_rsp_valid;
    e->li.spad_rsp = e->so.spad_rsp;
    e->si.spad_req_valid = e->lo.spad_req_valid;
    e->si.spad_req = e->lo.spad_req;
    e->si.spad_rsp_ready = e->lo.spad_rsp_ready;
    e->ci.l1d_req_valid = e->lo.l1d_req_valid;
    e->ci.l1d_req = e->lo.l1d_req;
    e->ci.l1d_rsp_ready = e->lo.l1d_rsp_ready;
    e->ci.early = e->lo.early;
    e->ci.found = e->li.found[0];
}

static void tick(env_t *e)
{
    lsu_rtl_tick(e->lsu, &e->li, false);
    spad_rtl_tick(e->spad, &e->si, false);
    l1d_rtl_tick(e->l1d, &e->ci, false);
    e->cycle++;
}

static void cycle(env_t *e, bool more)
{
    vl_rng_t *r = &e->rng;
    unsigned slow = e->mode == 3 ? 0 : 60;
    wire(e);
    e->li.lsu_res_ready = !vl_chance(r, slow);
    e->ci.mem_req_ready = !vl_chance(r, slow);
    e->credits -= e->lo.credit;
    if (e->lo.lsu_res_valid && e->li.lsu_res_ready)
        check_result(e, &e->lo.lsu_res);
    if (e->lo.fault_valid) {
        vl_diff_t d;
        fault_t *f = &e->faults[e->lo.fault.warp];
        if (!f->mask)
            fail(e, "fault of nothing", e->lo.fault.cause, 0);
        else if (fault_t_diff(&e->lo.fault, f, &d))
            printf("fault %s: %s expected %s\n", d.field, d.a, d.b), fail(e, "fault differs", 0, 0);
        f->mask = 0;
    }
    if (e->lo.trace_valid)
        check_trace(e, &e->lo.trace);
    /* Requests are performed as they are taken. */
    if (e->co.mem_req_valid && e->ci.mem_req_ready)
        mem_take(e, &e->co.mem_req);
    mem_answer(e);

    unsigned w = vl_below(r, WARPS);
    if (e->beat_at == BEATS && more && e->credits + BEATS <= IN_DEPTH && !vl_chance(r, e->mode == 3 ? 0 : 40)) {
        if (e->waking == WARPS && e->dead[w] && !e->inflight[w] && vl_chance(r, 200))
            e->waking = w;
        if (e->waking == WARPS) {
            if (!e->blocked[w])
                make(e, w);
        } else if (!e->credits) {
            e->li.start_valid = true;
            e->li.start.warp = e->waking;
            e->li.start.spad_base = e->waking % GROUPS_USED * GROUP_SPAD;
            e->dead[e->waking] = false;
            e->waking = WARPS;
        }
    }
    if (e->beat_at < BEATS) {
        e->li.ops_valid = true;
        e->li.ops = e->beat[e->beat_at++];
        e->credits++;
    } else if (vl_chance(r, 100)) { /* another pipe's operands pass by */
        e->li.ops_valid = true;
        operands_t_random(r, &e->li.ops);
        e->li.ops.pipe = PIPE_ALU;
    }
    tick(e);
}

static void begin(env_t *e, uint64_t seed)
{
    memset(e, 0, sizeof *e);
    e->rng.s = seed * 7919 + 3;
    e->seed = seed;
    e->mode = seed % 4;
    e->beat_at = BEATS;
    e->waking = WARPS;
    /* Memories begin at 0 (the scratchpad is compared from the start). */
    e->lsu = lsu_rtl_new(0);
    e->spad = spad_rtl_new(0);
    e->l1d = l1d_rtl_new(0);
    e->li.kernel.spad_bytes = GROUP_SPAD;
    e->li.kernel.mem_base = BASE;
    e->li.kernel.mem_limit = BASE + WINDOW;
    lsu_rtl_tick(e->lsu, &e->li, false);
    lsu_rtl_reset(e->lsu);
    spad_rtl_reset(e->spad);
    l1d_rtl_reset(e->l1d);
    for (unsigned k = 0; k < WINDOW; k += 8) {
        uint64_t v = vl_random(&e->rng);
        memcpy(e->mem + k, &v, 8);
    }
    memcpy(e->ref, e->mem, WINDOW);
    for (unsigned w = 0; w < WARPS; w++) {
        wire(e);
        e->li.start_valid = true;
        e->li.start.warp = w;
        e->li.start.spad_base = w % GROUPS_USED * GROUP_SPAD;
        tick(e);
    }
}

static void end(env_t *e)
{
    lsu_rtl_free(e->lsu);
    spad_rtl_free(e->spad);
    l1d_rtl_free(e->l1d);
}

static bool run(env_t *e, uint64_t seed, uint64_t cycles, const char *fst)
{
    begin(e, seed);
    if (fst)
        lsu_rtl_trace(e->lsu, fst);
    while (e->cycle < cycles && !e->failed)
        cycle(e, true);
    for (unsigned k = 0; k < 20000 && !e->failed; k++) {
        cycle(e, false);
        if (e->lo.idle && e->co.idle && e->beat_at == BEATS)
            break;
    }
    if (!e->failed) {
        if (!e->lo.idle || !e->co.idle)
            fail(e, "not idle after draining", 0, 1);
        for (unsigned w = 0; w < WARPS; w++)
            for (unsigned s = 0; s < SEQS; s++)
                if (e->expect[w][s].live)
                    fail(e, "no result of seq", s, 0);
        for (unsigned w = 0; w < WARPS; w++) {
            if (e->faults[w].mask)
                fail(e, "no fault of warp", w, 0);
            if (e->order_r[w] != e->order_w[w])
                fail(e, "instructions traced", e->order_r[w], e->order_w[w]);
        }
        for (unsigned k = 0; k < WINDOW; k++)
            if (e->mem[k] != e->ref[k])
                fail(e, "memory differs at", k, e->ref[k]);
    }
    printf("seed %" PRIu64 " %s: %" PRIu64 " instructions, %" PRIu64 " results, %" PRIu64 " cycles\n", seed,
           e->failed ? "FAILED" : "ok", e->instructions, e->results, e->cycle);
    end(e);
    return !e->failed;
}

/* ---- speed -------------------------------------------------------------------------------------------------------- */
/* Cycles of `count` instructions from the first operands to rest, without back-pressure; the memory answers after 10 cycles. */
static void speed(env_t *e, const char *name, unsigned op, uint64_t start, uint64_t stride, uint64_t step,
                  unsigned count)
{
    begin(e, 3);
    uint64_t first_ops = 0, first_req = 0, first_res = 0, t0 = e->cycle;
    unsigned sent = 0, beat = 0, done = 0;
    for (; e->cycle - t0 < 10000; tick(e)) {
        wire(e);
        e->li.lsu_res_ready = true;
        e->ci.mem_req_ready = true;
        e->credits -= e->lo.credit;
        if ((e->lo.l1d_req_valid || e->lo.spad_req_valid) && !first_req)
            first_req = e->cycle;
        if (e->lo.lsu_res_valid) {
            if (!first_res)
                first_res = e->cycle;
            done += e->lo.lsu_res.last;
        }
        if (e->co.mem_req_valid)
            mem_take(e, &e->co.mem_req);
        for (unsigned k = 0; k < PENDING && e->npending; k++)
            if (e->pending[k].used) {
                e->pending[k].due = 0;
            }
        mem_answer(e);
        if (sent < count && (beat || e->credits + BEATS <= IN_DEPTH)) {
            operands_t *o = &e->li.ops;
            memset(o, 0, sizeof *o);
            o->pipe = PIPE_LSU, o->op = op, o->warp = sent % WARPS, o->seq = sent, o->beat = beat, o->first = !beat,
            o->last = beat == BEATS - 1;
            o->mask = LANES < 64 ? (1ull << (LANES % 64)) - 1 : ~0ull;
            for (unsigned l = 0; l < LANES; l++)
                ((uint64_t *)o->rs1)[l] = start + sent * step + (beat * LANES + l) * stride;
            e->li.ops_valid = true;
            e->credits++;
            if (o->last && !first_ops)
                first_ops = e->cycle;
            beat = (beat + 1) % BEATS;
            sent += !beat;
        }
        if (sent == count && e->lo.idle && e->co.idle && !beat && !e->li.ops_valid)
            break;
    }
    printf("%-34s %2u instructions: %4" PRIu64 " cycles; last operands to request %" PRIu64 ", to result %" PRIu64
           " (%u results)\n",
           name, count, e->cycle - t0, first_req - first_ops, first_res ? first_res - first_ops : 0, done);
    end(e);
}

/* ---- loads that hit in TLB and L1D (T3) ----------------------------------------------------------------------------- */
/* Cycles from the operands of the first of `count` loads, of one sector each, whose lines are in the L1D, to the last result. Translated, each page is its own
 * frame, and the TLB has it. */
static unsigned hits(env_t *e, bool sv48, unsigned count)
{
    begin(e, 3);
    e->li.root.sv48 = sv48;
    e->li.mode = TLB_UNDER_MISS; /* with a blocking TLB a look-up would wait for the one before */
    uint64_t from = 0;
    unsigned sent = 0, done = 0, beat = 0, looked = 0;
    look_t look[TLB_PORTS] = {0};
    for (; e->cycle < 2000 && done <= count; tick(e)) {
        e->li.found_valid = looked;
        for (unsigned p = 0; p < TLB_PORTS; p++)
            e->li.found[p] = (found_t){.hit = looked >> p & 1, .ppn = look[p].vpn};
        wire(e);
        looked = e->lo.look_valid;
        memcpy(look, e->lo.look, sizeof look);
        e->li.look_ready = e->li.lsu_res_ready = e->ci.mem_req_ready = true;
        e->credits -= e->lo.credit;
        done += e->lo.lsu_res_valid && e->lo.lsu_res.last;
        if (e->co.mem_req_valid)
            mem_take(e, &e->co.mem_req);
        mem_answer(e);
        if (sent > count || (sent && !done)
            || !(beat || e->credits + BEATS <= IN_DEPTH)) /* the first load fetches the line */
            continue;
        operands_t *o = &e->li.ops;
        *o = (operands_t){.pipe = PIPE_LSU,
                          .op = OP_LW,
                          .warp = sent % WARPS,
                          .seq = sent,
                          .beat = beat,
                          .first = !beat,
                          .last = beat == BEATS - 1,
                          .mask = LANES < 64 ? (1ull << (LANES % 64)) - 1 : ~0ull};
        for (unsigned l = 0; l < LANES; l++)
            ((uint64_t *)o->rs1)[l] = BASE + (beat * LANES + l) * 4;
        e->li.ops_valid = true;
        e->credits++;
        if (o->last && sent == 1)
            from = e->cycle;
        beat = (beat + 1) % BEATS;
        sent += !beat;
    }
    unsigned cycles = done > count ? (unsigned)(e->cycle - from) : 0;
    end(e);
    return cycles;
}

/* One cycle more than in Bare, whether one comes or many. */
static bool overlapped(env_t *e)
{
    static const unsigned counts[] = {1, 2, 2 * WARPS};
    bool ok = true;
    for (unsigned i = 0; i < 3; i++) {
        unsigned bare = hits(e, false, counts[i]), sv48 = hits(e, true, counts[i]);
        printf("%u loads that hit: %u cycles in Bare, %u translated\n", counts[i], bare, sv48);
        ok &= bare && sv48 == bare + 1;
    }
    return ok;
}

int main(int argc, char **argv)
{
    uint64_t seeds = 8, from = 0, cycles = 20000;
    const char *fst = NULL;
    static env_t e;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--speed")) {
            speed(&e, "scratchpad loads, no conflict", OP_LW, 0x30000000, 8, 0, 32);
            speed(&e, "scratchpad stores, no conflict", OP_SW, 0x30000000, 4, 0, 32);
            speed(&e, "scratchpad loads, one doubleword", OP_LD, 0x30000000, 0, 0, 32);
            speed(&e, "loads, all of one line", OP_LW, BASE, 4, 0, 32);
            speed(&e, "loads, a line each", OP_LW, BASE, 4, 128, 32);
            speed(&e, "stores, all to one line", OP_SW, BASE, 4, 0, 32);
            speed(&e, "loads, a line a thread", OP_LW, BASE, 128, 0, 8);
            speed(&e, "atomics", OP_AMOADD_W, BASE, 4, 0, 8);
            return 0;
        } else if (i + 1 < argc && !strcmp(argv[i], "--seed")) {
            from = strtoull(argv[++i], NULL, 0), seeds = from + 1;
        } else if (i + 1 < argc && !strcmp(argv[i], "--seeds")) {
            seeds = strtoull(argv[++i], NULL, 0);
        } else if (i + 1 < argc && !strcmp(argv[i], "--cycles")) {
            cycles = strtoull(argv[++i], NULL, 0);
        } else if (i + 1 < argc && !strcmp(argv[i], "--fst")) {
            fst = argv[++i];
        } else {
            fprintf(stderr, "usage: %s [--seed N | --seeds N] [--cycles N] [--fst FILE] [--speed]\n", argv[0]);
            return 2;
        }
    }
    unsigned passed = 0, failed = 0;
    if (!from)
        *(overlapped(&e) ? &passed : &failed) += 1;
    for (uint64_t s = from; s < seeds; s++) {
        char crashed[2048];
        snprintf(crashed, sizeof crashed,
                 "seed %" PRIu64 " FAILED: it crashed\n    again: %s --seed %" PRIu64 " --cycles %" PRIu64 "\n", s,
                 argv[0], s, cycles);
        crash_command(crashed);
        if (run(&e, s, cycles, fst))
            passed++;
        else
            failed++, printf("    again: BENCH_CONFIGS=" VL_CFG_NAME " scripts/bench mempath --seed %" PRIu64
                             " --cycles %" PRIu64 "\n",
                             s, cycles);
        crash_command(NULL);
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
