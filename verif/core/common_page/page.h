/* The page of common_page (docs/blocks/common_page.md) as a program: the history of an entry is a line of at most two homes, the later one first, and the matrix a table of numbers. What happened at an
 * edge is noted for the bench's coverage. The step numbers are the page's. */
#ifndef VERIF_CORE_COMMON_PAGE_PAGE_H
#define VERIF_CORE_COMMON_PAGE_PAGE_H
#include "common_page_ports.h"
#include "verif/common/scoreboard.h"

enum {
    NOTE_BELOW_LIMIT,
    NOTE_TO_LIMIT,
    NOTE_AT_LIMIT,
    NOTE_OVER_LIMIT,
    NOTE_LIMIT_ZERO,
    NOTE_ROWS,
    NOTE_COLUMNS,
    NOTE_BOTH,
    NOTE_LATER_ALONE,
    NOTE_EARLIER_ALONE,
    NOTE_NO_PLACE,
    NOTE_BY_LATER,
    NOTE_BY_EARLIER,
    NOTE_BY_THIRD,
    NOTE_PORTS_ENTRY,
    NOTE_PORTS_COMMON,
    NOTE_PORTS_APART,
    NOTE_KEPT_TOUCHED,
    NOTE_KEPT_OTHER,
    NOTE_KEPT_TWO,
    NOTE_FORMED_OTHER,
    NOTE_START_TOUCH,
    NOTE_FORMED_TOUCH,
    NOTE_START_FORMED,
    NOTE_REST_LEAD,
    NOTE_FLUSH_RAISE,
    NOTE_FLUSH_REST,
    NOTE_FLUSH_HISTORY,
    NOTE_PERIOD_NEVER,
    NOTE_PERIOD_ONE,
    NOTE_PERIOD_TWO,
    NOTE_PERIOD_SHORTER,
    NOTE_CLOCK_TOP,
    NOTE_CLOCK_TOP_FLUSH,
    NOTE_LEFT,
    NOTE_ENTERED,
    NOTE_OTHER_MODE,
    NOTE_THIRD_MODE,
    NOTES
};

typedef struct {
    unsigned n, home[2];
} history_t;

typedef struct {
    history_t seen[TLB_ENTRIES];
    unsigned count[WARPS][WARPS], clock;
    bool some;
} matrix_t;

enum { NOBODY = -1, TOP_CLOCK = 65535 };
typedef struct {
    matrix_t s; /* the mode's state */
    int lead[WARPS]; /* NOBODY: no start yet */
    unsigned limit;
    /* for coverage */
    uint64_t rows, columns;
    /* left: with counts that are not 0; moved: the lead changed while the block rests */
    bool rests, left, moved[WARPS];
    bool did[NOTES];
    common_page_out_t out;
} page_t;

static void page_show(page_t *p)
{
    memset(p->out.common, 0, sizeof p->out.common);
    for (unsigned a = 0; a < WARPS; a++)
        for (unsigned h = 0; h < WARPS; h++)
            if (a != h && p->s.count[a][h] >= p->limit)
                p->out.common[a] |= (__typeof__(p->out.common[0]))(1u << h);
}

static void page_begin(page_t *p)
{
    memset(p, 0, sizeof *p);
    for (unsigned w = 0; w < WARPS; w++)
        p->lead[w] = NOBODY;
    page_show(p);
}

static bool page_has(const history_t *h, int home)
{
    return (h->n > 0 && (int)h->home[0] == home) || (h->n > 1 && (int)h->home[1] == home);
}

/* 3: raises the counts of home a with the homes in `column`. */
static void page_raise(page_t *p, int a, const bool *column)
{
    unsigned n = 0;
    for (unsigned h = 0; h < WARPS; h++) {
        unsigned *c = &p->s.count[a][h];
        if (!column[h])
            continue;
        p->did[NOTE_LIMIT_ZERO] |= !p->limit;
        p->did[NOTE_BELOW_LIMIT] |= *c + 1 < p->limit;
        p->did[NOTE_TO_LIMIT] |= *c + 1 == p->limit && p->limit > 1;
        p->did[NOTE_AT_LIMIT] |= *c == p->limit && *c;
        p->did[NOTE_OVER_LIMIT] |= *c > p->limit;
        if (*c >= p->limit)
            continue;
        ++*c;
        n++;
        p->rows |= 1ull << a;
        p->columns |= 1ull << h;
    }
    p->did[NOTE_ROWS] |= p->rows == (1ull << WARPS) - 1;
    p->did[NOTE_COLUMNS] |= p->columns == (1ull << WARPS) - 1;
    p->s.some |= n != 0;
    p->out.ev.cpm_raised = (uint8_t)n;
}

