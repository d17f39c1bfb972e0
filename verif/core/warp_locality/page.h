/* The page of warp_locality (docs/blocks/warp_locality.md) as a program: a warp's victims are sets of tags with the time of their last use, the queue is a line, and each round's passes are walks over a
 * list. What happened at an edge is noted for the bench's coverage. The step numbers are the page's. */
#ifndef VERIF_CORE_WARP_LOCALITY_PAGE_H
#define VERIF_CORE_WARP_LOCALITY_PAGE_H
#include "verif/common/scoreboard.h"
#include "warp_locality_ports.h"

enum {
    NOTE_HIT_WAYS, /* ccws; tcws by `entries` */
    NOTE_FILL_WAYS = NOTE_HIT_WAYS + 5,
    NOTE_REPLACE_WAYS = NOTE_FILL_WAYS + 5,
    NOTE_PUT_TWICE = NOTE_REPLACE_WAYS + 5,
    NOTE_PUT_TWICE_OLDEST,
    NOTE_LOOK_BEHIND_PUT,
    NOTE_LOOK_TWICE,
    NOTE_OTHERS_TAG,
    NOTE_FULL,
    NOTE_DROPPED_ONE,
    NOTE_DROPPED_TWO,
    NOTE_DROPPED_LEAVING,
    NOTE_OTHER_KIND,
    NOTE_FOUND_WEIGHT, /* by weight */
    NOTE_DEPTH = NOTE_FOUND_WEIGHT + 4,
    NOTE_PORTS_ADD = NOTE_DEPTH + 4,
    NOTE_GAIN_AND_POINTS,
    NOTE_GAIN_OF_TWO,
    NOTE_TOP,
    NOTE_OVER_TOP,
    NOTE_FALLS_TO_BASE,
    NOTE_FALL_GAIN,
    NOTE_DECAY_EACH,
    NOTE_DECAY_LONG,
    NOTE_DECAY_SHORTER,
    NOTE_DECAY_NEVER,
    NOTE_CLOCK_RESTS,
    NOTE_START_PASS, /* up, down */
    NOTE_END_PASS = NOTE_START_PASS + 2,
    NOTE_START_TAGS = NOTE_END_PASS + 2,
    NOTE_START_PUT,
    NOTE_START_LOOK,
    NOTE_START_END,
    NOTE_START_LEFT_OUT,
    NOTE_GONE_GAIN,
    NOTE_ENDS_HELD,
    NOTE_ENDS_DUE,
    NOTE_ORDER_SAME,
    NOTE_ORDER_TURNED,
    NOTE_LAST_TO_FIRST,
    NOTE_EQUAL,
    NOTE_TWO_RISE,
    NOTE_IDLE_SINKS,
    NOTE_CUTOFF_EXACT,
    NOTE_CUTOFF_OVER,
    NOTE_CUTOFF_FIRST,
    NOTE_CUTOFF_ALL,
    NOTE_LIMIT_EXACT,
    NOTE_LIMIT_OVER,
    NOTE_SUM_FULL,
    NOTE_TOP_IDLE,
    NOTE_DUE_HOLD, /* hold 0, 1, 2, more, 255 */
    NOTE_DUE_SENDS = NOTE_DUE_HOLD + 5,
    NOTE_DUE_STAYS,
    NOTE_DUE_STAYS_OUT,
    NOTE_SENT_IN_TIME,
    NOTE_SENT_EVERY_ROUND,
    NOTE_SENT_LAST_EDGE,
    NOTE_SENT_AT_REST,
    NOTE_STOPS,
    NOTE_BEGINS_ANEW,
    NOTE_OFF_HELD,
    NOTE_ON_AGAIN,
    NOTE_KIND_CHANGES,
    NOTE_ENTRIES_CHANGE,
    NOTE_FOURTH_MODE,
    NOTE_ALL_END,
    NOTES
};

enum { DEEP = LOCALITY_ENTRIES == 0 ? 1 : LOCALITY_ENTRIES, QUEUE = 4, TOP = 4095, LAST = 2 * WARPS - 1 };

