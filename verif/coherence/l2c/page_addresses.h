/* The page's section "Addresses": the set of a line, and its way. */
#ifndef VERIF_COHERENCE_L2C_PAGE_ADDRESSES_H
#define VERIF_COHERENCE_L2C_PAGE_ADDRESSES_H
#include "verif/coherence/l2c/page_nmoesi.h"
#include "verif/common/places.h"

static unsigned page_set(uint64_t line)
{
    return (unsigned)(folded(local_of(line) / L2_SLICES) % PG_SETS);
}

/* The way of its set that has the line; -1: none. */
static int page_way(const page_t *p, uint64_t line)
{
    const page_way_t *ways = p->cache[page_set(line)];
    for (int w = 0; w < L2_WAYS; w++)
        if (page_held(&ways[w]) && ways[w].line == line)
            return w;
    return -1;
}
#endif
