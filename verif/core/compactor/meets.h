/* Meets of a warp of a compacted group: a branch, the end of its path, a barrier, its end */
#ifndef VERIF_COMPACTOR_MEETS_H
#define VERIF_COMPACTOR_MEETS_H
#include "verif/core/compactor/cover.h"
#include "verif/core/compactor/env.h"

/* The threads that are left have come to the meeting point, or go on. */
static void rest(bench_t *b, env_t *e, const compactor_out_t *out, int w, meet_t *m)
{
    warp_env_t *v = &e->warp[w];
    m->done = !v->mask || (v->rpc_valid && vl_chance(&b->rng, 100));
    if (!m->done)
        return;
    put(e, out, w, v->mask, T_AWAY);
    v->state = ENDED_PATH;
}

static void meet(bench_t *b, env_t *e, const compactor_out_t *out, compactor_in_t *in)
{
    const int w = (int)vl_below(&b->rng, WARPS);
    warp_env_t *v = &e->warp[w];
    group_env_t *g = &e->group[v->slot];
    if (v->state != GOES || g->frozen || (e->burst.on && e->burst.grows && w == e->burst.warp)
        || b->cycle < v->last_issue + 2 || (in->start_valid && in->start.warp == w)
        || !vl_chance(&b->rng, b->mode == 1 ? 90 : 220))
        return;
    /* wild warps cause faults, late in the run only, since a fault stops its group for good */
    const bool nested = (uint64_t)out->nested >> w & 1, late = b->cycles < 1000 || b->cycle > b->cycles - 2000,
               wild = late && vl_chance(&b->rng, nested ? 120 : 16);
    const bool others = some_in(e, v->slot, T_WAITS) || warps_in(e, v->slot, BARRED);
    meet_t m = {.warp = (uint8_t)w};
    const bool waits = nested && (wild || (!g->ended && g->barriers))
                       && vl_chance(&b->rng, 90); /* of this group a barrier is awaited */
    const bool soon =
        wild && nested && b->cycles < 1000 && b->cycles % 2; /* in half of the short runs: all its threads at once */
    const unsigned what = waits ? 13 : vl_below(&b->rng, 16) | (soon ? 14 : 0);
    if (what < 7) {
        const unsigned k = vl_chance(&b->rng, b->mode == 2 ? 100 : 230) ? g->plan : vl_below(&b->rng, POOL);
        const unsigned how = vl_below(&b->rng, 8);
        m.branch = true;
        m.pc = e->pool[k];
        m.target = e->pool[e->target[k]];
        m.meeting = e->pool[e->meeting[k]];
        m.tmask = v->mask;
        m.taken = how == 0 ? 0 : how == 1 ? v->mask : part_of(b, v->mask);
        v->state = STANDING;
        put(e, out, w, v->mask, T_AWAY);
        v->met = m;
    } else if (what < 11 && nested && v->rpc_valid) {
        m.done = true;
        put(e, out, w, v->mask, T_AWAY);
        v->state = ENDED_PATH;
    } else if (what < 14 && (wild || (!g->ended && g->barriers))) {
        m.pc = e->pool[vl_chance(&b->rng, 240) ? g->bar_pc : vl_below(&b->rng, POOL)];
        m.tmask = nested && !soon ? part_of(b, v->mask) : v->mask;
        for (int t = 0; t < THREADS; t++) { /* threads of one home wait at one barrier */
            const int h = out->homes[w % HOME_WARPS][t % HOME_PLACES];
            for (int u = 0; u < THREADS; u++)
                if ((uint64_t)m.tmask >> t & 1 && e->thread[h][u] == T_WAITS && !wild) {
                    m.pc = e->bar_pc[h];
                    if (u != t) /* then one home at a time */
                        m.tmask = 1ull << t;
                }
        }
        BENCH_COVER(b, COV_PARTS_WAIT, nested && m.tmask != v->mask);
        if (nested) {
            m.waits = true;
            for (int t = 0; t < THREADS; t++)
                if ((uint64_t)m.tmask >> t & 1)
                    e->bar_pc[out->homes[w % HOME_WARPS][t % HOME_PLACES]] = m.pc;
            for (int h = 0; h < WARPS; h++)
                for (int t = 0; t < THREADS; t++)
                    BENCH_COVER(b, COV_OTHER_PC,
                                e->warp[h].slot == v->slot && e->thread[h][t] == T_WAITS && e->bar_pc[h] != m.pc);
            put(e, out, w, m.tmask, T_WAITS);
            rest(b, e, out, w, &m);
        } else {
            m.barrier = true;
            v->state = BARRED;
        }
    } else if (what >= 12 && (wild || (!others && !g->barriers))) {
        m.ended = true;
        m.pc = e->pool[vl_below(&b->rng, POOL)];
        m.tmask = soon || vl_chance(&b->rng, 100) ? v->mask : part_of(b, v->mask);
        BENCH_COVER(b, COV_ENDED_ALL, m.tmask == v->mask);
        BENCH_COVER(b, COV_ENDED_PART, m.tmask != v->mask);
        g->ended = true;
        put(e, out, w, m.tmask, T_ENDED);
        rest(b, e, out, w, &m);
    } else {
        return;
    }
    in->meet_valid = true;
    in->meet = m;
}
#endif
