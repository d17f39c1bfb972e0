/* The page of itlb (docs/blocks/itlb.md) as a program: the asker looked up in each cycle, hit or miss, the victim of a fill by true LRU, every answer and event. */
#ifndef VERIF_MMU_ITLB_PAGE_H
#define VERIF_MMU_ITLB_PAGE_H
#include "itlb_ports.h"
#include "verif/common/scoreboard.h"

typedef struct {
    bool valid, glob;
    unsigned level, asid;
    uint64_t vpn, ppn, used;
} page_entry_t;
typedef struct {
    enum { PG_NONE, PG_LOOK, PG_MISS, PG_ASKED, PG_WAIT } state;
    uint64_t vpn;
    unsigned walk, warp;
} page_asker_t;
typedef struct {
    page_entry_t entry[ITLB_ENTRIES];
    uint64_t uses;
    page_asker_t asker[2];
    itlb_out_t out;
} page_t;

static void page_show(page_t *p)
{
    p->out.idle = p->asker[0].state == PG_NONE && p->asker[1].state == PG_NONE;
    p->out.miss_valid = false;
    for (unsigned f = 0; f < 2; f++)
        if (p->asker[f].state == PG_MISS) {
            p->out.miss_valid = true;
            p->out.miss = (miss_t){.vpn = p->asker[f].vpn, .access = ACC_FETCH, .warp = (uint8_t)p->asker[f].warp};
        }
}

static void page_begin(page_t *p)
{
    for (unsigned k = 0; k < ITLB_ENTRIES; k++)
        p->entry[k].used = ITLB_ENTRIES - k; /* entry 0 is the youngest */
    p->uses = ITLB_ENTRIES;
    page_show(p);
}

static bool page_same(uint64_t a, uint64_t b, unsigned level)
{
    for (; level; level--)
        a /= 512, b /= 512;
    return a == b;
}

static uint64_t page_splice(uint64_t vpn, uint64_t ppn, unsigned level)
{
    uint64_t pages = 1;
    for (; level; level--)
        pages *= 512;
    return ppn / pages * pages + vpn % pages;
}

static void page_expect(page_t *p, const itlb_in_t *in)
{
    const page_asker_t before[2] = {p->asker[0], p->asker[1]};
    page_entry_t was[ITLB_ENTRIES];
    itlb_out_t o = {.inv_done = in->inv_valid};
    memcpy(was, p->entry, sizeof was);

    /* 2. */
    int f = before[0].state == PG_LOOK ? 0 : before[1].state == PG_LOOK ? 1 : -1;
    for (unsigned k = 0; k < 2; k++)
        if (before[k].state == PG_MISS || before[k].state == PG_ASKED)
            f = -1;
    if (f >= 0) {
        o.ev.itlb_lookups = true;
        p->asker[f].state = PG_MISS;
        for (unsigned k = 0; k < ITLB_ENTRIES; k++) {
            const page_entry_t *e = &was[k];
            if (!e->valid || !(e->glob || e->asid == in->asid) || !page_same(e->vpn, before[f].vpn, e->level))
                continue;
            o.ev.itlb_hits = true;
            o.found_valid |= 1u << f;
            o.found[f] = (ifound_t){.result = WALK_OK, .ppn = page_splice(before[f].vpn, e->ppn, e->level)};
            p->asker[f].state = PG_NONE;
            p->entry[k].used = ++p->uses;
        }
    }

    /* 3. */
    o.ev.itlb_stall = p->out.miss_valid && !in->miss_ready;
    for (unsigned k = 0; k < 2; k++) {
        if (before[k].state == PG_MISS && in->miss_ready)
            p->asker[k].state = PG_ASKED;
        if (before[k].state == PG_ASKED && in->walk_valid) {
            p->asker[k].state = PG_WAIT;
            p->asker[k].walk = in->walk;
        }
    }

    /* 4. */
    const walked_t *w = &in->walked;
    for (unsigned k = 0; in->walked_valid && k < 2; k++) {
        if (before[k].state != PG_WAIT || before[k].walk != w->walk)
            continue;
        if (in->inv_valid) {
            p->asker[k].state = PG_LOOK;
            continue;
        }
        const unsigned result = w->result == WALK_PAGE || !w->leaf.x ? WALK_PAGE : w->result;
        p->asker[k].state = PG_NONE;
        o.found_valid |= 1u << k;
        o.found[k] = (ifound_t){.result = (uint8_t)result,
                                .ppn = result == WALK_OK ? page_splice(before[k].vpn, w->leaf.ppn, w->leaf.level) : 0};
        o.ev.itlb_faults += result != WALK_OK;
    }

    /* 6, then 5 (a fill that the inv of this edge covers does not come). */
    const inv_t *v = &in->inv;
    for (unsigned k = 0; in->inv_valid && k < ITLB_ENTRIES; k++) {
        page_entry_t *e = &p->entry[k];
        if (v->scope == INV_ALL || (v->scope == INV_ASID && !e->glob && e->asid == v->asid)
            || (v->scope == INV_PAGE && (e->glob || e->asid == v->asid) && page_same(e->vpn, v->vpn, e->level)))
            e->valid = false;
    }
    const leaf_t *l = &w->leaf;
    const bool covered =
        in->inv_valid
        && (v->scope == INV_ALL || (v->scope == INV_ASID && !l->glob && w->asid == v->asid)
            || (v->scope == INV_PAGE && (l->glob || w->asid == v->asid) && page_same(w->vpn, v->vpn, l->level)));
    if (in->walked_valid && w->result == WALK_OK && l->x && !covered) {
        int same = -1, empty = -1, oldest = 0;
        o.ev.itlb_fills = true;
        for (int k = ITLB_ENTRIES - 1; k >= 0; k--) {
            const page_entry_t *e = &was[k];
            if (!e->valid)
                empty = k;
            else if ((e->glob || l->glob || e->asid == w->asid)
                     && page_same(e->vpn, w->vpn, e->level > l->level ? e->level : l->level)) {
                same = k;
                p->entry[k].valid = false;
            }
        }
        for (int k = 1; k < ITLB_ENTRIES; k++)
            if (was[k].used < was[oldest].used)
                oldest = k;
        const int to = same >= 0 ? same : empty >= 0 ? empty : oldest;
        p->entry[to] = (page_entry_t){true, l->glob, l->level, w->asid, w->vpn, l->ppn, ++p->uses};
    }

    /* 1. */
    if (in->look_valid)
        p->asker[in->look.fill] = (page_asker_t){PG_LOOK, in->look.vpn, 0, in->look.warp};
    p->out = o;
    page_show(p);
}
#endif
