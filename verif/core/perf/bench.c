/* Bench of perf: random events, clears and reads. */
#include "verif/common/bench.h"
#include "perf_ports.h"
#include "verif/core/perf/page.h"

enum { COV_CLEAR, COV_BEYOND, COV_CARRY, COV_N };
static const char *const cover[] = {"clear while counting", "index beyond the list", "counter above 256"};
typedef struct {
    unsigned idx, age;
    page_t page;
} env_t;

SCOREBOARD_START(env_t)

static void stimulate(bench_t *b, env_t *e, const perf_out_t *out, perf_in_t *in)
{
    perf_in_random(&b->rng, in);
    in->clear = vl_chance(&b->rng, 1);
    if (e->age++ > 2 && vl_chance(&b->rng, 64)) /* at most in every fourth cycle */
        e->age = 0, e->idx = vl_below(&b->rng, COUNTERS + 2);
    in->rd_idx = (uint8_t)e->idx;
    BENCH_COVER(b, COV_CLEAR, in->clear);
    BENCH_COVER(b, COV_BEYOND, in->rd_idx >= COUNTERS);
    BENCH_COVER(b, COV_CARRY, out->rd_data > 256);
}

SCOREBOARD_DRIVE(perf, env_t, stimulate)
BENCH_MAIN(perf, env_t, start, drive, cover, COV_N)
