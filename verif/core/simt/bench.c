/* Bench of simt: every warp runs a random program of branches, jumps, joins, barriers, exits and illegal instructions over a small pool of pcs,
 * so that the reconvergence table, the current reconvergence point and the targets meet in every way. In every third seed warps part one thread
 * at a time, each time with a meeting point of its own, until the stack is as deep as it can be; in every seed warps do so after their parts have met at a barrier above entries of
 * the stack: entries that a barrier leaves there are never popped and only take room.
 * With a compactor (tbc) some are of compacted groups: the bench is the compactor (group.h), which answers their meets in any possible way.
 * The scoreboard follows each thread by itself: where it is, whether it waits at a barrier or has ended. It has no stack, only its greatest depth. */
#define BENCH_SEEDS 12
#define BENCH_CYCLES 16000
#include "verif/common/bench.h"
#include "verif/core/simt/asks.h"
#include "verif/core/simt/group.h"
#include "verif/core/simt/page_cover.h"
#include "verif/core/simt/table.h"

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    uint64_t base = vl_random(&b->rng) & ((1ull << PA_W) - 1) & ~0xffffull;
    if (b->mode == 2)
        base = 0x10000000;
    base += 4 * vl_below(&b->rng, RECONV_SETS); /* every set has its turn */
    /* Some neighbours, some in one set. */
    for (unsigned k = 0; k < POOL; k++)
        e->pool[k] = k < 8 ? base + 4 * k
                           : base + 4 * vl_below(&b->rng, 3) + (uint64_t)(1 + vl_below(&b->rng, 3)) * RECONV_SETS * 4;
    if (b->mode != 2)
        e->pool[POOL - 1] = LAST_PC;
}

