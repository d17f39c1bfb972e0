/* Bench of issue: warps with random programs over few registers, pipes that answer late and out of order, redirects of every kind, barriers,
 * credits, both policies. */
#define BENCH_SEEDS 16
#define BENCH_CYCLES 20000
#include "verif/common/bench.h"
#include "verif/core/stimulus.h"
#include "issue_ports.h"
#include "verif/core/issue/page.h"

enum {
    COV_LRR_ALL,
    COV_GTO_ALL,
    COV_GTO_KEEP,
    COV_GTO_LEAVE,
    COV_GTO_BACK,
    COV_PIPE,
    COV_DEP,
    COV_SERIAL,
    COV_CONTROL,
    COV_FETCH,
    COV_BARRIER,
    COV_BAR_LEAVE,
    COV_HALT,
    COV_IDLE,
    COV_JOIN_EMPTY,
    COV_JOIN_FULL,
    COV_JOIN_NOW,
    COV_JOIN_JOIN,
    COV_RELEASE_DECIDE,
    COV_RELEASE_WRITE,
    COV_ALU_PAIR,
    COV_ALU_DEP,
    COV_NO_MUL,
    COV_MEETS,
    COV_NO_DIV,
    COV_NO_FPU,
    COV_NO_FDIV,
    COV_NO_LSU,
    COV_CREDIT_NOW,
    COV_SERIAL_WAITS,
    COV_SERIAL_ALONE,
    COV_FLUSH_PUSH,
    COV_PUSH_FILLS,
    COV_PUSH_EMPTY_POP,
    COV_FETCH_FAULT,
    COV_RESTART,
    COV_WRAP,
    COV_HALT_BEATS,
    COV_NOT_ELIGIBLE,
    COV_HOLD,
    COV_MOST,
    COV_MOST_SERIAL,
    COV_N
};
static const char *const cover[] = {"LRR, all warps active and one decided",
                                    "GTO, all warps active and one decided",
                                    "GTO stays on a warp",
                                    "GTO leaves a warp",
                                    "GTO comes back to an older warp",
                                    "stall: pipe",
                                    "stall: dependency",
                                    "stall: serial",
                                    "stall: control",
                                    "stall: fetch",
                                    "stall: barrier",
                                    "redirect of a warp at a barrier",
                                    "stall: halt",
                                    "stall: no warp",
                                    "JOIN with an empty buffer",
                                    "JOIN with a full buffer",
                                    "JOIN right after a redirect without flush",
                                    "JOIN after JOIN",
                                    "release in the cycle of a decision of its warp",
                                    "release and new writer of a register in one cycle",
                                    "two ALU instructions of a warp, the second at once",
                                    "two ALU instructions of a warp, the second waits",
                                    "MUL out of credits",
                                    "MUL waits for a beat of FPU before it",
                                    "DIV out of credits",
                                    "FPU out of credits",
                                    "FDIV out of credits",
                                    "LSU out of credits",
                                    "credit in the cycle of the decision",
                                    "serial instruction at the head with others in flight",
                                    "serial instruction goes",
                                    "flush and push of one warp in one cycle",
                                    "push that fills the buffer",
                                    "push into a buffer that the pop of this cycle empties",
                                    "fetch fault",
                                    "a slot used again",
                                    "seq wraps",
                                    "halt between beats",
                                    "memory instruction of a warp that is not eligible",
                                    "hold of ALU instructions",
                                    "127 instructions of a warp in flight",
                                    "serial instruction at the head with 64 or more others in flight"};

