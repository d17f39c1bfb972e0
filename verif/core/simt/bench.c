/* Bench of simt: every warp runs a random program of branches, jumps, joins, barriers, exits and illegal instructions over a small pool of pcs,
 * so that the reconvergence table, the current reconvergence point and the targets meet in every way. */
#define BENCH_SEEDS 12
#define BENCH_CYCLES 16000
#include "verif/common/bench.h"
#include "simt_ports.h"
#include "verif/core/simt/page.h"

enum {
    COV_START_K, COV_START_C, COV_K_C, COV_START_K_C, COV_K_FULL, COV_C_FULL, COV_PUSH0, COV_PUSH1, COV_PUSH2, COV_MISS, COV_MET_TAKEN, COV_NEXT_IS_TARGET,
    COV_JALR_ALL, COV_JALR_SOME, COV_JALR_OVERFLOW, COV_OVERFLOW0, COV_OVERFLOW1, COV_FULL_FITS, COV_JOIN_FLUSH, COV_JOIN_STAY, COV_POP1, COV_POP2, COV_POP3,
    COV_EXIT_SOME, COV_EXIT_LAST, COV_ARRIVE, COV_DIVERGENT_BARRIER, COV_FETCH_FAULT, COV_FETCH_PAGE, COV_ILLEGAL, COV_MISALIGNED, COV_HALT_WAITS, COV_WRITE_LOOKUP,
    COV_WAY0, COV_WAY1, COV_N
};
static const char *const cover[] = {
    "start with a CTL record", "start with a cf record", "CTL and cf record in one cycle", "start, CTL and cf record in one cycle",
    "CTL record behind WARPS/2 others", "cf record behind WARPS/2 others", "divergent branch that pushes nothing", "divergent branch that pushes one",
    "divergent branch that pushes two", "divergent branch without an entry", "divergent branch whose not-taken side waits: taken goes on",
    "divergent branch whose target is the next instruction", "JALR, one target", "JALR, two targets", "JALR without a place", "branch with no place",
    "branch that needs two places and has one", "branch that takes the last places", "JOIN with flush", "JOIN without flush", "one entry popped",
    "two entries popped", "three entries popped", "EXIT of some", "EXIT of the last", "barrier", "divergent barrier", "fetch access fault", "fetch page fault", "illegal instruction",
    "misaligned target", "halt with a record that arrives", "table entry written in the cycle of its lookup", "hit in way 0", "hit in way 1"};

enum { POOL = 24, FREE = 0, THINKS, ASKED };
typedef struct {
    uint8_t state;
    uint64_t pc, rpc, tmask, live;
    bool rpc_valid, at_rpc;
    unsigned depth; /* of the stack */
    bool barrier;   /* the record asked for was one of these */
    bool exit;
} warp_env_t;
typedef struct {
    bool valid;
    uint64_t pc, target;
} entry_env_t;
typedef struct {
    warp_env_t warp[WARPS];
    entry_env_t table[RECONV_SETS][2];
    uint64_t pool[POOL];
    bool halt;
    unsigned ctl_waiting, cf_waiting, pops, last_warp;
    cf_t last_cf;
    bool last_cf_valid;
    page_t page;
} env_t;

#define ALL (THREADS == 64 ? ~0ull : (1ull << (THREADS % 64)) - 1)

static unsigned set_of(uint64_t pc)
{
    return pc >> 2 & (RECONV_SETS - 1);
}

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    uint64_t base = vl_random(&b->rng) & ((1ull << PA_W) - 1) & ~0xffffull;
    if (b->mode == 2)
        base = 0x10000000;
    base += 4 * vl_below(&b->rng, RECONV_SETS); /* every set has its turn */
    /* Some neighbours, some in one set. */
    for (unsigned k = 0; k < POOL; k++)
        e->pool[k] = k < 8 ? base + 4 * k : base + 4 * vl_below(&b->rng, 3) + (uint64_t)(1 + vl_below(&b->rng, 3)) * RECONV_SETS * 4;
}

static uint64_t pool_pc(bench_t *b, env_t *e)
{
    return e->pool[vl_below(&b->rng, POOL)];
}

