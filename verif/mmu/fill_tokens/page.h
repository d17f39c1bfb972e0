/* The page of fill_tokens (docs/blocks/fill_tokens.md) as a program: of each slot the look-ups of its address space in this epoch; rates are quotients, and a division is a result with the edge
 * at which it is there. Events of an edge are noted for the bench's coverage. */
#ifndef VERIF_MMU_FILL_TOKENS_PAGE_H
#define VERIF_MMU_FILL_TOKENS_PAGE_H
#include "fill_tokens_ports.h"
#include "verif/common/scoreboard.h"

enum {
    NOTE_FIRST, /* an address space's first epoch ends */
    NOTE_FIRST_ONE,
    NOTE_FIRST_ALL,
    NOTE_FIRST_SOME,
    NOTE_FIRST_BEFORE, /* its highest warp in an epoch before */
    NOTE_REST, /* a first epoch that is not whole: its end, with and without a look-up since; after a whole epoch without any */
    NOTE_REST_LOOK,
    NOTE_REST_OTHER,
    NOTE_REST_EMPTY,
    NOTE_FIRST_UP, /* not a whole number of tokens */
    NOTE_LESS,
    NOTE_MORE,
    NOTE_SAME,
    NOTE_LESS_EQUAL, /* exactly `delta` apart */
    NOTE_MORE_EQUAL,
    NOTE_LESS_JUST, /* one more than that */
    NOTE_MORE_JUST,
    NOTE_LESS_ONE, /* tokens stop at 1, at WARPS */
    NOTE_LESS_BELOW,
    NOTE_MORE_WARPS,
    NOTE_MORE_BEYOND,
    NOTE_STEP_0,
    NOTE_NOTHING, /* nothing looked up, first epoch and later */
    NOTE_NOTHING_FIRST,
    NOTE_RATE_0,
    NOTE_RATE_1023, /* all missed, and almost */
    NOTE_RATE_BELOW,
    NOTE_FULL,
    NOTE_FULL_SEEN,
    NOTE_FULL_EDGE,
    NOTE_ABANDON, /* an epoch ends while a division is under way */
    NOTE_ABANDON_BIT, /* at each of its ten bits */
    NOTE_ABANDON_TAKE = NOTE_ABANDON_BIT + 10,
    NOTE_ABANDON_LAST,
    NOTE_ABANDON_FIRST,
    NOTE_TAKE_LOOK,
    NOTE_DIVIDE_LOOK,
    NOTE_RESULT_LOOK,
    NOTE_OTHER, /* another address space */
    NOTE_OTHER_RATED,
    NOTE_OTHER_DIVIDES,
    NOTE_OTHER_RESULT,
    NOTE_OTHER_TAKE,
    NOTE_OTHER_PORTS, /* two of them at one edge */
    NOTE_BACK,
    NOTE_PORTS,
    NOTE_PORTS_APART,
    NOTE_PORTS_ALL,
    NOTE_ALL_SLOTS,
    NOTE_OWNER,
    NOTE_OFF,
    NOTE_OFF_RESULT,
    NOTE_ON,
    NOTE_EPOCH_NEXT,
    NOTE_EPOCH_LOOK,
    NOTE_IDLE,
    NOTES
};

enum { FULL = (1 << 20) - 1, BITS = 10 };

typedef struct {
    bool known, rated, all;
    unsigned looks, misses, rate, tokens;
    unsigned ended; /* epochs with a look-up of this address space in them that have ended */
    unsigned highest, recent; /* warp that has looked something up, from 1 on: ever, in this epoch */
    uint16_t asid, other;
} slot_t;

typedef struct {
    slot_t slot[KERNELS];
    /* The division: of which slot, from when on; taken: its result is due at an edge. */
    struct {
        bool busy, taken, drop;
        unsigned slot, rate, warps, recent;
        uint64_t due;
    } divide;
    uint64_t now;
    bool on, was_epoch, rested;
    uint8_t owner[CORES];
    bool did[NOTES];
    fill_tokens_out_t out;
} page_t;

static void page_show(page_t *p)
{
    uint8_t *const counted[] = {&p->out.ev.tokens_k0, &p->out.ev.tokens_k1, &p->out.ev.tokens_k2, &p->out.ev.tokens_k3};
    p->out.ev.tokens_on = p->on;
    for (unsigned k = 0; k < KERNELS; k++) {
        const bool all = p->slot[k].all || !p->on;
        p->out.tokens[k] = (tokens_t){.all = all, .tokens = (uint8_t)(all ? 0 : p->slot[k].tokens)};
        if (k < sizeof counted / sizeof *counted && p->on)
            *counted[k] = (uint8_t)(all ? WARPS : p->slot[k].tokens);
    }
}

static void page_begin(page_t *p)
{
    for (unsigned k = 0; k < KERNELS; k++)
        p->slot[k].all = true;
    page_show(p);
}

static void page_new_epoch(slot_t *s)
{
    s->looks = s->misses = s->recent = 0;
}

