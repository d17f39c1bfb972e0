/* The compactor that the bench plays: meets of warps of compacted groups, and its answers */
#ifndef VERIF_SIMT_GROUP_H
#define VERIF_SIMT_GROUP_H
#include "verif/core/simt/cover.h"
#include "verif/core/simt/env.h"

/* Checks a warp's meet with its group. */
static void meets(bench_t *b, env_t *e, const simt_out_t *out)
{
    const meet_t *m = &out->meet;
    warp_env_t *v = &e->warp[m->warp];
    const cf_t *q = &v->met_at;
    BENCH_CHECK(b, v->state == ASKED && v->grouped, "warp %u meets its group without a question", m->warp);
    BENCH_CHECK(b, !out->redirect_valid || out->redirect.warp != m->warp || !(m->done || m->branch || m->barrier),
                "warp %u meets its group and goes on", m->warp);
    BENCH_CHECK(b, m->branch == v->branches || (!m->branch && out->redirect_valid), "warp %u: branch %u", m->warp,
                m->branch);
    BENCH_CHECK(
        b, !m->branch || (m->pc == q->pc && m->target == q->target && m->tmask == q->tmask && m->taken == q->taken),
        "warp %u meets its group at another branch", m->warp);
    BENCH_CHECK(b, m->barrier == (v->answer == ARRIVE), "warp %u: barrier %u", m->warp, m->barrier);
    BENCH_CHECK(b, !m->ended || v->exit, "warp %u: threads 0x%" PRIx64 " end", m->warp, (uint64_t)m->tmask);
    for (unsigned t = 0; t < THREADS; t++)
        BENCH_CHECK(b, !((m->waits || m->ended) && m->tmask >> t & 1) || v->at[t] == m->pc,
                    "warp %u: thread %u waits or ends at 0x%" PRIx64 ", it was at 0x%" PRIx64, m->warp, t,
                    (uint64_t)m->pc, v->at[t]);
    BENCH_CHECK(b, m->branch || m->barrier || !m->pc || m->tmask == v->tmask,
                "warp %u: other threads than those that asked", m->warp);
    if (m->branch || m->done)
        v->state = MET;
    if (m->done) {
        e->pops = 0;
        v->exit = false;
    }
}

/* The group's answer: any that a compactor may give. */
static void answer(bench_t *b, env_t *e, const simt_out_t *out, simt_in_t *in)
{
    vl_rng_t *r = &b->rng;
    const unsigned w = vl_below(r, WARPS), how = vl_below(r, 32);
    warp_env_t *v = &e->warp[w];
    if (!e->go_valid && v->state == MET && vl_chance(r, b->mode == 3 ? 60 : 200)) {
        const cf_t *q = &v->met_at;
        go_t *g = &e->go;
        *g = (go_t){.warp = (uint8_t)w};
        v->state = TOLD;
        v->pushes = 0;
        v->writes = e->writes;
        v->answer = GO;
        if (v->branches && (how < 18 || v->climbs)) {
            g->kind = GO_ALONE;
            g->pc = q->pc, g->target = q->target, g->tmask = q->tmask, g->taken = q->taken;
            v->writes = e->writes - 1; /* the table's contents at that time are not known */
            BENCH_COVER(b, COV_ALONE_NONE, !q->taken);
            BENCH_COVER(b, COV_ALONE_ALL, q->taken == q->tmask);
            BENCH_COVER(b, COV_ALONE_SOME, q->taken && q->taken != q->tmask);
        } else if (how < 28) {
            g->kind = GO_FORM;
            g->pc = pool_pc(b, e);
            g->tmask = vl_chance(r, 160) ? ALL : (vl_random(r) & ALL) | 1ull << vl_below(r, THREADS);
            v->nested = vl_chance(r, 160);
            g->rpc_valid = v->nested && vl_chance(r, 220); /* without entries there is no meeting point */
            g->rpc = g->rpc_valid ? vl_chance(r, 16) ? g->pc : pool_pc(b, e) : 0;
            v->live = g->tmask;
            v->waiting = 0;
            v->left = v->met = false;
            v->begins = true;
            v->climbs = g->rpc_valid && climbs(b, v);
            v->climbed = 0;
            move(v, v->live, g->pc);
            BENCH_COVER(b, COV_GO_FORM, true);
            BENCH_COVER(b, COV_GO_FORM_MEETING, g->rpc_valid && g->rpc == g->pc);
        } else if (how < 30) {
            g->kind = GO_DONE;
            v->answer = STOP;
            v->live = 0;
            v->grouped = v->nested = false;
            BENCH_COVER(b, COV_GO_DONE, true);
        } else {
            g->kind = GO_FAULT;
            g->pc = pool_pc(b, e);
            g->value = vl_below(r, 2);
            g->tmask = (vl_random(r) & ALL) | 1;
            must_fault(v, FAULT_BARRIER, g->pc, g->value, g->tmask);
            BENCH_COVER(b, COV_GO_FAULT, true);
        }
        v->branches = false;
        e->go_valid = true;
    }
    in->go_valid = e->go_valid;
    in->go = e->go;
    if (e->go_valid && out->go_ready) {
        e->go_valid = false;
        e->warp[e->go.warp].state = ASKED;
    }
}
#endif
