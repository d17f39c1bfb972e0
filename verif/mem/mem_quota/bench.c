/* Bench of mem_quota: the rows of the page's table, then counters at random, with their ends more often than not; epochs that come in the middle of
 * a computation. The scoreboard is equation 1 by the division of C, and the page's number of cycles. */
#define BENCH_SEEDS 8
#include "verif/common/bench.h"
#include "mem_quota_ports.h"

enum { ROWS = 7, LATENCY = 46, SUBSETS = 1 << APPS };
enum {
    COV_ROW,
    COV_EVEN = COV_ROW + ROWS,
    COV_EVEN_ONE,
    COV_UP,
    COV_DOWN,
    COV_EXACT,
    COV_ZERO,
    COV_ONE,
    COV_ALL,
    COV_NONE_VALID,
    COV_MAX_0,
    COV_MAX_1,
    COV_MUL,
    COV_DIV,
    COV_SHOW,
    COV_IDLE,
    COV_LARGEST,
    COV_NOISE,
    COV_SUBSET,
    COV_N = COV_SUBSET + SUBSETS
};
static const char *const cover[] = {"454, 45",
                                    "thirds",
                                    "rounded up",
                                    "no walks",
                                    "all of it",
                                    "1023",
                                    "thresh_max 0",
                                    "no walks: equal shares",
                                    "no walks, one application",
                                    "rounded up to 1",
                                    "rounded down",
                                    "no remainder",
                                    "quotient 0",
                                    "quotient 1",
                                    "quotient thresh_max",
                                    "no valid application",
                                    "thresh_max 0 with walks",
                                    "thresh_max 1",
                                    "epoch in MUL",
                                    "epoch in DIV",
                                    "epoch in SHOW",
                                    "epoch when idle",
                                    "all counters 63",
                                    "inputs move during a computation",
                                    "valid 0",
                                    "valid 1",
                                    "valid 2",
                                    "valid 3",
                                    "valid 4",
                                    "valid 5",
                                    "valid 6",
                                    "valid 7",
                                    "valid 8",
                                    "valid 9",
                                    "valid 10",
                                    "valid 11",
                                    "valid 12",
                                    "valid 13",
                                    "valid 14",
                                    "valid 15"};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

/* The page's table. */
static const struct {
    uint16_t max;
    uint8_t valid, con[APPS], warps[APPS];
    uint16_t want[APPS];
} table[ROWS] = {{500, 3, {20, 10}, {30, 6}, {454, 45}}, {500, 7, {1, 1, 1}, {1, 1, 1}, {166, 166, 166}},
                 {500, 3, {63, 1}, {63, 1}, {499, 1}},   {500, 11, {0, 0, 0, 0}, {0, 5, 0, 0}, {166, 166, 0, 166}},
                 {500, 3, {5, 0}, {4, 9}, {500, 0}},     {1023, 4, {0, 0, 63}, {0, 0, 63}, {0, 0, 1023}},
                 {0, 3, {3, 3}, {3, 3}, {0, 0}}};

typedef struct {
    unsigned row, gap;
    uint64_t due; /* the cycle that shows the result; 0: no result pending */
    uint16_t want[APPS], now[APPS];
} env_t;

static void start(bench_t *b, env_t *e)
{
    (void)b, (void)e;
}

/* Equation 1 with the page's rounding. */
static void compute(bench_t *b, const mem_quota_in_t *in, uint16_t want[APPS])
{
    unsigned p[APPS], sum = 0, max = in->policy.thresh_max, apps = 0, walks = 0;
    for (unsigned a = 0; a < APPS; a++) {
        bool valid = in->policy.app_valid >> a & 1;
        p[a] = valid ? in->con_ptw[a] * in->warps[a] : 0;
        apps += valid;
        walks += p[a] == 63 * 63;
        sum += p[a];
    }
    BENCH_COVER(b, COV_LARGEST, walks == APPS);
    BENCH_COVER(b, COV_NONE_VALID, !apps);
    BENCH_COVER(b, COV_EVEN, !sum && apps > 1);
    BENCH_COVER(b, COV_EVEN_ONE, !sum && apps == 1);
    BENCH_COVER(b, COV_MAX_0, sum && !max);
    BENCH_COVER(b, COV_MAX_1, sum && max == 1);
    BENCH_COVER(b, COV_SUBSET + in->policy.app_valid, true);
    for (unsigned a = 0; a < APPS; a++) {
        unsigned n = sum ? p[a] : in->policy.app_valid >> a & 1, of = sum ? sum : apps;
        want[a] = (uint16_t)(of ? max * n / of : 0);
        BENCH_COVER(b, COV_UP, n && max && !want[a]);
        BENCH_COVER(b, COV_DOWN, n && want[a] && max * n % of);
        BENCH_COVER(b, COV_EXACT, n && want[a] && max * n % of == 0);
        if (n && max && !want[a])
            want[a] = 1;
        BENCH_COVER(b, COV_ZERO, want[a] == 0);
        BENCH_COVER(b, COV_ONE, want[a] == 1);
        BENCH_COVER(b, COV_ALL, max > 1 && want[a] == max);
    }
}