typedef struct {
    uint64_t tag, used;
    unsigned way;
} victim_t;
typedef struct {
    unsigned n;
    victim_t v[DEEP];
} victims_t;
typedef struct {
    bool put;
    unsigned warp, weight;
    uint64_t tag;
} heard_t;
typedef struct {
    bool valid;
    unsigned warp, weight, sum;
} adds_t; /* found: weight; points: sum */

/* The state that a reset clears. */
typedef struct {
    victims_t set[WARPS][DEEP];
    heard_t queue[QUEUE], op;
    unsigned n;
    bool acts;
    adds_t found, points;
    unsigned extra[WARPS], clock, held[WARPS], order[WARPS], step, carry, limit, sum, rounds_out[WARPS];
    uint64_t next, eligible, due, sent;
    bool some;
} state_t;

typedef struct {
    state_t s;
    uint64_t active, time, ways[3][5];
    unsigned mode, entries, bottom, begun[WARPS];
    heard_t last;
    bool last_found, was_off, pass_moves, rested, ever;
    bool did[NOTES];
    warp_locality_out_t out;
} page_t;

static const uint64_t ALL_WARPS = ~0ull >> (64 - WARPS);

static void page_reset_state(state_t *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned i = 0; i < WARPS; i++)
        s->order[i] = i;
    s->eligible = ALL_WARPS;
}

static void page_begin(page_t *p)
{
    page_reset_state(&p->s);
    p->out.eligible = p->s.eligible;
}

/* 3: sets and ways in use. */
static unsigned page_in_use(const locality_policy_t *l)
{
    return l->mode == LOCALITY_TCWS && 2u << l->entries < DEEP ? 2u << l->entries : DEEP;
}
static unsigned page_ways(const locality_policy_t *l)
{
    return page_in_use(l) < LOCALITY_WAYS ? page_in_use(l) : LOCALITY_WAYS;
}

/* 2. */
static void page_hear(page_t *p, const warp_locality_in_t *in, unsigned places)
{
    state_t *s = &p->s;
    const locality_policy_t *l = &in->policy;
    heard_t heard[2];
    unsigned n = 0;
    s->points = (adds_t){0};
    const bool pages = in->missed_valid || in->page_out_valid || in->touch_valid;
    if (l->mode == LOCALITY_CCWS) {
        if (in->line_valid && in->line.miss)
            heard[n++] =
                (heard_t){.warp = in->line.warp, .tag = in->line.key, .weight = in->line.walked ? l->tlb_weight : 0};
        if (in->line_valid && in->line.evicted)
            heard[n++] = (heard_t){.put = true, .warp = in->line.of, .tag = in->line.old};
        p->did[NOTE_OTHER_KIND] |= pages && !n;
    } else {
        if (in->missed_valid)
            heard[n++] = (heard_t){.warp = in->missed.warp, .tag = in->missed.vpn};
        if (in->page_out_valid)
            heard[n++] = (heard_t){.put = true, .warp = in->page_out.of, .tag = in->page_out.vpn};
        unsigned ports = 0;
        for (unsigned k = 0; k < TLB_PORTS; k++)
            if ((uint64_t)in->touch_valid >> k & 1) {
                s->points.valid = true;
                s->points.warp = in->touch[k].warp;
                s->points.sum += l->depths[in->touch[k].depth];
                p->did[NOTE_DEPTH + in->touch[k].depth] |= p->active >> in->touch[k].warp & 1;
                ports++;
            }
        p->did[NOTE_PORTS_ADD] |= ports > 1 && s->points.sum > 1;
    }
    const unsigned takes = n < places ? n : places;
    for (unsigned i = 0; i < takes; i++)
        s->queue[s->n++] = heard[i];
    p->out.ev.loc_dropped = (uint8_t)(n - takes);
    p->did[NOTE_FULL] |= s->n == QUEUE;
    p->did[NOTE_DROPPED_ONE] |= takes == 1 && n == 2;
    p->did[NOTE_DROPPED_TWO] |= !takes && n == 2;
    p->did[NOTE_DROPPED_LEAVING] |= takes < n && s->n < QUEUE;
}

