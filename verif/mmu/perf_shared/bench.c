/* Bench of perf_shared: events at random, sparse, all at once, and held for long; clears and reads at any time. The scoreboard adds up the page's list, one
 * plain sum a counter. A second twin jumps over every stretch of equal events and must then show the same, also when its counters wrap. */
#include "verif/mem/perf_bench.h"
#include "verif/mmu/perf_shared/page.h"
#include "sim_c/mmu/perf_shared.h"

enum { COV_CLEAR, COV_BEYOND, COV_LONG, COV_JUMP, COV_COUNTER, COV_N = COV_COUNTER + SHARED_COUNTERS };
#define NAME(k, name, block, help) #name " beyond its low bits",
static const char *const cover[] = {"clear while counting", "index beyond the list",
                                    "equal events for longer than a scan", "jump", VL_SHARED_COUNTERS(NAME)};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

typedef struct {
    page_t want;
    perf_shared_in_t held;
    stretch_t stretch;
} env_t;

static perf_shared_t *jumper;

/* Every field at its widest. */
static perf_shared_in_t all_at_once(void)
{
    perf_shared_in_t in = {0};
#define WIDEST(k, name, block, help) in.ev.block.name = (__typeof__(in.ev.block.name))page_widest(k);
    VL_SHARED_COUNTERS(WIDEST)
#undef WIDEST
    return in;
}

/* A counter has COUNTER_W bits, however far it is carried at once. */
static void go_around(bench_t *b)
{
    const uint64_t cycles = (1ull << (COUNTER_W - 1)) + 5;
    perf_shared_in_t all = all_at_once(), none = {0};
    for (unsigned i = 0; i < 3; i++)
        perf_shared_skip(jumper, &all, cycles);
    for (unsigned k = 0; k < SHARED_COUNTERS; k++) {
        perf_shared_out_t o;
        none.rd_idx = (uint8_t)k;
        perf_shared_tick(jumper, &none);
        perf_shared_out(jumper, &o);
        BENCH_CHECK(b, o.rd_data == (3 * page_widest(k) * cycles & ((1ull << COUNTER_W) - 1)),
                    "counter %u is 0x%" PRIx64 " after three jumps that carry it around", k, o.rd_data);
    }
}

static void start(bench_t *b, env_t *e)
{
    (void)e;
    if (!jumper && !(jumper = malloc(perf_shared_size())))
        exit(2);
    perf_shared_reset(jumper);
    go_around(b);
    perf_shared_reset(jumper);
}

static void new_events(bench_t *b, env_t *e, perf_shared_in_t *in)
{
    unsigned style = perf_style(b);
    perf_shared_in_random(&b->rng, in);
    if (style == SPARSE && vl_chance(&b->rng, 200))
        memset(&in->ev, 0, sizeof in->ev);
    if (style == ALL)
        in->ev = all_at_once().ev;
    e->stretch.equal = 0;
}

/* The stretch is over: the second twin takes it in one step. */
static void jump(bench_t *b, env_t *e, const perf_shared_out_t *out)
{
    perf_shared_out_t other;
    if (!b->cycle)
        return;
    if (e->held.clear)
        perf_shared_tick(jumper, &e->held);
    else
        perf_shared_skip(jumper, &e->held, e->stretch.length);
    perf_shared_out(jumper, &other);
    BENCH_COVER(b, COV_JUMP, e->stretch.length > 1);
    BENCH_CHECK(b, other.rd_data == out->rd_data, "after a jump of %u cycles counter %u is %" PRIu64 ", not %" PRIu64,
                e->stretch.length, e->held.rd_idx, other.rd_data, out->rd_data);
}

static void drive(bench_t *b, env_t *e, const perf_shared_out_t *out, perf_shared_in_t *in)
{
    PERF_STRETCH(b, e, out, in, SHARED_COUNTERS, LOW_END * page_widest(idx_), jump(b, e, out));
    BENCH_COVER(b, COV_CLEAR, in->clear && in->ev.l2_tlb.l2_tlb_lookups);
    page_edge(&e->want, in);
}

BENCH_MAIN(perf_shared, env_t, start, drive, cover, COV_N)
