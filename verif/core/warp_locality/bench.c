/* Bench of warp_locality: it plays L1D and TLB, with misses, hits and evictions of few tags again and again, warps that start, end, send and wait, and policies near every value that matters. Besides
 * the twin it is checked against the page as a program (page.h), the source of its coverage; against the page's worked examples, with scores by hand, cycle by cycle; and against the promise to a
 * warp: however scores move, it is held back no longer than the bound. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 60000
#include "verif/common/bench.h"
#include "verif/core/warp_locality/page.h"

#define OF_FOUR(text) text " 0", text " 1", text " 2", text " 3"
#define OF_KINDS(text) text ", lines", text ", 2 pages", text ", 4 pages", text ", 8 pages", text ", 16 pages"
static const char *const cover[] = {OF_KINDS("a tag is found in each way"),
                                    OF_KINDS("a tag goes into each way that is free"),
                                    OF_KINDS("a tag takes the oldest's place in each way"),
                                    "a tag put that is there",
                                    "the oldest tag put again",
                                    "a look behind its put at once",
                                    "what was found is not found again",
                                    "a tag of another warp alone is not found",
                                    "queue full",
                                    "one place for two",
                                    "no place for two",
                                    "dropped while the head leaves",
                                    "what the other mode hears",
                                    OF_FOUR("found: a line of weight"),
                                    OF_FOUR("a TLB hit at depth"),
                                    "hits of two ports add up",
                                    "a tag found beside a TLB hit",
                                    "a tag found beside a TLB hit of another warp",
                                    "extra comes to be 4095 exactly",
                                    "extra would be above 4095",
                                    "a score falls to base",
                                    "a score falls and grows at one edge",
                                    "scores fall at every edge",
                                    "scores fall every 255 edges",
                                    "the time after which scores fall becomes shorter",
                                    "scores never fall",
                                    "the clock goes back when all are at base",
                                    "a warp starts in a pass up",
                                    "a warp starts in a pass down",
                                    "a warp ends in a pass up",
                                    "a warp ends in a pass down",
                                    "a warp starts that had tags",
                                    "a put of a warp that starts at its edge",
                                    "a look of a warp that starts at its edge",
                                    "one warp starts as another ends",
                                    "a warp starts at the end of a round that has left out the one before it",
                                    "a tag counts for a warp that is gone",
                                    "a warp ends while it is held back",
                                    "a warp ends that is due",
                                    "a pass that changes nothing",
                                    "order reversed over rounds",
                                    "the last becomes the first in one pass",
                                    "equal scores",
                                    "the one above goes on behind one that rose",
                                    "a warp passes one that is not active",
                                    "the sum is the cutoff",
                                    "the sum is above the cutoff",
                                    "the first alone is above the cutoff",
                                    "all are within the cutoff",
                                    "cutoff 0: the sum is the limit",
                                    "cutoff 0: the sum is above the limit",
                                    "the sum is full",
                                    "the first in the order is not active",
                                    "due, hold 0",
                                    "due, hold 1",
                                    "due, hold 2",
                                    "due, hold above",
                                    "due, hold 255",
                                    "a warp that is due sends",
                                    "a warp that is due does not send, within the cutoff",
                                    "a warp that is due does not send, beyond the cutoff",
                                    "a warp sends in the round in which it would become due",
                                    "a warp beyond the cutoff sends in every round",
                                    "a warp sends at the last edge of a round",
                                    "a warp sends while rounds rest",
                                    "rounds stop",
                                    "rounds begin anew",
                                    "off while warps are held back",
                                    "on again",
                                    "from lines to pages, or back",
                                    "another number of page tags",
                                    "the fourth mode is off",
                                    "all warps have ended",
                                    "a warp waits as long as the bound allows",
                                    "the page's examples, in one run"};
enum { COV_BOUND = NOTES, COV_EXAMPLES, COV_N };
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

enum { TAGS = 4 * DEEP < 16 ? 16 : 4 * DEEP, RECENT = 4, ROUND = 2 * WARPS };
typedef struct {
    page_t page;
    locality_policy_t policy;
    uint64_t lazy; /* never send */
    struct {
        unsigned warp;
        uint64_t tag;
    } recent[RECENT]; /* the last tags put */
    uint64_t tag[TAGS];
    unsigned waits[WARPS], hold[WARPS]; /* cycles that this warp is held back; the largest bound meanwhile, in rounds */
    unsigned example; /* from 1; above EXAMPLES: done */
    uint64_t since; /* cycle in which the example began */
    /* style */
    uint64_t until;
    unsigned rate, miss, put, again, touch, ports, base, span, few, turnover, sends, moves;
    bool ramp, hogs, drains; /* the higher a warp, the more it hits; any warp sends; all end before the next style */
    uint64_t could; /* warps that could go in the cycle before */
} env_t;

