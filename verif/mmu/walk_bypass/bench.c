/* Bench of walk_bypass: it plays the slices of the L2, with hit rates by class that are near each other or far apart, and the ends of epochs within samples, comparisons and after them. Besides the twin
 * it is checked against the page as a program (page.h), the source of its coverage, and against the page's worked example. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 70000
#include "verif/common/bench.h"
#include "verif/mmu/walk_bypass/page.h"

#define OF_LEVELS(text) text " 3", text " 2", text " 1", text " 0"
static const char *const cover[] = {OF_LEVELS("passes by alone: level"),
                                    OF_LEVELS("all pass by but level"),
                                    "all pass by",
                                    "none passes by",
                                    "equal rates",
                                    "a rate just below data's",
                                    "a rate just above data's",
                                    "a level that never hits",
                                    "a level that always hits",
                                    "data never hits",
                                    "data always hits",
                                    "nothing of a level",
                                    "nothing of a level that passed by",
                                    "nothing of data",
                                    "nothing of data, and a level passed by",
                                    "counts are halved",
                                    "counts are halved for a level's",
                                    "counts are halved, odd ones",
                                    "a look-up as counts are halved",
                                    "a count reaches 2^15",
                                    "a class that is not counted",
                                    "all slices at one edge",
                                    "several slices with one class at one edge",
                                    "a look-up at the last edge of a sample",
                                    "a look-up behind a sample",
                                    "a look-up before the first epoch",
                                    "a look-up at the end of an epoch",
                                    "an epoch ends within its sample",
                                    "an epoch ends at the last edge of its sample",
                                    OF_LEVELS("an epoch ends within the comparison of level"),
                                    OF_LEVELS("an epoch ends at the verdict on level"),
                                    "a sample that is the epoch",
                                    "a sample of one cycle",
                                    "a sample that would be shorter than one cycle",
                                    "a sample of more than 2^15 cycles",
                                    "off",
                                    "off, while a comparison ends",
                                    "on again",
                                    "a level that passed by does not any more",
                                    "a level passes by again",
                                    "epochs end at two edges in a row",
                                    "a comparison has ended"};
_Static_assert(sizeof cover / sizeof *cover == NOTES, "a name each");

/* The worked example: look-ups and hits by class, a tenth of the page's; those of the levels between are the paper's rates (4.3). */
static const struct {
    unsigned looks, hits;
} example[CLASSES] = {{1000, 800}, {1000, 998}, {1000, 988}, {1000, 687}, {1000, 10}};
enum { EXAMPLE = 1 << 2 | 1 << 3, SAMPLED = 8192, LATER = 4 * BITS + 4 };
/* A sample that is long enough for counts to become full. */
enum { FULL = 1 << (BITS - 1), LONG_FROM = 20400, LONG = 43000, LONG_TO = LONG_FROM + LONG + 200 };

typedef struct {
    page_t page;
    walk_bypass_policy_t policy;
    bool again, scene, exact;
    unsigned step, done[CLASSES];
    uint32_t cycles;
    /* style */
    unsigned rate, hits[8], span, class, every;
    bool quiet;
} env_t;

static void start(bench_t *b, env_t *e)
{
    e->scene = b->cycles >= BENCH_CYCLES && b->seed % 4 == 1;
    e->exact = b->cycles >= BENCH_CYCLES && b->seed % 4 == 2;
    page_begin(&e->page);
}

static void style(bench_t *b, env_t *e)
{
    e->rate = vl_below(&b->rng, 3) ? 256 : vl_below(&b->rng, 3) ? 4 + vl_below(&b->rng, 200) : 0;
    const unsigned near_to = vl_below(&b->rng, 257);
    for (unsigned c = 0; c < 8; c++)
        switch (vl_below(&b->rng, 4)) {
        case 0: e->hits[c] = vl_below(&b->rng, 257); break;
        case 1: e->hits[c] = vl_below(&b->rng, 2) ? 256 : 0; break;
        default: e->hits[c] = near_to; break;
        }
    if (vl_below(&b->rng, 2)) /* one that differs from all others */
        for (unsigned c = 0, k = 1 + vl_below(&b->rng, 4), up = vl_below(&b->rng, 2); c < 8; c++)
            e->hits[c] = c == 0 ? 128 : (c == k) == up ? 200 : 60;
    e->span = vl_below(&b->rng, 3) ? 5 : 1 + vl_below(&b->rng, 8);
    e->class = vl_below(&b->rng, 8);
    e->every = vl_below(&b->rng, 3) ? 100 + vl_below(&b->rng, 400) : vl_below(&b->rng, 2) ? 30 : 3;
    e->policy.on = vl_below(&b->rng, 5) != 0;
    e->policy.sample = (uint8_t)(vl_below(&b->rng, 2) ? 1 + vl_below(&b->rng, 4) : vl_below(&b->rng, 16));
    e->cycles = e->every;
    if (vl_below(&b->rng, 4) == 0)
        e->cycles = (uint32_t)near(&b->rng, 0xffffffff, (const uint64_t[]){e->every, 1u << e->policy.sample}, 2);
    if (b->cycle >= LONG_FROM && b->cycle < LONG_TO) {
        e->every = 1u << 30;
        e->rate = 256;
        e->span = 1;
        e->class = b->seed % 2 ? 0 : 1 + b->seed / 2 % 4;
    }
}

