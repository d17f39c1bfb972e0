/* Bench of fill_tokens: it plays the look-ups of l2_tlb, of several kernels with miss rates, warps and address spaces that change, and the ends of epochs, in every state of the divider. `policy_i`
 * at times puts a rate just at its limits. Besides the twin it is checked against the page as a program (page.h), the source of its coverage, and against the
 * page's worked example; one seed counts until the counters are full. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 40000
#include "verif/common/bench.h"
#include "verif/mmu/fill_tokens/page.h"

static const char *const cover[] = {"the first epoch of an address space ends",
                                    "first: one token, of none",
                                    "first: tokens for all warps",
                                    "first: not all warps",
                                    "first: the highest warp looked something up before the whole epoch alone",
                                    "a first epoch that is not whole ends",
                                    "... at the edge of a look-up",
                                    "... of another address space's",
                                    "no look-ups after it",
                                    "first: rounded up",
                                    "fewer tokens",
                                    "more tokens",
                                    "another rate, as many tokens",
                                    "a rate exactly `delta` greater",
                                    "a rate exactly `delta` less",
                                    "a rate `delta` and one greater",
                                    "a rate `delta` and one less",
                                    "fewer: one is left",
                                    "fewer: none would be left",
                                    "more: all warps have one",
                                    "more: there would be too many",
                                    "a step of 0",
                                    "an epoch without look-ups",
                                    "a first epoch without look-ups since it began",
                                    "all hit",
                                    "all missed",
                                    "all but a few missed",
                                    "a look-up when no more is counted",
                                    "a higher warp when no more is counted",
                                    "the last look-up that is counted",
                                    "an epoch ends while another is divided",
                                    "... at bit 9",
                                    "... at bit 8",
                                    "... at bit 7",
                                    "... at bit 6",
                                    "... at bit 5",
                                    "... at bit 4",
                                    "... at bit 3",
                                    "... at bit 2",
                                    "... at bit 1",
                                    "... at bit 0",
                                    "... when a slot's counts are to be taken",
                                    "... in the last slot",
                                    "... in the first slot",
                                    "a look-up at the edge at which its slot's counts are taken",
                                    "a look-up while its slot is divided",
                                    "a look-up at the edge of its slot's result",
                                    "another address space",
                                    "another address space, after a rate",
                                    "another address space, while its slot is divided",
                                    "another address space at the edge of its slot's result",
                                    "another address space at the edge at which its slot's counts are taken",
                                    "two address spaces of a slot at one edge",
                                    "the address space before",
                                    "several ports of one slot",
                                    "ports of several slots",
                                    "all ports",
                                    "all slots at one edge",
                                    "a core's kernel changes",
                                    "off",
                                    "off: results go on",
                                    "on again",
                                    "epochs end at two edges in a row",
                                    "a look-up at the end of an epoch",
                                    "at rest"};
_Static_assert(sizeof cover / sizeof *cover == NOTES, "a name each");

enum { SPACES = 3, MORE = 8192 /* look-ups when no more is counted */ };

/* The worked example of the page, a tenth of its look-ups: the rates are the same. Without tokens: all may fill. */
static const struct {
    unsigned looks, misses, tokens;
} example[] = {{1000, 1000, 0}, {1000, 400, 51}, {1000, 430, 47}, {1000, 440, 47}, {1000, 410, 51}, {0, 0, 51}};
enum { EPOCHS = sizeof example / sizeof *example, PAUSE = 12 * KERNELS + 4 };

typedef struct {
    page_t page;
    uint8_t owner[CORES];
    uint16_t asid[KERNELS], space[SPACES];
    tokens_policy_t policy;
    bool again;
    bool scene, counts;
    unsigned epoch, looks, pause, tokens; /* of the scenes */
    /* style */
    unsigned rate, missing[KERNELS], warps, base, every, other, one;
} env_t;

static void start(bench_t *b, env_t *e)
{
    e->space[0] = (uint16_t)vl_random_bits(&b->rng, ASID_W);
    e->space[1] = (uint16_t)(e->space[0] ^ 1u << vl_below(&b->rng, ASID_W));
    e->space[2] = (uint16_t)(~e->space[0] & ((1u << ASID_W) - 1));
    for (unsigned c = 0; c < CORES; c++)
        e->owner[c] = (uint8_t)vl_below(&b->rng, KERNELS);
    for (unsigned k = 0; k < KERNELS; k++)
        e->asid[k] = e->space[vl_below(&b->rng, SPACES)];
    const bool whole = b->cycles >= BENCH_CYCLES;
    e->scene = whole && b->seed % 8 == 1;
    e->counts = whole && b->seed % 8 == 6;
    if (e->counts)
        b->cycles += (FULL + MORE) / L2_TLB_PORTS + 4 * PAUSE;
    page_begin(&e->page);
}