static void start(bench_t *b, env_t *e)
{
    const unsigned width = vl_below(&b->rng, 2) ? VPN_W : LINE_ADDR_W;
    const uint64_t all = (1ull << width) - 1, far = vl_random_bits(&b->rng, width);
    uint64_t lonely = far;
    for (unsigned k = 0; k < TAGS; k++) {
        lonely ^= k ? 1ull << k % width : 0; /* neighbours differ in one bit */
        e->tag[k] = (b->mode == 0 ? far + k : b->mode == 1 ? far + (uint64_t)(k / 2) * DEEP + k % 2 : lonely) & all;
    }
    page_begin(&e->page);
    e->example = b->cycles < 1000 ? ~0u : 1; /* in the long runs */
}

/* ---------------- the page's examples ---------------- */

/* The events received in each cycle of an example, and the scores of warps 0 to 3 from some cycle on, by hand: base 16, gain 32, decay 0, cutoff 0 (four warps: 64). The warps start in the cycles 0 to 3.
 * A look that is heard in cycle c is in the queue in c + 1, in `op` in c + 2, found in c + 3, and counts from c + 4 on. A TLB hit is in `points` in c + 1, and counts from c + 2 on. */
enum { OUT_LINE = 1, MISS_LINE, MISS_BOTH, HIT_PAGE, MISS_PAGE, OUT_PAGE };
typedef struct {
    unsigned at, what, warp, depth;
    uint64_t tag;
} scene_t;
typedef struct {
    unsigned from, score[4];
} scores_t;
typedef struct {
    unsigned at, eligible;
} goes_t;
enum { LATER = 8 * ROUND, END = 16 * ROUND };
// clang-format off
static const struct {
    unsigned mode, weight, depths[4];
    scene_t heard[8];
    scores_t scores[8];
    goes_t goes[3];
} example[] = {
    /* CCWS. Warp 2 loses line 5 and misses it: 16 + 32. 48, 64, (80, 96): 2 and 0 go. It loses and misses it again: 80: it alone. */
    {LOCALITY_CCWS, 0, {1, 2, 4, 8},
     {{6, OUT_LINE, 2, 0, 5}, {8, MISS_LINE, 2, 0, 5}, {LATER, OUT_LINE, 2, 0, 5}, {LATER + 3, MISS_LINE, 2, 0, 5}},
     {{5, {16, 16, 16, 16}}, {12, {16, 16, 48, 16}}, {LATER + 7, {16, 16, 80, 16}}},
     {{5, 15}, {LATER, 5}, {END, 4}}},
    /* A line that another warp has lost, and one that no warp has, count nothing; a tag that was found is gone, so the second miss of 9 counts nothing. */
    {LOCALITY_CCWS, 0, {1, 2, 4, 8},
     {{6, OUT_LINE, 1, 0, 9}, {8, MISS_LINE, 0, 0, 9}, {10, MISS_LINE, 1, 0, 8}, {12, MISS_LINE, 1, 0, 9}, {14, MISS_LINE, 1, 0, 9}},
     {{5, {16, 16, 16, 16}}, {16, {16, 48, 16, 16}}},
     {{5, 15}, {LATER, 3}, {END, 3}}},
    /* TA-CCWS 4:1. A miss with a TLB miss counts four times: 16 + 128: warp 2 goes alone; one without counts 32: warp 3 does not come to it. */
    {LOCALITY_CCWS, 2, {1, 2, 4, 8},
     {{6, OUT_LINE, 2, 0, 5}, {8, MISS_BOTH, 2, 0, 5}, {LATER, OUT_LINE, 3, 0, 6}, {LATER + 3, MISS_LINE, 3, 0, 6}},
     {{5, {16, 16, 16, 16}}, {12, {16, 16, 144, 16}}, {LATER + 7, {16, 16, 144, 48}}},
     {{5, 15}, {LATER, 4}, {END, 4}}},
    /* TA-CCWS 2:1 and 8:1: 64 and 256. */
    {LOCALITY_CCWS, 1, {1, 2, 4, 8},
     {{6, OUT_LINE, 0, 0, 5}, {8, MISS_BOTH, 0, 0, 5}, {LATER, OUT_LINE, 0, 0, 5}, {LATER + 3, MISS_LINE, 0, 0, 5}},
     {{5, {16, 16, 16, 16}}, {12, {80, 16, 16, 16}}, {LATER + 7, {112, 16, 16, 16}}},
     {{LATER, 1}, {END, 1}}},
    {LOCALITY_CCWS, 3, {1, 2, 4, 8},
     {{6, OUT_LINE, 0, 0, 5}, {8, MISS_BOTH, 0, 0, 5}},
     {{5, {16, 16, 16, 16}}, {12, {272, 16, 16, 16}}},
     {{LATER, 1}, {END, 1}}},
    /* TCWS, LRU(1, 2, 4, 8). Warp 1 hits at depth 3, 2, 0: 16 + 8 + 4 + 1 = 29; 29, 45, 61, (77): all but 3. It loses page 7 and misses it: 61, (77): alone. */
    {LOCALITY_TCWS, 0, {1, 2, 4, 8},
     {{6, HIT_PAGE, 1, 3, 1}, {8, HIT_PAGE, 1, 2, 1}, {11, HIT_PAGE, 1, 0, 1}, {LATER, OUT_PAGE, 1, 0, 7}, {LATER + 2, MISS_PAGE, 1, 0, 7}},
     {{5, {16, 16, 16, 16}}, {8, {16, 24, 16, 16}}, {10, {16, 28, 16, 16}}, {13, {16, 29, 16, 16}}, {LATER + 6, {16, 61, 16, 16}}},
     {{5, 15}, {LATER, 7}, {END, 2}}},
    /* The paper's figure 4.4, right: a hit at each depth: 10 with LRU(1, 2, 3, 4), 19 with LRU(1, 3, 6, 9), 15 with LRU(1, 2, 4, 8). */
    {LOCALITY_TCWS, 0, {1, 2, 3, 4},
     {{6, HIT_PAGE, 3, 0, 1}, {7, HIT_PAGE, 3, 1, 2}, {8, HIT_PAGE, 3, 2, 3}, {9, HIT_PAGE, 3, 3, 4}},
     {{5, {16, 16, 16, 16}}, {8, {16, 16, 16, 17}}, {9, {16, 16, 16, 19}}, {10, {16, 16, 16, 22}}, {11, {16, 16, 16, 26}}},
     {{LATER, 11}, {END, 11}}},
    {LOCALITY_TCWS, 0, {1, 3, 6, 9},
     {{6, HIT_PAGE, 3, 0, 1}, {7, HIT_PAGE, 3, 1, 2}, {8, HIT_PAGE, 3, 2, 3}, {9, HIT_PAGE, 3, 3, 4}},
     {{5, {16, 16, 16, 16}}, {8, {16, 16, 16, 17}}, {9, {16, 16, 16, 20}}, {10, {16, 16, 16, 26}}, {11, {16, 16, 16, 35}}},
     {{LATER, 9}, {END, 9}}},
    {LOCALITY_TCWS, 0, {1, 2, 4, 8},
     {{6, HIT_PAGE, 0, 3, 1}, {7, HIT_PAGE, 0, 2, 2}, {8, HIT_PAGE, 0, 1, 3}, {9, HIT_PAGE, 0, 0, 4}},
     {{5, {16, 16, 16, 16}}, {8, {24, 16, 16, 16}}, {9, {28, 16, 16, 16}}, {10, {30, 16, 16, 16}}, {11, {31, 16, 16, 16}}},
     {{LATER, 7}, {END, 7}}},
};
// clang-format on
enum { EXAMPLES = sizeof example / sizeof *example };