/* Each way in use has been found, filled, replaced: by kind of tags. */
static void page_way(page_t *p, const locality_policy_t *l, unsigned what, unsigned way)
{
    static const unsigned note[] = {NOTE_HIT_WAYS, NOTE_FILL_WAYS, NOTE_REPLACE_WAYS};
    const unsigned kind = l->mode == LOCALITY_CCWS ? 0 : 1 + l->entries;
    p->ways[what][kind] |= 1ull << way;
    p->did[note[what] + kind] |= p->ways[what][kind] == (1ull << page_ways(l)) - 1;
}

static void page_put(page_t *p, const locality_policy_t *l, victims_t *set, uint64_t tag)
{
    victim_t *v = NULL;
    uint64_t taken = 0;
    unsigned older = 0;
    for (unsigned i = 0; i < set->n; i++) {
        taken |= 1ull << set->v[i].way;
        if (set->v[i].tag == tag)
            v = &set->v[i];
    }
    for (unsigned i = 0; v && i < set->n; i++)
        older += set->v[i].used < v->used;
    p->did[NOTE_PUT_TWICE] |= v != NULL;
    p->did[NOTE_PUT_TWICE_OLDEST] |= v && !older && (set->n > 1 || page_ways(l) == 1);
    if (!v && set->n < page_ways(l)) {
        v = &set->v[set->n++];
        v->way = (unsigned)__builtin_ctzll(~taken);
        page_way(p, l, 1, v->way);
    } else if (!v) {
        v = &set->v[0];
        for (unsigned i = 1; i < set->n; i++)
            if (set->v[i].used < v->used)
                v = &set->v[i];
        page_way(p, l, 2, v->way);
    }
    v->tag = tag;
    v->used = ++p->time;
}

static void page_look(page_t *p, const locality_policy_t *l, victims_t *set, const heard_t *h, bool again)
{
    state_t *s = &p->s;
    unsigned i = 0;
    while (i < set->n && set->v[i].tag != h->tag)
        i++;
    const bool found = i < set->n;
    const unsigned which = (unsigned)(set - s->set[h->warp]);
    p->did[NOTE_LOOK_BEHIND_PUT] |= found && again && p->last.put;
    p->did[NOTE_LOOK_TWICE] |= !found && again && !p->last.put && p->last_found;
    for (unsigned w = 0; w < WARPS && !found; w++)
        for (unsigned k = 0; k < s->set[w][which].n; k++)
            p->did[NOTE_OTHERS_TAG] |= s->set[w][which].v[k].tag == h->tag;
    p->last_found = found;
    if (!found)
        return;
    s->found = (adds_t){.valid = true, .warp = h->warp, .weight = h->weight};
    page_way(p, l, 0, set->v[i].way);
    set->v[i] = set->v[--set->n];
    p->did[NOTE_FOUND_WEIGHT + h->weight] |= l->mode == LOCALITY_CCWS;
    p->out.ev.loc_found = true;
}

/* 3. */
static void page_tags(page_t *p, const warp_locality_in_t *in, unsigned waiting)
{
    state_t *s = &p->s;
    s->found = (adds_t){0};
    if (!s->acts) {
        s->acts = waiting != 0;
        s->op = s->queue[0];
        if (s->acts)
            memmove(s->queue, s->queue + 1, --s->n * sizeof *s->queue);
        return;
    }
    s->acts = false;
    const heard_t *h = &s->op;
    const unsigned sets = page_in_use(&in->policy) / page_ways(&in->policy);
    victims_t *set = &s->set[h->warp][h->tag % sets];
    const bool again = p->ever && p->last.warp == h->warp && p->last.tag == h->tag;
    *(h->put ? &p->out.ev.loc_puts : &p->out.ev.loc_looks) = true;
    if (h->put)
        page_put(p, &in->policy, set, h->tag);
    else
        page_look(p, &in->policy, set, h, again);
    p->last = *h;
    p->ever = true;
    const bool starts = in->start_valid && in->start.warp == h->warp;
    p->did[NOTE_START_PUT] |= starts && h->put;
    p->did[NOTE_START_LOOK] |= starts && s->found.valid;
}

