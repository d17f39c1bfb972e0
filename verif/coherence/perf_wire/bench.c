/* Bench of perf_wire: messages of all classes at random, sparse, one after the other, and held for long; clears and reads at any time. The scoreboard adds up
 * the page's list, one plain sum a counter. */
#include "verif/mem/perf_bench.h"
#include "verif/coherence/perf_sums.h"

enum {
    KINDS = 4,
    BARE = 1 + (LINE_BYTES + LINK_BYTES - 1) / LINK_BYTES,
    LOW_END_FLITS = 1 << 10 /* LOW_END of flits */
};
enum {
    COV_CLEAR,
    COV_BEYOND,
    COV_LONG,
    COV_NONE,
    COV_SHORT,
    COV_BARE = COV_SHORT + KINDS,
    COV_MASK = COV_BARE + 2,
    COV_COUNTER = COV_MASK + 2,
    COV_N = COV_COUNTER + WIRE_COUNTERS
};
#define NAME(k, name, block, help) #name " beyond its low bits",
static const char *const cover[] = {"clear while counting",
                                    "index beyond the list",
                                    "equal events for longer than a scan",
                                    "kind and flits without a message",
                                    "grant",
                                    "acknowledgement",
                                    "probe",
                                    "request",
                                    "line without a mask",
                                    "merge without a mask",
                                    "line with a mask",
                                    "merge with a mask",
                                    VL_WIRE_COUNTERS(NAME)};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");
#undef NAME
#define NAME(k, name, block, help) #name,
static const char *const names[] = {VL_WIRE_COUNTERS(NAME)};

typedef struct {
    wire_sums_t want;
    perf_wire_in_t held;
    stretch_t stretch;
} env_t;

static void start(bench_t *b, env_t *e)
{
    (void)b, (void)e;
}

static void new_events(bench_t *b, env_t *e, perf_wire_in_t *in)
{
    static const uint8_t lengths[] = {1, BARE, LINK_FLITS};
    unsigned style = perf_style(b);
    perf_wire_in_random(&b->rng, in);
    if (style == SPARSE && vl_chance(&b->rng, 200))
        memset(in, 0, sizeof *in);
    if (style == ALL)
        in->ev.link_sent = in->ev.link_busy = in->ev.link_blocked = true;
    if (in->ev.link_sent)
        in->ev.link_flits =
            in->ev.link_kind == LINK_DATA || in->ev.link_kind == LINK_ACK ? lengths[vl_below(&b->rng, 3)] : 1;
    e->stretch.equal = 0;
}

static unsigned low_end(unsigned counter)
{
    return strstr(names[counter], "_flits") ? LOW_END_FLITS : LOW_END;
}

static void drive(bench_t *b, env_t *e, const perf_wire_out_t *out, perf_wire_in_t *in)
{
    PERF_STRETCH(b, e, out, in, WIRE_COUNTERS, low_end(idx_), (void)0);
    const ev_link_t *ev = &in->ev;
    BENCH_COVER(b, COV_CLEAR, in->clear && ev->link_sent);
    BENCH_COVER(b, COV_NONE, !ev->link_sent && ev->link_kind && ev->link_flits);
    if (ev->link_sent) {
        BENCH_COVER(b, COV_SHORT + ev->link_kind, ev->link_flits == 1);
        BENCH_COVER(b, COV_BARE + (ev->link_kind == LINK_ACK), ev->link_flits == BARE);
        BENCH_COVER(b, COV_MASK + (ev->link_kind == LINK_ACK), ev->link_flits == LINK_FLITS);
    }
    wire_sums(&e->want, in);
}

BENCH_MAIN(perf_wire, env_t, start, drive, cover, COV_N)