/* One cycle of an example; between two of them one without warps, which forgets everything. */
static void play(bench_t *b, env_t *e, const warp_locality_out_t *out, warp_locality_in_t *in)
{
    const __typeof__(&example[0]) x = &example[e->example - 1];
    const uint64_t at = b->cycle - e->since;
    memset(in, 0, sizeof *in);
    in->policy = (locality_policy_t){
        .mode = (uint8_t)x->mode, .tlb_weight = (uint8_t)x->weight, .entries = 2, .gain = 32, .base = 16, .hold = 255};
    for (unsigned k = 0; k < 4; k++)
        in->policy.depths[k] = (uint8_t)x->depths[k];
    if (at < 4) {
        in->start_valid = true;
        in->start.warp = (uint8_t)at;
    }
    for (const scene_t *h = x->heard; h->what; h++) {
        if (h->at != at)
            continue;
        if (h->what == OUT_LINE) {
            in->line_valid = true;
            in->line = (line_event_t){.evicted = true, .of = (uint8_t)h->warp, .old = h->tag};
        } else if (h->what == MISS_LINE || h->what == MISS_BOTH) {
            in->line_valid = true;
            in->line =
                (line_event_t){.miss = true, .walked = h->what == MISS_BOTH, .warp = (uint8_t)h->warp, .key = h->tag};
        } else if (h->what == HIT_PAGE) {
            in->touch_valid = 1;
            in->touch[0] = (page_touch_t){.warp = (uint8_t)h->warp, .depth = (uint8_t)h->depth};
        } else if (h->what == MISS_PAGE) {
            in->missed_valid = true;
            in->missed = (miss_t){.warp = (uint8_t)h->warp, .vpn = h->tag};
        } else {
            in->page_out_valid = true;
            in->page_out = (page_out_t){.of = (uint8_t)h->warp, .vpn = h->tag};
        }
    }
    const scores_t *now = NULL;
    for (const scores_t *s = x->scores; s->from; s++)
        now = s->from <= at ? s : now;
    for (unsigned w = 0; now && at < END && w < 4 && !b->no_page; w++)
        BENCH_CHECK(b, e->page.s.extra[w] + 16 == now->score[w],
                    "example %u, cycle %u: the score of warp %u is %u, by hand %u", e->example, (unsigned)at, w,
                    e->page.s.extra[w] + 16, now->score[w]);
    for (unsigned k = 0; k < 3; k++)
        if (x->goes[k].at && x->goes[k].at == at)
            BENCH_CHECK(b, (out->eligible & 15u) == x->goes[k].eligible,
                        "example %u, cycle %u: warps %x may go, by hand %x", e->example, (unsigned)at,
                        (unsigned)out->eligible & 15u, x->goes[k].eligible);
    if (at >= END && at < END + 4) {
        in->warp_done_valid = true;
        in->warp_done = (uint8_t)(at - END);
    }
    if (at == END + 6) {
        e->example++;
        e->since = b->cycle + 1;
        BENCH_COVER(b, COV_EXAMPLES, e->example > EXAMPLES);
    }
}

