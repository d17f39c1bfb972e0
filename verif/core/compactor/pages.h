/* Which homes have pages in common */
#ifndef VERIF_COMPACTOR_PAGES_H
#define VERIF_COMPACTOR_PAGES_H
#include "verif/core/compactor/env.h"

/* Which homes touch one another's pages: none, all, those of a few sets, such that it does not go both ways, any; it changes now and then, or in every cycle, as a whole or in one bit. */
static void common(bench_t *b, env_t *e, compactor_in_t *in)
{
    vl_rng_t *r = &b->rng;
    if (b->cycle % 64 == 0 || vl_chance(r, 2)) {
        e->pages = vl_below(r, 16);
        for (int h = 0; h < WARPS; h++)
            e->group_of[h] = vl_below(r, 1 + (unsigned)e->pages % 4);
        for (int h = 0; h < WARPS; h++)
            for (int k = 0; k < WARPS; k++) {
                const bool one = e->pages == 0   ? false
                                 : e->pages == 1 ? true
                                 : e->pages < 9  ? e->group_of[h] == e->group_of[k]
                                 : e->pages < 11 ? vl_below(r, 2)
                                                 : vl_below(r, 4) != 0;
                e->common[h] = (e->common[h] & ~(1ull << k)) | (uint64_t)one << k;
            }
    }
    if (e->pages % 4 == 3)
        e->common[vl_below(r, WARPS)] ^= 1ull << vl_below(r, WARPS);
    for (int h = 0; h < WARPS; h++)
        in->common[h % HOME_WARPS] =
            (__typeof__(in->common[0]))(e->pages == 14 ? vl_random_bits(r, WARPS) : e->common[h]);
}
#endif
