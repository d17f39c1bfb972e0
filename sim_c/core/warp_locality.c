/* Twin of rtl/core/warp_locality.sv: which warps may issue memory instructions (docs/blocks/warp_locality.md). Step numbers are the page's. Sets of warps are
 * bits of a word. */
#include "sim_c/common/bits.h"
#include "warp_locality_ports.h"
#include <string.h>

enum {
    ENTRIES = LOCALITY_ENTRIES > 0 ? LOCALITY_ENTRIES : 1,
    WAYS = LOCALITY_ENTRIES > 0 ? LOCALITY_WAYS : 1,
    QUEUE = 4,
    ROUND = 2 * WARPS,
    MOST_EXTRA = 4095,
    MOST_SUM = 65535
};
#define ALL (UINT64_MAX >> (64 - WARPS))

/* A tag to be looked for, or to be put. */
typedef struct {
    uint64_t tag;
    bool put;
    uint8_t warp, weight;
} victim_op_t;

typedef struct {
    uint64_t tag[ENTRIES]; /* a set is WAYS places side by side */
    uint8_t age[ENTRIES]; /* a permutation in each set, 0 the youngest */
    uint64_t valid;
} victims_t;

struct warp_locality {
    uint64_t active; /* warps */
    uint8_t mode, entries; /* the policy as of the last edge */
    bool blank; /* all that follows is the reset state */
    bool still; /* edges change nothing until an input is active */
    /* received events */
    uint8_t queued;
    victim_op_t queue[QUEUE], op;
    bool op_valid, found, points;
    uint8_t found_warp, found_weight, points_warp;
    uint16_t points_sum;
    victims_t victims[WARPS];
    /* scores */
    uint64_t extras; /* warps with extra above 0 */
    uint16_t extra[WARPS];
    uint8_t clock;
    /* the round */
    uint8_t step, order[WARPS], carry;
    uint16_t limit, sum;
    bool some;
    uint64_t next;
    /* the bound */
    uint64_t sent, due, eligible;
    uint16_t held[WARPS];
    ev_warp_locality_t ev;
};

size_t warp_locality_size(void)
{
    return sizeof(struct warp_locality);
}

/* The reset state. */
static void begin_anew(warp_locality_t *s)
{
    memset(&s->queued, 0, sizeof *s - offsetof(struct warp_locality, queued));
    for (unsigned w = 0; w < WARPS; w++) {
        s->order[w] = (uint8_t)w;
        for (unsigned k = 0; k < ENTRIES; k++)
            s->victims[w].age[k] = (uint8_t)(k % WAYS);
    }
    s->eligible = ALL;
    s->blank = true;
}

void warp_locality_reset(warp_locality_t *s)
{
    memset(s, 0, sizeof *s);
    begin_anew(s);
}

void warp_locality_out(const warp_locality_t *s, warp_locality_out_t *o)
{
    o->eligible = s->eligible;
    o->ev = s->ev;
}

/* Step 2: `room` is that of before the edge. */
static void hear(warp_locality_t *s, unsigned *room, victim_op_t op)
{
    if (!*room) {
        s->ev.loc_dropped++;
        return;
    }
    s->queue[s->queued++] = op;
    --*room;
}

static void listen_to_lines(warp_locality_t *s, const warp_locality_in_t *in, unsigned room)
{
    const line_event_t *l = &in->line;
    if (in->line_valid && l->miss)
        hear(s, &room, (victim_op_t){.tag = l->key, .warp = l->warp, .weight = l->walked ? in->policy.tlb_weight : 0});
    if (in->line_valid && l->evicted)
        hear(s, &room, (victim_op_t){.put = true, .tag = l->old, .warp = l->of});
}

static void listen_to_pages(warp_locality_t *s, const warp_locality_in_t *in, unsigned room)
{
    if (in->missed_valid)
        hear(s, &room, (victim_op_t){.tag = in->missed.vpn, .warp = in->missed.warp});
    if (in->page_out_valid)
        hear(s, &room, (victim_op_t){.put = true, .tag = in->page_out.vpn, .warp = in->page_out.of});
    s->points = in->touch_valid != 0;
    s->points_sum = 0;
    for EACH(p, in->touch_valid) {
        s->points_warp = in->touch[p].warp;
        s->points_sum += in->policy.depths[in->touch[p].depth];
    }
}

