/* The page's example of pages, played at the start of a run: which warps are formed of five homes, by policy and by the pages that they have in common */
#ifndef VERIF_COMPACTOR_EXAMPLE_H
#define VERIF_COMPACTOR_EXAMPLE_H
#include "verif/core/compactor/cover.h"
#include "verif/core/compactor/env.h"

/* The page's example of pages: where each home has threads on the side that is formed, and their page. */
enum { EXAMPLE_HOMES = 5, EXAMPLE_PLACES = 4 };
static const struct {
    unsigned places, page;
} example_home[EXAMPLE_HOMES] = {{0x9, 6}, {0x6, 1}, {0x1, 5}, {0x6, 6}, {0x9, 1}};

/* Homes that have a page in common with this one; in every third run none. */
static uint64_t example_common(const bench_t *b, unsigned home)
{
    uint64_t some = 0;
    for (unsigned h = 0; h < EXAMPLE_HOMES && b->seed % 3 < 2; h++)
        some |= (uint64_t)(h != home && example_home[h].page == example_home[home].page) << h;
    return some;
}

/* Misses of a TLB of one entry when these warps ask for their pages one after the other: each for each of its pages once, by its lowest place. */
static unsigned misses(const formed_t *f, unsigned n)
{
    unsigned kept = 0, misses = 0; /* page 0: none */
    for (unsigned k = 0; k < n; k++)
        for (unsigned t = 0; t < EXAMPLE_PLACES; t++) {
            const unsigned page = example_home[f[k].homes[t] % EXAMPLE_HOMES].page;
            bool asks = (uint64_t)f[k].mask >> t & 1;
            for (unsigned u = 0; u < t; u++)
                asks &= !((uint64_t)f[k].mask >> u & 1) || example_home[f[k].homes[u] % EXAMPLE_HOMES].page != page;
            misses += asks && kept != page;
            kept = asks ? page : kept;
        }
    return misses;
}

/* Checks the formed warps, when all threads are in one: the numbers of the paper's figure 5.1. */
static void judge_example(bench_t *b, env_t *e)
{
    const formed_t *f = e->example.formed;
    const uint64_t *t = e->example.since, all = (1ull << EXAMPLE_PLACES) - 1;
    const bool asks = e->example.policy == COMPACT_TLB, none = !example_common(b, 0);
    const unsigned first = misses(f, 2);
    if (none) {
        BENCH_CHECK(b, e->example.made == EXAMPLE_HOMES, "the example: %u warps of homes that have no pages in common",
                    e->example.made);
        BENCH_COVER(b, COV_PAGES_NONE, true);
        return;
    }
    BENCH_CHECK(b, e->example.made == 3, "the example: %u warps", e->example.made);
    BENCH_CHECK(b, f[0].mask == all && f[1].mask == all, "the example: places %x and %x of the first two are taken",
                (unsigned)f[0].mask, (unsigned)f[1].mask);
    BENCH_CHECK(b, first == (asks ? 2 : 5), "the example: %u misses of the first two warps", first);
    BENCH_CHECK(b, misses(f, 3) == first + asks, "the example: %u misses of all three", misses(f, 3));
    BENCH_CHECK(b, t[1] - t[0] == (asks ? 3 : 1) && t[2] - t[1] == (asks ? 2 : 1),
                "the example: %u and %u edges between warps", (unsigned)(t[1] - t[0]), (unsigned)(t[2] - t[1]));
    BENCH_COVER(b, asks ? COV_PAGES_TLB : COV_PAGES_TBC, true);
}

static void play(bench_t *b, env_t *e, const compactor_out_t *out, compactor_in_t *in)
{
    const uint64_t all = (1ull << EXAMPLE_PLACES) - 1;
    in->policy = (uint8_t)e->example.policy;
    in->go_ready = true;
    for (unsigned h = 0; h < EXAMPLE_HOMES; h++)
        in->common[h] = (__typeof__(in->common[0]))example_common(b, h);
    if (out->formed_valid && e->example.made < WARPS) {
        e->example.since[e->example.made] = b->cycle;
        e->example.formed[e->example.made++] = out->formed;
    }
    if (b->cycle < EXAMPLE_HOMES) { /* the warps start in 0.. */
        const unsigned w = (unsigned)b->cycle;
        in->start_valid = true;
        in->start.warp = (uint8_t)w;
        in->start.slot = 0;
        in->start.group_warps = EXAMPLE_HOMES;
        in->start.tmask = (__typeof__(in->start.tmask))all;
        e->warp[w] = (warp_env_t){.state = GOES, .mask = all};
        for (int t = 0; t < THREADS; t++)
            e->thread[w][t] = T_RUNS;
        e->group[0] = (group_env_t){.size = EXAMPLE_HOMES,
                                    .left = EXAMPLE_HOMES,
                                    .to_start = (int)(EXAMPLE_HOMES - 1 - w),
                                    .used = 1,
                                    .on = true,
                                    .aware = e->example.policy == COMPACT_TLB};
    } else if (b->cycle < 2 * EXAMPLE_HOMES) { /* and reach a branch that is not taken by the warps of the example */
        const unsigned w = (unsigned)b->cycle - EXAMPLE_HOMES;
        const meet_t m = {.warp = (uint8_t)w,
                          .branch = true,
                          .pc = e->pool[0],
                          .target = e->pool[4],
                          .meeting = e->pool[8],
                          .tmask = (__typeof__(m.tmask))all,
                          .taken = (__typeof__(m.taken))(all & ~example_home[w].places)};
        in->meet_valid = true;
        in->meet = m;
        e->warp[w].state = STANDING;
        e->warp[w].met = m;
        for (int t = 0; t < THREADS; t++)
            e->thread[w][t] = T_AWAY;
        e->warp[w].mask = 0;
    }
    unsigned placed = 0, wanted = 0;
    for (unsigned k = 0; k < e->example.made; k++)
        placed += (unsigned)__builtin_popcountll(e->example.formed[k].mask);
    for (unsigned h = 0; h < EXAMPLE_HOMES; h++)
        wanted += (unsigned)__builtin_popcount(example_home[h].places);
    BENCH_CHECK(b, b->cycle < 100, "the example: %u threads are formed of %u", placed, wanted);
    if (placed == wanted) {
        judge_example(b, e);
        e->example.plays = false;
    }
}
#endif
