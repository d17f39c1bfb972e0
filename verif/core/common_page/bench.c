/* Bench of common_page: it plays TLB, launch and compactor: hits of a few homes in few entries, fills that take them, warps that start and are formed anew, and policies near every value that matters.
 * Besides the twin it is checked against the page as a program (page.h), the source of its coverage, and against the page's worked example, with its rows by hand, cycle by cycle. */
#define BENCH_SEEDS 6
#define BENCH_CYCLES 72000 /* the clock has 16 bits */
#include "verif/common/bench.h"
#include "verif/core/common_page/page.h"

static const char *const cover[] = {"a raise below the limit",
                                    "a raise to the limit",
                                    "a counter at its limit",
                                    "a counter above its limit",
                                    "limit 0",
                                    "each row",
                                    "each column",
                                    "both places of a history count",
                                    "the later one alone, the earlier is the warp's own",
                                    "the earlier one alone, the later is the warp's own",
                                    "no place of a history counts",
                                    "a touch by the later home of two",
                                    "a touch by the earlier home",
                                    "a touch by a third",
                                    "two ports at one entry",
                                    "two entries with a home in common",
                                    "two entries without one",
                                    "a touch and a fill of one entry",
                                    "a touch of one entry, and a fill of another",
                                    "a fill of an entry that two have touched",
                                    "formed, and the lowest place is of another home than the slot",
                                    "a touch at the edge of a start",
                                    "a touch at the edge of a formed",
                                    "a start beside a formed",
                                    "a lead that moved while the block rests",
                                    "a flush with a raise",
                                    "a flush without",
                                    "a flush leaves histories",
                                    "period 0",
                                    "period 1",
                                    "period 2",
                                    "the period becomes shorter than the clock",
                                    "a clock at its maximum",
                                    "a flush behind it",
                                    "the mode is left with counts",
                                    "and entered again",
                                    "COMPACT_TBC",
                                    "the fourth mode",
                                    "the page's example"};
enum { COV_EXAMPLE = NOTES, COV_N };
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

typedef struct {
    page_t page;
    struct {
        uint8_t mode;
        cpm_policy_t cpm;
    } policy;
    uint64_t until;
    bool example;
    /* Once with the longest period that the clock can count; then with a period that a clock which restarted from 0 would not have reached. */
    unsigned endless;
    unsigned touch, ports, homes, entries, entry, kept, starts, formed, moves, before;
} env_t;

/* ---------------- the page's example ---------------- */

enum {
    ROW_0 = 0x06,
    ROW_1 = 0x01,
    ROW_2 = 0x03,
    PERIOD = 500,
    FIRST_RAISE = 4,
    EXAMPLE_END = FIRST_RAISE + PERIOD + 3
};
/* The touch of each cycle (the warps start in 0, 1, 2), and the outputs then, which show the effect of the cycle before. */
static const struct {
    unsigned at;
    int warp; /* warp that touches entry 4 in this cycle; -1: none */
    unsigned row[3], raised, flushes;
} example[] = {
    {3, 0, {0, 0, 0}, 0, 0},
    {4, 1, {0, 0, 0}, 0, 0},
    {5, 1, {0, ROW_1, 0}, 1, 0},
    {6, 2, {0, ROW_1, 0}, 0, 0},
    {7, 0, {0, ROW_1, ROW_2}, 2, 0},
    {8, -1, {ROW_0, ROW_1, ROW_2}, 2, 0},
    {9, -1, {ROW_0, ROW_1, ROW_2}, 0, 0},
    {FIRST_RAISE + PERIOD - 1, -1, {ROW_0, ROW_1, ROW_2}, 0, 0},
    {FIRST_RAISE + PERIOD, -1, {ROW_0, ROW_1, ROW_2}, 0, 0},
    {FIRST_RAISE + PERIOD + 1, -1, {0, 0, 0}, 0, 1},
    {FIRST_RAISE + PERIOD + 2, -1, {0, 0, 0}, 0, 0},
};

static void play(bench_t *b, env_t *e, const common_page_out_t *out, common_page_in_t *in)
{
    in->mode = COMPACT_TLB;
    in->policy.bits = 1;
    in->policy.period = PERIOD;
    in->start_valid = b->cycle < 3;
    in->start.warp = (uint8_t)b->cycle;
    for (unsigned k = 0; k < sizeof example / sizeof *example; k++) {
        const __typeof__(&example[0]) x = &example[k];
        if (x->at != b->cycle)
            continue;
        for (unsigned w = 0; w < 3; w++)
            BENCH_CHECK(b, out->common[w] == x->row[w], "the example, cycle %u: row %u is %x, by hand %x", x->at, w,
                        (unsigned)out->common[w], x->row[w]);
        BENCH_CHECK(b, out->ev.cpm_raised == x->raised && out->ev.cpm_flushes == x->flushes,
                    "the example, cycle %u: %u went up, by hand %u, and %u flushes", x->at,
                    (unsigned)out->ev.cpm_raised, x->raised, (unsigned)out->ev.cpm_flushes);
        in->touch_valid = x->warp >= 0;
        in->touch[0].warp = (uint8_t)(x->warp >= 0 ? x->warp : 0);
        in->touch[0].entry = 4;
    }
    e->example = b->cycle < EXAMPLE_END;
    BENCH_COVER(b, COV_EXAMPLE, !e->example);
}

/* ---------------- random stimulus ---------------- */

static void start(bench_t *b, env_t *e)
{
    page_begin(&e->page);
    e->example = b->cycles > EXAMPLE_END; /* in the long runs */
}

