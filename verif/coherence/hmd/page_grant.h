/* Step 7: the entry and the grant of a transaction. */
#ifndef VERIF_COHERENCE_HMD_PAGE_GRANT_H
#define VERIF_COHERENCE_HMD_PAGE_GRANT_H
#include "verif/coherence/hmd/page_addresses.h"

/* Step 7: the entry that x sets; returns the state that it grants. */
static uint8_t page_set(const page_x_t *x, page_entry_t *e)
{
    const unsigned i = x->job.device, o = x->e.owner;
    *e = x->e;
    bool others = o && o != i + 1;
    for (unsigned d = 0; d < DEVICES; d++)
        others |= d != i && x->e.sharer[d];
    switch (x->job.op) {
    case PO_READ:
        if (x->wide) {
            *e = (page_entry_t){.owner = i + 1};
            return NMOESI_E;
        }
        if (!others && o != i + 1 && !x->lheld) {
            *e = (page_entry_t){.owner = i + 1};
            return NMOESI_E;
        }
        e->llc = x->lheld;
        if (o && !(x->first_kind == PROBE_READ && (x->ostate == NMOESI_O || x->ostate == NMOESI_M))) {
            e->owner = 0;
            e->sharer[o - 1] = true;
        }
        e->sharer[i] = true;
        return NMOESI_S;
    case PO_OWN: *e = (page_entry_t){.owner = i + 1}; return NMOESI_M;
    case PO_EVICT:
    case PO_FLUSH:
        if (x->wide)
            *e = (page_entry_t){.owner = 0};
        else if (x->job.op == PO_EVICT) {
            e->sharer[i] = false;
            e->owner = o == i + 1 ? 0 : o;
        } else if (o == i + 1 && x->ostate != NMOESI_E && x->ostate != NMOESI_M) {
            e->owner = 0;
            e->sharer[i] = true;
        }
        return NMOESI_I;
    case PO_L_READ:
        if (x->wide) {
            *e = (page_entry_t){.llc = true};
            return NMOESI_E;
        }
        if (o)
            e->sharer[o - 1] = true;
        e->owner = 0;
        e->llc = true;
        return o || page_any(x->e.sharer, DEVICES) ? NMOESI_S : NMOESI_E;
    default: *e = (page_entry_t){.llc = true}; return NMOESI_M;
    }
}
#endif