/* Step 3: the set of a tag, of the ways that are in use. */
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

static void put(victims_t *v, set_t set, uint64_t tag, int match)
{
    const uint64_t unused = ~v->valid & (BIT(set.ways) - 1) << set.at;
    unsigned at = set.at;
    for (unsigned k = set.at; k < set.at + set.ways; k++)
        at = v->age[k] > v->age[at] ? k : at;
    at = match >= 0 ? (unsigned)match : unused ? (unsigned)__builtin_ctzll(unused) : at;
    v->tag[at] = tag;
    v->valid |= BIT(at);
    const uint8_t was = v->age[at];
    for (unsigned k = set.at; k < set.at + set.ways; k++)
        v->age[k] += v->age[k] < was;
    v->age[at] = 0;
}

static void act(warp_locality_t *s)
{
    const victim_op_t *q = &s->op;
    victims_t *v = &s->victims[q->warp];
    const set_t set = set_of(s, q->tag);
    const int match = place_of(v, set, q->tag);
    if (q->put) {
        s->ev.loc_puts = true;
        put(v, set, q->tag, match);
        return;
    }
    s->ev.loc_looks = true;
    if (match < 0)
        return;
    v->valid &= ~BIT(match);
    s->ev.loc_found = s->found = true;
    s->found_warp = q->warp;
    s->found_weight = q->weight;
}

static void tags(warp_locality_t *s)
{
    s->found = false;
    if (s->op_valid) {
        act(s);
        s->op_valid = false;
    } else if (s->queued) {
        s->op_valid = true;
        s->op = s->queue[0];
        memmove(s->queue, s->queue + 1, --s->queued * sizeof *s->queue);
    }
}

/* Step 4. */
static void set_extra(warp_locality_t *s, unsigned w, unsigned extra)
{
    s->extra[w] = (uint16_t)(extra < MOST_EXTRA ? extra : MOST_EXTRA);
    s->extras = (s->extras & ~BIT(w)) | (uint64_t)(extra != 0) << w;
}

static bool clock_falls(warp_locality_t *s, unsigned decay)
{
    if (!decay || !s->extras) {
        s->clock = 0;
        return false;
    }
    const bool falls = s->clock + 1u >= decay;
    s->clock = falls ? 0 : s->clock + 1;
    return falls;
}

static void scores(warp_locality_t *s, const locality_policy_t *p, uint64_t stays)
{
    const bool falls = clock_falls(s, p->decay);
    const uint64_t found = s->found ? BIT(s->found_warp) : 0, points = s->points ? BIT(s->points_warp) : 0;
    for EACH(w, (found | points | (falls ? s->extras : 0)) & stays) {
        unsigned v = s->extra[w] - (falls && s->extra[w]);
        v += (found >> w & 1 ? (unsigned)p->gain << s->found_weight : 0) + (points >> w & 1 ? s->points_sum : 0);
        set_extra(s, (unsigned)w, v);
    }
    for EACH(w, s->extras & ~stays)
        set_extra(s, (unsigned)w, 0);
}

/* Step 5: {active, extra} of a warp, and its score. */
static unsigned rank(const warp_locality_t *s, unsigned w)
{
    return (unsigned)(s->active >> w & 1) << 12 | s->extra[w];
}

static void up(warp_locality_t *s, unsigned base)
{
    const unsigned i = WARPS - 1u - s->step, c = s->step ? s->carry : s->order[i];
    s->limit = (uint16_t)((s->step ? s->limit : 0) + (s->active >> s->step & 1 ? base : 0));
    s->order[i] = (uint8_t)c;
    if (!i)
        return;
    const unsigned a = s->order[i - 1];
    const bool rises = rank(s, c) > rank(s, a);
    s->order[i] = (uint8_t)(rises ? a : c);
    s->carry = (uint8_t)(rises ? c : a);
}

