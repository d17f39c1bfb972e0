/* Steps 2 to 4: look-ups at the ports. */
#ifndef VERIF_MMU_L2_TLB_PAGE_LOOK_H
#define VERIF_MMU_L2_TLB_PAGE_LOOK_H
#include "verif/mmu/l2_tlb/page_state.h"

/* 2, one port. */
static resident_t *page_look(page_t *p, flight_t *f, bool on)
{
    shelf_t *at[3] = {&p->shelf[page_set(f->req.vpn)], &p->shelf[SUPERS], &p->shelf[BYPASS]};
    resident_t *in[3] = {0}, *r = NULL;
    unsigned which = 3;
    for (unsigned k = 3; on && k-- > 0;)
        if ((in[k] = page_find(at[k], f->req.vpn, f->req.asid)) != NULL) {
            r = in[k];
            which = k;
        }
    f->hit = r && page_serves(&r->leaf, f->req.access);
    ev_l2_tlb_t *ev = &p->out.ev;
    ev->l2_tlb_lookups++;
    ev->l2_tlb_hits += f->hit;
    ev->l2_tlb_misses += !f->hit;
    ev->l2_tlb_hits_super += f->hit && which == 1;
    ev->l2_tlb_hits_bypass += f->hit && which == 2;
    ev->l2_tlb_denied += r && !f->hit;
    const unsigned access = f->req.access < 3 ? f->req.access : ACC_FETCH;
    static const unsigned denied[3] = {NOTE_DENIED, NOTE_DENIED_SUPER, NOTE_DENIED_BYPASS};
    if (r && !f->hit)
        p->did[denied[which] + access] = true;
    p->did[NOTE_BOTH] |= in[0] && in[1] && f->hit;
    p->did[NOTE_BOTH_DENIED] |= in[0] && in[1] && !f->hit && page_serves(&in[1]->leaf, f->req.access);
    if (which < 2 && in[2]) {
        p->did[NOTE_OVER + which] |= f->hit;
        p->did[NOTE_OVER_DENIED + which] |= !f->hit && page_serves(&in[2]->leaf, f->req.access);
    }
    for (unsigned k = 0; on && !r && k < 3; k++)
        for (unsigned i = 0; i < at[k]->n; i++) {
            const resident_t *o = &at[k]->r[i];
            p->did[NOTE_OTHER] |= page_in(o, f->req.vpn);
            p->did[k ? NOTE_OTHER_GLOBAL_SUPER : NOTE_OTHER_GLOBAL] |= page_in(o, f->req.vpn) && o->leaf.glob;
        }
    p->did[NOTE_OFF] |= !on;
    if (!f->hit)
        return NULL;
    f->leaf = r->leaf;
    p->did[(which == 2 ? NOTE_HIT_BYPASS : NOTE_HIT_LEVEL) + r->leaf.level] = true;
    p->did[NOTE_GLOBAL] |= r->leaf.glob;
    p->did[NOTE_ON_AGAIN] |= r->since < p->last_off;
    static const unsigned oldest[3] = {NOTE_HIT_OLDEST, NOTE_HIT_OLDEST_SUPER, NOTE_HIT_OLDEST_BYPASS};
    p->did[oldest[which]] |= page_full(p, at[which]) && page_oldest(at[which]) == r;
    return r;
}

/* The events of a look-up by kernel slot. */
static void page_count_slot(page_t *p, unsigned slot, bool hit, bool bypass)
{
    ev_l2_tlb_t *ev = &p->out.ev;
#define PAGE_SLOT(k) \
    if (slot == (k)) { \
        ev->l2_tlb_lookups_k##k++; \
        ev->l2_tlb_hits_k##k += hit; \
        ev->l2_tlb_bypass_k##k += hit && bypass; \
        p->did[NOTE_SLOT_LOOKS + (k)] = true; \
        p->did[NOTE_SLOT_HITS + (k)] |= hit; \
        p->did[NOTE_SLOT_BYPASS + (k)] |= hit && bypass; \
    }
    PAGE_SLOT(0)
    PAGE_SLOT(1)
    PAGE_SLOT(2)
    PAGE_SLOT(3)
#undef PAGE_SLOT
}

