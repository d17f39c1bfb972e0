/* Requests that leave s2, for coverage */
#ifndef VERIF_L1D_LEFT_H
#define VERIF_L1D_LEFT_H
#include "verif/cache/l1d/cover.h"
#include "verif/cache/l1d/env.h"

/* A request left s2 at the last edge: which one, and the coverage points that it reaches. */
static void left(bench_t *b, env_t *e, const ev_l1d_t *ev)
{
    bool load = ev->l1d_loads, store = ev->l1d_stores, amo = ev->l1d_atomics;
    bool inval = ev->l1d_invals && e->norder && e->order[0].op == L1D_INVAL && !e->last_inval_i;
    if (ev->l1d_fills) {
        unsigned k = e->mshr_line[e->fill_id];
        bool fresh = ev->l1d_fills_dropped && !e->poisoned[e->fill_id];
        BENCH_COVER(b, COV_FILL_STORE, fresh && store && e->norder && e->order[0].k == k);
        BENCH_COVER(b, COV_FILL_AMO, fresh && amo && e->norder && e->order[0].k == k);
        BENCH_COVER(b, COV_FILL_INVAL, fresh && inval);
        BENCH_COVER(b, COV_FILL_INVAL_I, fresh && e->last_inval_i);
        e->read_out[e->fill_id] = false;
        e->resident[k] = !ev->l1d_fills_dropped;
        e->was[k] |= e->resident[k];
    }
    if (ev->l1d_invals) {
        BENCH_COVER(b, COV_INVAL_PENDING, e->reads);
        BENCH_COVER(b, COV_INVAL_DONE, e->fills_ready);
        memset(e->resident, 0, sizeof e->resident);
        memset(e->was, 0, sizeof e->was);
        memset(e->poisoned, 1, sizeof e->poisoned);
        e->hits_in_set = 0;
    }
    if (!(load || store || amo || inval))
        return;
    BENCH_CHECK(b, e->norder, "a request left that never came");
    unsigned k = e->order[0].k, sector = 1u << e->order[0].sector;
    const bool early = e->order[0].early;
    unsigned pending = L1D_MSHRS;
    for (unsigned i = 0; i < L1D_MSHRS; i++)
        if (e->read_out[i] && e->mshr_line[i] == k)
            pending = i;
    memmove(e->order, e->order + 1, --e->norder * sizeof *e->order);
    BENCH_COVER(b, COV_ST_HIT, ev->l1d_store_hits);
    BENCH_COVER(b, COV_ST_MISS, store && !ev->l1d_store_hits);
    BENCH_COVER(b, COV_ST_POISON, store && pending < L1D_MSHRS);
    BENCH_COVER(b, COV_AMO_HIT, amo && e->resident[k]);
    BENCH_COVER(b, COV_HIT_PENDING, ev->l1d_load_hits && e->reads);
    BENCH_COVER(b, COV_EVICT, load && !ev->l1d_load_hits && !ev->l1d_load_merges && e->was[k]);
    bool miss = load && !ev->l1d_load_hits && !ev->l1d_load_merges;
    BENCH_COVER(b, COV_EARLY_HIT, early && ev->l1d_load_hits);
    BENCH_COVER(b, COV_EARLY_MISS, early && miss);
    BENCH_COVER(b, COV_EARLY_MERGE, early && ev->l1d_load_merges);
    BENCH_COVER(b, COV_EARLY_SECOND, early && ev->l1d_load_merges && e->last_was_miss && e->last_miss == k);
    e->last_miss = k;
    BENCH_COVER(b, COV_BYPASS, e->last_was_miss && !inval && set_of(e->addr[k]) == e->last_miss_set);
    e->last_was_miss = miss;
    if (miss) {
        e->last_miss_set = set_of(e->addr[k]);
        e->hits_in_set = 0;
        e->was[k] = false;
    }
    if ((store || amo) && pending < L1D_MSHRS)
        e->poisoned[pending] = true;
    if (ev->l1d_load_merges && pending < L1D_MSHRS)
        BENCH_COVER(b, COV_MERGE_LAST, ++e->mshr_targets[pending] == L1D_TARGETS);
    if (miss)
        e->missed_sector = sector;
    if (ev->l1d_load_merges && pending < L1D_MSHRS) {
        e->mshr_sectors[pending] |= sector;
        BENCH_COVER(b, COV_MERGE_SECTOR, e->mshr_sectors[pending] & (e->mshr_sectors[pending] - 1));
    }
    e->loaded |= ev->l1d_load_hits ? sector : 0;
    e->stored |= ev->l1d_store_hits ? sector : 0;
    BENCH_COVER(b, COV_SECTORS, e->loaded == (1u << SECTORS) - 1);
    BENCH_COVER(b, COV_SECTORS_ST, e->stored == (1u << SECTORS) - 1);
    if (amo) {
        e->resident[k] = e->was[k] = false;
        e->hits_in_set &= ~(1ull << k);
    }
    if (ev->l1d_load_hits && b->mode == 1) {
        e->hits_in_set |= 1ull << k;
        BENCH_COVER(b, COV_WAYS, __builtin_popcountll(e->hits_in_set) == L1D_WAYS);
    }
}
#endif
