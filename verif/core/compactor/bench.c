/* Bench of compactor: groups with warps that come to branches, to the end of their path, to barriers and to their end at random, by a program of a few branches with meeting points; instructions
 * in flight, times of goes and of releases of barriers are random, too. Besides RTL, twin and page it checks the threads alone: no thread is lost, doubled, or moved from its place (goes.h). */
#define BENCH_CYCLES 40000
#define BENCH_SEEDS 12
#include "verif/common/bench.h"
#include "verif/core/compactor/example.h"
#include "verif/core/compactor/flight.h"
#include "verif/core/compactor/goes.h"
#include "verif/core/compactor/groups.h"
#include "verif/core/compactor/meets.h"
#include "verif/core/compactor/page_cover.h"
#include "verif/core/compactor/pages.h"

static void start(bench_t *b, env_t *e)
{
    const uint64_t base = vl_random(&b->rng) & PAGE_PC_MASK & ~0xfffull;
    static const unsigned policies[] = {COMPACT_TBC, COMPACT_TLB, COMPACT_TLB};
    page_begin(&e->page);
    e->asks = b->seed % 5 == 4 ? 256 * (b->seed / 5 % 2) : 140;
    e->example.plays = b->cycles >= 1000 && WARPS >= EXAMPLE_HOMES && THREADS == EXAMPLE_PLACES;
    e->example.policy = policies[b->seed % 3];
    for (unsigned k = 0; k < POOL; k++) { /* neighbours, so that the next instruction is in the pool */
        e->pool[k] = (base + 4 * k) & PAGE_PC_MASK;
        e->meeting[k] = vl_chance(&b->rng, 50) ? (k + 1) % POOL : vl_below(&b->rng, b->mode == 1 ? POOL : 4);
        e->target[k] = vl_chance(&b->rng, 50) ? e->meeting[k] : vl_below(&b->rng, POOL);
    }
}

static void stimulate(bench_t *b, env_t *e, const compactor_out_t *out, compactor_in_t *in)
{
    if (e->example.plays) {
        play(b, e, out, in);
        if (out->go_valid)
            take(b, e, out);
        return;
    }
    e->stall = e->stall ? e->stall - 1 : vl_chance(&b->rng, b->mode == 1 ? 60 : 10) ? vl_below(&b->rng, 12) : 0;
    in->go_ready = !e->stall;
    common(b, e, in);
    if (!out->go_valid)
        e->formed = 0;
    launch(b, e, in);
    barrier(b, e, in); /* before meet: arrivals of this cycle are released later */
    meet(b, e, out, in);
    fly(b, e, in);
    if (out->go_valid && in->go_ready) /* it acts from the next cycle on */
        take(b, e, out);
}

SCOREBOARD_DRIVE_COVERED(compactor, env_t, stimulate, expect)
BENCH_MAIN(compactor, env_t, start, drive, cover, COV_N)
