/* Steps 4, 5 and 7: a transaction begins, its look-up gives the agents to probe, and its end sets the entry. */
#ifndef VERIF_COHERENCE_HMD_PAGE_TABLE_H
#define VERIF_COHERENCE_HMD_PAGE_TABLE_H
#include "verif/coherence/hmd/page_grant.h"

/* Step 5: a look-up. */
static void page_look(page_x_t *x, const page_entry_t *e, bool peers)
{
    const unsigned i = x->job.device, o = e->owner;
    const page_op_e op = x->job.op;
    const bool mine = !page_llc(op) && o == i + 1, i_holds = mine || (!page_llc(op) && e->sharer[i]),
               gives = op == PO_EVICT || op == PO_FLUSH;
    bool another = e->llc || (o && !mine);
    for (unsigned d = 0; d < DEVICES; d++)
        another |= d != i && e->sharer[d];
    x->e = *e;
    x->wide = gives ? x->job.bytes && i_holds && another
                    : (op == PO_L_READ || (op == PO_READ && !peers)) && o && page_any(e->sharer, DEVICES);
    const bool held = o || page_any(e->sharer, DEVICES), all = x->wide || op == PO_OWN || op == PO_L_OWN;
    x->first = o && (x->wide || !gives);
    x->first_kind = all ? PROBE_WRITE : op == PO_READ && peers ? PROBE_READ : PROBE_CLEAN;
    x->first_peer = peers && (op == PO_READ || (op == PO_OWN && !mine && !page_any(e->sharer, DEVICES)));
    for (unsigned d = 0; d < DEVICES; d++)
        x->probe[d] = all ? e->sharer[d] : gives && d == i && i_holds;
    x->pkind = all || op == PO_EVICT ? PROBE_WRITE : PROBE_CLEAN;
    for (unsigned k = 0; k < PG_LPB; k++)
        x->lprobe[k] = e->llc && (x->wide || op == PO_READ || op == PO_OWN || (op == PO_L_OWN && held));
    x->lkind = all ? PROBE_WRITE : PROBE_CLEAN;
    x->stage = PX_FIRST;
}

/* Step 5, a write: the record for observers. */
static void page_told(uint64_t line, const page_entry_t *e, hmd_dir_t *d)
{
    memset(d, 0, sizeof *d);
    d->line = line;
    d->llc = e->llc;
    for (unsigned k = 0; k < DEVICES; k++) {
        d->sharers |= (__typeof__(d->sharers))(e->sharer[k] << k);
        d->owner |= (__typeof__(d->owner))((e->owner == k + 1) << k);
    }
}

/* Steps 4, 5 and 7: the table, and which transaction comes to it next. */
static void page_table(page_t *p, const page_state_t *was, page_state_t *s, bool peers, ev_hmd_t *ev)
{
    const bool clearing = was->init < PG_ENTRIES;
    s->s1_valid = false;
    p->out.dir_valid = was->s1_valid && was->s1_set;
    if (was->s1_valid) {
        const page_x_t *w = &was->x[was->s1_x];
        page_entry_t *e = page_entry(p, w->job.line);
        if (!was->s1_set) {
            page_look(&s->x[was->s1_x], e, peers);
        } else {
            page_set(w, e);
            page_told(w->job.line, e, &p->out.dir);
            if (page_llc(w->job.op))
                s->x[was->s1_x].valid = false;
        }
    }
    if (clearing) {
        p->table[was->init] = (page_entry_t){.owner = 0};
        s->init++;
    }
    for (unsigned k = 0; k < HMD_TRANSACTIONS && !s->s1_valid; k++) {
        const page_x_t *w = &was->x[k];
        if (!w->valid || w->stage != PX_SET || (was->s1_valid && was->s1_set && was->s1_x == k))
            continue;
        s->s1_valid = s->s1_set = true;
        s->s1_x = k;
        if (!page_llc(w->job.op))
            s->x[k].stage = PX_GRANT;
    }
    unsigned x = 0, i = 0;
    while (x < HMD_TRANSACTIONS && was->x[x].valid)
        x++;
    while (i < was->pool_n && page_of(was, was->pool[i].line) < HMD_TRANSACTIONS)
        i++;
    if (clearing || s->s1_valid || x == HMD_TRANSACTIONS || i == was->pool_n) {
        ev->hmd_wait = was->pool_n != 0;
        return;
    }
    s->x[x] = (page_x_t){.valid = true, .job = was->pool[i], .stage = PX_LOOK};
    s->pool_n--;
    memmove(s->pool + i, s->pool + i + 1, (s->pool_n - i) * sizeof s->pool[0]);
    s->s1_valid = true;
    s->s1_set = false;
    s->s1_x = x;
    ev->hmd_read = was->pool[i].op == PO_READ;
    ev->hmd_own = was->pool[i].op == PO_OWN;
    ev->hmd_evict = was->pool[i].op == PO_EVICT;
    ev->hmd_flush = was->pool[i].op == PO_FLUSH;
    ev->hmd_host_read = was->pool[i].op == PO_L_READ;
    ev->hmd_host_own = was->pool[i].op == PO_L_OWN;
}
#endif
