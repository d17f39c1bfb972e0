/* A cycle of the blocks, wired as in a core, and a run of many. */
#ifndef VERIF_CORE_MEMPATH_CYCLE_H
#define VERIF_CORE_MEMPATH_CYCLE_H
#include "verif/core/mempath/memory.h"
#include "verif/core/mempath/program.h"

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
#endif