static void style(bench_t *b, env_t *e)
{
    static const uint64_t shares[] = {102, 64, 127};
    e->rate = vl_below(&b->rng, 3) ? 256 : vl_below(&b->rng, 3) ? 20 + vl_below(&b->rng, 200) : 0;
    for (unsigned k = 0; k < KERNELS; k++)
        e->missing[k] = vl_below(&b->rng, 4) ? vl_below(&b->rng, 257) : vl_below(&b->rng, 2) ? 256 : 0;
    e->warps = 1 + vl_below(&b->rng, WARPS);
    e->base = vl_below(&b->rng, WARPS);
    e->every = vl_below(&b->rng, 4) ? 20 + vl_below(&b->rng, 200) : vl_below(&b->rng, 2) ? 14 : 2;
    e->other = vl_below(&b->rng, 3) ? 4000 : vl_below(&b->rng, 2) ? 60 : 5;
    e->one = vl_below(&b->rng, 2) ? vl_below(&b->rng, CORES) : CORES;
    e->policy.on = vl_below(&b->rng, 4) != 0;
    e->policy.share = (uint8_t)near(&b->rng, 127, shares, 3);
    e->policy.delta = (uint8_t)near(&b->rng, 127, (const uint64_t[]){20}, 1);
    e->policy.step =
        (uint8_t)(vl_below(&b->rng, 2) ? vl_below(&b->rng, 5) : near(&b->rng, 63, (const uint64_t[]){4}, 1));
}

static void look(bench_t *b, env_t *e, fill_tokens_in_t *in, unsigned port)
{
    const unsigned c = e->one < CORES ? e->one : vl_below(&b->rng, CORES), k = e->owner[c];
    if (vl_below(&b->rng, e->other) == 0)
        e->asid[k] = e->space[vl_below(&b->rng, SPACES)];
    in->look_valid |= (__typeof__(in->look_valid))(1u << port);
    in->look[port].core = (uint8_t)c;
    in->look[port].warp = (uint8_t)((e->base + vl_below(&b->rng, e->warps)) % WARPS);
    in->look[port].asid = e->asid[k];
    in->look[port].hit = !vl_chance(&b->rng, e->missing[k]);
}

/* The page's example: every warp looks up, kernel by kernel of core 0, and after each epoch its tokens are as it says. */
static void scene(bench_t *b, env_t *e, const fill_tokens_out_t *out, fill_tokens_in_t *in)
{
    const unsigned k = e->owner[0];
    e->policy = (tokens_policy_t){.on = true, .share = 102, .delta = 20, .step = 4};
    for (unsigned port = 0; port < L2_TLB_PORTS && e->looks < example[e->epoch].looks; port++) {
        in->look_valid |= (__typeof__(in->look_valid))(1u << port);
        in->look[port].core = 0;
        in->look[port].warp = (uint8_t)(e->looks % WARPS);
        in->look[port].asid = e->asid[k];
        in->look[port].hit = e->looks >= example[e->epoch].misses;
        e->looks++;
    }
    if (in->look_valid || e->pause == 0) {
        BENCH_CHECK(b, e->epoch > 1 || out->tokens[k].all, "a warp may not fill in the first epoch");
        e->pause = 1;
        return;
    }
    in->epoch = e->pause == 2;
    if (++e->pause < PAUSE)
        return;
    const unsigned less = e->tokens > 5 ? e->tokens - 4 : 1, more = e->tokens + 4 < WARPS ? e->tokens + 4 : WARPS,
                   expected[EPOCHS] = {0, (102 * WARPS + 127) / 128, less, e->tokens, more, e->tokens};
    e->tokens = WARPS == 64 ? example[e->epoch].tokens : expected[e->epoch];
    BENCH_CHECK(b, out->tokens[k].all == !e->tokens && out->tokens[k].tokens == e->tokens,
                "the example's epoch %u: %u tokens, the page says %u", e->epoch, out->tokens[k].tokens, e->tokens);
    e->pause = e->looks = 0;
    e->scene = ++e->epoch < EPOCHS;
}

/* After the rest of an epoch, one with more look-ups than are counted: all that are hit, and then one warp more misses; a short one in which all
 * hit, so that the rate is as before, and one in which one hits. */
