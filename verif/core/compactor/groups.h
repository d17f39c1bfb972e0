/* Groups start and are released from their barriers; warps that are not compacted end */
#ifndef VERIF_COMPACTOR_GROUPS_H
#define VERIF_COMPACTOR_GROUPS_H
#include "verif/core/compactor/cover.h"
#include "verif/core/compactor/env.h"

static void launch(bench_t *b, env_t *e, compactor_in_t *in)
{
    int g = 0, w = (int)vl_below(&b->rng, WARPS);
    in->policy = (uint8_t)(!vl_chance(&b->rng, b->mode == 3 ? 128 : 230) ? (vl_below(&b->rng, 4) ? COMPACT_OFF : 3)
                           : vl_chance(&b->rng, e->asks)                 ? COMPACT_TLB
                                                                         : COMPACT_TBC);
    if (e->warp[w].state != FREE || !vl_chance(&b->rng, 120))
        return;
    while (g < GROUPS && !e->group[g].to_start)
        g++;
    if (g == GROUPS) { /* a new group */
        g = (int)vl_below(&b->rng, GROUPS);
        group_env_t *q = &e->group[g];
        if (q->left || q->to_start)
            return;
        const bool was = q->on;
        const int used = q->used;
        *q = (group_env_t){.on = in->policy == COMPACT_TBC || in->policy == COMPACT_TLB,
                           .aware = in->policy == COMPACT_TLB,
                           .used = used + 1,
                           .plan = vl_below(&b->rng, POOL),
                           .bar_pc = vl_below(&b->rng, POOL)};
        q->size = q->left = q->to_start = 1 + (int)vl_below(&b->rng, WARPS);
        q->barriers = (int)vl_below(&b->rng, 4);
        BENCH_COVER(b, COV_ON_OFF, used && was && !q->on);
        BENCH_COVER(b, COV_OFF_ON, used && !was && q->on);
        for (int k = 0; k < GROUPS; k++)
            if (k != g && e->group[k].left) {
                const group_env_t *o = &e->group[k];
                BENCH_COVER(b, COV_OFF, o->on != q->on);
                BENCH_COVER(b, COV_AWARE_BESIDE_TBC, o->on && q->on && o->aware != q->aware);
                BENCH_COVER(b, COV_AWARE_BESIDE_OFF, o->on != q->on && (o->aware || q->aware));
            }
        BENCH_COVER(b, COV_FOURTH, in->policy > COMPACT_TLB);
    }
    group_env_t *q = &e->group[g];
    BENCH_COVER(b, COV_START_LATE, q->on && q->to_start == 1 && warps_in(e, g, STANDING));
    q->to_start--;
    in->start_valid = true;
    start_t_random(&b->rng, &in->start);
    const uint64_t all = ~0ull >> (64 - THREADS);
    in->start.warp = (uint8_t)w;
    in->start.slot = (__typeof__(in->start.slot))g;
    in->start.group_warps = (uint8_t)q->size;
    in->start.tmask = q->to_start ? all : all >> vl_below(&b->rng, THREADS); /* of the last warp the first threads */
    e->warp[w] = (warp_env_t){.state = q->on ? GOES : PLAIN,
                              .slot = g,
                              .mask = in->start.tmask,
                              .fly = e->warp[w].fly,
                              .last_issue = b->cycle};
    for (int t = 0; t < THREADS; t++)
        e->thread[w][t] = (uint64_t)in->start.tmask >> t & 1 ? T_RUNS : T_NONE;
}

static void barrier(bench_t *b, env_t *e, compactor_in_t *in)
{
    const int g = (int)vl_below(&b->rng, GROUPS);
    group_env_t *q = &e->group[g];
    if (q->on && !q->frozen && !q->to_start && q->left && warps_in(e, g, BARRED) == q->size && vl_chance(&b->rng, 60)) {
        uint64_t others = 0;
        in->release_valid = true;
        for (int w = 0; w < WARPS; w++) {
            if (e->warp[w].state == BARRED && e->warp[w].slot == g) {
                in->release |= (__typeof__(in->release))(1ull << w);
                e->warp[w].state = GOES;
                e->warp[w].last_issue = b->cycle;
            } else if (vl_chance(&b->rng, 60) && e->warp[w].state != BARRED) {
                others |= 1ull << w;
            }
        }
        BENCH_COVER(b, COV_RELEASE, others);
        in->release |= (__typeof__(in->release))others;
        q->barriers -= q->barriers > 0;
        q->bar_pc = vl_below(&b->rng, POOL);
    }
    for (int w = 0; w < WARPS; w++) /* warps that are not compacted end by themselves */
        if (e->warp[w].state == PLAIN && !e->warp[w].fly && !(in->start_valid && in->start.warp == w)
            && vl_chance(&b->rng, 4)) {
            e->warp[w].state = FREE;
            e->group[e->warp[w].slot].left--;
        }
}
#endif
