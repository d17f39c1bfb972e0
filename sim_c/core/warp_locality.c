/* Twin of rtl/core/warp_locality.sv: which warps may issue memory instructions (docs/blocks/warp_locality.md). Step numbers are the page's. Sets of warps are
 * bits of a word. */
#include "sim_c/common/bits.h"
#include "warp_locality_ports.h"
#include <string.h>

enum { ENTRIES = LOCALITY_TAGS, WAYS = LOCALITY_WAYS, QUEUE = 4, MOST_SCORE = 4095, MOST_SUM = 65535, MOST_HELD = 255 };
#define ALL (UINT64_MAX >> (64 - WARPS))

/* An event that waits: a tag to be looked for, or to be put. */
typedef struct {
    uint64_t tag;
    bool put;
    uint8_t warp, weight;
} waits_t;

typedef struct {
    uint64_t tag[ENTRIES];
    uint8_t age[ENTRIES]; /* a permutation in each set */
    uint32_t valid;
} victims_t;

struct warp_locality {
    uint8_t mode, entries; /* as of the last edge: with others everything begins anew */
    bool down; /* the pass under way */
    uint8_t step, clock, queued;
    uint8_t order[WARPS], held[WARPS], carry;
    uint16_t score[WARPS], sum;
    uint64_t was, next, eligible, due, sent; /* warps. was: active at the last edge */
    bool found; /* the look of the last edge has found its tag */
    uint8_t found_warp, found_weight;
    waits_t queue[QUEUE];
    victims_t victims[WARPS];
    ev_warp_locality_t ev;
};

size_t warp_locality_size(void)
{
    return sizeof(struct warp_locality);
}

static void begin_tags(victims_t *v)
{
    v->valid = 0;
    for (unsigned k = 0; k < ENTRIES; k++)
        v->age[k] = (uint8_t)(k % WAYS);
}

void warp_locality_reset(warp_locality_t *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned w = 0; w < WARPS; w++) {
        s->order[w] = (uint8_t)w;
        begin_tags(&s->victims[w]);
    }
    s->step = WARPS - 1;
    s->next = s->eligible = ALL;
}

void warp_locality_out(const warp_locality_t *s, warp_locality_out_t *o)
{
    o->eligible = s->eligible;
    o->ev = s->ev;
}

/* What the steps of an edge give to each other. */
typedef struct {
    const locality_policy_t *policy;
    uint64_t active;
    uint64_t gains; /* warps that gain something, */
    uint32_t gain[WARPS]; /* and what: only theirs is set */
} edge_t;

static void add(edge_t *e, unsigned w, unsigned gain)
{
    e->gain[w] = (e->gains >> w & 1 ? e->gain[w] : 0) + gain;
    e->gains |= BIT(w);
}

/* ---- steps 1 and 2 ---- */

static void hear(warp_locality_t *s, waits_t w)
{
    if (s->queued == QUEUE)
        s->ev.loc_dropped++;
    else
        s->queue[s->queued++] = w;
}

/* Step 1. What leaves the queue at this edge makes no room for it. */
static void listen(warp_locality_t *s, const warp_locality_in_t *in, edge_t *e)
{
    if (s->mode == LOCALITY_CCWS) {
        const line_event_t *l = &in->line;
        if (in->line_valid && l->miss)
            hear(s, (waits_t){.tag = l->key, .warp = l->warp, .weight = l->tlb_missed ? e->policy->tlb_weight : 0});
        if (in->line_valid && l->evicted)
            hear(s, (waits_t){.put = true, .tag = l->old, .warp = l->of});
        return;
    }
    for EACH(p, in->page_valid) {
        const page_event_t *g = &in->page[p];
        if (g->hit)
            add(e, g->warp, e->policy->depths[g->depth]);
        else
            hear(s, (waits_t){.tag = g->vpn, .warp = g->warp});
    }
    if (in->page_out_valid)
        hear(s, (waits_t){.put = true, .tag = in->page_out.vpn, .warp = in->page_out.of});
}

/* The tags that a warp has: tcws takes some of them. A set is WAYS places, of which the first `ways` are used. */
typedef struct {
    unsigned ways, at;
} set_t;

static set_t set_of(const warp_locality_t *s, uint64_t tag)
{
    const unsigned some = 2u << s->entries, n = s->mode == LOCALITY_TCWS && some < ENTRIES ? some : ENTRIES;
    const unsigned ways = n < WAYS ? n : WAYS;
    return (set_t){ways, (unsigned)(tag % (n / ways)) * WAYS};
}

static int place_of(const victims_t *v, set_t set, uint64_t tag)
{
    for (unsigned k = set.at; k < set.at + set.ways; k++)
        if (v->valid >> k & 1 && v->tag[k] == tag)
            return (int)k;
    return -1;
}

