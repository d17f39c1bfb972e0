/* The table of an HMD: the holders of each block (docs/blocks/hmd.md). */
#include "sim_c/coherence/hmd_state.h"

hmd_entry_t *hmd_entry(hmd_t *s, uint64_t line)
{
    return &s->table[(line >> ILV_W) / HOST_CHANNELS & (HMD_ENTRIES - 1)];
}

/* The owner becomes a sharer. */
static void share(hmd_entry_t *t)
{
    if (t->owner)
        t->sharers |= 1u << (t->owner - 1) & 15;
    t->owner = 0;
}

/* Step 7. */
hmd_entry_t hmd_after(const hmd_transaction_t *x, uint8_t *grant)
{
    const unsigned me = 1u << x->device;
    hmd_entry_t t = x->was;
    *grant = NMOESI_I;
    if (x->wide) /* then no device holds it any more */
        memset(&t, 0, sizeof t);
    const bool mine = t.owner == x->device + 1;
    switch (x->op) {
    case HMD_READ:
        if (!t.owner && !(t.sharers & ~me) && !x->lheld) {
            *grant = NMOESI_E;
            return (hmd_entry_t){.owner = (x->device + 1) & 7};
        }
        *grant = NMOESI_S;
        if (x->first.kind != PROBE_READ || (x->ostate != NMOESI_O && x->ostate != NMOESI_M))
            share(&t);
        t.sharers |= me & 15;
        t.llc = x->lheld;
        break;
    case HMD_OWN: *grant = NMOESI_M; return (hmd_entry_t){.owner = (x->device + 1) & 7};
    case HMD_EVICT:
        if (mine)
            t.owner = 0;
        t.sharers &= ~me & 15;
        break;
    case HMD_FLUSH:
        if (mine && x->ostate != NMOESI_E && x->ostate != NMOESI_M)
            share(&t);
        break;
    case HMD_L_READ:
        *grant = t.owner || t.sharers ? NMOESI_S : NMOESI_E;
        share(&t);
        t.llc = 1;
        break;
    default: *grant = NMOESI_M; return (hmd_entry_t){.llc = 1};
    }
    return t;
}