/* 1, one port. */
static void page_look(page_t *p, const fill_tokens_in_t *in, unsigned port)
{
    const unsigned k = in->owner[in->look[port].core];
    slot_t *s = &p->slot[k];
    if (!s->known || s->asid != in->look[port].asid) {
        const bool mine = p->divide.busy && p->divide.taken && p->divide.slot == k;
        p->did[NOTE_OTHER] |= s->known;
        p->did[NOTE_OTHER_RATED] |= s->rated;
        p->did[NOTE_OTHER_DIVIDES] |= mine && p->now < p->divide.due;
        p->did[NOTE_BACK] |= s->known && s->other == in->look[port].asid;
        if (mine)
            p->divide.drop = true;
        page_new_epoch(s);
        s->ended = s->highest = 0;
        s->other = s->asid;
        s->known = true;
        s->asid = in->look[port].asid;
        s->all = true;
        s->tokens = 0;
        s->rated = false;
    }
    const unsigned warp = in->look[port].warp + 1u;
    p->did[NOTE_FULL_SEEN] |= s->looks == FULL && s->highest < warp;
    p->did[NOTE_FULL] |= s->looks == FULL && !in->look[port].hit;
    s->highest = s->highest > warp ? s->highest : warp;
    s->recent = s->recent > warp ? s->recent : warp;
    if (s->looks == FULL)
        return;
    s->looks++;
    s->misses += !in->look[port].hit;
    p->did[NOTE_FULL_EDGE] |= s->looks == FULL;
}

static void page_note_looks(page_t *p, const fill_tokens_in_t *in)
{
    unsigned n[KERNELS] = {0}, ports = 0, slots = 0;
    for (unsigned i = 0; i < L2_TLB_PORTS; i++) {
        if (!(in->look_valid >> i & 1))
            continue;
        const unsigned k = in->owner[in->look[i].core];
        for (unsigned j = 0; j < i; j++)
            p->did[NOTE_OTHER_PORTS] |=
                in->look_valid >> j & 1 && in->owner[in->look[j].core] == k && in->look[j].asid != in->look[i].asid;
        slots += !n[k]++;
        p->did[NOTE_PORTS] |= n[k] > 1;
        ports++;
    }
    p->did[NOTE_PORTS_APART] = slots > 1;
    p->did[NOTE_PORTS_ALL] = ports == L2_TLB_PORTS;
    p->did[NOTE_ALL_SLOTS] = slots == KERNELS;
    p->did[NOTE_EPOCH_LOOK] = in->epoch && ports;
    for (unsigned c = 0; c < CORES; c++)
        p->did[NOTE_OWNER] |= p->now && p->owner[c] != in->owner[c];
    memcpy(p->owner, in->owner, sizeof p->owner);
    if (!p->divide.busy || !n[p->divide.slot])
        return;
    p->did[NOTE_TAKE_LOOK] |= !p->divide.taken && p->slot[p->divide.slot].looks;
    p->did[NOTE_DIVIDE_LOOK] |= p->divide.taken && p->now < p->divide.due;
    p->did[NOTE_RESULT_LOOK] |= p->divide.taken && p->now == p->divide.due;
}

static unsigned page_clamp(int v)
{
    return v<1 ? 1 : v>(int) WARPS ? (unsigned)WARPS : (unsigned)v;
}

/* The results of 2. */
static void page_result(page_t *p, const fill_tokens_in_t *in)
{
    slot_t *s = &p->slot[p->divide.slot];
    const int r = (int)p->divide.rate, was = (int)s->rate, delta = in->policy.delta, step = in->policy.step;
    p->did[NOTE_RATE_0] |= r == 0;
    p->did[NOTE_OFF_RESULT] |= !in->policy.on;
    if (!s->rated) {
        const unsigned product = in->policy.share * p->divide.warps;
        s->tokens = page_clamp((int)((product + 127) / 128));
        s->all = false;
        p->did[NOTE_FIRST] = true;
        p->did[NOTE_FIRST_ONE] |= product == 0;
        p->did[NOTE_FIRST_ALL] |= s->tokens == WARPS;
        p->did[NOTE_FIRST_SOME] |= p->divide.warps < WARPS;
        p->did[NOTE_FIRST_BEFORE] |= p->divide.recent < p->divide.warps;
        p->did[NOTE_FIRST_UP] |= product % 128 != 0;
    } else {
        const bool less = r > was + delta, more = r + delta < was;
        const int to = (int)s->tokens + (more ? step : less ? -step : 0);
        p->did[NOTE_LESS] |= less;
        p->did[NOTE_MORE] |= more;
        p->did[NOTE_SAME] |= !less && !more && r != was;
        p->did[NOTE_LESS_EQUAL] |= delta && r == was + delta;
        p->did[NOTE_MORE_EQUAL] |= delta && r + delta == was;
        p->did[NOTE_LESS_JUST] |= r == was + delta + 1;
        p->did[NOTE_MORE_JUST] |= r + delta + 1 == was;
        p->did[NOTE_LESS_ONE] |= less && to == 1;
        p->did[NOTE_LESS_BELOW] |= less && to < 1;
        p->did[NOTE_MORE_WARPS] |= more && to == WARPS;
        p->did[NOTE_MORE_BEYOND] |= more && to > (int)WARPS;
        p->did[NOTE_STEP_0] |= (less || more) && !step;
        p->out.ev.tokens_more = page_clamp(to) > s->tokens;
        p->out.ev.tokens_less = page_clamp(to) < s->tokens;
        s->tokens = page_clamp(to);
    }
    s->rate = p->divide.rate;
    s->rated = true;
}