static void down(warp_locality_t *s, const locality_policy_t *p)
{
    const unsigned i = s->step - WARPS, w = s->order[i];
    const bool active = s->active >> w & 1, some = i && s->some;
    const unsigned sum = (i ? s->sum : 0) + (active ? p->base + s->extra[w] : 0u),
                   most = sum < MOST_SUM ? sum : MOST_SUM;
    const bool may = !active || !some || most <= (p->cutoff ? p->cutoff : s->limit);
    s->next = (s->next & ~BIT(w)) | (uint64_t)may << w;
    s->sum = (uint16_t)most;
    s->some = some || active;
}

/* Step 6, at the end of a round. */
static void bound(warp_locality_t *s, unsigned hold, uint64_t stays)
{
    const unsigned most = hold ? 4 * hold : 1;
    const uint64_t due = s->due;
    s->due &= ~s->sent;
    for EACH(w, ALL & ~s->due) {
        if ((s->sent | s->next) >> w & 1)
            s->held[w] = 0;
        else if (s->held[w] >= most)
            s->due |= BIT(w);
        else
            s->held[w]++;
    }
    s->ev.loc_due = (uint8_t)__builtin_popcountll(s->due & ~due & stays);
    s->eligible = s->next | s->due;
    s->sent = 0;
}

/* Steps 5 and 6. */
static bool rounds_rest(const warp_locality_t *s, unsigned cutoff)
{
    return !s->step && !s->extras && s->eligible == ALL && !s->due && !cutoff;
}

static void go_round(warp_locality_t *s, const warp_locality_in_t *in, uint64_t stays)
{
    if (rounds_rest(s, in->policy.cutoff)) {
        s->sent = 0;
        return;
    }
    if (in->issue_valid && in->issue.first && in->issue.pipe == PIPE_LSU)
        s->sent |= BIT(in->issue.warp);
    if (s->step < WARPS)
        up(s, in->policy.base);
    else
        down(s, &in->policy);
    if (++s->step == ROUND) {
        s->step = 0;
        bound(s, in->policy.hold, stays);
    }
}

/* Step 6, over all of it: warps that are not active, no more, or not before this edge. */
static void let_go(warp_locality_t *s, uint64_t warps)
{
    s->sent &= ~warps;
    s->due &= ~warps;
    s->eligible |= warps;
    for EACH(w, warps)
        s->held[w] = 0;
}

static bool rests(const warp_locality_t *s, const locality_policy_t *p)
{
    static const ev_warp_locality_t none;
    return !s->queued && !s->op_valid && !s->found && !s->points && !s->clock && !s->sent && rounds_rest(s, p->cutoff)
           && !memcmp(&s->ev, &none, sizeof none);
}

void warp_locality_tick(warp_locality_t *s, const warp_locality_in_t *in)
{
    const uint8_t mode =
        in->policy.mode == LOCALITY_CCWS || in->policy.mode == LOCALITY_TCWS ? in->policy.mode : LOCALITY_OFF;
    const bool anew = mode == LOCALITY_OFF || mode != s->mode || in->policy.entries != s->entries || !s->active;
    const uint64_t starts = in->start_valid ? BIT(in->start.warp) : 0,
                   active = (s->active | starts) & ~(in->warp_done_valid ? BIT(in->warp_done) : 0);
    s->mode = mode;
    s->entries = in->policy.entries;
    if (anew) { /* step 0 */
        if (!s->blank)
            begin_anew(s);
        s->still = mode == LOCALITY_OFF || !active;
        s->active = active;
        return;
    }
    const unsigned room = QUEUE - s->queued;
    const uint64_t stays = active & s->active;
    s->blank = false;
    s->ev = (ev_warp_locality_t){.loc_held = (uint8_t)__builtin_popcountll(s->active & ~s->eligible)};
    go_round(s, in, stays);
    scores(s, &in->policy, stays);
    tags(s);
    s->points = false;
    if (mode == LOCALITY_CCWS)
        listen_to_lines(s, in, room);
    else
        listen_to_pages(s, in, room);
    if (starts)
        s->victims[in->start.warp].valid = 0;
    let_go(s, ALL & ~stays);
    s->active = active;
    s->still = active && rests(s, &in->policy); /* without active warps the next edge performs step 0 */
}

bool warp_locality_idle(const warp_locality_t *s)
{
    return s->still;
}
