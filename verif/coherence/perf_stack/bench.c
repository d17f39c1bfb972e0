/* Bench of perf_stack: events at random, sparse, all at once, and held for long; clears, reads and maintenance at any time. The scoreboard adds up the page's
 * list, one plain sum a counter. States change only as the page says. */
#define BENCH_SEEDS 8
#include "verif/mem/perf_bench.h"
#include "verif/coherence/perf_sums.h"

enum {
    COV_CLEAR,
    COV_BEYOND,
    COV_LONG,
    COV_NO_PROBE,
    COV_NO_LINE,
    COV_NO_BLOCK,
    COV_SYNC_CLEAR,
    COV_SYNC_SHORT,
    COV_SYNC_LONG,
    COV_SYNC_NEXT,
    COV_COUNTER,
    COV_N = COV_COUNTER + STACK_COUNTERS
};
#define NAME(k, name, block, help) #name " beyond its low bits",
static const char *const cover[] = {"clear while counting",
                                    "index beyond the list",
                                    "equal events for longer than a scan",
                                    "kind without a probe",
                                    "states without a change of a line",
                                    "of a block",
                                    "clear while a maintenance is under way",
                                    "a maintenance of one cycle",
                                    "of a hundred",
                                    "one begins when another is done",
                                    VL_STACK_COUNTERS(NAME)};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");
#undef NAME
#define NAME(k, name, block, help) #name,
static const char *const names[] = {VL_STACK_COUNTERS(NAME)};

typedef struct {
    stack_sums_t want;
    perf_stack_in_t held;
    stretch_t stretch;
    unsigned sync; /* cycles of the present maintenance */
} env_t;

static void start(bench_t *b, env_t *e)
{
    (void)b, (void)e;
}

/* One of the changes that a line or a block may make; often the one of the counter that is read. */
static void some_change(bench_t *b, const char *what, unsigned read, uint8_t *from, uint8_t *to)
{
    unsigned k = read < STACK_COUNTERS && vl_chance(&b->rng, 128) ? read : vl_below(&b->rng, STACK_COUNTERS), f, t;
    while (!some_move(names[k], what, &f, &t))
        k = vl_below(&b->rng, STACK_COUNTERS);
    *from = (uint8_t)f, *to = (uint8_t)t;
}

static void new_events(bench_t *b, env_t *e, perf_stack_in_t *in)
{
    unsigned style = perf_style(b);
    const uint8_t read = in->rd_idx;
    perf_stack_in_random(&b->rng, in);
    if (style == SPARSE && vl_chance(&b->rng, 200))
        memset(in, 0, sizeof *in);
    if (style == ALL) {
        memset(&in->ev_l2, true, sizeof in->ev_l2);
        memset(&in->ev_smd, true, sizeof in->ev_smd);
    }
    in->ev_smd.smd_probe_kind = (uint8_t)vl_below(&b->rng, 3);
    if (in->ev_l2.l2_moved)
        some_change(b, "l2", read, &in->ev_l2.l2_from, &in->ev_l2.l2_to);
    if (in->ev_smd.smd_moved)
        some_change(b, "smd", read, &in->ev_smd.smd_from, &in->ev_smd.smd_to);
    e->stretch.equal = 0;
}

/* Maintenance has its own pace. */
static void maintain(bench_t *b, env_t *e, perf_stack_in_t *in)
{
    in->maint_valid = vl_chance(&b->rng, b->mode == ALL ? 200 : e->want.sync ? 2 : 12);
    in->maint_done = vl_chance(&b->rng, b->mode == ALL ? 200 : b->mode == NOISE ? 100 : 2);
    const bool under_way = e->want.sync || in->maint_valid;
    e->sync = under_way ? e->sync + 1 : 0;
    BENCH_COVER(b, COV_SYNC_CLEAR, e->want.sync && in->clear);
    BENCH_COVER(b, COV_SYNC_SHORT, !e->want.sync && in->maint_valid && in->maint_done);
    BENCH_COVER(b, COV_SYNC_LONG, e->sync == 100);
    BENCH_COVER(b, COV_SYNC_NEXT, e->want.sync && in->maint_valid && in->maint_done);
    if (in->maint_done)
        e->sync = 0;
}

static void drive(bench_t *b, env_t *e, const perf_stack_out_t *out, perf_stack_in_t *in)
{
    PERF_STRETCH(b, e, out, in, STACK_COUNTERS, LOW_END, (void)0);
    maintain(b, e, in);
    BENCH_COVER(b, COV_CLEAR, in->clear && in->ev_smd.smd_read);
    BENCH_COVER(b, COV_NO_PROBE, !in->ev_smd.smd_probe && in->ev_smd.smd_probe_kind);
    BENCH_COVER(b, COV_NO_LINE, !in->ev_l2.l2_moved && in->ev_l2.l2_from != in->ev_l2.l2_to);
    BENCH_COVER(b, COV_NO_BLOCK, !in->ev_smd.smd_moved && in->ev_smd.smd_from != in->ev_smd.smd_to);
    stack_sums(&e->want, in);
}

BENCH_MAIN(perf_stack, env_t, start, drive, cover, COV_N)
