/* Bench of barrier: groups of all sizes whose warps arrive, wait and end at random; now and then one ends too early. */
#define BENCH_SEEDS 32
#define BENCH_CYCLES 4000
#include "verif/common/bench.h"
#include "barrier_ports.h"

enum { COV_ONE, COV_TWO, COV_ALL, COV_FAULT_ARRIVE, COV_FAULT_END, COV_BOTH, COV_REUSE, COV_N };
static const char *const cover[] = {"group of one warp", "two groups wait at once", "release of all warps", "fault on arrival",
                                    "fault on end", "arrival and end of one group in one cycle", "slot used again"};
enum { NONE, RUNS, WAITS };
typedef struct {
    uint8_t warp[WARPS], slot[WARPS];
    unsigned size[GROUPS], left[GROUPS], to_start[GROUPS], used[GROUPS];
} env_t;

static void start(bench_t *b, env_t *e)
{
    (void)b, (void)e;
}

static void drive(bench_t *b, env_t *e, const barrier_out_t *out, barrier_in_t *in)
{
    if (out->release_valid)
        for (unsigned w = 0; w < WARPS; w++)
            if ((uint64_t)out->release >> w & 1)
                e->warp[w] = RUNS;
    BENCH_COVER(b, COV_ALL, out->release_valid && (uint64_t)out->release == ~0ull >> (64 - WARPS));
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
    /* Whether a warp may end: its group's others have not begun to wait, unless faults are wanted. */
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

BENCH_MAIN(barrier, env_t, start, drive, cover, COV_N)
