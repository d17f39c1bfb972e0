/* Step 7: where a leaf goes, and which has to go for it. */
#ifndef VERIF_MMU_L2_TLB_PAGE_FILL_H
#define VERIF_MMU_L2_TLB_PAGE_FILL_H
#include "verif/mmu/l2_tlb/page_state.h"

static bool page_same(const resident_t *r, const l2_fill_t *f)
{
    const uint64_t size = page_size(r->leaf.level > f->leaf.level ? r->leaf.level : f->leaf.level);
    return r->asid == f->asid && r->vpn / size == f->vpn / size;
}

static bool page_has(const shelf_t *s, const l2_fill_t *f)
{
    for (unsigned i = 0; i < s->n; i++)
        if (page_same(&s->r[i], f))
            return true;
    return false;
}

static bool page_may(const tokens_t *t, const l2_fill_t *f)
{
    return t->all || f->warp < t->tokens;
}

/* 7: the destination of a fill, by the entries before the edge. */
static shelf_t *page_shelf(page_t *p, const l2_tlb_in_t *in)
{
    const l2_fill_t *f = &in->fill;
    shelf_t *s = &p->shelf[f->leaf.level ? (unsigned)SUPERS : page_set(f->vpn)];
    const tokens_t *t = &in->tokens[in->owner[f->core]];
    const bool may = page_may(t, f), has = page_has(s, f);
    p->did[NOTE_MAY_ALL] |= t->all;
    p->did[NOTE_MAY_LAST] |= !t->all && f->warp + 1 == t->tokens;
    p->did[NOTE_MAY_NOT_FIRST] |= !t->all && f->warp == t->tokens;
    for (unsigned k = 0; k < KERNELS; k++) {
        p->did[NOTE_MAY_FOR_OTHER] |= may && !page_may(&in->tokens[k], f);
        p->did[NOTE_MAY_NOT_FOR_OTHER] |= !may && page_may(&in->tokens[k], f);
    }
    p->did[NOTE_MAY_SAME + (f->leaf.level != 0)] |= !may && has;
    p->did[NOTE_IN_BYPASS + (f->leaf.level != 0)] |= (may || has) && page_has(&p->shelf[BYPASS], f);
    return may || has ? s : &p->shelf[BYPASS];
}

/* 7, before the edge: the leaf that has to go for this one, or NULL. */
static resident_t *page_victim(page_t *p, const l2_fill_t *f, shelf_t *s)
{
    return !page_has(s, f) && page_full(p, s) ? page_oldest(s) : NULL;
}

static void page_note_bypass(page_t *p, const l2_fill_t *f, const shelf_t *s, bool evicts)
{
    unsigned same = 0;
    for (unsigned i = 0; i < s->n; i++) {
        const resident_t *r = &s->r[i];
        same += page_same(r, f);
        p->did[NOTE_BYPASS_LARGER] |= page_same(r, f) && r->leaf.level > f->leaf.level;
        p->did[NOTE_BYPASS_SMALLER] |= page_same(r, f) && r->leaf.level < f->leaf.level;
        p->did[NOTE_BYPASS_SPACES] |= r->vpn == f->vpn && r->asid != f->asid;
    }
    p->did[NOTE_BYPASS_SAME] |= same == 1;
    p->did[NOTE_BYPASS_SAMES] |= same > 1;
    p->did[NOTE_BYPASS_EVICT] |= evicts;
    p->did[NOTE_BYPASS_ROOM] |= !same && !evicts;
}

static void page_note_fill(page_t *p, const l2_fill_t *f, const shelf_t *s, bool evicts)
{
    if (s == &p->shelf[BYPASS]) {
        page_note_bypass(p, f, s, evicts);
        return;
    }
    const bool large = f->leaf.level != 0;
    unsigned same = 0;
    for (unsigned i = 0; i < s->n; i++) {
        const resident_t *r = &s->r[i];
        same += page_same(r, f);
        p->did[NOTE_SAME_LARGER] |= page_same(r, f) && r->leaf.level > f->leaf.level;
        p->did[NOTE_SAME_SMALLER] |= page_same(r, f) && r->leaf.level < f->leaf.level;
        p->did[NOTE_LESS_RIGHTS] |= page_same(r, f) && r->leaf.w && !f->leaf.w;
        p->did[NOTE_TWINS] |= !large && r->vpn == f->vpn && r->asid != f->asid;
        p->did[NOTE_TWINS_GLOBAL] |= !large && r->vpn == f->vpn && r->asid != f->asid && r->leaf.glob;
    }
    p->did[NOTE_SAME] |= !large && same;
    p->did[NOTE_SAME_SUPER] |= large && same;
    p->did[NOTE_SAME_SUPERS] |= large && same > 1;
    p->did[large ? NOTE_EVICT_SUPER : NOTE_EVICT] |= evicts;
    p->did[large ? NOTE_ROOM_SUPER : NOTE_ROOM] |= !same && !evicts;
}
#endif
