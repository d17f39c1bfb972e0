/* Twin of rtl/mmu/fill_tokens.sv: which warps may fill the shared L2 TLB (docs/blocks/fill_tokens.md). Step numbers are the page's. */
#include "fill_tokens_ports.h"
#include "sim_c/common/bits.h"
#include <string.h>

enum {
    FULL = (1 << 20) - 1,
    RATE_BITS = 10,
    TAKING = RATE_BITS, /* `bit` of the divider before its first one */
    SHARES = 128
};

struct fill_tokens {
    struct {
        bool known, begun, rated, all;
        uint16_t asid, rate;
        uint32_t looks, misses;
        uint8_t top, tokens;
    } slot[KERNELS];
    bool busy; /* the divider */
    bool other; /* the slot's address space has changed since the division began */
    uint8_t at, bit, n;
    uint32_t div, rem, quot;
    tokens_t tokens[KERNELS];
    bool settled; /* every edge does the same until an input is active */
    ev_fill_tokens_t ev;
};

size_t fill_tokens_size(void)
{
    return sizeof(struct fill_tokens);
}

void fill_tokens_reset(fill_tokens_t *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned k = 0; k < KERNELS; k++)
        s->slot[k].all = s->tokens[k].all = true;
}

void fill_tokens_out(const fill_tokens_t *s, fill_tokens_out_t *o)
{
    memcpy(o->tokens, s->tokens, sizeof o->tokens);
    o->ev = s->ev;
}

/* Step 1, of one port: whether its slot has another address space now. */
static bool look(fill_tokens_t *s, const l2_look_t *l, unsigned k)
{
    __typeof__(&s->slot[0]) t = &s->slot[k];
    const bool other = !t->known || t->asid != l->asid;
    if (other) {
        t->known = t->all = true;
        t->asid = l->asid;
        t->begun = t->rated = false;
        t->tokens = t->top = 0;
        t->looks = t->misses = 0;
    }
    if (t->looks < FULL) {
        t->looks++;
        t->misses += !l->hit;
    }
    if (t->top <= l->warp)
        t->top = (uint8_t)(l->warp + 1);
    return other;
}

/* Step 2, the taking of a slot: false if it is the next one's turn. */
static bool take(fill_tokens_t *s)
{
    __typeof__(&s->slot[0]) t = &s->slot[s->at];
    s->div = t->looks;
    s->rem = t->misses;
    s->quot = 0;
    s->n = t->top;
    s->other = false;
    const bool whole = t->begun;
    t->begun = true;
    t->looks = t->misses = 0;
    s->bit--;
    return s->div && whole;
}

/* One bit of the rate: false with the last one. */
static bool divide(fill_tokens_t *s)
{
    const uint32_t twice = 2 * s->rem;
    const bool one = twice >= s->div;
    s->quot = 2 * s->quot + one;
    s->rem = twice - (one ? s->div : 0);
    return s->bit--;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static void verdict(fill_tokens_t *s, const tokens_policy_t *p)
{
    __typeof__(&s->slot[0]) t = &s->slot[s->at];
    const uint32_t rate = s->quot;
    const unsigned was = t->tokens;
    if (!t->rated) {
        const unsigned some = (p->share * s->n + SHARES - 1) / SHARES;
        t->all = false;
        t->tokens = (uint8_t)least(some ? some : 1, WARPS);
    } else if (rate > (uint32_t)t->rate + p->delta) {
        t->tokens = (uint8_t)(was > p->step ? was - p->step : 1);
        s->ev.tokens_less = t->tokens != was;
    } else if (rate + p->delta < t->rate) {
        t->tokens = (uint8_t)least(was + p->step, WARPS);
        s->ev.tokens_more = t->tokens != was;
    }
    t->rate = (uint16_t)rate;
    t->rated = true;
}

static void next_slot(fill_tokens_t *s)
{
    s->bit = TAKING;
    s->busy = ++s->at < KERNELS;
}

void fill_tokens_tick(fill_tokens_t *s, const fill_tokens_in_t *in)
{
    const bool divides = s->busy && !in->epoch;
    bool turns = false, ends = false;
    s->ev = (ev_fill_tokens_t){0};
    if (divides && s->bit == TAKING)
        turns = !take(s);
    else if (divides)
        turns = ends = !divide(s);
    for (unsigned p = 0; p < L2_TLB_PORTS; p++)
        if (in->look_valid >> p & 1) {
            const unsigned k = in->owner[in->look[p].core];
            const bool other = look(s, &in->look[p], k);
            s->other |= other && k == s->at;
        }
    if (ends && !s->other)
        verdict(s, &in->policy);
    if (turns)
        next_slot(s);
    if (in->epoch) {
        s->busy = true;
        s->at = 0;
        s->bit = TAKING;
    }
    uint8_t *const counted[] = {&s->ev.tokens_k0, &s->ev.tokens_k1, &s->ev.tokens_k2, &s->ev.tokens_k3};
    s->ev.tokens_on = in->policy.on;
    for (unsigned k = 0; k < KERNELS; k++) { /* step 3 */
        const bool all = s->slot[k].all || !in->policy.on;
        s->tokens[k] = (tokens_t){.all = all, .tokens = all ? 0 : s->slot[k].tokens};
        if (in->policy.on && k < sizeof counted / sizeof *counted)
            *counted[k] = all ? WARPS : s->slot[k].tokens;
    }
    s->settled = !s->busy && !s->ev.tokens_less && !s->ev.tokens_more;
}

bool fill_tokens_idle(const fill_tokens_t *s)
{
    return s->settled;
}
