/* The page's section "Look-up (Sv48)", in the order in which an edge does its steps. */
#ifndef LSU_BENCH_PAGE_LOOKUP_H
#define LSU_BENCH_PAGE_LOOKUP_H
#include "verif/core/lsu/page_before.h"

/* Look-up 5, look-up 6. */
static void page_misses(lsu_page_t *s, const lsu_in_t *in)
{
    const page_asked_t asked = s->asked;
    s->asked.threads = 0;
    if (s->out.miss_valid && in->miss_ready) {
        page_look_t *m = &s->mq[0];
        const unsigned p = lowest(m->ports);
        s->asked = (page_asked_t){.row = m->row, .threads = m->mask[p]};
        m->ports &= ~(1u << p);
        if (!m->ports) {
            s->mq[0] = s->mq[1];
            s->mqs--;
        }
    }
    if (asked.threads) {
        page_row_t *r = &s->row[asked.row];
        r->wait |= asked.threads;
        for EACH(t, asked.threads)
            r->id[t] = in->walk;
    }
}

/* Look-up 4. Returns whether an early request hit (E3). */
static bool page_found(lsu_page_t *s, page_before_t *b, const lsu_in_t *in)
{
    const page_look_t *fk = &s->fk;
    if (!fk->ports)
        return false;
    page_row_t *r = &s->row[fk->row];
    page_look_t misses = *fk;
    const bool early_hit = fk->early && s->ek.valid && in->found[0].hit;
    for EACH(p, fk->ports) {
        if (!in->found[p].hit)
            continue;
        misses.ports &= ~(1u << p);
        if (early_hit)
            continue;
        r->ok |= fk->mask[p];
        r->walked &= ~fk->mask[p];
        b->found |= fk->mask[p];
        b->found_row = fk->row;
        for EACH(t, fk->mask[p])
            r->frame[t] = in->found[p].ppn;
    }
    if (misses.ports)
        s->mq[s->mqs++] = misses;
    return early_hit;
}

/* Look-up 3. */
static void page_looked(lsu_page_t *s, const lsu_in_t *in, bool early_taken)
{
    s->fk.ports = 0;
    if (s->out.look_valid && in->look_ready) {
        s->fk = s->lk;
        s->fk.early = early_taken;
        s->lk.ports = 0;
    }
}

/* Look-up 1, look-up 2. Returns whether lrow was used. */
static bool page_look(lsu_page_t *s, const page_before_t *b, unsigned completes, ev_lsu_t *ev)
{
    page_row_t *r = &s->row[b->lrow % LSU_ROWS];
    const bool may = b->lrow != NO_ROW && !b->dead[r->warp] && b->row[b->lrow].todo && !b->slots && !s->lk.ports;
    bool others = false;
    for (unsigned k = 0; k < LSU_ROWS; k++)
        others |= k != b->lrow && b->row[k].valid && (b->row[k].in_look | b->row[k].wait | b->row[k].ans);
    const bool used = may && !(b->blocking && others);
    bool left = false;
    ev->lsu_stall_blocked = may && !used;
    if (used) {
        uint64_t rest = b->row[b->lrow].todo;
        s->lk = (page_look_t){.row = b->lrow, .write = r->write, .warp = r->warp};
        unsigned p = 0;
        for (; p < TLB_PORTS && rest; p++) {
            s->lk.mask[p] = page_alike(r, rest, rest, 12, false);
            s->lk.vpn[p] = r->addr[lowest(rest)] >> 12;
            s->lk.ports |= 1u << p;
            rest &= ~s->lk.mask[p];
        }
        r->todo = rest;
        r->pages += p;
        if (r->pages > 127)
            r->pages = 127;
        left = s->lk.left = rest != 0;
        ev->lsu_pages = (uint8_t)p;
        ev->lsu_stall_port = left;
    }
    if (b->lrow != NO_ROW && !b->dead[r->warp] && b->row[b->lrow].todo && !(used && !left))
        return used;
    s->lrow = NO_ROW; /* look-up 1 */
    for (unsigned k = 0; k < LSU_ROWS; k++) {
        const page_row_t *n = &s->row[k];
        const uint64_t todo = k == completes ? n->todo : k == b->lrow ? n->todo & b->row[k].todo : b->row[k].todo;
        if (!((b->row[k].valid && b->row[k].complete) || k == completes) || n->bad || b->dead[n->warp] || !todo)
            continue;
        bool held = false;
        for (unsigned o = 0; o < LSU_ROWS; o++)
            held |= b->blocking && o != k && b->row[o].valid && (b->row[o].in_look | b->row[o].wait | b->row[o].ans);
        ev->lsu_stall_blocked |= held;
        if (!held && (s->lrow == NO_ROW || n->age < s->row[s->lrow].age))
            s->lrow = k;
    }
    return used;
}

static uint64_t page_faults_of(const page_row_t *r, uint64_t threads, const walked_t *w)
{
    return w->result == WALK_PAGE || !(r->write ? w->leaf.w : w->leaf.r) ? threads
           : w->result == WALK_ACCESS                                    ? threads
                                                                         : 0;
}

/* Look-up 8: the answer at the head, for one row. */
static void page_answer(lsu_page_t *s, const page_before_t *b)
{
    if (!b->slots)
        return;
    const bool acts = s->ap != NO_ROW && !b->found_valid;
    const walked_t *w = &s->slot[b->head];
    if (acts) {
        page_row_t *r = &s->row[s->ap];
        for EACH(t, b->row[s->ap].ans) {
            if (r->id[t] != b->head)
                continue;
            const bool page = w->result == WALK_PAGE || !(r->write ? w->leaf.w : w->leaf.r);
            const uint64_t low = BIT(9 * w->leaf.level) - 1;
            r->ans &= ~BIT(t);
            r->walked |= BIT(t);
            r->frame[t] = r->addr[t] >> 12;
            if (page_faults_of(r, BIT(t), w)) {
                r->flt |= BIT(t);
                r->facc = page ? r->facc & ~BIT(t) : r->facc | BIT(t);
            } else {
                r->ok |= BIT(t);
                r->frame[t] = (w->leaf.ppn & ~low) | (r->frame[t] & low);
            }
        }
    }
    if (s->ap != NO_ROW && !acts)
        return;
    unsigned next = NO_ROW;
    for (unsigned k = LSU_ROWS; k-- > 0;)
        for EACH(t, b->row[k].valid && k != s->ap ? b->row[k].ans : 0)
            if (s->row[k].id[t] == b->head)
                next = k;
    s->ap = next;
    if (next == NO_ROW) {
        s->slot_head = (s->slot_head + 1) % PAGE_SLOTS;
        s->slots--;
    }
}

/* Look-up 7. */
static void page_walked(lsu_page_t *s, const page_before_t *b, const lsu_in_t *in)
{
    if (!in->walked_valid)
        return;
    const unsigned tail = (s->slot_head + s->slots) % PAGE_SLOTS;
    bool any = false;
    for (unsigned k = 0; k < LSU_ROWS; k++)
        for EACH(t, b->row[k].valid ? b->row[k].wait : 0)
            if (s->row[k].id[t] == in->walked.walk) {
                s->row[k].wait &= ~BIT(t);
                s->row[k].ans |= BIT(t);
                s->row[k].id[t] = (uint8_t)tail;
                any = true;
            }
    if (any) {
        s->slot[tail] = in->walked;
        s->slots++;
    }
}
#endif
