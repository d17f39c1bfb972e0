/* Bench of perf_home: events at random, sparse, all at once, and held for long; clears and reads at any time. The scoreboard adds up the page's list, one
 * plain sum a counter. States change, and are granted, only as the page says. */
#define BENCH_SEEDS 8
#include "verif/mem/perf_bench.h"
#include "verif/coherence/perf_sums.h"

enum { COV_CLEAR, COV_BEYOND, COV_LONG, COV_NO_GRANT, COV_NO_LINE, COV_COUNTER, COV_N = COV_COUNTER + HOME_COUNTERS };
#define NAME(k, name, block, help) #name " beyond its low bits",
static const char *const cover[] = {"clear while counting",
                                    "index beyond the list",
                                    "equal events for longer than a scan",
                                    "state without a grant",
                                    "states without a change of a line",
                                    VL_HOME_COUNTERS(NAME)};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");
#undef NAME
#define NAME(k, name, block, help) #name,
static const char *const names[] = {VL_HOME_COUNTERS(NAME)};

typedef struct {
    home_sums_t want;
    perf_home_in_t held;
    stretch_t stretch;
} env_t;

static void start(bench_t *b, env_t *e)
{
    (void)b, (void)e;
}

static void new_events(bench_t *b, env_t *e, perf_home_in_t *in)
{
    static const uint8_t granted[] = {NMOESI_I, NMOESI_S, NMOESI_E, NMOESI_M};
    unsigned style = perf_style(b), from, to;
    unsigned k = in->rd_idx < HOME_COUNTERS ? in->rd_idx : 0; /* the counter that is read goes up often */
    perf_home_in_random(&b->rng, in);
    if (style == SPARSE && vl_chance(&b->rng, 200))
        memset(in, 0, sizeof *in);
    if (style == ALL) {
        memset(&in->ev_l2, true, sizeof in->ev_l2);
        memset(&in->ev_hmd, true, sizeof in->ev_hmd);
    }
    if (in->ev_hmd.hmd_grant)
        in->ev_hmd.hmd_state = granted[vl_below(&b->rng, sizeof granted)];
    if (in->ev_l2.l2_moved) {
        if (vl_chance(&b->rng, 128))
            k = vl_below(&b->rng, HOME_COUNTERS);
        while (!some_move(names[k], "llc", &from, &to))
            k = vl_below(&b->rng, HOME_COUNTERS);
        in->ev_l2.l2_from = (uint8_t)from, in->ev_l2.l2_to = (uint8_t)to;
    }
    e->stretch.equal = 0;
}

static void drive(bench_t *b, env_t *e, const perf_home_out_t *out, perf_home_in_t *in)
{
    PERF_STRETCH(b, e, out, in, HOME_COUNTERS, LOW_END, (void)0);
    BENCH_COVER(b, COV_CLEAR, in->clear && in->ev_hmd.hmd_read);
    BENCH_COVER(b, COV_NO_GRANT, !in->ev_hmd.hmd_grant && in->ev_hmd.hmd_state);
    BENCH_COVER(b, COV_NO_LINE, !in->ev_l2.l2_moved && in->ev_l2.l2_from != in->ev_l2.l2_to);
    home_sums(&e->want, in);
}

BENCH_MAIN(perf_home, env_t, start, drive, cover, COV_N)