static void put(victims_t *v, set_t set, uint64_t tag)
{
    int at = place_of(v, set, tag);
    const uint32_t all = (uint32_t)(BIT(set.ways) - 1) << set.at, empty = all & ~v->valid;
    if (at < 0 && empty)
        at = __builtin_ctz(empty);
    for (unsigned k = set.at; at < 0; k++)
        if (v->age[k] == set.ways - 1)
            at = (int)k;
    v->tag[at] = tag;
    v->valid |= 1u << at;
    for (unsigned k = set.at; k < set.at + set.ways; k++)
        v->age[k] += v->age[k] < v->age[at];
    v->age[at] = 0;
}

/* Step 2: the head acts. */
static void act(warp_locality_t *s)
{
    const waits_t q = s->queue[0];
    victims_t *v = &s->victims[q.warp];
    const set_t set = set_of(s, q.tag);
    for (unsigned k = 1; k < s->queued; k++)
        s->queue[k - 1] = s->queue[k];
    s->queued--;
    if (q.put) {
        s->ev.loc_puts = true;
        put(v, set, q.tag);
        return;
    }
    s->ev.loc_looks = true;
    const int at = place_of(v, set, q.tag);
    if (at < 0)
        return;
    v->valid &= ~(1u << at);
    s->found = true;
    s->found_warp = q.warp;
    s->found_weight = q.weight;
}

/* ---- step 3 ---- */

static void set_score(warp_locality_t *s, unsigned w, unsigned score, unsigned base)
{
    s->changed |= s->score[w] != score;
    s->score[w] = (uint16_t)score;
    s->above = (s->above & ~BIT(w)) | (uint64_t)(score > base) << w;
}

/* Does every score above `base` fall by one at this edge? */
static bool falls(warp_locality_t *s, unsigned decay)
{
    if (!s->above || !decay)
        s->clock = 0;
    else if (++s->clock >= decay)
        return !(s->clock = 0);
    return false;
}

static void scores(warp_locality_t *s, edge_t *e)
{
    const unsigned base = e->policy->base;
    const bool fall = falls(s, e->policy->decay);
    uint64_t moves = e->gains | (fall ? s->above : 0);
    if (s->policy.base != base)
        moves = ALL;
    for EACH(w, moves & e->active & s->was) {
        unsigned v = s->score[w] + (e->gains >> w & 1 ? e->gain[w] : 0) - (fall && s->above >> w & 1);
        v = v < MOST_SCORE ? v : MOST_SCORE;
        set_score(s, (unsigned)w, v > base ? v : base, base);
    }
    for EACH(w, e->active & ~s->was) {
        set_score(s, (unsigned)w, base, base);
        begin_tags(&s->victims[w]);
    }
    for EACH(w, s->was & ~e->active)
        set_score(s, (unsigned)w, 0, base);
}

/* ---- steps 4 and 5 ---- */

static void up(warp_locality_t *s)
{
    const unsigned i = s->step, c = i == WARPS - 1 ? s->order[i] : s->carry;
    unsigned stays = c;
    if (i) {
        const unsigned b = s->order[i - 1];
        const bool rises = s->score[c] > s->score[b];
        stays = rises ? b : c;
        s->carry = (uint8_t)(rises ? c : b);
        s->step--;
    } else {
        s->down = true;
        s->sum = 0;
    }
    s->changed |= s->order[i] != stays;
    s->order[i] = (uint8_t)stays;
}

/* Step 5. `sent`: in this round. */
static void bound(warp_locality_t *s, const edge_t *e, uint64_t sent)
{
    const uint64_t due = s->due;
    for EACH(w, e->active) {
        if ((s->next | sent) >> w & 1) {
            s->held[w] = 0;
            s->due &= ~(sent & BIT(w));
        } else {
            if (s->held[w] + 1u > e->policy->hold)
                s->due |= BIT(w);
            s->held[w] += s->held[w] < MOST_HELD;
        }
    }
    s->ev.loc_due = (uint8_t)__builtin_popcountll(s->due & ~due);
    s->eligible = s->next | due;
}

static void down(warp_locality_t *s, const edge_t *e, uint64_t sent)
{
    const unsigned w = s->order[s->step], sum = s->sum + s->score[w];
    const bool fits = !(e->active >> w & 1) || !s->step || sum <= e->policy->cutoff;
    s->sum = (uint16_t)(sum < MOST_SUM ? sum : MOST_SUM);
    s->next = (s->next & ~BIT(w)) | (uint64_t)fits << w;
    if (++s->step < WARPS)
        return;
    bound(s, e, sent);
    s->down = false;
    s->step = WARPS - 1;
}

/* Is there something for a round to find? */
static bool due_to_begin(const warp_locality_t *s)
{
    return s->changed || s->holding;
}
