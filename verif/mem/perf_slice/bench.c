/* Bench of perf_slice: events at random, sparse, all at once, and held for long; clears and reads at any time. The scoreboard adds up the page's list, one
 * plain sum a counter. */
#include "verif/mem/perf_bench.h"
#include "verif/mem/perf_sums.h"

enum { CLASSES = 8 };
enum {
    COV_CLEAR,
    COV_BEYOND,
    COV_NO_APP,
    COV_TWO_APPS,
    COV_ALL_APPS,
    COV_NEAR,
    COV_INVALID,
    COV_HIT_ONLY,
    COV_LONG,
    COV_CLS,
    COV_APP = COV_CLS + 2 * CLASSES,
    COV_COUNTER = COV_APP + 2 * APPS,
    COV_N = COV_COUNTER + SLICE_COUNTERS
};
#define NAME(k, name, block, help) #name " beyond its low bits",
#define CLASS_NAMES(what) what " of class 0", "class 1", "class 2", "class 3", "class 4", "class 5", "class 6", "class 7"
#define APP_NAMES(what) what " of application 0", "1", "2", "3"
static const char *const cover[] = {"clear while counting",
                                    "index beyond the list",
                                    "access of no application",
                                    "of two applications",
                                    "of all applications",
                                    "valid application, another address space",
                                    "this address space, application not valid",
                                    "hit without access",
                                    "equal events for longer than a scan",
                                    CLASS_NAMES("miss"),
                                    CLASS_NAMES("hit"),
                                    APP_NAMES("miss"),
                                    APP_NAMES("hit"),
                                    VL_SLICE_COUNTERS(NAME)};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

typedef struct {
    slice_sums_t want;
    perf_slice_in_t held;
    stretch_t stretch;
    uint16_t asid;
} env_t;

static void start(bench_t *b, env_t *e)
{
    e->asid = (uint16_t)vl_random(&b->rng);
}

/* This address space, or one that differs in a bit. */
static uint16_t some_asid(bench_t *b, const env_t *e)
{
    return vl_chance(&b->rng, 170) ? e->asid : (uint16_t)(e->asid ^ 1u << vl_below(&b->rng, 16));
}

static void new_events(bench_t *b, env_t *e, perf_slice_in_t *in)
{
    unsigned style = perf_style(b);
    perf_slice_in_random(&b->rng, in);
    if (style == SPARSE && vl_chance(&b->rng, 200))
        memset(in, 0, sizeof *in);
    if (style == ALL) {
        uint8_t cls = in->ev.l2_cls;
        memset(&in->ev, true, sizeof in->ev);
        in->ev.l2_cls = cls;
        in->ev_taken = in->ev_blocked = in->ev_rsp_stalled = true;
    }
    in->ev.l2_asid = some_asid(b, e);
    for (unsigned a = 0; a < APPS; a++)
        in->ctl.sched.app_asid[a] = some_asid(b, e);
    e->stretch.equal = 0;
}

static void cover_event(bench_t *b, const perf_slice_in_t *in)
{
    BENCH_COVER(b, COV_HIT_ONLY, in->ev.l2_hit && !in->ev.l2_access);
    if (!in->ev.l2_access)
        return;
    unsigned apps = 0;
    BENCH_COVER(b, COV_CLS + in->ev.l2_hit * CLASSES + in->ev.l2_cls, true);
    for (unsigned a = 0; a < APPS; a++) {
        bool valid = in->ctl.sched.app_valid & 1u << a, same = in->ctl.sched.app_asid[a] == in->ev.l2_asid;
        BENCH_COVER(b, COV_NEAR, valid && !same);
        BENCH_COVER(b, COV_INVALID, !valid && same);
        BENCH_COVER(b, COV_APP + in->ev.l2_hit * APPS + a, valid && same);
        apps += valid && same;
    }
    BENCH_COVER(b, COV_NO_APP, !apps);
    BENCH_COVER(b, COV_TWO_APPS, apps == 2);
    BENCH_COVER(b, COV_ALL_APPS, apps == APPS);
}

static void drive(bench_t *b, env_t *e, const perf_slice_out_t *out, perf_slice_in_t *in)
{
    PERF_STRETCH(b, e, out, in, SLICE_COUNTERS, LOW_END, (void)0);
    BENCH_COVER(b, COV_CLEAR, in->clear && in->ev.l2_access);
    if (!in->clear)
        cover_event(b, in);
    slice_sums(&e->want, in);
}

BENCH_MAIN(perf_slice, env_t, start, drive, cover, COV_N)