static void count(bench_t *b, env_t *e, const fill_tokens_out_t *out, fill_tokens_in_t *in)
{
    const unsigned k = e->owner[0], looks[4] = {64, FULL + MORE, 64, 2048}, few = WARPS > 2 ? WARPS - 2 : 0;
    e->policy = (tokens_policy_t){.on = true, .share = (uint8_t)(128 * few / WARPS + 1), .delta = 0, .step = 1};
    for (unsigned port = 0; port < L2_TLB_PORTS && e->looks < looks[e->epoch]; port++, e->looks++) {
        in->look_valid |= (__typeof__(in->look_valid))(1u << port);
        in->look[port].core = 0;
        in->look[port].asid = e->asid[k];
        in->look[port].hit = e->epoch < 3 ? e->looks < FULL : e->looks == 0;
        in->look[port].warp = (uint8_t)(e->looks < FULL ? e->looks % (WARPS - 1) : WARPS - 1);
    }
    if (in->look_valid) {
        e->pause = 0;
        return;
    }
    in->epoch = e->pause++ == 1;
    if (e->pause < PAUSE)
        return;
    const unsigned tokens = !e->epoch ? 0 : e->epoch < 3 || !few ? few + 1 : few;
    BENCH_CHECK(b, out->tokens[k].all == !tokens && out->tokens[k].tokens == tokens,
                "%u tokens, and not %u, where more was looked up than is counted", out->tokens[k].tokens, tokens);
    e->looks = 0;
    e->counts = ++e->epoch < 4;
}

/* Policy values that put a result of the next edges just at a limit. */
static void limit(bench_t *b, env_t *e)
{
    const page_t *p = &e->page;
    if (!p->divide.busy || !p->divide.taken || b->no_page)
        return;
    const slot_t *s = &p->slot[p->divide.slot];
    const int apart = abs((int)p->divide.rate - (int)s->rate) - (int)vl_below(&b->rng, 2);
    if (apart >= 0 && apart < 128)
        e->policy.delta = (uint8_t)apart;
    if (vl_below(&b->rng, 2) == 0)
        e->policy.step =
            (uint8_t)(((p->divide.rate > s->rate ? s->tokens - 1 : WARPS - s->tokens) + vl_below(&b->rng, 2)) % 64);
}

static void stimulate(bench_t *b, env_t *e, const fill_tokens_out_t *out, fill_tokens_in_t *in)
{
    if (b->cycle % 250 == 0)
        style(b, e);
    fill_tokens_in_random(&b->rng, in);
    in->look_valid = 0;
    in->epoch = false;
    for (unsigned port = 0; port < L2_TLB_PORTS; port++)
        in->look[port].core = (uint8_t)vl_below(&b->rng, CORES);
    if (e->scene) {
        scene(b, e, out, in);
    } else if (e->counts) {
        count(b, e, out, in);
    } else {
        if (vl_below(&b->rng, 4 * e->other) == 0)
            e->owner[vl_below(&b->rng, CORES)] = (uint8_t)vl_below(&b->rng, KERNELS);
        for (unsigned port = 0; port < L2_TLB_PORTS; port++)
            if (vl_chance(&b->rng, e->rate))
                look(b, e, in, port);
        in->epoch = e->again || vl_below(&b->rng, e->every) == 0;
        e->again = in->epoch && vl_below(&b->rng, 8) == 0;
        if (vl_below(&b->rng, 3))
            limit(b, e);
        if (vl_below(&b->rng, 100) == 0)
            e->policy.on = !e->policy.on;
    }
    memcpy(in->owner, e->owner, sizeof in->owner);
    in->policy = e->policy;
}

static void expect(bench_t *b, page_t *page, const fill_tokens_in_t *in)
{
    page_expect(page, in);
    for (unsigned k = 0; k < NOTES; k++)
        BENCH_COVER(b, k, page->did[k]);
    /* Points that a machine of one port, one slot, one core cannot reach. */
    for (unsigned k = NOTE_OTHER_PORTS; k <= NOTE_PORTS_APART; k++)
        BENCH_COVER(b, k, k != NOTE_BACK && L2_TLB_PORTS == 1);
    BENCH_COVER(b, NOTE_PORTS_APART, KERNELS == 1);
    BENCH_COVER(b, NOTE_ALL_SLOTS, KERNELS > L2_TLB_PORTS);
    BENCH_COVER(b, NOTE_OWNER, KERNELS == 1);
}

SCOREBOARD_DRIVE_COVERED(fill_tokens, env_t, stimulate, expect)
BENCH_MAIN(fill_tokens, env_t, start, drive, cover, NOTES)