enum { FLIGHTS = 256, MOST_IN_FLIGHT = 127 };
typedef struct {
    uint32_t instr;
    bool fault;
} insn_t;
typedef struct {
    bool active, asked, at_bar, starting, stale; /* asked: waits for a redirect; stale: it comes from a JOIN */
    bool dead, used;
    unsigned n; /* instructions in the buffer, newest pushes of this cycle included */
    insn_t buf[IBUF_DEPTH + 8];
    uint64_t pc, rpc, tmask;
    bool rpc_valid, at_rpc, join_before, redirected;
    unsigned flights;
    uint8_t last_op;
} warp_env_t;
typedef struct {
    uint8_t warp, pipe, rd;
    bool new; /* this is its first cycle on issue: a release comes later */
} flight_t;
typedef struct {
    warp_env_t warp[WARPS];
    flight_t flight[FLIGHTS]; /* tracked and not released */
    unsigned flights;
    unsigned beats[PIPE_CTL]; /* issued and not given back; those of MUL with FPU */
    unsigned fpu_beats; /* cycles in which one of FPU was issued, the latest in bit 0 */
    unsigned last_warp, alu_warp, alu_rd, turn;
    bool last_valid, alu_valid, halt, gto, release_valid;
    uint8_t release_warp, release_rd;
    uint8_t credit_pipe;
    bool credit_valid;
    struct
    { /* loads of one warp that are issued and not released, until it has `most` of them; then it comes to rest by a serial instruction */
        bool on, grows, serial;
        unsigned warp, most;
    } burst;
    policy_t policy;
    page_t page;
} env_t;

#define PCS ((1ull << PA_W) - 1)

static void start(bench_t *b, env_t *e)
{
    e->policy.sched = e->gto = b->seed & 1;
    e->last_warp = WARPS;
    page_begin(&e->page);
}

static unsigned reads(uint32_t w)
{
    predec_t p = isa_predecode(w);
    return (p.use_rs1 ? 1u << (w >> 15 & 31) : 0) | (p.use_rs2 ? 1u << (w >> 20 & 31) : 0)
           | (p.use_rs3 ? 1u << isa_rs3(w, p.op) : 0);
}

/* An instruction over eight registers; `mode` shifts the weights. */
static insn_t some_insn(bench_t *b)
{
    vl_rng_t *r = &b->rng;
    static const uint8_t mixes[4][7] = {{90, 20, 20, 30, 20, 60, 6},
                                        {40, 60, 10, 60, 10, 60, 2},
                                        {20, 10, 60, 20, 60, 20, 1},
                                        {150, 5, 5, 10, 5, 60, 10}};
    const uint8_t *mix = mixes[b->mode];
    unsigned sum = 0, k = 0, at;
    for (unsigned p = 0; p < 7; p++)
        sum += mix[p];
    for (at = vl_below(r, sum); at >= mix[k]; k++)
        at -= mix[k];
    if (vl_chance(r, 2))
        return (insn_t){(uint32_t)vl_random(r), vl_chance(r, 128)};
    op_e op = stim_op(r, (pipe_e)k);
    if (k == PIPE_ALU && vl_chance(r, 220)) /* fewer branches than the table has */
        while (isa_rows[op].format == FMT_B || isa_rows[op].format == FMT_J || isa_rows[op].format == FMT_JR)
            op = stim_op(r, PIPE_ALU);
    if (k == PIPE_CTL && op == OP_VL_EXIT && vl_chance(r, 200))
        op = OP_VL_BARRIER;
    for (unsigned tries = 0;; tries++) {
        uint32_t w = stim_word(r, op), few = w & ~(((0x18u << 7) | (0x18u << 15) | (0x18u << 20)) & ~isa_rows[op].mask);
        if (isa_op(few) == op || (tries > 20 && (few = w)))
            return (insn_t){few, false};
    }
}

/* A burst begins now and then with a warp that has nothing in its buffer: its instructions in flight come to a power of two, or to the largest number that the page allows. */
static void burst(bench_t *b, env_t *e, unsigned w)
{
    const warp_env_t *v = &e->warp[e->burst.warp];
    if (e->burst.on) {
        e->burst.grows = e->burst.grows && v->active && v->flights < e->burst.most;
        e->burst.on = e->burst.grows || v->flights;
        BENCH_COVER(b, COV_MOST, v->flights == MOST_IN_FLIGHT);
    } else if (w < WARPS && e->warp[w].active && vl_chance(&b->rng, 8)) {
        const unsigned n = 2 + vl_below(&b->rng, 6);
        e->burst.on = e->burst.grows = e->burst.serial = true;
        e->burst.warp = w;
        e->burst.most = n == 7 ? MOST_IN_FLIGHT : 1u << n;
    }
}