static unsigned period(vl_rng_t *r)
{
    static const uint64_t points[] = {2, 16, 500};
    return vl_below(r, 2) ? vl_below(r, 24) : (unsigned)near(r, TOP_CLOCK, points, 3);
}

static void style(bench_t *b, env_t *e)
{
    vl_rng_t *r = &b->rng;
    const unsigned kind = vl_below(r, 16);
    e->policy.mode = kind == 0 ? COMPACT_OFF : kind == 1 ? COMPACT_TBC : kind == 2 ? 3 : COMPACT_TLB;
    e->policy.cpm.bits = (uint8_t)vl_below(r, 4);
    e->policy.cpm.period = (uint16_t)period(r);
    e->until = b->cycle + 1 + vl_below(r, vl_below(r, 2) ? 40 : 800);
    e->touch = vl_below(r, 3) ? 256 : vl_below(r, 200);
    e->ports = 1 + vl_below(r, TLB_PORTS);
    e->homes = vl_below(r, 3) ? 1 + vl_below(r, WARPS) : WARPS;
    e->entries = vl_below(r, 3) ? 1 + vl_below(r, 4) : TLB_ENTRIES;
    e->entry = vl_below(r, TLB_ENTRIES);
    e->kept = vl_below(r, 3) ? vl_below(r, 20) : vl_below(r, 257);
    e->starts = vl_below(r, 2) ? vl_below(r, 20) : vl_below(r, 200);
    e->formed = vl_below(r, 2) ? vl_below(r, 20) : vl_below(r, 257);
    e->moves = vl_below(r, 3) ? 0 : 1 + vl_below(r, 60);
    if (e->endless == 1) {
        e->endless = 2;
        e->policy.mode = COMPACT_TLB;
        e->policy.cpm.period = (uint16_t)(TOP_CLOCK - vl_below(r, 3));
        e->moves = 0;
    }
    if (!e->endless && b->seed % 3 == 0 && b->cycles > TOP_CLOCK + 2000) {
        e->endless = 1;
        e->policy.mode = COMPACT_TLB;
        e->policy.cpm.period = 0;
        e->policy.cpm.bits = 2;
        e->touch = 128;
        e->homes = WARPS;
        e->moves = 0;
        e->until = b->cycle + TOP_CLOCK + 100 + vl_below(r, 1000);
    }
}

/* A slot with a known lead, or -1. */
static int slot(bench_t *b, const env_t *e)
{
    const unsigned w = vl_below(&b->rng, e->homes);
    return e->page.lead[w] == NOBODY ? -1 : (int)w;
}

static unsigned entry(bench_t *b, const env_t *e)
{
    return (e->entry + vl_below(&b->rng, e->entries)) % TLB_ENTRIES;
}

static void stimulate(bench_t *b, env_t *e, const common_page_out_t *out, common_page_in_t *in)
{
    vl_rng_t *r = &b->rng;
    if (e->example) {
        play(b, e, out, in);
        return;
    }
    if (b->cycle >= e->until)
        style(b, e);
    common_page_in_random(r, in);
    if (vl_chance(r, e->moves)) /* one field by itself */
        switch (vl_below(r, 4)) {
        case 0: e->policy.mode = (uint8_t)vl_below(r, 4); break;
        case 1: e->policy.cpm.bits = (uint8_t)vl_below(r, 4); break;
        default: e->policy.cpm.period = (uint16_t)period(r); break;
        }
    in->mode = e->policy.mode;
    in->policy = e->policy.cpm;
    /* Touches are of a warp that has started. */
    const int w = vl_below(r, 4) && e->page.lead[e->before] != NOBODY ? (int)e->before : slot(b, e);
    const bool touches = w >= 0 && vl_chance(r, e->touch);
    in->touch_valid = 0;
    for (unsigned k = 0; k < TLB_PORTS; k++) {
        in->touch[k].entry = (__typeof__(in->touch[k].entry))entry(b, e);
        if (!touches || !vl_chance(r, 256 * e->ports / TLB_PORTS))
            continue;
        in->touch_valid |= (__typeof__(in->touch_valid))(1u << k);
        in->touch[k].warp = (uint8_t)w;
    }
    in->kept_valid = vl_chance(r, e->kept);
    in->kept = vl_below(r, 2) ? in->touch[0].entry : (__typeof__(in->kept))entry(b, e);
    in->start_valid = vl_chance(r, e->starts);
    in->start.warp = (uint8_t)(w >= 0 && vl_below(r, 2) ? w : (int)vl_below(r, WARPS));
    in->formed.warp = (uint8_t)(w >= 0 && vl_below(r, 2) ? w : (int)vl_below(r, WARPS));
    in->formed_valid = vl_chance(r, e->formed) && !(in->start_valid && in->start.warp == in->formed.warp);
    if (!in->formed.mask)
        in->formed.mask = 1u << vl_below(r, THREADS);
    for (unsigned t = 0; t < THREADS; t++)
        in->formed.homes[t] = (uint8_t)vl_below(r, WARPS);
    e->before = vl_below(r, e->homes);
}

static void expect(bench_t *b, page_t *page, const common_page_in_t *in)
{
    page_expect(page, in);
    for (unsigned k = 0; k < NOTES; k++)
        BENCH_COVER(b, k, page->did[k]);
    if (TLB_PORTS == 1)
        for (unsigned k = NOTE_PORTS_ENTRY; k <= NOTE_PORTS_APART; k++)
            BENCH_COVER(b, k, true);
}

SCOREBOARD_DRIVE_COVERED(common_page, env_t, stimulate, expect)
BENCH_MAIN(common_page, env_t, start, drive, cover, COV_N)
