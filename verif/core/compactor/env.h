/* State of the bench of compactor: the activity of each warp and each group, and the place of each thread */
#ifndef VERIF_COMPACTOR_ENV_H
#define VERIF_COMPACTOR_ENV_H
#include "verif/common/bench.h"
#include "verif/core/compactor/page.h"

enum { POOL = 12 };
enum { FREE, PLAIN, GOES, STANDING, ENDED_PATH, BARRED }; /* a warp: none; of a group that is not compacted; ... */
enum { T_NONE, T_RUNS, T_AWAY, T_WAITS, T_ENDED }; /* a thread */
typedef struct {
    int state, slot, fly, row;
    uint64_t mask, last_issue;
    bool rpc_valid;
    meet_t met;
} warp_env_t;
typedef struct {
    int size, to_start, left, used, barriers;
    bool on, aware, frozen, ended;
    unsigned plan, bar_pc; /* the branch and the barrier that its warps come to next */
} group_env_t;
typedef struct {
    warp_env_t warp[WARPS];
    group_env_t group[GROUPS];
    int thread[WARPS][THREADS];
    uint64_t pool[POOL];
    unsigned target[POOL], meeting[POOL];
    uint64_t bar_pc[WARPS];
    unsigned formed, stall;
    unsigned asks, pages; /* how many groups ask for pages, in 256; how `common` looks */
    uint64_t common[WARPS], group_of[WARPS];
    struct {
        bool plays;
        unsigned policy, made;
        uint64_t since[WARPS]; /* the cycles in which warps were formed */
        formed_t formed[WARPS];
    } example;
    struct
    { /* instructions of one warp that begin and do not end, until it has stood for a while with `most` of them */
        bool on, grows;
        int warp, most;
        uint64_t until;
    } burst;
    page_t page;
} env_t;

static uint64_t part_of(bench_t *b, uint64_t m)
{
    const uint64_t some = vl_random(&b->rng) & m;
    return some ? some : m & -m;
}

static bool some_in(const env_t *e, int g, int state)
{
    for (int w = 0; w < WARPS; w++)
        for (int t = 0; t < THREADS; t++)
            if (e->warp[w].state > PLAIN && e->warp[w].slot == g && e->thread[w][t] == state)
                return true;
    return false;
}

static int warps_in(const env_t *e, int g, int state)
{
    int n = 0;
    for (int w = 0; w < WARPS; w++)
        n += e->warp[w].state == state && e->warp[w].slot == g;
    return n;
}

/* Threads of warp w go from where they run to `state`. */
static void put(env_t *e, const compactor_out_t *out, int w, uint64_t mask, int state)
{
    for (int t = 0; t < THREADS; t++)
        if (mask >> t & 1)
            e->thread[out->homes[w % HOME_WARPS][t % HOME_PLACES]][t] = state;
    e->warp[w].mask &= ~mask;
}
#endif