/* 1: the tags of who starts, after 3. */
static void page_start_tags(page_t *p, const warp_locality_in_t *in)
{
    if (!in->start_valid)
        return;
    for (unsigned k = 0; k < DEEP; k++) {
        p->did[NOTE_START_TAGS] |= p->s.set[in->start.warp][k].n != 0;
        p->s.set[in->start.warp][k].n = 0;
    }
}

/* 4. `after`: active'. */
static void page_scores(page_t *p, const warp_locality_in_t *in, uint64_t after, const adds_t *found,
                        const adds_t *points)
{
    state_t *s = &p->s;
    const unsigned decay = in->policy.decay, count = s->clock + 1;
    bool some = false;
    for (unsigned w = 0; w < WARPS; w++)
        some |= s->extra[w] != 0;
    const bool falls = some && decay && count >= decay;
    p->did[NOTE_DECAY_EACH] |= decay == 1 && some;
    p->did[NOTE_DECAY_LONG] |= decay == 255 && falls && count == 255;
    p->did[NOTE_DECAY_SHORTER] |= falls && count > decay;
    p->did[NOTE_DECAY_NEVER] |= !decay && some;
    p->did[NOTE_CLOCK_RESTS] |= decay && !some && s->clock;
    s->clock = falls || !some || !decay ? 0 : count;
    for (unsigned w = 0; w < WARPS; w++) {
        const bool stays = (p->active & after) >> w & 1;
        const unsigned old = s->extra[w],
                       gain = found->valid && found->warp == w ? (unsigned)in->policy.gain << found->weight : 0,
                       sum = points->valid && points->warp == w ? points->sum : 0, less = falls && old,
                       now = old + gain + sum - less;
        s->extra[w] = !stays ? 0 : now > TOP ? TOP : now;
        p->did[NOTE_GONE_GAIN] |= !stays && gain;
        if (!stays)
            continue;
        p->did[NOTE_GAIN_AND_POINTS] |= gain && sum;
        p->did[NOTE_GAIN_OF_TWO] |= gain && points->valid && points->warp != w && points->sum;
        p->did[NOTE_FALL_GAIN] |= less && gain + sum;
        p->did[NOTE_FALLS_TO_BASE] |= less && !now;
        p->did[NOTE_TOP] |= now == TOP && old < TOP;
        p->did[NOTE_OVER_TOP] |= now > TOP && old < TOP;
    }
}

/* 5: does a stand before b? */
static bool page_greater(const page_t *p, const unsigned *extra, unsigned a, unsigned b)
{
    const bool x = p->active >> a & 1, y = p->active >> b & 1;
    return x != y ? x : extra[a] > extra[b];
}

static void page_up(page_t *p, const warp_locality_in_t *in, const unsigned *extra)
{
    state_t *s = &p->s;
    const unsigned i = WARPS - 1 - s->step, c = s->step ? s->carry : s->order[WARPS - 1];
    if (!s->step) {
        p->pass_moves = false;
        p->bottom = c;
        s->limit = 0;
    }
    if (p->active >> s->step & 1)
        s->limit += in->policy.base;
    if (!i) {
        s->order[0] = c;
        p->did[NOTE_ORDER_SAME] |= !p->pass_moves;
        p->did[NOTE_LAST_TO_FIRST] |= c == p->bottom && WARPS > 2;
        bool turned = true;
        for (unsigned k = 0; k < WARPS; k++)
            turned &= s->order[k] == WARPS - 1 - k;
        p->did[NOTE_ORDER_TURNED] |= turned;
        return;
    }
    const unsigned a = s->order[i - 1];
    const bool rises = page_greater(p, extra, c, a);
    s->order[i] = rises ? a : c;
    s->carry = rises ? c : a;
    p->did[NOTE_EQUAL] |= extra[a] == extra[c] && extra[a];
    p->did[NOTE_TWO_RISE] |= !rises && p->pass_moves && extra[a] > extra[c];
    p->did[NOTE_IDLE_SINKS] |= rises && !(p->active >> a & 1) && a < c;
    p->pass_moves |= rises;
}