/* 2 to 4, and 1 behind them. Returns whether something was looked up. */
static bool page_ports(page_t *p, const l2_tlb_in_t *in, const resident_t *victim)
{
    resident_t *hit[L2_TLB_PORTS] = {0};
    bool looked = false, all = true;
    p->out.miss_valid = p->out.look_valid = 0;
    const uint8_t ready = p->out.req_ready, answers = p->out.ans_valid & in->ans_ready;
    for (unsigned k = 0; k < L2_TLB_PORTS; k++) {
        __typeof__(p->port[k]) *t = &p->port[k];
        for (unsigned i = 0; i < t->n; i++)
            if (t->f[i].taken + 1 == p->now) {
                const translate_req_t *q = &t->f[i].req;
                hit[k] = page_look(p, &t->f[i], in->on);
                looked = true;
                p->out.look_valid |= (uint8_t)(1u << k);
                page_count_slot(p, in->owner[q->core], t->f[i].hit, page_bypasses(p, hit[k]));
                p->out.look[k] = (l2_look_t){.core = q->core, .warp = q->warp, .asid = q->asid, .hit = t->f[i].hit};
            }
        all &= hit[k] != NULL;
        p->did[page_bypasses(p, victim) ? NOTE_BYPASS_EVICT_TOUCHED : NOTE_EVICT_TOUCHED] |= victim && hit[k] == victim;
        for (unsigned q = 0; q < k; q++) {
            if (!hit[k] || !hit[q])
                continue;
            p->did[NOTE_PORTS_ENTRY] |= hit[k] == hit[q];
            p->did[NOTE_PORTS_BYPASS] |= hit[k] != hit[q] && page_bypasses(p, hit[k]) && page_bypasses(p, hit[q]);
            p->did[NOTE_PORTS_LEVELS] |= !hit[k]->leaf.level != !hit[q]->leaf.level;
            p->did[NOTE_PORTS_SET] |= hit[k] != hit[q] && !hit[k]->leaf.level && !hit[q]->leaf.level
                                      && page_set(hit[k]->vpn) == page_set(hit[q]->vpn);
        }
    }
    p->did[NOTE_PORTS_ALL] |= all;
    for (unsigned k = 0; k < L2_TLB_PORTS; k++)
        if (hit[k])
            hit[k]->used = ++p->time;
    for (unsigned k = 0; k < L2_TLB_PORTS; k++) {
        __typeof__(p->port[k]) *t = &p->port[k];
        p->did[NOTE_HIT_WAITS] |= t->hits && !(answers >> k & 1);
        if (answers >> k & 1)
            memmove(t->hit, t->hit + 1, --t->hits * sizeof *t->hit);
        if (t->n && t->f[0].taken + (in->on ? L2_TLB_LATENCY - 1 : 1) == p->now) {
            const flight_t *f = &t->f[0];
            if (f->hit) {
                t->hit[t->hits++] = (translate_ans_t){.core = f->req.core,
                                                      .rsp = {.id = f->req.id, .result = WALK_OK, .leaf = f->leaf}};
            } else {
                p->out.miss_valid |= (uint8_t)(1u << k);
                p->out.miss[k] = f->req;
                p->did[NOTE_MISS_PASSES] |= t->hits != 0;
            }
            memmove(t->f, t->f + 1, --t->n * sizeof *t->f);
        }
        const bool asked = in->req_valid >> k & 1, takes = asked && ready >> k & 1;
        if (takes)
            t->f[t->n++] = (flight_t){.taken = p->now, .req = in->req[k]};
        p->out.ev.l2_tlb_stalls += asked && !takes;
        t->row = takes ? t->row + 1 : 0;
        p->did[in->on ? NOTE_FLOW : NOTE_OFF_FLOW] |= t->row > 4 * DEPTH;
        p->did[NOTE_FULL] |= t->hits == DEPTH;
        p->did[NOTE_SCAN_WAITED] |= asked && p->scanning;
        p->did[NOTE_TAKEN_INV] |= takes && in->inv_valid;
    }
    return looked;
}
#endif
