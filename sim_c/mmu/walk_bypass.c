/* Twin of rtl/mmu/walk_bypass.sv: which levels of a walk bypass the L2 (docs/blocks/walk_bypass.md). Step numbers are the page's. */
#include "walk_bypass_ports.h"
#include "sim_c/common/twin.h"
#include <string.h>

enum { CLASSES = 5, BITS = 16, HALF = 1 << (BITS - 1) };

struct walk_bypass {
    uint16_t access[CLASSES], hits[CLASSES]; /* class 0: data */
    uint32_t left;
    uint8_t decided, bypass;
    bool busy, shown; /* shown: ev.bypass_decided */
    /* of the comparison; its products leave out the bits of access[] above `bit`, which are still to come */
    uint8_t class, bit;
    uint32_t a, b;
    ev_walk_bypass_t ev;
};

TWIN_STATE(walk_bypass)

void walk_bypass_out(const walk_bypass_t *s, walk_bypass_out_t *o)
{
    o->bypass = s->bypass;
    o->ev = s->ev;
}

static void begin_epoch(walk_bypass_t *s, const walk_bypass_in_t *in)
{
    const uint32_t sample = in->epoch_cycles >> in->policy.sample;
    memset(s->access, 0, sizeof s->access);
    memset(s->hits, 0, sizeof s->hits);
    s->left = sample ? sample : 1;
    s->busy = false;
}

/* Step 2. */
static void sample(walk_bypass_t *s, const walk_bypass_in_t *in)
{
    bool large = false;
    for (unsigned c = 0; c < CLASSES; c++)
        large |= s->access[c] >= HALF;
    for (unsigned c = 0; large && c < CLASSES; c++) {
        s->access[c] /= 2;
        s->hits[c] /= 2;
    }
    for (unsigned k = 0; k < SLICES; k++) {
        const ev_l2_t *ev = &in->l2[k];
        if (!ev->l2_access || ev->l2_cls >= CLASSES)
            continue;
        s->access[ev->l2_cls]++;
        s->hits[ev->l2_cls] += ev->l2_hit;
    }
    if (--s->left)
        return;
    s->busy = true;
    s->class = 1;
    s->bit = 0;
    s->a = s->b = 0;
}

/* Step 3, one bit of the products. */
static void compare(walk_bypass_t *s)
{
    const unsigned c = s->class;
    s->a += s->access[0] >> s->bit & 1 ? (uint32_t)s->hits[c] << s->bit : 0;
    s->b += s->access[c] >> s->bit & 1 ? (uint32_t)s->hits[0] << s->bit : 0;
    if (++s->bit < BITS)
        return;
    if (s->access[0] && s->access[c])
        s->decided = (uint8_t)((s->decided & ~(1u << (c - 1))) | (unsigned)(s->a < s->b) << (c - 1));
    s->a = s->b = 0;
    s->bit = 0;
    s->busy = ++s->class < CLASSES;
    s->ev.bypass_decided = !s->busy;
}

void walk_bypass_tick(walk_bypass_t *s, const walk_bypass_in_t *in)
{
    s->bypass = in->policy.on && !s->left && !s->busy && !in->epoch ? s->decided : 0; /* step 4 */
    s->ev = (ev_walk_bypass_t){.bypass_l3 = s->bypass & 1,
                               .bypass_l2 = s->bypass >> 1 & 1,
                               .bypass_l1 = s->bypass >> 2 & 1,
                               .bypass_l0 = s->bypass >> 3 & 1};
    if (in->epoch) /* step 1 */
        begin_epoch(s, in);
    else if (s->left)
        sample(s, in);
    else if (s->busy)
        compare(s);
    s->shown = s->ev.bypass_decided;
}

bool walk_bypass_idle(const walk_bypass_t *s)
{
    return !s->left && !s->busy && !s->shown;
}
