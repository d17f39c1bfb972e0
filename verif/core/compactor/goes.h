/* Checks of a go by the threads alone: no thread is lost, doubled, or moved from its place */
#ifndef VERIF_COMPACTOR_GOES_H
#define VERIF_COMPACTOR_GOES_H
#include "verif/core/compactor/env.h"

/* A go that is taken in this cycle. */
static void take(bench_t *b, env_t *e, const compactor_out_t *out)
{
    const go_t *q = &out->go;
    warp_env_t *v = &e->warp[q->warp];
    group_env_t *g = &e->group[v->slot];
    BENCH_CHECK(b, v->state > PLAIN, "a go for warp %u, which is of no compacted group", q->warp);
    switch (q->kind) {
    case GO_FORM:
        BENCH_CHECK(b, v->state != GOES, "warp %u is formed anew while it runs", q->warp);
        BENCH_CHECK(b, q->tmask || g->frozen, "a warp without threads"); /* after a fault a home may have none */
        for (int t = 0; t < THREADS; t++) {
            if (!((uint64_t)q->tmask >> t & 1))
                continue;
            const int h = out->homes[q->warp % HOME_WARPS][t % HOME_PLACES];
            int *x = &e->thread[h][t];
            BENCH_CHECK(b, e->warp[h].slot == v->slot, "thread %d of home %d is in warp %u of another group", t, h,
                        q->warp);
            BENCH_CHECK(b, *x == T_AWAY || *x == T_WAITS, "thread %d of home %d goes on in warp %u, and %s", t, h,
                        q->warp, *x == T_RUNS ? "runs already" : "has ended");
            *x = T_RUNS;
        }
        v->state = GOES;
        v->mask = q->tmask;
        v->rpc_valid = q->rpc_valid;
        v->last_issue = b->cycle;
        if (!e->formed++)
            g->plan = vl_below(&b->rng, POOL);
        break;
    case GO_ALONE:
        BENCH_CHECK(b,
                    v->state == STANDING && v->met.pc == q->pc && v->met.tmask == q->tmask && v->met.taken == q->taken
                        && v->met.target == q->target,
                    "warp %u goes on alone, and does not stand at that branch", q->warp);
        v->state = GOES;
        v->mask = q->tmask;
        v->last_issue = b->cycle;
        for (int t = 0; t < THREADS; t++)
            if ((uint64_t)q->tmask >> t & 1)
                e->thread[out->homes[q->warp % HOME_WARPS][t % HOME_PLACES]][t] = T_RUNS;
        g->plan = vl_below(&b->rng, POOL);
        break;
    case GO_DONE:
        for (int w = 0; w < WARPS; w++)
            for (int t = 0; t < THREADS && e->warp[w].state > PLAIN && e->warp[w].slot == v->slot; t++)
                BENCH_CHECK(b, e->thread[w][t] <= T_NONE || e->thread[w][t] == T_ENDED,
                            "the group of warp %u ends without thread %d of home %d", q->warp, t, w);
        v->state = FREE;
        g->left--;
        break;
    default: g->frozen = true;
    }
}
#endif