/* 2: the divider's step at this edge. Returns the slot with an epoch that ends, or KERNELS. */
static unsigned page_divide(page_t *p, const fill_tokens_in_t *in)
{
    unsigned taken = KERNELS;
    if (!p->divide.busy || in->epoch) /* then all begins anew */
        return KERNELS;
    slot_t *s = &p->slot[p->divide.slot];
    if (p->divide.taken) {
        if (p->now < p->divide.due)
            return KERNELS;
        if (!p->divide.drop)
            page_result(p, in);
    } else {
        p->did[NOTE_NOTHING] |= !s->looks && s->rated;
        p->did[NOTE_NOTHING_FIRST] |= !s->looks && s->known && !s->rated;
        p->did[NOTE_REST_EMPTY] |= !s->looks && s->ended == 1;
        if (s->looks) {
            taken = p->divide.slot;
            p->did[NOTE_REST] |= !s->ended;
        }
        if (s->looks && s->ended++) {
            const unsigned r = (unsigned)((uint64_t)s->misses * 1024 / s->looks);
            p->divide.rate = r < 1023 ? r : 1023;
            p->did[NOTE_RATE_1023] |= r == 1024;
            p->did[NOTE_RATE_BELOW] |= r == 1023;
            p->divide.warps = s->highest;
            p->divide.recent = s->recent;
            p->divide.taken = true;
            p->divide.drop = false;
            p->divide.due = p->now + BITS;
            return taken;
        }
    }
    p->divide.taken = false;
    p->divide.busy = ++p->divide.slot < KERNELS;
    return taken;
}

static void page_note_epoch(page_t *p)
{
    p->did[NOTE_EPOCH_NEXT] = p->was_epoch;
    if (!p->divide.busy)
        return;
    p->did[NOTE_ABANDON] = true;
    if (p->divide.taken)
        p->did[NOTE_ABANDON_BIT + BITS - 1 - (p->divide.due - p->now)] = true;
    p->did[NOTE_ABANDON_TAKE] |= !p->divide.taken && p->slot[p->divide.slot].looks;
    p->did[NOTE_ABANDON_FIRST] |= p->divide.slot == 0;
    p->did[NOTE_ABANDON_LAST] |= p->divide.slot == KERNELS - 1;
}

/* The numbered edge. */
static void page_expect(page_t *p, const fill_tokens_in_t *in)
{
    memset(p->did, 0, sizeof p->did);
    memset(&p->out.ev, 0, sizeof p->out.ev);
    page_note_looks(p, in);
    if (in->epoch)
        page_note_epoch(p);
    /* Noted with the values before the edge; look-ups of this edge belong to the epoch that begins. */
    const bool due = p->divide.busy && p->divide.taken && p->divide.due == p->now && !in->epoch;
    const unsigned slot = p->divide.slot;
    bool moves = false; /* its address space */
    for (unsigned i = 0; i < L2_TLB_PORTS; i++)
        moves |= p->divide.busy && in->look_valid >> i & 1 && in->owner[in->look[i].core] == slot
                 && in->look[i].asid != p->slot[slot].asid;
    p->did[NOTE_OTHER_RESULT] = due && moves && !p->divide.drop;
    p->divide.drop |= due && moves;
    const unsigned taken = page_divide(p, in);
    if (taken < KERNELS) {
        p->did[NOTE_OTHER_TAKE] |= moves;
        p->did[NOTE_REST_OTHER] |= moves && p->slot[taken].ended == 1;
        for (unsigned i = 0; i < L2_TLB_PORTS; i++)
            p->did[NOTE_REST_LOOK] |=
                p->slot[taken].ended == 1 && in->look_valid >> i & 1 && in->owner[in->look[i].core] == taken;
        page_new_epoch(&p->slot[taken]);
    }
    for (unsigned i = 0; i < L2_TLB_PORTS; i++)
        if (in->look_valid >> i & 1)
            page_look(p, in, i);
    if (in->epoch) {
        p->divide.busy = true;
        p->divide.taken = p->divide.drop = false;
        p->divide.slot = 0;
    }
    p->did[NOTE_OFF] = !in->policy.on && p->on;
    p->did[NOTE_ON] = in->policy.on && !p->on && p->now;
    p->did[NOTE_IDLE] = p->rested && !p->divide.busy && !in->look_valid;
    p->rested = !p->divide.busy && !in->look_valid;
    p->on = in->policy.on;
    p->was_epoch = in->epoch;
    p->now++;
    page_show(p);
}
#endif