static void stimulate(bench_t *b, env_t *e, const simt_out_t *out, simt_in_t *in)
{
    vl_rng_t *r = &b->rng;
    unsigned answered = WARPS;
    if (out->meet_valid)
        meets(b, e, out);
    if (out->redirect_valid) {
        const redirect_t *q = &out->redirect;
        warp_env_t *v = &e->warp[answered = q->warp];
        BENCH_CHECK(b, v->state == ASKED, "warp %u answered without a question", q->warp);
        BENCH_CHECK(b, v->answer == GO || v->answer == (q->stop ? STOP : MEET),
                    "warp %u goes on (stop %d), expected %d", q->warp, q->stop, v->answer);
        BENCH_CHECK(b, q->stop == !v->live, "warp %u: stop %d", q->warp, q->stop);
        BENCH_CHECK(b, q->start || v->writes != e->writes || out->ev.simt_pushes == v->pushes,
                    "warp %u: %u entries pushed, not %u", q->warp, out->ev.simt_pushes, v->pushes);
        for (unsigned t = 0; t < THREADS && !q->stop; t++)
            BENCH_CHECK(b, !(q->tmask >> t & 1) || v->at[t] == q->pc,
                        "warp %u: thread %u goes on at 0x%" PRIx64 ", it was at 0x%" PRIx64, q->warp, t,
                        (uint64_t)q->pc, v->at[t]);
        BENCH_CHECK(b, !(q->tmask & v->waiting), "warp %u: threads that wait at a barrier go on", q->warp);
        BENCH_CHECK(b, v->answer != MEET || (q->tmask == v->live && q->flush && !q->rpc_valid && q->pc == v->bar_pc),
                    "warp %u: all have come to the barrier", q->warp);
        v->met = v->answer == MEET;
        if (v->met || q->start || v->begins)
            v->fills = v->met_above = v->met && v->depth;
        v->state = q->stop ? FREE : THINKS;
        v->pc = q->pc, v->tmask = q->tmask, v->rpc = q->rpc, v->rpc_valid = q->rpc_valid, v->at_rpc = q->at_rpc;
        BENCH_CHECK(b, q->stop || (q->tmask && !(q->tmask & ~v->live)), "warp %u: threads that have ended go on",
                    q->warp);
        BENCH_COVER(b, COV_EXIT_LAST, q->stop);
        BENCH_COVER(b, COV_EXIT_SOME, v->exit && !q->stop && !q->start);
        if (out->ev.simt_pops) {
            BENCH_COVER(b, COV_JOIN_FLUSH, !v->exit && q->flush);
            BENCH_COVER(b, COV_JOIN_STAY, !v->exit && !q->flush);
        }
        BENCH_COVER(b, COV_MET_TAKEN, out->ev.simt_divergences && q->flush);
        v->exit = false;
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
        BENCH_CHECK(b, v->state == ASKED && v->answer == ARRIVE && out->arrive.tmask == v->live,
                    "warp %u arrives at a barrier", out->arrive.warp);
        v->state = THINKS;
        BENCH_COVER(b, COV_ARRIVE, true);
    }
    if (out->fault_valid) { /* the warp is abandoned and restarted */
        const fault_t *f = &out->fault;
        warp_env_t *v = &e->warp[answered = f->warp];
        BENCH_CHECK(b,
                    v->state == ASKED && v->answer == FAULT && f->cause == v->cause && f->pc == v->fault_pc
                        && f->value == v->fault_value && f->mask == v->fault_mask,
                    "warp %u: fault %u at 0x%" PRIx64 ", threads 0x%" PRIx64, f->warp, f->cause, (uint64_t)f->pc,
                    (uint64_t)f->mask);
        v->state = FREE;
        v->exit = false;
        BENCH_COVER(b, COV_FETCH_FAULT, out->fault.cause == FAULT_FETCH_ACCESS);
        BENCH_COVER(b, COV_FETCH_PAGE, out->fault.cause == FAULT_FETCH_PAGE);
        BENCH_COVER(b, COV_ILLEGAL, out->fault.cause == FAULT_ILLEGAL);
        BENCH_COVER(b, COV_MISALIGNED, out->fault.cause == FAULT_FETCH_MISALIGNED);
    }
    /* Depth of the stack, from the events (the answer comes in the cycle after the work). */
    unsigned who = out->redirect_valid ? out->redirect.warp : out->fault_valid ? out->fault.warp : WARPS;
    if (who < WARPS) {
        warp_env_t *v = &e->warp[who];
        unsigned depth = v->depth + out->ev.simt_pushes - popped;
        if (out->redirect_valid && (out->redirect.start || v->met || v->begins))
            depth = 0;
        v->begins = false;
        v->depth = depth;
        BENCH_COVER(b, COV_FULL, depth == SIMT_DEPTH);
        BENCH_COVER(b, COV_FULL_MET, depth == SIMT_DEPTH && v->met_above);
        if (out->redirect_valid && !out->redirect.stop) /* docs/blocks/simt.md, the depth of the stack */
            BENCH_CHECK(b, depth <= 2 * (THREADS - count(v->tmask)), "stack of warp %u holds %u, %u threads go on", who,
                        depth, count(v->tmask));
    }

    if (vl_chance(r, e->halt ? 40 : 3))
        e->halt = !e->halt;
    in->halt = e->halt && b->mode != 0;
    e->last_cf_valid = false;
    for (unsigned k = 0; k < WARPS; k++) {
        in->grouped |= (__typeof__(in->grouped))((uint64_t)e->warp[k].grouped << k);
        in->nested |= (__typeof__(in->nested))((uint64_t)e->warp[k].nested << k);
    }
    if (HOME_WARPS > 1)
        answer(b, e, out, in);
    if (b->cycle < RECONV_SETS * 2) {
        table_write(b, e, in);
        return;
    }
    /* Records of other pipes pass by on issue. */
    unsigned rate = b->mode == 3 ? 30 : 160;
    unsigned w = vl_below(r, WARPS), w2 = vl_below(r, WARPS), w3 = vl_below(r, WARPS);
    if (in->halt) /* let threads gather at the barrier */
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
        v->waiting = 0;
        v->left = v->met = v->nested = v->branches = v->begins = false;
        v->grouped = HOME_WARPS > 1 && b->seed % 4 != 3 && vl_chance(r, 170);
        v->climbs = !v->grouped && climbs(b, v);
        v->climbed = 0;
        v->answer = GO;
        move(v, v->live, in->start.pc);
        v->state = ASKED;
        v->exit = false;
    }
    if (vl_chance(r, b->mode == 2 ? 60 : 8)) {
        if (in->cf_valid)
            e->last_cf = in->cf, e->last_cf_valid = true;
        entry_env_t old[2];
        memcpy(old, e->table[set_of(in->cf.pc)], sizeof old);
        table_write(b, e, in);
        BENCH_COVER(b, COV_WRITE_LOOKUP,
                    in->cf_valid && !in->halt && !in->cf.indirect && in->cf.taken && in->cf.taken != in->cf.tmask
                        && in->tw.index == set_of(in->cf.pc));
    }
    bool ctl = in->issue_valid && in->issue.pipe == PIPE_CTL, cf = in->cf_valid;
    if (cf) {
        const cf_t *q = &in->cf;
        const entry_env_t *t = e->table[set_of(q->pc)];
        bool some = q->taken && q->taken != q->tmask && !q->misaligned;
        BENCH_COVER(b, COV_JALR_ALL, q->indirect && q->taken == q->tmask);
        BENCH_COVER(b, COV_JALR_SOME, q->indirect && some);
        BENCH_COVER(b, COV_NEXT_IS_TARGET, !q->indirect && some && q->target == ((q->pc + 4) & ((1ull << PA_W) - 1)));
        BENCH_COVER(b, COV_LAST,
                    !q->indirect && some && q->pc == LAST_PC && !(t[0].valid && t[0].pc == q->pc)
                        && !(t[1].valid && t[1].pc == q->pc));
        BENCH_COVER(b, COV_WAY0, !q->indirect && some && t[0].valid && t[0].pc == q->pc);
        BENCH_COVER(b, COV_WAY1,
                    !q->indirect && some && t[1].valid && t[1].pc == q->pc && !(t[0].valid && t[0].pc == q->pc));
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

SCOREBOARD_DRIVE_COVERED(simt, env_t, stimulate, expect)
BENCH_MAIN(simt, env_t, start, drive, cover, COV_N)