static void table_write(bench_t *b, env_t *e, simt_in_t *in)
{
    in->tw_valid = true;
    reconv_write_t *t = &in->tw;
    if (b->cycle < RECONV_SETS * 2) { /* all of it once */
        t->index = (uint8_t)(b->cycle / 2), t->way = b->cycle & 1, t->valid = false;
        t->pc = (vl_random(&b->rng) << 2) & ((1ull << PA_W) - 1);
        t->target = (vl_random(&b->rng) << 2) & ((1ull << PA_W) - 1);
        t->index = b->cycle / 2;
    } else {
        uint64_t pc = vl_chance(&b->rng, 60) && e->last_cf_valid ? e->last_cf.pc : pool_pc(b, e);
        t->index = set_of(pc);
        t->way = vl_chance(&b->rng, 128);
        t->valid = !vl_chance(&b->rng, 40);
        t->pc = pc;
        t->target = vl_chance(&b->rng, 60) ? pc + 4 : pool_pc(b, e);
        t->target &= (1ull << PA_W) - 1;
        if (e->table[t->index][!t->way].valid && e->table[t->index][!t->way].pc == pc && t->valid && !vl_chance(&b->rng, 20))
            t->valid = false; /* mostly one entry a branch */
    }
    e->table[t->index][t->way] = (entry_env_t){t->valid, t->pc, t->target};
}

/* What warp w asks next. */
static void ask(bench_t *b, env_t *e, simt_in_t *in, unsigned w, bool want_cf)
{
    vl_rng_t *r = &b->rng;
    warp_env_t *v = &e->warp[w];
    bool deep = b->mode == 1 || b->mode == 3 || b->seed % 3 == 2;
    bool join = v->at_rpc || (v->rpc_valid && vl_chance(r, b->seed % 3 == 2 ? 2 : deep ? 20 : 60));
    if (want_cf) {
        if (v->at_rpc)
            return;
        cf_t *q = &in->cf;
        in->cf_valid = true;
        cf_t_random(r, q);
        q->warp = (uint8_t)w;
        q->pc = pool_pc(b, e);
        /* A consistent warp of few threads never fills its stack: here the threads are not those of the current path. */
        bool fill = b->seed % 3 == 2 && (v->live & (v->live - 1));
        q->tmask = fill ? v->live : v->tmask;
        q->indirect = vl_chance(r, fill ? 80 : 30);
        q->misaligned = vl_chance(r, 2);
        uint64_t all = q->tmask, some = vl_random(r) & all;
        unsigned kind = vl_below(r, 8);
        if ((kind < 5 || fill) && (all & (all - 1))) /* divergent */
            while (!some || some == all)
                some = vl_random(r) & all;
        else
            some = kind & 1 ? all : q->indirect || q->misaligned ? all & -all : 0;
        q->taken = some;
        uint64_t meet = pool_pc(b, e);
        for (unsigned k = 0; k < 2; k++) {
            const entry_env_t *t = &e->table[set_of(q->pc)][k];
            if (t->valid && t->pc == q->pc)
                meet = t->target;
        }
        q->target = kind & 2 ? meet : vl_chance(r, 40) ? q->pc + 4 : pool_pc(b, e);
        q->target &= (1ull << PA_W) - 1;
        if (q->misaligned)
            q->target |= 2;
    } else {
        issued_t *q = &in->issue;
        in->issue_valid = true;
        issued_t_random(r, q);
        q->warp = (uint8_t)w;
        q->pipe = PIPE_CTL;
        q->first = q->last = true;
        q->beat = 0;
        q->mask = 0;
        q->tmask = v->tmask;
        q->fetch_fault = false;
        q->pc = v->at_rpc ? v->pc : pool_pc(b, e);
        unsigned k = vl_below(r, 64);
        if (join) {
            q->op = OP_JOIN;
            q->pc = v->rpc;
        } else if (k < (b->seed % 3 == 2 ? 1 : deep ? 4 : 24)) {
            q->op = OP_VL_EXIT;
        } else if (k < 50) {
            q->op = OP_VL_BARRIER;
            if (v->tmask != v->live && !vl_chance(r, 20)) {
                if (b->seed % 3 == 2) {
                    in->issue_valid = false;
                    return;
                }
                q->op = OP_VL_EXIT;
            }
        } else if (k < 51) {
            q->op = OP_ILLEGAL;
            q->fetch_fault = vl_chance(r, 128);
        } else {
            in->issue_valid = false;
            return;
        }
        q->ctl = q->op == OP_JOIN ? CTL_JOIN : q->op == OP_VL_EXIT ? CTL_EXIT : q->op == OP_VL_BARRIER ? CTL_BARRIER : CTL_ILLEGAL;
        v->barrier = q->op == OP_VL_BARRIER;
        v->exit = q->op == OP_VL_EXIT;
        if (v->exit)
            v->live &= ~v->tmask;
    }
    v->state = ASKED;
}

