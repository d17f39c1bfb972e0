/* Twin of rtl/core/common_page.sv: which warps touch the same pages (docs/blocks/common_page.md). Step numbers are the page's. Sets of homes are bits of a word. */
#include "common_page_ports.h"
#include "sim_c/common/bits.h"
#include "sim_c/common/twin.h"
#include <string.h>

enum { TOUCHES = 2, HIGHEST = (1 << CPM_BITS) - 1, LONGEST = 65535 };

/* The homes of an entry's last touches, 0 the later one. */
typedef struct {
    bool valid[TOUCHES];
    uint8_t home[TOUCHES];
} history_t;

struct common_page {
    bool still; /* edges change nothing until an input is active */
    bool blank; /* the state that only compaction by pages uses is that of a reset */
    uint8_t limit, lead[WARPS];
    uint64_t at_limit[WARPS]; /* for each row: columns with counters at the limit or above */
    /* used by compaction by pages only */
    bool some;
    uint16_t clock;
    ev_common_page_t ev;
    history_t seen[MAX_TLB_ENTRIES];
    uint8_t count[WARPS][WARPS];
};

TWIN_STATE(common_page)

void common_page_out(const common_page_t *s, common_page_out_t *o)
{
    /* With a limit of 0 every counter reaches the limit. */
    for (unsigned a = 0; a < HOME_WARPS; a++)
        o->common[a] = (s->limit ? s->at_limit[a] : UINT64_MAX >> (64 - WARPS)) & ~BIT(a);
    o->ev = s->ev;
}

bool common_page_idle(const common_page_t *s)
{
    return s->still;
}

/* Step 0. */
static void bound(common_page_t *s, const cpm_policy_t *policy)
{
    const unsigned most = (1u << policy->bits) - 1, limit = most < HIGHEST ? most : HIGHEST;
    if (limit == s->limit)
        return;
    s->limit = (uint8_t)limit;
    for (unsigned a = 0; a < WARPS; a++) {
        s->at_limit[a] = 0;
        for (unsigned b = 0; b < WARPS; b++)
            s->at_limit[a] |= (uint64_t)(s->count[a][b] >= limit) << b;
    }
}

/* Step 1. */
static void leads(common_page_t *s, const common_page_in_t *in)
{
    if (in->start_valid)
        s->lead[in->start.warp] = in->start.warp;
    if (in->formed_valid && in->formed.mask) /* without threads it touches nothing (compactor: after a fault) */
        s->lead[in->formed.warp] = in->formed.homes[__builtin_ctzll(in->formed.mask)];
}

static void clear(common_page_t *s)
{
    memset(s->count, 0, sizeof s->count);
    memset(s->at_limit, 0, sizeof s->at_limit);
    s->some = false;
    s->clock = 0;
}

/* Step 2. */
static void rest(common_page_t *s)
{
    if (s->blank)
        return;
    clear(s);
    memset(s->seen, 0, sizeof s->seen);
    s->blank = true;
}

/* Step 3, the counters. */
static void raise(common_page_t *s, unsigned a, uint64_t columns)
{
    for EACH(b, columns) {
        if (s->count[a][b] >= s->limit)
            continue;
        if (++s->count[a][b] == s->limit)
            s->at_limit[a] |= BIT(b);
        s->some = true;
        s->ev.cpm_raised++;
    }
}

/* Step 3, an entry's history. */
static void touched_by(history_t *h, unsigned a)
{
    if (h->valid[0] && h->home[0] == a)
        return;
    h->valid[1] = h->valid[0];
    h->home[1] = h->home[0];
    h->valid[0] = true;
    h->home[0] = (uint8_t)a;
}

/* Step 3: `a` touches. */
static void touches(common_page_t *s, const common_page_in_t *in, unsigned a)
{
    uint64_t raised = 0;
    s->blank = false;
    for EACH(p, in->touch_valid) {
        const history_t *h = &s->seen[in->touch[p].entry];
        for (unsigned k = 0; k < TOUCHES; k++)
            raised |= (uint64_t)h->valid[k] << h->home[k];
    }
    raise(s, a, raised & ~BIT(a));
    for EACH(p, in->touch_valid)
        touched_by(&s->seen[in->touch[p].entry], a);
}

/* Step 5, with a count before the edge. */
static void flush(common_page_t *s, uint16_t period)
{
    if (period && s->clock + 1u >= period) {
        clear(s);
        s->ev.cpm_flushes = true;
    } else {
        s->clock += s->clock != LONGEST;
    }
}

void common_page_tick(common_page_t *s, const common_page_in_t *in)
{
    const bool some = s->some;
    memset(&s->ev, 0, sizeof s->ev);
    if (in->mode != COMPACT_TLB) {
        rest(s);
    } else {
        if (in->touch_valid)
            touches(s, in, s->lead[in->touch[__builtin_ctzll(in->touch_valid)].warp]);
        if (in->kept_valid) /* step 4 */
            memset(s->seen[in->kept].valid, 0, sizeof s->seen[in->kept].valid);
        if (some)
            flush(s, in->policy.period);
    }
    leads(s, in);
    bound(s, &in->policy);
    const bool counts = s->some && (in->policy.period || s->clock != LONGEST);
    s->still = !counts && !s->ev.cpm_raised && !s->ev.cpm_flushes;
}