/* ---------------- random stimulus ---------------- */

static void style(bench_t *b, env_t *e)
{
    vl_rng_t *r = &b->rng;
    locality_policy_t *l = &e->policy;
    static const uint64_t byte[] = {1, 2, 16, 64, 128}, sum[] = {16, 16 * WARPS, TOP, 255 * WARPS};
    static const uint8_t lru[3][4] = {{1, 2, 3, 4}, {1, 2, 4, 8}, {1, 3, 6, 9}};
    const unsigned kind = vl_below(r, 16);
    l->mode = (uint8_t)(kind == 0 ? 0 : kind == 1 ? 3 : kind < 9 ? LOCALITY_CCWS : LOCALITY_TCWS);
    l->tlb_weight = (uint8_t)vl_below(r, 4);
    l->entries = (uint8_t)vl_below(r, 4);
    for (unsigned k = 0; k < 4; k++)
        l->depths[k] = vl_below(r, 3) ? lru[kind % 3][k] : (uint8_t)vl_below(r, 16);
    l->gain = (uint8_t)near(r, 255, byte, 5);
    l->base = (uint8_t)(vl_below(r, 2) ? 16 : near(r, 255, byte, 5));
    l->decay = (uint8_t)(vl_below(r, 3)   ? near(r, 255, byte, 5)
                         : vl_below(r, 2) ? 255 * vl_below(r, 2)
                                          : vl_below(r, 3));
    l->hold = (uint8_t)(vl_below(r, 2) ? vl_below(r, 4) : vl_below(r, 8));
    l->cutoff = (uint16_t)(vl_below(r, 2) ? 0 : vl_below(r, 2) ? near(r, 65535, sum, 4) : vl_below(r, 16 * WARPS + 64));
    e->until = b->cycle + 3 * ROUND + vl_below(r, 30 * ROUND);
    e->rate = vl_below(r, 3) ? 256 : vl_below(r, 3) ? 4 + vl_below(r, 100) : 0;
    e->miss = vl_below(r, 2) ? 128 : vl_below(r, 257);
    e->put = vl_below(r, 2) ? 128 : vl_below(r, 257);
    e->again = vl_below(r, 3) ? 100 : 240;
    e->touch = vl_below(r, 3) ? vl_below(r, 200) : 0;
    e->ports = 1 + vl_below(r, TLB_PORTS);
    e->base = vl_below(r, TAGS);
    e->span = vl_below(r, 3) ? 1 + vl_below(r, vl_below(r, 2) ? DEEP + 2 : 3) : TAGS;
    e->few = vl_below(r, 3) ? 1 + vl_below(r, 2) : WARPS;
    e->turnover = vl_below(r, 3) ? vl_below(r, 4) : 10 + vl_below(r, 100);
    e->sends = vl_below(r, 2) ? vl_below(r, 256) : vl_below(r, 8);
    e->lazy = vl_below(r, 2) ? 0 : vl_random(r);
    e->moves = vl_below(r, 3) ? 0 : 1 + vl_below(r, 8);
    e->ramp = false;
    e->drains = vl_below(r, 6) == 0;
    e->hogs = vl_below(r, 4) == 0;
    if (vl_below(r, 12) == 0) { /* scores that grow by one and one, up to the largest, in the order of warps */
        l->mode = LOCALITY_TCWS;
        l->gain = 255;
        l->decay = 0;
        memset(l->depths, 1, sizeof l->depths);
        e->ramp = true;
        e->rate = e->touch = 256;
        e->ports = 1 + vl_below(r, 2);
        e->few = vl_below(r, 2) ? WARPS : 1 + vl_below(r, WARPS);
        e->miss = vl_below(r, 2) ? 0 : 64;
        e->turnover = e->moves = 0;
        e->until = b->cycle + 3000 + vl_below(r, 3000);
    } else if (vl_below(r, 64) == 0) { /* long enough for the largest `hold` */
        l->mode = LOCALITY_CCWS;
        l->hold = (uint8_t)(255 - vl_below(r, 2));
        l->cutoff = 1;
        e->turnover = e->moves = 0;
        e->sends = 2;
        e->until = b->cycle + 1030 * ROUND;
    }
}