/* Coverage of the ports of a cycle. */
static void page_note_ports(page_t *p, int a, const common_page_in_t *in)
{
    for (unsigned k = 0; k < TLB_PORTS; k++) {
        const history_t *h = &p->s.seen[in->touch[k].entry];
        if (!(in->touch_valid >> k & 1))
            continue;
        const bool later = h->n > 0 && (int)h->home[0] != a, earlier = h->n > 1 && (int)h->home[1] != a;
        p->did[NOTE_BOTH] |= later && earlier;
        p->did[NOTE_LATER_ALONE] |= later && !earlier && h->n > 1;
        p->did[NOTE_EARLIER_ALONE] |= earlier && !later;
        p->did[NOTE_NO_PLACE] |= !later && !earlier;
        p->did[NOTE_BY_LATER] |= h->n > 1 && !later;
        p->did[NOTE_BY_EARLIER] |= h->n > 1 && !earlier;
        p->did[NOTE_BY_THIRD] |= later && earlier;
        for (unsigned q = 0; q < k; q++) {
            const history_t *o = &p->s.seen[in->touch[q].entry];
            bool mine = false, both = false;
            if (!(in->touch_valid >> q & 1))
                continue;
            for (int w = 0; w < WARPS; w++) {
                mine |= w != a && page_has(o, w);
                both |= w != a && page_has(o, w) && page_has(h, w);
            }
            const bool one = in->touch[k].entry == in->touch[q].entry;
            p->did[NOTE_PORTS_ENTRY] |= one && mine;
            p->did[NOTE_PORTS_COMMON] |= !one && both;
            p->did[NOTE_PORTS_APART] |= !one && mine && (later || earlier) && !both;
        }
        p->did[NOTE_KEPT_TOUCHED] |= in->kept_valid && in->kept == in->touch[k].entry;
        p->did[NOTE_KEPT_OTHER] |= in->kept_valid && in->kept != in->touch[k].entry && p->s.seen[in->kept].n;
        p->did[NOTE_REST_LEAD] |= p->moved[in->touch[k].warp];
        p->did[NOTE_START_TOUCH] |= in->start_valid && in->start.warp == in->touch[k].warp && a != in->start.warp;
        p->did[NOTE_FORMED_TOUCH] |= in->formed_valid && in->formed.warp == in->touch[k].warp
                                     && in->formed.homes[__builtin_ctzll(in->formed.mask)] != a;
    }
}

/* 3, 4. */
static void page_touches(page_t *p, const common_page_in_t *in)
{
    bool column[WARPS] = {0}, touched[TLB_ENTRIES] = {0};
    int a = NOBODY;
    for (unsigned k = 0; k < TLB_PORTS; k++)
        if (in->touch_valid >> k & 1) {
            touched[in->touch[k].entry] = true;
            a = p->lead[in->touch[k].warp];
        }
    if (a != NOBODY) {
        page_note_ports(p, a, in);
        for (unsigned e = 0; e < TLB_ENTRIES; e++)
            for (unsigned i = 0; i < p->s.seen[e].n && touched[e]; i++)
                column[p->s.seen[e].home[i]] |= (int)p->s.seen[e].home[i] != a;
        page_raise(p, a, column);
        for (unsigned e = 0; e < TLB_ENTRIES; e++) {
            history_t *h = &p->s.seen[e];
            if (touched[e] && !(h->n && (int)h->home[0] == a))
                *h = (history_t){h->n ? 2 : 1, {(unsigned)a, h->home[0]}};
        }
    }
    if (in->kept_valid) {
        p->did[NOTE_KEPT_TWO] |= p->s.seen[in->kept].n == 2;
        p->s.seen[in->kept].n = 0;
    }
}

/* 5. `some`: before the edge. */
static void page_flush(page_t *p, const common_page_in_t *in, bool some)
{
    const unsigned period = in->policy.period, clock = p->s.clock + 1;
    if (!some)
        return;
    p->did[NOTE_PERIOD_NEVER] |= !period && p->s.clock > 2;
    if (period && clock >= period) {
        p->did[NOTE_FLUSH_RAISE] |= p->out.ev.cpm_raised != 0;
        p->did[NOTE_FLUSH_REST] |= p->out.ev.cpm_raised == 0;
        p->did[NOTE_PERIOD_ONE] |= period == 1;
        p->did[NOTE_PERIOD_TWO] |= period == 2 && clock == 2;
        p->did[NOTE_PERIOD_SHORTER] |= clock > period;
        p->did[NOTE_CLOCK_TOP_FLUSH] |= clock > TOP_CLOCK;
        for (unsigned e = 0; e < TLB_ENTRIES; e++)
            p->did[NOTE_FLUSH_HISTORY] |= p->s.seen[e].n != 0;
        memset(p->s.count, 0, sizeof p->s.count);
        p->s.some = false;
        p->s.clock = 0;
        p->out.ev.cpm_flushes = true;
    } else if (clock <= TOP_CLOCK) {
        p->s.clock = clock;
    } else {
        p->did[NOTE_CLOCK_TOP] = true;
    }
}

/* 1. */
static void page_lead(page_t *p, unsigned warp, int home, bool rests)
{
    p->moved[warp] = rests && (p->moved[warp] || p->lead[warp] != home);
    p->lead[warp] = home;
}

/* The numbered edge. */
static void page_expect(page_t *p, const common_page_in_t *in)
{
    const bool rests = in->mode != COMPACT_TLB;
    memset(p->did, 0, sizeof p->did);
    memset(&p->out.ev, 0, sizeof p->out.ev);
    if (rests) {
        p->did[NOTE_LEFT] = p->s.some;
        p->did[NOTE_OTHER_MODE] = in->mode == COMPACT_TBC && in->touch_valid;
        p->did[NOTE_THIRD_MODE] = in->mode > COMPACT_TLB && in->touch_valid;
        p->left |= p->s.some;
        memset(&p->s, 0, sizeof p->s);
    } else {
        const bool some = p->s.some;
        p->did[NOTE_ENTERED] = p->rests && p->left && in->touch_valid;
        page_touches(p, in);
        page_flush(p, in, some);
    }
    p->rests = rests;
    p->did[NOTE_START_FORMED] = in->start_valid && in->formed_valid;
    if (in->start_valid)
        page_lead(p, in->start.warp, in->start.warp, rests);
    if (in->formed_valid) {
        const unsigned first = in->formed.homes[__builtin_ctzll(in->formed.mask)];
        p->did[NOTE_FORMED_OTHER] = first != in->formed.warp;
        page_lead(p, in->formed.warp, (int)first, rests);
    }
    const unsigned asked = (1u << in->policy.bits) - 1, most = (1u << CPM_BITS) - 1; /* 0 */
    p->limit = asked < most ? asked : most;
    page_show(p);
}
#endif
