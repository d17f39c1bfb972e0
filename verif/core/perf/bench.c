/* Bench of perf: random events, clears and reads. A second twin jumps over many cycles of equal events at once, as a composition does, so far that counters go around. */
#include "verif/common/bench.h"
#include "perf_ports.h"
#include "sim_c/core/perf.h"
#include "verif/core/perf/page.h"

enum { COV_CLEAR, COV_BEYOND, COV_CARRY, COV_N };
static const char *const cover[] = {"clear while counting", "index beyond the list", "counter above 256"};
typedef struct {
    unsigned idx, age;
    page_t page;
} env_t;

/* Cycles of equal events at once: the results of perf_peek and perf_step, and the counters after perf_count. */
static void jump(bench_t *b)
{
    static perf_t *jumper;
    if (!jumper && !(jumper = malloc(perf_size())))
        exit(2);
    perf_reset(jumper);
    const uint64_t cycles = vl_random(&b->rng) >> vl_below(&b->rng, 32);
    perf_in_t in, none = {0};
    perf_in_random(&b->rng, &in);
    uint64_t field[COUNTERS + 1] = {0}; /* the last: beyond the list */
#define FIELD(k, name, block, help) field[k] = in.ev.block.name;
    VL_COUNTERS(FIELD)
#undef FIELD
    perf_out_t peeked[COUNTERS + 1], counted;
    for (unsigned k = 0; k <= COUNTERS; k++) {
        in.rd_idx = (uint8_t)k;
        perf_peek(jumper, &in, cycles, &peeked[k]);
        BENCH_CHECK(b, perf_step(&in) == field[k], "counter %u counts %" PRIu64 " in a cycle, not %" PRIu64, k,
                    perf_step(&in), field[k]);
    }
    perf_count(jumper, &in.ev, cycles);
    for (unsigned k = 0; k <= COUNTERS; k++) {
        const uint64_t want = cycles * field[k] & ((1ull << COUNTER_W) - 1);
        none.rd_idx = (uint8_t)k;
        perf_tick(jumper, &none);
        perf_out(jumper, &counted);
        BENCH_CHECK(b, peeked[k].rd_data == want && counted.rd_data == want,
                    "after %" PRIu64 " cycles counter %u is %" PRIu64 ", foretold %" PRIu64 ", not %" PRIu64, cycles, k,
                    counted.rd_data, peeked[k].rd_data, want);
    }
}

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    jump(b);
}

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
