/* Bench of perf_channel: events at random, sparse, all at once, and held for long; clears and reads at any time. The scoreboard adds up the page's list, one
 * plain sum a counter. A second twin jumps over every stretch of equal events and must then show the same, and over so many cycles that its counters go around. */
#include "verif/mem/perf_bench.h"
#include "verif/mem/perf_sums.h"
#include "sim_c/mem/perf_channel.h"

enum { LOW_END_OCC = 1 << 15 }; /* LOW_END of an occupancy */
enum {
    COV_CLEAR,
    COV_BEYOND,
    COV_LONG,
    COV_FULL,
    COV_EMPTY,
    COV_JUMP,
    COV_TICKS,
    COV_COUNTER = COV_TICKS + 4,
    COV_N = COV_COUNTER + CHANNEL_COUNTERS
};
#define NAME(k, name, block, help) #name " beyond its low bits",
static const char *const cover[] = {"clear while counting",
                                    "index beyond the list",
                                    "equal events for longer than a scan",
                                    "occupancies of 511 for longer than a scan",
                                    "of 0",
                                    "jump",
                                    "0 ticks",
                                    "1 tick",
                                    "2 ticks",
                                    "3 ticks",
                                    VL_CHANNEL_COUNTERS(NAME)};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

typedef struct {
    channel_sums_t want;
    uint64_t ticks;
    perf_channel_in_t held;
    stretch_t stretch;
} env_t;

static perf_channel_t *jumper;

/* A counter has COUNTER_W bits, however far it is carried at once. */
static void go_around(bench_t *b)
{
    const uint64_t cycles = (1ull << (COUNTER_W - 1)) + 5, ticks = (1ull << (COUNTER_W - 1)) + 7;
    perf_channel_in_t all = {0}, none = {0};
    memset(&all.ev_sched, true, sizeof all.ev_sched);
    memset(&all.ev_dram, true, sizeof all.ev_dram);
    all.ev_sched.occ_golden = all.ev_sched.occ_silver = all.ev_sched.occ_normal = all.ev_sched.occ_writes = 511;
    for (unsigned i = 0; i < 3; i++)
        perf_channel_skip(jumper, &all, cycles, ticks);
    for (unsigned k = 0; k < CHANNEL_COUNTERS; k++) {
        const uint64_t once = k == N_dram_ticks                        ? ticks
                              : k >= N_occ_golden && k <= N_occ_writes ? 511 * cycles
                                                                       : cycles;
        perf_channel_out_t o;
        none.rd_idx = (uint8_t)k;
        perf_channel_tick(jumper, &none);
        perf_channel_out(jumper, &o);
        BENCH_CHECK(b, o.rd_data == (3 * once & ((1ull << COUNTER_W) - 1)),
                    "counter %u is 0x%" PRIx64 " after three jumps that carry it around", k, o.rd_data);
    }
}

static void start(bench_t *b, env_t *e)
{
    (void)e;
    if (!jumper && !(jumper = malloc(perf_channel_size())))
        exit(2);
    perf_channel_reset(jumper);
    go_around(b);
    perf_channel_reset(jumper);
}

static uint16_t some_occupancy(bench_t *b)
{
    return (uint16_t)(vl_chance(&b->rng, 90) ? 511 : vl_chance(&b->rng, 90) ? 0 : vl_below(&b->rng, 512));
}

static void new_events(bench_t *b, env_t *e, perf_channel_in_t *in)
{
    unsigned style = perf_style(b);
    perf_channel_in_random(&b->rng, in);
    if (style == SPARSE) {
        if (vl_chance(&b->rng, 200))
            memset(in, 0, sizeof *in);
        if (vl_chance(&b->rng, 200)) {
            in->ev_sched.occ_golden = some_occupancy(b);
            in->ev_sched.occ_silver = some_occupancy(b);
            in->ev_sched.occ_normal = some_occupancy(b);
            in->ev_sched.occ_writes = some_occupancy(b);
        }
    }
    if (style == ALL) {
        memset(&in->ev_sched, true, sizeof in->ev_sched);
        memset(&in->ev_dram, true, sizeof in->ev_dram);
        in->ev_sched.occ_golden = in->ev_sched.occ_silver = in->ev_sched.occ_normal = in->ev_sched.occ_writes = 511;
    }
    e->stretch.equal = 0;
}

/* The stretch is over: the second twin takes it in one step. e->held has the ticks of its last cycle. */
static void jump(bench_t *b, env_t *e, const perf_channel_out_t *out)
{
    perf_channel_out_t other;
    const uint64_t ticks = e->ticks;
    e->ticks = 0;
    if (!b->cycle)
        return;
    if (e->held.clear)
        perf_channel_tick(jumper, &e->held);
    else
        perf_channel_skip(jumper, &e->held, e->stretch.length, ticks);
    perf_channel_out(jumper, &other);
    BENCH_COVER(b, COV_JUMP, e->stretch.length > 1);
    BENCH_CHECK(b, other.rd_data == out->rd_data, "after a jump of %u cycles counter %u is %" PRIu64 ", not %" PRIu64,
                e->stretch.length, e->held.rd_idx, other.rd_data, out->rd_data);
}

static unsigned low_end(unsigned counter)
{
    return counter >= N_occ_golden && counter <= N_occ_writes ? LOW_END_OCC : LOW_END;
}

static void drive(bench_t *b, env_t *e, const perf_channel_out_t *out, perf_channel_in_t *in)
{
    PERF_STRETCH(b, e, out, in, CHANNEL_COUNTERS, low_end(idx_), jump(b, e, out));
    e->held.ticks = in->ticks = (uint8_t)vl_below(&b->rng, 4);
    e->ticks += in->ticks;
    const ev_mem_sched_t *s = &in->ev_sched;
    bool longer = e->stretch.equal > CHANNEL_COUNTERS + 2;
    BENCH_COVER(b, COV_FULL,
                longer && s->occ_golden == 511 && s->occ_silver == 511 && s->occ_normal == 511 && s->occ_writes == 511);
    BENCH_COVER(b, COV_EMPTY, longer && !s->occ_golden && !s->occ_silver && !s->occ_normal && !s->occ_writes);
    BENCH_COVER(b, COV_CLEAR, in->clear && s->sched_hits);
    BENCH_COVER(b, COV_TICKS + in->ticks, true);
    channel_sums(&e->want, in);
}

BENCH_MAIN(perf_channel, env_t, start, drive, cover, COV_N)