static void stimulate(bench_t *b, env_t *e, const simt_out_t *out, simt_in_t *in)
{
    vl_rng_t *r = &b->rng;
    unsigned answered = WARPS;
    if (out->redirect_valid) {
        const redirect_t *q = &out->redirect;
        warp_env_t *v = &e->warp[answered = q->warp];
        BENCH_CHECK(b, v->state == ASKED, "warp %u answered without a question", q->warp);
        BENCH_CHECK(b, q->stop == !v->live, "warp %u: stop %d", q->warp, q->stop);
        v->state = q->stop ? FREE : THINKS;
        v->pc = q->pc, v->tmask = q->tmask, v->rpc = q->rpc, v->rpc_valid = q->rpc_valid, v->at_rpc = q->at_rpc;
        BENCH_CHECK(b, q->stop || (q->tmask && !(q->tmask & ~v->live)), "warp %u: threads that have ended go on", q->warp);
        BENCH_COVER(b, COV_EXIT_LAST, q->stop);
        BENCH_COVER(b, COV_EXIT_SOME, v->exit && !q->stop && !q->start);
        if (out->ev.simt_pops) {
            BENCH_COVER(b, COV_JOIN_FLUSH, !v->exit && q->flush);
            BENCH_COVER(b, COV_JOIN_STAY, !v->exit && !q->flush);
        }
        BENCH_COVER(b, COV_MET_TAKEN, out->ev.simt_divergences && q->flush);
        v->exit = v->barrier = false;
    }
    e->pops += out->ev.simt_pops; /* a start may come between the pops of one JOIN or EXIT */
    unsigned popped = 0;
    if (out->ev.simt_pops && out->redirect_valid) {
        BENCH_COVER(b, COV_POP1, e->pops == 1);
        BENCH_COVER(b, COV_POP2, e->pops == 2);
        BENCH_COVER(b, COV_POP3, e->pops >= 3);
        popped = e->pops;
        e->pops = 0;
    }
    BENCH_COVER(b, COV_PUSH0, out->ev.simt_divergences && out->ev.simt_pushes == 0);
    BENCH_COVER(b, COV_PUSH1, out->ev.simt_divergences && out->ev.simt_pushes == 1);
    BENCH_COVER(b, COV_PUSH2, out->ev.simt_divergences && out->ev.simt_pushes == 2);
    BENCH_COVER(b, COV_MISS, out->ev.reconv_misses);
    if (out->arrive_valid) {
        warp_env_t *v = &e->warp[answered = out->arrive.warp];
        v->state = THINKS;
        v->barrier = false;
        BENCH_COVER(b, COV_ARRIVE, true);
    }
    if (out->fault_valid) { /* the warp is given up and begins anew */
        warp_env_t *v = &e->warp[answered = out->fault.warp];
        v->state = FREE;
        v->barrier = v->exit = false;
        BENCH_COVER(b, COV_FETCH_FAULT, out->fault.cause == FAULT_FETCH_ACCESS);
        BENCH_COVER(b, COV_FETCH_PAGE, out->fault.cause == FAULT_FETCH_PAGE);
        BENCH_COVER(b, COV_ILLEGAL, out->fault.cause == FAULT_ILLEGAL);
        BENCH_COVER(b, COV_DIVERGENT_BARRIER, out->fault.cause == FAULT_BARRIER);
        BENCH_COVER(b, COV_MISALIGNED, out->fault.cause == FAULT_FETCH_MISALIGNED);
        bool jump = e->warp[out->fault.warp].depth & 0x80000000u;
        BENCH_COVER(b, COV_JALR_OVERFLOW, out->fault.cause == FAULT_SIMT_OVERFLOW && jump);
        if (out->fault.cause == FAULT_SIMT_OVERFLOW && !jump) {
            unsigned n = e->warp[out->fault.warp].depth & 0xffff;
            BENCH_COVER(b, COV_OVERFLOW0, n == SIMT_DEPTH);
            BENCH_COVER(b, COV_OVERFLOW1, n == SIMT_DEPTH - 1);
        }
    }
    /* Depth of the stack, from the events (the answer comes in the cycle after the work). */
    unsigned who = out->redirect_valid ? out->redirect.warp : out->fault_valid ? out->fault.warp : WARPS;
    if (who < WARPS) {
        warp_env_t *v = &e->warp[who];
        unsigned depth = (v->depth & 0xffff) + out->ev.simt_pushes - popped;
        if (out->redirect_valid && out->redirect.start)
            depth = 0;
        v->depth = depth;
        BENCH_COVER(b, COV_FULL_FITS, out->ev.simt_pushes && depth == SIMT_DEPTH);
        BENCH_CHECK(b, depth <= SIMT_DEPTH, "stack of warp %u holds %u", who, depth);
        e->last_warp = who;
    }

    if (vl_chance(r, e->halt ? 40 : 3))
        e->halt = !e->halt;
    in->halt = e->halt && b->mode != 0;
    e->last_cf_valid = false;
    if (b->cycle < RECONV_SETS * 2) {
        table_write(b, e, in);
        return;
    }
    /* Records of other pipes pass by on issue. */
    unsigned rate = b->mode == 3 ? 30 : 160;
    unsigned w = vl_below(r, WARPS), w2 = vl_below(r, WARPS), w3 = vl_below(r, WARPS);
    if (in->halt) /* let them gather */
        rate = 255;
    if (e->warp[w].state == THINKS && w != answered && vl_chance(r, rate))
        ask(b, e, in, w, false);
    if (!in->issue_valid && vl_chance(r, 60)) {
        in->issue_valid = true;
        issued_t_random(r, &in->issue);
        in->issue.pipe = vl_below(r, PIPE_CTL);
    }
    if (e->warp[w2].state == THINKS && w2 != answered && vl_chance(r, rate))
        ask(b, e, in, w2, true);
    if (e->warp[w3].state == FREE && w3 != answered && vl_chance(r, 100)) {
        warp_env_t *v = &e->warp[w3];
        in->start_valid = true;
        start_t_random(r, &in->start);
        in->start.warp = (uint8_t)w3;
        in->start.pc = pool_pc(b, e);
        in->start.tmask = vl_chance(r, 200) ? ALL : (vl_random(r) & ALL) | 1;
        v->live = in->start.tmask;
        v->state = ASKED;
        v->exit = false;
    }
    if (vl_chance(r, b->mode == 2 ? 60 : 8)) {
        if (in->cf_valid)
            e->last_cf = in->cf, e->last_cf_valid = true;
        entry_env_t old[2];
        memcpy(old, e->table[set_of(in->cf.pc)], sizeof old);
        table_write(b, e, in);
        BENCH_COVER(b, COV_WRITE_LOOKUP, in->cf_valid && !in->halt && !in->cf.indirect && in->cf.taken && in->cf.taken != in->cf.tmask &&
                                             in->tw.index == set_of(in->cf.pc));
    }
    bool ctl = in->issue_valid && in->issue.pipe == PIPE_CTL, cf = in->cf_valid;
    if (cf) {
        const cf_t *q = &in->cf;
        warp_env_t *v = &e->warp[q->warp];
        const entry_env_t *t = e->table[set_of(q->pc)];
        bool some = q->taken && q->taken != q->tmask && !q->misaligned;
        v->depth = (v->depth & 0xffff) | (uint32_t)q->indirect << 31;
        BENCH_COVER(b, COV_JALR_ALL, q->indirect && q->taken == q->tmask);
        BENCH_COVER(b, COV_JALR_SOME, q->indirect && some);
        BENCH_COVER(b, COV_NEXT_IS_TARGET, !q->indirect && some && q->target == ((q->pc + 4) & ((1ull << PA_W) - 1)));
        BENCH_COVER(b, COV_WAY0, !q->indirect && some && t[0].valid && t[0].pc == q->pc);
        BENCH_COVER(b, COV_WAY1, !q->indirect && some && t[1].valid && t[1].pc == q->pc && !(t[0].valid && t[0].pc == q->pc));
    }
    BENCH_COVER(b, COV_START_K, in->start_valid && ctl && !cf);
    BENCH_COVER(b, COV_START_C, in->start_valid && !ctl && cf);
    BENCH_COVER(b, COV_K_C, !in->start_valid && ctl && cf);
    BENCH_COVER(b, COV_START_K_C, in->start_valid && ctl && cf);
    BENCH_COVER(b, COV_HALT_WAITS, in->halt && (ctl || cf));
    unsigned asked = 0;
    for (unsigned k = 0; k < WARPS; k++)
        asked += e->warp[k].state == ASKED;
    BENCH_COVER(b, COV_K_FULL, ctl && in->halt && asked > WARPS / 2);
    BENCH_COVER(b, COV_C_FULL, cf && in->halt && asked > WARPS / 2);
}

SCOREBOARD_DRIVE(simt, env_t, stimulate)
BENCH_MAIN(simt, env_t, start, drive, cover, COV_N)