static unsigned warp(bench_t *b, const env_t *e)
{
    return vl_below(&b->rng, 8) ? (e->base + vl_below(&b->rng, e->few)) % WARPS : vl_below(&b->rng, WARPS);
}

static uint64_t tag(bench_t *b, const env_t *e)
{
    return e->tag[(e->base + vl_below(&b->rng, e->span)) % TAGS];
}

/* The warp and tag of a look: often of the last put. */
static uint64_t look(bench_t *b, const env_t *e, uint8_t *who)
{
    const unsigned k = vl_below(&b->rng, RECENT);
    const bool again = vl_chance(&b->rng, e->again);
    *who = (uint8_t)(again ? e->recent[k].warp : warp(b, e));
    return again ? e->recent[k].tag : tag(b, e);
}

static uint64_t put(bench_t *b, env_t *e, uint8_t *who)
{
    *who = (uint8_t)warp(b, e);
    memmove(e->recent + 1, e->recent, (RECENT - 1) * sizeof *e->recent);
    e->recent[0].warp = *who;
    e->recent[0].tag = tag(b, e);
    return e->recent[0].tag;
}

static void hear(bench_t *b, env_t *e, warp_locality_in_t *in)
{
    vl_rng_t *r = &b->rng;
    const bool miss = vl_chance(r, e->rate) && vl_chance(r, e->miss),
               out = vl_chance(r, e->rate) && vl_chance(r, e->put), other = vl_below(r, 16) == 0,
               touches = vl_chance(r, e->touch);
    uint8_t asks = (uint8_t)warp(b, e), of = (uint8_t)warp(b, e);
    const uint64_t key = look(b, e, &asks), old = out ? put(b, e, &of) : tag(b, e);
    in->line_valid = in->missed_valid = in->page_out_valid = false;
    if ((e->policy.mode == LOCALITY_CCWS) != other) {
        in->line_valid = miss || out || vl_below(r, 2);
        in->line = (line_event_t){
            .miss = miss, .walked = vl_below(r, 2), .evicted = out, .warp = asks, .key = key, .of = of, .old = old};
    } else {
        in->missed_valid = miss;
        in->missed.warp = asks;
        in->missed.vpn = key & ((1ull << VPN_W) - 1);
        in->page_out_valid = out;
        in->page_out = (page_out_t){.of = of, .vpn = old & ((1ull << VPN_W) - 1)};
    }
    uint8_t who = (uint8_t)(vl_below(r, 2) ? asks : warp(b, e));
    if (e->ramp && vl_below(r, 4)) { /* the highest of some */
        const uint8_t a = (uint8_t)vl_below(r, WARPS), c = (uint8_t)vl_below(r, WARPS);
        who = a > c ? a : c;
    }
    in->touch_valid = 0;
    for (unsigned k = 0; k < TLB_PORTS; k++) {
        in->touch[k] = (page_touch_t){.warp = who, .depth = (uint8_t)vl_below(r, 4)};
        if (touches && vl_chance(r, 256 * e->ports / TLB_PORTS))
            in->touch_valid |= 1ull << k;
    }
}