static uint8_t counter(bench_t *b)
{
    unsigned p = vl_below(&b->rng, 8);
    return (uint8_t)(p == 0 ? 63 : p < 3 ? 0 : p < 5 ? 1 + vl_below(&b->rng, 3) : vl_below(&b->rng, 64));
}

static void make(bench_t *b, env_t *e, mem_quota_in_t *in)
{
    if (e->row < ROWS) {
        memcpy(in->con_ptw, table[e->row].con, sizeof in->con_ptw);
        memcpy(in->warps, table[e->row].warps, sizeof in->warps);
        in->policy.thresh_max = table[e->row].max;
        in->policy.app_valid = table[e->row].valid;
        return;
    }
    unsigned same = vl_below(&b->rng, 6), max = vl_below(&b->rng, 6);
    for (unsigned a = 0; a < APPS; a++) {
        in->con_ptw[a] = same == 0 ? 63 : same == 1 ? 0 : counter(b);
        in->warps[a] = same == 0 ? 63 : counter(b);
    }
    in->policy.thresh_max = (uint16_t)(max == 0   ? vl_below(&b->rng, 3)
                                       : max == 1 ? 1023
                                       : max == 2 ? 500
                                                  : vl_below(&b->rng, 1024));
    in->policy.app_valid = (uint8_t)vl_below(&b->rng, SUBSETS);
}

static void drive(bench_t *b, env_t *e, const mem_quota_out_t *out, mem_quota_in_t *in)
{
    if (e->due == b->cycle && b->cycle) {
        memcpy(e->now, e->want, sizeof e->now);
        e->due = 0;
    }
    BENCH_CHECK(b, !memcmp(out->thresh, e->now, sizeof e->now), "quotas %u %u %u %u, not %u %u %u %u", out->thresh[0],
                out->thresh[1], out->thresh[2], out->thresh[3], e->now[0], e->now[1], e->now[2], e->now[3]);
    BENCH_CHECK(b, out->idle == !e->due, "idle is %u", out->idle);

    /* Noise, then the counters of an epoch: values that are not taken must not matter. */
    if (vl_chance(&b->rng, 200))
        mem_quota_in_random(&b->rng, in);
    unsigned since = e->due ? (unsigned)(b->cycle - (e->due - LATENCY)) : 0;
    BENCH_COVER(b, COV_NOISE, since && since < LATENCY);
    in->epoch = e->gap == 0;
    if (e->gap)
        e->gap--;
    if (!in->epoch)
        return;
    BENCH_COVER(b, COV_IDLE, !since);
    BENCH_COVER(b, COV_MUL, since >= 1 && since <= 4);
    BENCH_COVER(b, COV_DIV, since >= 5 && since <= 44);
    BENCH_COVER(b, COV_SHOW, since == 45);
    make(b, e, in);
    compute(b, in, e->want);
    if (e->row < ROWS) {
        BENCH_CHECK(b, !memcmp(e->want, table[e->row].want, sizeof e->want),
                    "row %u of the page's table is not equation 1", e->row);
        BENCH_COVER(b, COV_ROW + e->row, true);
        e->row++;
    }
    e->due = b->cycle + LATENCY;
    /* The next epoch: in the middle, in the last cycles, later. The table's rows are left alone. */
    unsigned p = vl_below(&b->rng, 8);
    e->gap = e->row < ROWS || p > 3 ? LATENCY - 1 + vl_below(&b->rng, 4)
             : p == 0               ? vl_below(&b->rng, 6)
             : p == 1               ? 40 + vl_below(&b->rng, 6)
                                    : vl_below(&b->rng, 46);
    if (vl_below(&b->rng, 16) == 0)
        e->gap += 100;
}

BENCH_MAIN(mem_quota, env_t, start, drive, cover, COV_N)