static void page_down(page_t *p, const warp_locality_in_t *in, const unsigned *extra)
{
    state_t *s = &p->s;
    const unsigned i = s->step - WARPS, w = s->order[i], cutoff = in->policy.cutoff;
    const bool active = p->active >> w & 1;
    if (!i) {
        s->sum = 0;
        s->some = false;
    }
    const unsigned all = s->sum + (active ? in->policy.base + extra[w] : 0), most = cutoff ? cutoff : s->limit;
    const bool fits = (all > 65535 ? 65535 : all) <= most, goes = !active || !s->some || fits;
    p->did[cutoff ? NOTE_CUTOFF_EXACT : NOTE_LIMIT_EXACT] |= active && s->some && all == most;
    p->did[cutoff ? NOTE_CUTOFF_OVER : NOTE_LIMIT_OVER] |= active && s->some && !fits;
    p->did[NOTE_CUTOFF_FIRST] |= active && !s->some && !fits;
    p->did[NOTE_CUTOFF_ALL] |= i == WARPS - 1 && fits && s->sum && cutoff;
    p->did[NOTE_SUM_FULL] |= all > 65535;
    p->did[NOTE_TOP_IDLE] |= !i && !active;
    s->next = (s->next & ~(1ull << w)) | (uint64_t)goes << w;
    s->sum = all > 65535 ? 65535 : all;
    s->some |= active;
}

/* 6, at the last edge of a round. */
static void page_bound(page_t *p, const warp_locality_in_t *in, uint64_t after, uint64_t sends)
{
    state_t *s = &p->s;
    const unsigned hold = in->policy.hold, most = hold ? hold * 4 : 1;
    unsigned due = 0;
    for (unsigned w = 0; w < WARPS; w++) {
        const uint64_t me = 1ull << w;
        const bool was = s->due & me, sent = s->sent & me, next = s->next & me, stays = after & p->active & me;
        if (sent) {
            s->rounds_out[w] = next ? 0 : s->rounds_out[w] + 1;
            p->did[NOTE_SENT_EVERY_ROUND] |= stays && s->rounds_out[w] > 3;
            p->did[NOTE_SENT_IN_TIME] |= stays && !next && !was && s->held[w] >= most;
            p->did[NOTE_SENT_LAST_EDGE] |= stays && !next && (sends & me);
            p->did[NOTE_DUE_SENDS] |= stays && was;
            s->held[w] = 0;
            s->due &= ~me;
            continue;
        }
        s->rounds_out[w] = 0;
        p->did[next ? NOTE_DUE_STAYS : NOTE_DUE_STAYS_OUT] |= stays && was;
        if (was)
            continue;
        if (next) {
            s->held[w] = 0;
        } else if (s->held[w] < most) {
            s->held[w]++;
        } else {
            s->due |= me;
            due += stays;
            p->did[NOTE_DUE_HOLD + (hold < 3 ? hold : hold < 255 ? 3 : 4)] |= stays;
        }
    }
    p->out.ev.loc_due = (uint8_t)due;
    s->eligible = s->next | s->due;
    s->sent = 0;
}

