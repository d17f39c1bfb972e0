/* Bench of dispatcher: grids of every shape, cores ready in every pattern. */
#define BENCH_SEEDS 8
#include "verif/common/bench.h"
#include "dispatcher_ports.h"

enum { COV_TAKEN, COV_NONE, COV_WRAP_Y, COV_DONE, COV_HALT, COV_RESTART, COV_TOGETHER, COV_STAYS, COV_ONE_READY, COV_ALL_READY, COV_THIN, COV_WRAP_X, COV_ENDS, COV_HALT_BARE,
       COV_OFFSET, COV_N };
static const char *const cover[] = {"a group is taken", "a grid without groups", "y wraps", "a kernel ends", "halt with an offer",
                                    "kernel_start in the middle", "end and transfer in one cycle", "an offer that waits", "one core alone is ready", "all cores are ready",
                                    "a dimension of size 1", "x wraps", "as many ends in one cycle as there are cores, up to two", "halt without an offer",
                                    "an offset that wraps"};
typedef struct {
    kernel_t k;
    unsigned held[CORES], total, taken, ended;
    uint64_t until;
    bool running, halt;
} env_t;

static void start(bench_t *b, env_t *e)
{
    e->until = b->seed % 3 * 30; // some runs: a while without a kernel after the reset, and nothing may be done then
}

static void drive(bench_t *b, env_t *e, const dispatcher_out_t *out, dispatcher_in_t *in)
{
    if (b->cycle >= e->until) {
        kernel_t_random(&b->rng, &e->k);
        e->total = 1;
        for (unsigned d = 0; d < 3; d++) {
            e->k.groups[d] = vl_chance(&b->rng, 20) ? 0 : 1 + vl_below(&b->rng, vl_chance(&b->rng, 100) ? 1 : 12);
            e->total *= e->k.groups[d];
            if (vl_chance(&b->rng, 40))
                e->k.offset[d] = ~0u - vl_below(&b->rng, 64);
        }
        BENCH_COVER(b, COV_THIN, e->total > 1 && (e->k.groups[0] == 1 || e->k.groups[1] == 1 || e->k.groups[2] == 1));
        BENCH_COVER(b, COV_NONE, e->total == 0);
        BENCH_COVER(b, COV_RESTART, e->running && e->taken < e->total);
        memset(e->held, 0, sizeof e->held);
        e->taken = e->ended = 0;
        e->running = true;
        e->halt = false;
        e->until = b->cycle + 20 + vl_below(&b->rng, 2000);
        in->kernel_start = true;
        in->kernel = e->k;
        in->group_ready = vl_random(&b->rng) & ((2ull << (CORES - 1)) - 1);
        return;
    }
    in->kernel = e->k;
    uint64_t ready = 0, done = 0;
    for (unsigned c = 0; c < CORES; c++) {
        if (vl_chance(&b->rng, b->mode == 0 ? 250 : b->mode == 1 ? 20 : 128) && e->held[c] < 4)
            ready |= 1ull << c;
        if (e->held[c] && vl_chance(&b->rng, 40)) {
            done |= 1ull << c;
            e->held[c]--;
            e->ended++;
        }
        if (((uint64_t)out->group_valid & ready) >> c & 1) {
            e->held[c]++;
            e->taken++;
            BENCH_COVER(b, COV_TAKEN, true);
            BENCH_COVER(b, COV_TOGETHER, done != 0);
            BENCH_COVER(b, COV_WRAP_X, out->group[c].grp[1] > 0 && out->group[c].grp[0] == 0 && e->k.groups[0] > 1);
            for (unsigned d = 0; d < 3; d++)
                BENCH_COVER(b, COV_OFFSET, out->group[c].gbase[d] < e->k.offset[d]);
            BENCH_COVER(b, COV_WRAP_Y, out->group[c].grp[2] > 0 && out->group[c].grp[1] == 0 && e->k.groups[1] > 1);
        }
    }
    e->halt |= b->seed % 4 == 3 && vl_chance(&b->rng, 1);
    in->halt = e->halt;
    in->group_ready = ready;
    in->group_done = done;
    BENCH_COVER(b, COV_ONE_READY, __builtin_popcountll(ready) == 1);
    BENCH_COVER(b, COV_ALL_READY, ready == (2ull << (CORES - 1)) - 1);
    BENCH_COVER(b, COV_ENDS, __builtin_popcountll(done) >= (CORES < 2 ? CORES : 2));
    BENCH_COVER(b, COV_HALT_BARE, e->halt && !out->group_valid && e->taken < e->total);
    BENCH_COVER(b, COV_HALT, e->halt && out->group_valid);
    BENCH_COVER(b, COV_DONE, out->done && e->running);
    BENCH_COVER(b, COV_STAYS, out->group_valid && !((uint64_t)out->group_valid & ready));
    BENCH_CHECK(b, !out->done || !e->running || e->total == 0 || (e->taken == e->total && e->ended == e->total),
                "done after %u of %u groups (%u ended)", e->taken, e->total, e->ended);
    BENCH_CHECK(b, e->taken <= e->total, "%u groups given of %u", e->taken, e->total);
}

BENCH_MAIN(dispatcher, env_t, start, drive, cover, COV_N)