/* The page's example: look-ups of a sample, and the classes that pass by after it. */
static void scene(bench_t *b, env_t *e, const walk_bypass_out_t *out, walk_bypass_in_t *in)
{
    e->policy = (walk_bypass_policy_t){.on = true, .sample = 1};
    e->cycles = 2 * SAMPLED;
    in->epoch = e->step == 0;
    for (unsigned k = 0, c = 0; e->step && e->step <= SAMPLED && k < SLICES; k++) {
        while (c < CLASSES && e->done[c] == example[c].looks)
            c++;
        if (c == CLASSES)
            break;
        in->l2[k].l2_access = true;
        in->l2[k].l2_cls = (uint8_t)c;
        in->l2[k].l2_hit = e->done[c]++ < example[c].hits;
    }
    BENCH_CHECK(b, e->step > SAMPLED || !out->bypass || e->step == 0, "a level passes by in the example's sample");
    if (e->step++ < SAMPLED + LATER)
        return;
    BENCH_CHECK(b, out->bypass == EXAMPLE, "the example's levels: %x pass by, and not %x", out->bypass, EXAMPLE);
    e->scene = false;
}

/* A sample in which data's count becomes full at a known edge, with one look-up of data an edge. A level's counts are odd then, and halving makes a rate of 1 of them; halved at the edge behind, with
 * one hit more, they would make half of that. */
static void halve(walk_bypass_in_t *in, unsigned edge)
{
    for (unsigned k = 0; k < SLICES; k++)
        in->l2[k].l2_access = false;
    in->l2[0].l2_access = true;
    in->l2[0].l2_cls = DATA;
    in->l2[0].l2_hit = edge % 16 != 0;
    if (edge >= 3 && edge != FULL + 3)
        return;
    in->l2[0].l2_cls = 1;
    in->l2[0].l2_hit = edge > 0;
}

static void stimulate(bench_t *b, env_t *e, const walk_bypass_out_t *out, walk_bypass_in_t *in)
{
    if (b->cycle % 600 == 0)
        style(b, e);
    walk_bypass_in_random(&b->rng, in);
    for (unsigned k = 0; k < SLICES; k++) {
        in->l2[k].l2_access = !e->scene && vl_chance(&b->rng, e->rate);
        if (!in->l2[k].l2_access)
            continue;
        const unsigned c = vl_below(&b->rng, 20) ? (e->class + vl_below(&b->rng, e->span)) % 5 : vl_below(&b->rng, 8);
        in->l2[k].l2_cls = (uint8_t)c;
        in->l2[k].l2_hit = vl_chance(&b->rng, e->hits[c]);
    }
    in->epoch = e->again || vl_below(&b->rng, e->every) == 0;
    e->again = !e->scene && in->epoch && vl_below(&b->rng, 8) == 0;
    if (vl_below(&b->rng, 150) == 0)
        e->policy.on = !e->policy.on;
    if (e->scene)
        scene(b, e, out, in);
    if (b->cycle == LONG_FROM) {
        in->epoch = true;
        e->cycles = e->exact ? FULL + 16 : LONG;
        e->policy.sample = 0;
    }
    if (e->exact && b->cycle > LONG_FROM && b->cycle <= LONG_FROM + FULL + 16) {
        halve(in, (unsigned)(b->cycle - LONG_FROM - 1));
        e->policy.on = true;
    }
    in->policy = e->policy;
    in->epoch_cycles = e->cycles;
}

static void expect(bench_t *b, page_t *page, const walk_bypass_in_t *in)
{
    page_expect(page, in);
    for (unsigned k = 0; k < NOTES; k++)
        BENCH_COVER(b, k, page->did[k]);
    BENCH_COVER(b, NOTE_SLICES_CLASS, SLICES == 1);
}

SCOREBOARD_DRIVE_COVERED(walk_bypass, env_t, stimulate, expect)
BENCH_MAIN(walk_bypass, env_t, start, drive, cover, NOTES)