/* The next instruction of warp w. That of a growing burst waits for nothing: a load without a result. */
static insn_t next_insn(bench_t *b, env_t *e, unsigned w)
{
    if (!e->burst.on || w != e->burst.warp || !e->burst.serial)
        return some_insn(b);
    e->burst.serial = e->burst.grows;
    return (insn_t){stim_word(&b->rng, e->burst.grows ? OP_LW : OP_FENCE) & ~((31u << 7) | (31u << 15)), false};
}

static bool tracked(uint32_t w)
{
    predec_t p = isa_predecode(w);
    return p.pipe != PIPE_ALU && p.pipe != PIPE_CTL && (w & 0x7f) != 0x23;
}

/* What came out in this cycle. */
static void observe(bench_t *b, env_t *e, const issue_out_t *out)
{
    const issued_t *q = &out->issue;
    bool all = true;
    unsigned active = 0;
    for (unsigned w = 0; w < WARPS; w++)
        all &= e->warp[w].active, active += e->warp[w].active;
    BENCH_COVER(b, COV_PIPE, out->ev.stall_pipe);
    BENCH_COVER(b, COV_DEP, out->ev.stall_dependency);
    BENCH_COVER(b, COV_SERIAL, out->ev.stall_serial);
    BENCH_COVER(b, COV_CONTROL, out->ev.stall_control);
    BENCH_COVER(b, COV_FETCH, out->ev.stall_fetch);
    BENCH_COVER(b, COV_BARRIER, out->ev.stall_barrier);
    BENCH_COVER(b, COV_HALT, out->ev.stall_halt);
    BENCH_COVER(b, COV_IDLE, out->ev.stall_idle);
    e->fpu_beats = e->fpu_beats << 1 | (out->issue_valid && q->pipe == PIPE_FPU);
    BENCH_CHECK(b, !(out->issue_valid && q->pipe == PIPE_MUL && e->fpu_beats >> 2 & 1),
                "MUL and FPU meet at their queue");
    if (!out->issue_valid) {
        e->alu_valid = false;
        return;
    }
    warp_env_t *v = &e->warp[q->warp];
    if (q->pipe != PIPE_CTL)
        e->beats[q->pipe == PIPE_MUL ? PIPE_FPU : q->pipe]++;
    if (!q->first)
        return;
    BENCH_CHECK(b, v->active && !v->asked && !v->at_bar, "warp %u issues while it must not", q->warp);
    BENCH_CHECK(b, q->tmask == v->tmask, "warp %u: threads", q->warp);
    BENCH_CHECK(b, q->pc == v->pc, "warp %u: pc", q->warp);
    BENCH_COVER(b, COV_LRR_ALL, !e->gto && all);
    BENCH_COVER(b, COV_GTO_ALL, e->gto && all);
    BENCH_COVER(b, COV_GTO_KEEP, e->gto && q->warp == e->last_warp);
    BENCH_COVER(b, COV_GTO_LEAVE, e->gto && q->warp > e->last_warp);
    BENCH_COVER(b, COV_GTO_BACK, e->gto && q->warp < e->last_warp);
    e->last_warp = q->warp;
    if (q->op == OP_JOIN) {
        BENCH_CHECK(b, v->at_rpc, "warp %u joins away from its reconvergence point", q->warp);
        BENCH_COVER(b, COV_JOIN_EMPTY, v->n == 0);
        BENCH_COVER(b, COV_JOIN_FULL, v->n == IBUF_DEPTH);
        BENCH_COVER(b, COV_JOIN_NOW, v->redirected);
        BENCH_COVER(b, COV_JOIN_JOIN, v->last_op == OP_JOIN);
        v->asked = v->stale = true;
        e->alu_valid = false;
    } else {
        insn_t i = v->buf[0];
        BENCH_CHECK(b, v->n > 0 && out->pop_valid && out->pop == q->warp, "warp %u: instruction without a pop",
                    q->warp);
        BENCH_CHECK(b, q->instr == (i.fault ? i.instr & 1 : i.instr), "warp %u: instruction", q->warp);
        predec_t p = isa_predecode(i.instr);
        unsigned rd = i.instr >> 7 & 31;
        memmove(v->buf, v->buf + 1, sizeof v->buf - sizeof *v->buf);
        v->n--;
        BENCH_COVER(b, COV_FETCH_FAULT, q->fetch_fault);
        BENCH_COVER(b, COV_SERIAL_ALONE, !i.fault && p.is_serial && p.pipe != PIPE_CTL);
        BENCH_COVER(b, COV_WRAP, q->seq == 255);
        BENCH_COVER(b, COV_RELEASE_DECIDE, e->release_valid && e->release_warp == q->warp);
        BENCH_COVER(b, COV_RELEASE_WRITE,
                    e->release_valid && e->release_warp == q->warp && e->release_rd && p.use_rd && p.pipe != PIPE_ALU
                        && rd == e->release_rd);
        BENCH_COVER(b, COV_CREDIT_NOW,
                    e->credit_valid && e->credit_pipe == (p.pipe == PIPE_MUL ? PIPE_FPU : p.pipe)
                        && e->beats[e->credit_pipe]
                               == (p.pipe == PIPE_LSU                          ? (unsigned)LSU_IN_DEPTH
                                   : p.pipe == PIPE_DIV || p.pipe == PIPE_FDIV ? (unsigned)BEATS
                                                                               : (unsigned)FPU_RESULT_DEPTH)
                                      - BEATS + 1);
        BENCH_COVER(b, COV_ALU_PAIR, p.pipe == PIPE_ALU && e->alu_valid && e->alu_warp == q->warp);
        e->alu_valid = q->pipe == PIPE_ALU && q->rd_we;
        e->alu_warp = q->warp;
        e->alu_rd = rd;
        if (i.fault || p.op == OP_ILLEGAL) {
            v->asked = v->dead = true;
        } else if (p.op == OP_VL_BARRIER) {
            v->at_bar = true;
        } else if (p.is_cf || p.pipe == PIPE_CTL) {
            v->asked = true;
            v->stale = false;
            v->dead = p.op == OP_VL_EXIT && vl_chance(&b->rng, 128);
        }
        if (!i.fault && tracked(i.instr)) {
            BENCH_CHECK(b, e->flights < FLIGHTS, "too many in flight");
            e->flight[e->flights++] = (flight_t){q->warp, (uint8_t)p.pipe, p.use_rd ? (uint8_t)rd : 0, true};
            v->flights++;
        }
        v->pc = (v->pc + 4) & PCS;
        v->at_rpc = v->rpc_valid && v->pc == v->rpc;
    }
    v->last_op = q->op;
    v->redirected = false;
}

