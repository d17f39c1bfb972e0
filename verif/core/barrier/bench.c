/* Bench of barrier: groups of all sizes with warps that arrive, wait and end at random; now and then one ends too early; stores of some
 * are on their way for a while. */
#define BENCH_SEEDS 32
#define BENCH_CYCLES 4000
#include "verif/common/bench.h"
#include "barrier_ports.h"
#include "verif/core/barrier/page.h"

enum {
    COV_ONE,
    COV_TWO,
    COV_ALL,
    COV_FAULT_ARRIVE,
    COV_FAULT_END,
    COV_BOTH,
    COV_REUSE,
    COV_HELD,
    COV_PASSES,
    COV_TWO_FREE,
    COV_N
};
static const char *const cover[] = {"group of one warp",
                                    "two groups wait at once",
                                    "release of all warps",
                                    "fault on arrival",
                                    "fault on end",
                                    "arrival and end of one group in one cycle",
                                    "slot used again",
                                    "full group held",
                                    "group goes while a lower one is held",
                                    "two groups free to go at once"};
enum { NONE, RUNS, WAITS };
typedef struct {
    uint8_t warp[WARPS], slot[WARPS];
    unsigned size[GROUPS], left[GROUPS], to_start[GROUPS], used[GROUPS];
    uint64_t unsent; /* warps; as it was in the last cycle, then as it is */
    page_t page;
} env_t;

SCOREBOARD_START(env_t)

static uint64_t waiting(const env_t *e, unsigned g)
{
    uint64_t m = 0;
    for (unsigned w = 0; w < WARPS; w++)
        m |= (uint64_t)(e->warp[w] == WAITS && e->slot[w] == g) << w;
    return m;
}

/* Stores of warps go out at random; only a warp that runs gets new ones. A seed in four has none. */
static void stores(bench_t *b, env_t *e)
{
    unsigned held = 0, free = 0, lower = 0;
    for (unsigned w = 0; w < WARPS; w++) {
        const uint64_t bit = 1ull << w;
        if (e->unsent & bit ? vl_chance(&b->rng, 30) : e->warp[w] == RUNS && b->seed % 4 && vl_chance(&b->rng, 60))
            e->unsent ^= bit;
    }
    for (unsigned g = 0; g < GROUPS; g++) {
        const uint64_t m = waiting(e, g);
        if (!m || (unsigned)__builtin_popcountll(m) != e->size[g])
            continue;
        held += (m & e->unsent) != 0;
        free += !(m & e->unsent);
        lower += !(m & e->unsent) && held;
    }
    BENCH_COVER(b, COV_HELD, held);
    BENCH_COVER(b, COV_PASSES, lower);
    BENCH_COVER(b, COV_TWO_FREE, free > 1);
}

static void stimulate(bench_t *b, env_t *e, const barrier_out_t *out, barrier_in_t *in)
{
    BENCH_CHECK(b, !out->release_valid || !((uint64_t)out->release & e->unsent),
                "warps 0x%llx go on, and of 0x%llx there are stores on their way", (unsigned long long)out->release,
                (unsigned long long)e->unsent);
    if (out->release_valid)
        for (unsigned w = 0; w < WARPS; w++)
            if ((uint64_t)out->release >> w & 1)
                e->warp[w] = RUNS;
    BENCH_COVER(b, COV_ALL, out->release_valid && (uint64_t)out->release == ~0ull >> (64 - WARPS));
    stores(b, e);
    in->unsent = e->unsent;
    unsigned free = 0;
    for (unsigned w = 0; w < WARPS; w++)
        free += e->warp[w] == NONE;
    /* A new group in a free slot, or the next warp of one that is being started. */
    for (unsigned g = 0; g < GROUPS; g++)
        free -= e->to_start[g];
    unsigned starting = GROUPS;
    for (unsigned g = 0; g < GROUPS; g++)
        if (e->to_start[g])
            starting = g;
    if (starting == GROUPS && free && vl_chance(&b->rng, 60)) {
        unsigned g = vl_below(&b->rng, GROUPS);
        if (!e->left[g]) {
            e->size[g] = e->left[g] = e->to_start[g] = vl_chance(&b->rng, 60) ? free : 1 + vl_below(&b->rng, free);
            BENCH_COVER(b, COV_ONE, e->size[g] == 1);
            BENCH_COVER(b, COV_REUSE, e->used[g]++);
            starting = g;
        }
    }
    unsigned busy = WARPS;
    if (starting < GROUPS && vl_chance(&b->rng, 180)) {
        unsigned w = vl_below(&b->rng, WARPS);
        while (e->warp[w] != NONE)
            w = (w + 1) % WARPS;
        busy = w;
        in->start_valid = true;
        start_t_random(&b->rng, &in->start);
        in->start.warp = (uint8_t)w;
        in->start.slot = (uint8_t)starting;
        in->start.group_warps = (uint8_t)e->size[starting];
        e->to_start[starting]--;
        e->slot[w] = (uint8_t)starting;
        e->warp[w] = RUNS;
    }
    /* A warp may end only if no other warp of its group waits, unless faults are intended. */
    bool wild = b->seed % 2;
    unsigned w = vl_below(&b->rng, WARPS), arriving = GROUPS;
    unsigned groups_waiting = 0;
    for (unsigned g = 0; g < GROUPS; g++) {
        unsigned n = 0;
        for (unsigned k = 0; k < WARPS; k++)
            n += e->warp[k] == WAITS && e->slot[k] == g;
        groups_waiting += n > 0;
    }
    BENCH_COVER(b, COV_TWO, groups_waiting > 1);
    if (e->warp[w] == RUNS && w != busy && vl_chance(&b->rng, 200)) {
        in->arrive_valid = true;
        bar_arrive_t_random(&b->rng, &in->arrive);
        in->arrive.warp = (uint8_t)w;
        arriving = e->slot[w];
        unsigned ended = e->size[arriving] - e->left[arriving];
        if (!ended || wild) {
            e->warp[w] = WAITS;
            BENCH_COVER(b, COV_FAULT_ARRIVE, ended != 0);
        } else {
            in->arrive_valid = false;
            arriving = GROUPS;
        }
    }
    unsigned d = vl_below(&b->rng, WARPS);
    if (e->warp[d] == RUNS && d != w && d != busy && !e->to_start[e->slot[d]] && vl_chance(&b->rng, wild ? 100 : 40)) {
        unsigned g = e->slot[d], n = 0;
        for (unsigned k = 0; k < WARPS; k++)
            n += e->warp[k] == WAITS && e->slot[k] == g;
        if (wild || n == 0) {
            in->warp_done_valid = true;
            in->warp_done = (uint8_t)d;
            e->warp[d] = NONE;
            e->left[g]--;
            BENCH_COVER(b, COV_FAULT_END, n > (arriving == g));
            BENCH_COVER(b, COV_BOTH, arriving == g);
        }
    }
}

SCOREBOARD_DRIVE(barrier, env_t, stimulate)
BENCH_MAIN(barrier, env_t, start, drive, cover, COV_N)
