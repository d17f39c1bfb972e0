/* The page of l2_tlb (docs/blocks/l2_tlb.md) as a program. A set is the leaves that are in it with the time of their last use, in no order: the way of a leaf cannot be seen, and true LRU is
 * the least of the times. Requests in flight are a list with the cycle in which they were taken. Events of an edge are noted for the bench's coverage. */
#ifndef VERIF_MMU_L2_TLB_PAGE_H
#define VERIF_MMU_L2_TLB_PAGE_H
#include "verif/mmu/l2_tlb/page_fill.h"
#include "verif/mmu/l2_tlb/page_invalidate.h"
#include "verif/mmu/l2_tlb/page_look.h"

/* The numbered edge. */
static void page_expect(page_t *p, const l2_tlb_in_t *in)
{
    const bool scanning = p->scanning, done = p->out.inv_done;
    const unsigned set = p->set;
    memset(p->did, 0, sizeof p->did);
    const l2_fill_t *f = in->fill_valid ? &in->fill : NULL;
    const bool by_inv = f && in->inv_valid && page_covered(&in->inv, f->vpn, f->asid, &f->leaf),
               by_scan = f && scanning && page_covered(&p->scan, f->vpn, f->asid, &f->leaf);
    const bool kept = f && in->on && !by_inv && !by_scan;
    shelf_t *home = kept ? page_shelf(p, in) : NULL;
    resident_t *victim = kept ? page_victim(p, f, home) : NULL;
    const resident_t was = victim ? *victim : (resident_t){0};
    if (kept)
        page_note_fill(p, f, home, victim != NULL);
    if (in->inv_valid)
        page_note_flight(p, &in->inv);
    memset(&p->out.ev, 0, sizeof p->out.ev);
    p->out.inv_done = false;
    const bool looked = page_ports(p, in, victim);
    p->did[NOTE_LOOK_SCAN] |= scanning && looked;
    const bool scans = scanning && !looked;
    if (f && in->on) {
        const bool one = p->scan.scope == INV_PAGE, large = f->leaf.level;
        if (in->inv_valid) {
            p->did[NOTE_FILL_INV + in->inv.scope] |= by_inv;
            if (in->inv.scope != INV_ALL)
                p->did[NOTE_FILL_INV_FREE + (in->inv.scope == INV_PAGE)] |= !by_inv;
            p->did[NOTE_FILL_INV_SUPER] |= by_inv && large && in->inv.scope == INV_PAGE && in->inv.vpn != f->vpn;
        }
        if (scanning) {
            p->did[NOTE_FILL_SCAN + one] |= by_scan;
            p->did[NOTE_FILL_SCAN_FREE + one] |= kept;
            p->did[NOTE_FILL_SCAN_LAST] |= by_scan && scans && (one || set == SETS - 1);
            p->did[NOTE_FILL_AHEAD] |= by_scan && !one && !large && page_set(f->vpn) > set;
        }
        const bool bypass = home == &p->shelf[BYPASS];
        p->did[bypass ? NOTE_BYPASS_EVICT_EMPTIED : NOTE_EVICT_EMPTIED] |=
            scans && victim && page_covered(&p->scan, was.vpn, was.asid, &was.leaf)
            && (bypass || large || one || page_set(f->vpn) == set);
        p->did[NOTE_BYPASS_FILL_SCAN] |= bypass && scanning;
    }
    if (scans)
        page_scan(p);
    p->did[NOTE_OFF_FILL] |= f && !in->on;
    if (in->inv_valid) {
        p->did[NOTE_BACK] |= done;
        for (unsigned s = 0; s < SHELVES && !in->on; s++)
            p->did[NOTE_OFF_INV] |= p->shelf[s].n != 0;
        page_invalidate(p, &in->inv);
    }
    if (kept) {
        shelf_t *s = home;
        for (unsigned i = s->n; i-- > 0;)
            if (page_same(&s->r[i], f) || (victim && s->r[i].vpn == was.vpn && s->r[i].asid == was.asid))
                page_drop(s, i);
        s->r[s->n++] =
            (resident_t){.vpn = f->vpn, .used = ++p->time, .since = p->now, .asid = f->asid, .leaf = f->leaf};
        p->out.ev.l2_tlb_fills++;
        p->out.ev.l2_tlb_fills_bypass += s == &p->shelf[BYPASS];
        p->out.ev.l2_tlb_evicts += victim != NULL;
    }
    bool busy = p->scanning || p->out.inv_done || p->out.miss_valid;
    for (unsigned k = 0; k < L2_TLB_PORTS; k++)
        busy |= p->port[k].n || p->port[k].hits;
    p->did[NOTE_IDLE] |= p->busy && !busy;
    p->busy = busy;
    p->last_off = in->on ? p->last_off : p->now;
    p->now++;
    page_show(p);
}
#endif
