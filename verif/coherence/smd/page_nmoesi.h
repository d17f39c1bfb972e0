/* What of NMOESI the page needs, written by hand from docs/coherence.md. */
#ifndef VERIF_COHERENCE_SMD_PAGE_NMOESI_H
#define VERIF_COHERENCE_SMD_PAGE_NMOESI_H
#include "verif/coherence/smd/page_state.h"

static bool page_permits(uint8_t state, uint8_t op)
{
    return op == HOME_READ_OWN ? state == NMOESI_E || state == NMOESI_M : state != NMOESI_I;
}

/* After a probe. */
static uint8_t page_after(uint8_t state, const smd_probe_t *probe)
{
    const bool alone = state == NMOESI_E || state == NMOESI_M;
    if (state == NMOESI_I || probe->kind == PROBE_WRITE)
        return NMOESI_I;
    if (probe->kind == PROBE_CLEAN)
        return alone && probe->keep ? NMOESI_E : NMOESI_S;
    return state == NMOESI_M ? NMOESI_O : state == NMOESI_E ? NMOESI_S : state;
}

static uint8_t page_touched(uint8_t state)
{
    return state == NMOESI_S ? NMOESI_N : state == NMOESI_E ? NMOESI_M : state;
}

static bool page_marked(uint8_t state)
{
    return state == NMOESI_N || state == NMOESI_O || state == NMOESI_M;
}
#endif