static void stimulate(bench_t *b, env_t *e, const issue_out_t *out, issue_in_t *in)
{
    vl_rng_t *r = &b->rng;
    observe(b, e, out);
    for (unsigned w = 0; w < WARPS; w++) {
        const warp_env_t *v = &e->warp[w];
        predec_t p = isa_predecode(v->buf[0].instr);
        if (!v->active || v->asked || v->at_bar || v->at_rpc || !v->n || v->buf[0].fault)
            continue;
        BENCH_COVER(b, COV_SERIAL_WAITS, p.is_serial && v->flights);
        BENCH_COVER(b, COV_MOST_SERIAL, p.is_serial && v->flights >= 64);
        BENCH_COVER(b, COV_NO_MUL, p.pipe == PIPE_MUL && e->beats[PIPE_FPU] > FPU_RESULT_DEPTH - BEATS);
        BENCH_COVER(b, COV_MEETS,
                    p.pipe == PIPE_MUL && e->fpu_beats >> 1 & 1 && e->beats[PIPE_FPU] <= FPU_RESULT_DEPTH - BEATS);
        BENCH_COVER(b, COV_NO_FPU, p.pipe == PIPE_FPU && e->beats[PIPE_FPU] > FPU_RESULT_DEPTH - BEATS);
        BENCH_COVER(b, COV_NO_DIV, p.pipe == PIPE_DIV && e->beats[PIPE_DIV]);
        BENCH_COVER(b, COV_NO_FDIV, p.pipe == PIPE_FDIV && e->beats[PIPE_FDIV]);
        BENCH_COVER(b, COV_NO_LSU, p.pipe == PIPE_LSU && e->beats[PIPE_LSU] > LSU_IN_DEPTH - BEATS);
        BENCH_COVER(b, COV_ALU_DEP, e->alu_valid && e->alu_warp == w && reads(v->buf[0].instr) >> e->alu_rd & 1);
    }

    if (vl_chance(r, e->halt ? 80 : 2))
        e->halt = !e->halt;
    if (vl_chance(r, 1) && b->seed >= 4)
        e->policy.sched = e->gto = vl_chance(r, 128);
    in->halt = e->halt;
    in->policy = e->policy;
    /* with one beat there are no further beats to halt before */
    BENCH_COVER(b, COV_HALT_BEATS, BEATS == 1 || (e->halt && out->issue_valid && !out->issue.last));
    in->wb_hold = vl_chance(r, 20);
    in->mem_eligible = ~0ull >> (64 - WARPS);
    if (vl_chance(r, 60))
        in->mem_eligible = vl_random(r) & in->mem_eligible;
    unsigned h = vl_below(r, WARPS);
    const warp_env_t *vh = &e->warp[h];
    bool head = vh->active && !vh->asked && vh->n && !vh->at_bar && !vh->buf[0].fault && !vh->at_rpc;
    BENCH_COVER(b, COV_HOLD, head && in->wb_hold && isa_predecode(vh->buf[0].instr).pipe == PIPE_ALU);
    BENCH_COVER(b, COV_NOT_ELIGIBLE,
                head && !((uint64_t)in->mem_eligible >> h & 1) && isa_predecode(vh->buf[0].instr).pipe == PIPE_LSU);

    /* Results: releases in any order, other records between them. */
    unsigned speed = b->mode == 1 ? 60 : b->mode == 3 ? 255 : 130;
    wb_t_random(r, &in->wb);
    e->release_valid = false;
    unsigned k = vl_below(r, e->flights ? e->flights : 1);
    const bool grows = e->burst.on && e->burst.grows;
    if (e->flights && !e->flight[k].new && !(grows && e->flight[k].warp == e->burst.warp) && vl_chance(r, speed)) {
        in->wb_valid = true;
        in->wb.pipe = e->flight[k].pipe;
        in->wb.res.warp = e->flight[k].warp;
        in->wb.res.rd = e->flight[k].rd;
        in->wb.res.last = true;
        e->warp[e->flight[k].warp].flights--;
        e->release_valid = true;
        e->release_warp = e->flight[k].warp;
        e->release_rd = e->flight[k].rd;
        e->flight[k] = e->flight[--e->flights];
    } else if (vl_chance(r, 128)) {
        in->wb_valid = true;
        in->wb.pipe = vl_below(r, PIPE_CTL);
        in->wb.res.last = in->wb.pipe == PIPE_ALU;
    }
    for (unsigned f = 0; f < e->flights; f++)
        e->flight[f].new = false;
    bool back[PIPE_CTL] = {0};
    e->credit_valid = false;
    for (unsigned p = PIPE_MUL; p < PIPE_CTL; p++)
        if (e->beats[p] && vl_chance(r, grows ? 240 : b->mode == 1 ? 14 : speed)) {
            back[p] = true;
            e->beats[p]--;
            if (!e->credit_valid || vl_chance(r, 128)) {
                e->credit_valid = true;
                e->credit_pipe = (uint8_t)p;
            }
        }
    in->credit = (credit_t){.div = back[PIPE_DIV], .fpu = back[PIPE_FPU], .fdiv = back[PIPE_FDIV]};
    in->lsu_credit = back[PIPE_LSU];

    /* Barriers. */
    if (vl_chance(r, 60)) {
        uint64_t m = 0;
        for (unsigned w = 0; w < WARPS; w++)
            if (e->warp[w].at_bar && !(out->issue_valid && out->issue.warp == w && vl_chance(r, 128))
                && vl_chance(r, 128))
                m |= 1ull << w, e->warp[w].at_bar = false;
        in->bar_release_valid = m != 0;
        in->bar_release = m;
    }

    /* simt: answers one question, or starts a warp. */
    unsigned flushed = WARPS;
    unsigned w = vl_below(r, WARPS);
    for (unsigned k = 0; k < WARPS && !((e->warp[w].asked || e->warp[w].at_bar) && e->warp[w].active); k++)
        w = (w + 1) % WARPS;
    warp_env_t *v = &e->warp[w];
    redirect_t *q = &in->redirect;
    if ((v->asked || v->at_bar) && v->active && vl_chance(r, v->at_bar ? 10 : 120)) {
        in->redirect_valid = true;
        memset(q, 0, sizeof *q);
        q->warp = (uint8_t)w;
        if (v->dead) {
            q->stop = true;
            v->active = v->dead = v->at_rpc = v->rpc_valid = false;
            v->n = 0;
            flushed = w;
        } else {
            q->flush = v->at_bar || vl_chance(r, 100); /* others of its warp have not reached that barrier yet */
            BENCH_COVER(b, COV_BAR_LEAVE, v->at_bar);
            q->pc = q->flush ? vl_random(r) & PCS & ~3ull : v->pc;
            q->tmask = stim_mask(r, ALL_THREADS);
            if (v->stale && vl_chance(r, 128)) {
                q->rpc_valid = v->rpc_valid = false;
            } else if (vl_chance(r, 128)) {
                q->rpc_valid = true;
                q->rpc = (q->pc + 4 * vl_below(r, 6)) & PCS;
            } else {
                q->rpc_valid = v->rpc_valid && !v->stale;
                q->rpc = q->rpc_valid ? v->rpc : 0;
            }
            q->at_rpc = q->rpc_valid && q->rpc == q->pc;
            v->pc = q->pc, v->tmask = q->tmask, v->rpc = q->rpc, v->rpc_valid = q->rpc_valid, v->at_rpc = q->at_rpc;
            v->redirected = !q->flush;
            if (q->flush)
                v->n = 0, flushed = w;
        }
        v->asked = v->at_bar = false;
    } else {
        w = vl_below(r, WARPS);
        v = &e->warp[w];
        if (!v->active && !v->flights && vl_chance(r, b->cycle % 3000 < 200 ? 3 : 90)) {
            in->redirect_valid = true;
            memset(q, 0, sizeof *q);
            q->warp = (uint8_t)w;
            q->flush = q->start = true;
            q->pc = vl_random(r) & PCS & ~3ull;
            q->tmask = stim_mask(r, ALL_THREADS);
            BENCH_COVER(b, COV_RESTART, v->used);
            *v = (warp_env_t){.active = true, .used = true, .pc = q->pc, .tmask = q->tmask};
            flushed = w;
        }
    }

    /* fetch. */
    burst(b, e, flushed);
    w = vl_chance(r, 20) && flushed < WARPS ? flushed : vl_below(r, WARPS);
    if (e->burst.on && e->burst.grows)
        w = e->burst.warp;
    v = &e->warp[w];
    bool gone = w == flushed;
    if ((v->active || gone) && vl_chance(r, b->mode == 2 ? 255 : 160)) {
        push_t *p = &in->push;
        unsigned room = IBUF_DEPTH - v->n;
        p->warp = (uint8_t)w;
        p->n = (uint8_t)(1 + vl_below(r, 4));
        p->fault = vl_chance(r, 2);
        if (p->fault)
            p->n = 1;
        if (e->burst.on && e->burst.grows) {
            p->fault = false;
            if (p->n > e->burst.most - v->flights - v->n)
                p->n = (uint8_t)(e->burst.most - v->flights - v->n);
        }
        if (gone && q->start) /* fetch sends nothing for a warp before it has started */
            p->n = 0;
        if (p->n && p->n <= room) {
            in->push_valid = true;
            BENCH_COVER(b, COV_FLUSH_PUSH, gone);
            BENCH_COVER(b, COV_PUSH_FILLS, p->n == 4 && room == 4);
            BENCH_COVER(b, COV_PUSH_EMPTY_POP, out->pop_valid && out->pop == w && v->n == 0);
            for (unsigned i = 0; i < p->n; i++) {
                insn_t x = next_insn(b, e, w);
                p->instr[i] = p->fault ? 0 : x.instr;
                if (!gone)
                    v->buf[v->n++] = (insn_t){p->instr[i], p->fault};
            }
        }
    }
}

SCOREBOARD_DRIVE(issue, env_t, stimulate)
BENCH_MAIN(issue, env_t, start, drive, cover, COV_N)