/* 5 and 6. */
static void page_round(page_t *p, const warp_locality_in_t *in, uint64_t after, const unsigned *extra)
{
    state_t *s = &p->s;
    bool some = false;
    for (unsigned w = 0; w < WARPS; w++)
        some |= extra[w] != 0;
    const bool lsu = in->issue_valid && in->issue.first && in->issue.pipe == PIPE_LSU;
    const uint64_t sends = lsu ? 1ull << in->issue.warp : 0, ends = p->active & ~after, starts = after & ~p->active;
    const bool rests = !s->step && !some && s->eligible == ALL_WARPS && !s->due && !in->policy.cutoff;
    p->did[NOTE_STOPS] |= rests && !p->rested && p->ever;
    p->did[NOTE_BEGINS_ANEW] |= !rests && p->rested;
    p->did[NOTE_SENT_AT_REST] |= rests && sends;
    p->did[NOTE_ENDS_HELD] |= (ends & ~s->eligible) != 0;
    p->did[NOTE_ENDS_DUE] |= (ends & s->due) != 0;
    p->rested = rests;
    s->sent = rests ? 0 : s->sent | sends;
    if (!rests) {
        const bool down = s->step >= WARPS, last = s->step == LAST;
        p->did[NOTE_START_PASS + down] |= starts && s->step % WARPS;
        p->did[NOTE_END_PASS + down] |= ends && s->step % WARPS && after;
        if (down)
            page_down(p, in, extra);
        else
            page_up(p, in, extra);
        p->did[NOTE_START_LEFT_OUT] |= last && (starts & ~s->next);
        if (last)
            page_bound(p, in, after, sends);
        s->step = last ? 0 : s->step + 1;
    }
    for (unsigned w = 0; w < WARPS; w++)
        if (!((p->active & after) >> w & 1)) { /* warps that begin or end at this edge, and slots without a warp */
            s->held[w] = 0;
            s->sent &= ~(1ull << w);
            s->due &= ~(1ull << w);
            s->eligible |= 1ull << w;
        }
}

/* 0. */
static bool page_rest(page_t *p, const warp_locality_in_t *in)
{
    state_t *s = &p->s;
    const unsigned asked = in->policy.mode,
                   mode = asked == LOCALITY_CCWS || asked == LOCALITY_TCWS ? asked : LOCALITY_OFF;
    const bool off = mode == LOCALITY_OFF, other = mode != p->mode || in->policy.entries != p->entries;
    p->did[NOTE_OFF_HELD] |= off && s->eligible != ALL_WARPS;
    p->did[NOTE_FOURTH_MODE] |= asked == 3 && p->mode;
    p->did[NOTE_KIND_CHANGES] |= !off && p->mode && mode != p->mode && s->set[0][0].n;
    p->did[NOTE_ENTRIES_CHANGE] |= mode == LOCALITY_TCWS && mode == p->mode && other && s->set[0][0].n;
    p->did[NOTE_ON_AGAIN] |= !off && p->was_off && p->ever;
    for (unsigned w = 0; w < WARPS; w++)
        p->did[NOTE_ALL_END] |= !off && !other && !p->active && s->set[w][0].n;
    p->was_off = off;
    p->mode = mode;
    p->entries = in->policy.entries;
    return off || other || !p->active;
}

/* The numbered edge. */
static void page_expect(page_t *p, const warp_locality_in_t *in)
{
    state_t *s = &p->s;
    memset(p->did, 0, sizeof p->did);
    memset(&p->out.ev, 0, sizeof p->out.ev);
    uint64_t after = p->active;
    if (in->start_valid)
        after |= 1ull << in->start.warp;
    if (in->warp_done_valid)
        after &= ~(1ull << in->warp_done);
    p->did[NOTE_START_END] = in->start_valid && in->warp_done_valid;
    if (page_rest(p, in)) {
        page_reset_state(s);
    } else {
        unsigned extra[WARPS];
        memcpy(extra, s->extra, sizeof extra);
        const adds_t found = s->found, points = s->points;
        const unsigned waiting = s->n;
        p->out.ev.loc_held = (uint8_t)__builtin_popcountll(p->active & ~s->eligible);
        page_tags(p, in, waiting);
        page_hear(p, in, QUEUE - waiting);
        page_start_tags(p, in);
        page_scores(p, in, after, &found, &points);
        page_round(p, in, after, extra);
    }
    p->active = after;
    p->out.eligible = s->eligible;
}
#endif