/* Warps start and end, and have memory instructions decided: those that may, or might in the cycle before. */
static void run(bench_t *b, env_t *e, const warp_locality_out_t *out, warp_locality_in_t *in)
{
    vl_rng_t *r = &b->rng;
    const uint64_t active = e->page.active;
    unsigned w = vl_below(r, WARPS);
    const bool fills = e->turnover == 0 && vl_below(r, 4) == 0;
    const bool drain = e->drains && b->cycle + 4 * WARPS > e->until;
    in->start_valid = !(active >> w & 1) && (fills || vl_chance(r, 2 * e->turnover)) && !drain;
    in->start.warp = (uint8_t)w;
    w = drain && active ? (unsigned)__builtin_ctzll(active) : vl_below(r, WARPS);
    in->warp_done_valid =
        (active >> w & 1) && (vl_chance(r, drain ? 128 : e->turnover) || (e->turnover > 80 && !vl_below(r, 3)));
    in->warp_done = (uint8_t)w;
    w = vl_below(r, WARPS);
    const bool may = (active & (out->eligible | e->could | (e->hogs ? ALL_WARPS : 0)) & ~e->lazy) >> w & 1;
    e->could = out->eligible;
    in->issue_valid = may && vl_chance(r, e->sends);
    in->issue.warp = (uint8_t)w;
    in->issue.first = vl_below(r, 4) != 0;
    in->issue.pipe = (uint8_t)(vl_below(r, 4) ? PIPE_LSU : vl_below(r, PIPE_CTL + 1));
}

