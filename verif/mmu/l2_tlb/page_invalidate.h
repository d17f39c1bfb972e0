/* Steps 5 and 6: the scan, and invalidations. */
#ifndef VERIF_MMU_L2_TLB_PAGE_INVALIDATE_H
#define VERIF_MMU_L2_TLB_PAGE_INVALIDATE_H
#include "verif/mmu/l2_tlb/page_state.h"

static unsigned page_forget(shelf_t *s, const inv_t *v)
{
    unsigned gone = 0;
    for (unsigned i = s->n; i-- > 0;)
        if (page_covered(v, s->r[i].vpn, s->r[i].asid, &s->r[i].leaf)) {
            page_drop(s, i);
            gone++;
        }
    return gone;
}

/* 5. */
static void page_scan(page_t *p)
{
    const bool one = p->scan.scope == INV_PAGE;
    page_forget(&p->shelf[SUPERS], &p->scan);
    page_forget(&p->shelf[BYPASS], &p->scan);
    page_forget(&p->shelf[one ? page_set(p->scan.vpn) : p->set], &p->scan);
    p->out.inv_done = one || ++p->set == SETS;
    p->scanning = !p->out.inv_done;
}

static void page_note_inv(page_t *p, const inv_t *v)
{
    bool in[3] = {0}, out[3] = {0}, global[3] = {0}, first = false, last = false; /* main, super, bypass */
    unsigned spaces = 0;
    for (unsigned s = 0; s < SHELVES; s++)
        for (unsigned i = 0; i < p->shelf[s].n; i++) {
            const resident_t *r = &p->shelf[s].r[i];
            const bool c = page_covered(v, r->vpn, r->asid, &r->leaf);
            const unsigned kind = s < SUPERS ? 0 : s == SUPERS ? 1 : 2;
            in[kind] |= c;
            out[kind] |= !c && (v->scope != INV_PAGE || kind || s == page_set(v->vpn));
            global[kind] |= v->scope == INV_PAGE ? c && r->asid != v->asid : !c && r->asid == v->asid;
            first |= c && s == 0;
            last |= c && s == SETS - 1;
            if (v->scope != INV_PAGE)
                continue;
            spaces += c && !kind;
            p->did[NOTE_PAGE_OTHER] |= !c && page_in(r, v->vpn);
            if (kind == 1 && c && r->vpn != v->vpn)
                p->did[NOTE_PAGE_INSIDE + r->leaf.level - 1] = true;
        }
    for (unsigned k = 0; k < 2; k++) {
        p->did[NOTE_ASID_IN + k] |= v->scope == INV_ASID && in[k];
        p->did[NOTE_ASID_OUT + k] |= v->scope == INV_ASID && out[k];
        p->did[NOTE_ASID_GLOBAL + k] |= v->scope == INV_ASID && global[k];
        p->did[NOTE_PAGE_IN + k] |= v->scope == INV_PAGE && in[k];
        p->did[NOTE_PAGE_OUT + k] |= v->scope == INV_PAGE && out[k];
        p->did[NOTE_PAGE_GLOBAL + k] |= v->scope == INV_PAGE && global[k];
    }
    if (v->scope != INV_ALL) {
        const unsigned note = v->scope == INV_ASID ? NOTE_BYPASS_ASID : NOTE_BYPASS_PAGE;
        p->did[note] |= in[2];
        p->did[note + 1] |= out[2];
        p->did[note + 2] |= global[2];
    }
    p->did[NOTE_ALL] |= v->scope == INV_ALL && in[0] && in[1];
    p->did[NOTE_BYPASS_ALL] |= v->scope == INV_ALL && in[2];
    p->did[NOTE_ASID_NONE] |= v->scope == INV_ASID && !in[0] && !in[1] && !in[2];
    p->did[NOTE_ASID_FIRST] |= v->scope == INV_ASID && first;
    p->did[NOTE_ASID_LAST] |= v->scope == INV_ASID && last;
    p->did[NOTE_PAGE_BOTH] |= v->scope == INV_PAGE && in[0] && in[1];
    p->did[NOTE_PAGE_SPACES] |= spaces > 1;
}

/* Requests that were looked up before an invalidation and are in flight: they continue. */
static void page_note_flight(page_t *p, const inv_t *v)
{
    for (unsigned k = 0; k < L2_TLB_PORTS; k++)
        for (unsigned i = 0; i < p->port[k].n; i++) {
            const flight_t *f = &p->port[k].f[i];
            if (f->taken + 1 >= p->now) /* not looked up */
                continue;
            p->did[NOTE_FLIGHT_HIT] |= f->hit && page_covered(v, f->req.vpn, f->req.asid, &f->leaf);
            p->did[NOTE_FLIGHT_MISS] |= !f->hit && f->req.asid == v->asid;
        }
}

/* 6. */
static void page_invalidate(page_t *p, const inv_t *v)
{
    p->out.ev.l2_tlb_invs++;
    page_note_inv(p, v);
    if (v->scope != INV_ALL) {
        p->scanning = true;
        p->scan = *v;
        p->set = 0;
        return;
    }
    for (unsigned s = 0; s < SHELVES; s++)
        p->shelf[s].n = 0;
    p->out.inv_done = true;
}
#endif