/* The bound on a warp's wait, by the outputs alone: the rounds of `hold`, one more if it sent in the round that left it out, and one more if the send shows a cycle later. */
static void fair(bench_t *b, env_t *e, const warp_locality_out_t *out, const warp_locality_in_t *in)
{
    const bool sends = in->issue_valid && in->issue.first && in->issue.pipe == PIPE_LSU;
    for (unsigned w = 0; w < WARPS; w++) {
        const bool held = (e->page.active & ~(uint64_t)out->eligible) >> w & 1;
        const unsigned hold = in->policy.hold ? 4u * in->policy.hold : 1;
        if (held) {
            e->hold[w] = e->waits[w] && e->hold[w] > hold ? e->hold[w] : hold;
            e->waits[w]++;
            BENCH_CHECK(b, e->waits[w] <= (e->hold[w] + 2) * ROUND, "warp %u is held back for %u cycles", w,
                        e->waits[w]);
            if (sends && in->issue.warp == w && e->waits[w] > 1) /* it has waited longer than the bound allows */
                e->waits[w] = 0;
            continue;
        }
        BENCH_COVER(b, COV_BOUND, e->waits[w] == (e->hold[w] + 2) * ROUND);
        e->waits[w] = 0;
    }
}

static void stimulate(bench_t *b, env_t *e, const warp_locality_out_t *out, warp_locality_in_t *in)
{
    if (e->example <= EXAMPLES) {
        play(b, e, out, in);
        return;
    }
    if (b->cycle >= e->until)
        style(b, e);
    warp_locality_in_random(&b->rng, in);
    if (vl_chance(&b->rng, e->moves)) { /* one field by itself */
        locality_policy_t any;
        locality_policy_t_random(&b->rng, &any);
        switch (vl_below(&b->rng, 8)) {
        case 0: e->policy.base = any.base; break;
        case 1: e->policy.decay = vl_below(&b->rng, 2) ? any.decay : 1; break;
        case 2: e->policy.cutoff = any.cutoff; break;
        case 3: e->policy.hold = any.hold % 4; break;
        case 4: e->policy.gain = any.gain; break;
        case 5: e->policy.tlb_weight = any.tlb_weight; break;
        case 6: e->policy.entries = any.entries; break;
        default: e->policy.mode = any.mode; break;
        }
    }
    in->policy = e->policy;
    hear(b, e, in);
    run(b, e, out, in);
    fair(b, e, out, in);
}

static void expect(bench_t *b, page_t *page, const warp_locality_in_t *in)
{
    page_expect(page, in);
    for (unsigned k = 0; k < NOTES; k++)
        BENCH_COVER(b, k, page->did[k]);
    /* With fewer than 17 warps no sum of scores has more than 16 bits; with few tags the larger numbers of them are the same. */
    BENCH_COVER(b, NOTE_SUM_FULL, WARPS * (TOP + 255) <= 65535);
    /* With many warps a round is long: 1 020 of them, and an order that is reversed, do not fit in a run; nor does one warp of many find all its tags again. The smaller machines reach these points. */
    BENCH_COVER(b, NOTE_DUE_HOLD + 4, WARPS > 16);
    BENCH_COVER(b, NOTE_ORDER_TURNED, WARPS > 16);
    BENCH_COVER(b, NOTE_HIT_WAYS + 4, WARPS > 16);
}

SCOREBOARD_DRIVE_COVERED(warp_locality, env_t, stimulate, expect)
BENCH_MAIN(warp_locality, env_t, start, drive, cover, COV_N)
