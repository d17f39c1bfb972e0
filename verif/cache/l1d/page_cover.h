/* Functional coverage from the state of the page: lines fetched ahead, and outputs to warp_locality */
#ifndef VERIF_L1D_PAGE_COVER_H
#define VERIF_L1D_PAGE_COVER_H
#include "verif/cache/l1d/cover.h"
#include "verif/cache/l1d/page.h"

/* Step 11: its cases, by the page's state before the edge and after it. */
static void expect(bench_t *b, page_t *p, const l1d_in_t *in)
{
    const uint64_t line = p->s2.line, place = line % PAGE_LINES;
    const unsigned s2 = p->s2_valid ? p->s2_is : 99, index = in->mem_rsp.id & 127;
    const bool fill = in->mem_rsp_valid && in->mem_rsp.id >> MEM_IDX_W == 0, some = p->ahead.some;
    const bool alone = !p->count && !in->l1d_req_valid; /* a line to fetch ahead could enter the queue */
    const uint64_t asked_for = p->ahead.line;
    bool pending = false, here = false, unasked = false;
    unsigned room = 0;
    for (unsigned k = 0; k < L1D_MSHRS; k++) {
        room += !p->mshr[k].valid;
        pending |= p->mshr[k].valid && p->mshr[k].line == line;
        unasked |= p->mshr[k].valid && !p->mshr[k].count;
    }
    for (unsigned w = 0; w < L1D_WAYS; w++)
        here |= p->cache[line % PG_SETS][w].valid && p->cache[line % PG_SETS][w].line == line;
    const bool m_free = !p->out.mem_req_valid || in->mem_req_ready, absent = s2 == PG_FETCH && !here && !pending;
    const int victim = page_victim(p, line);
    const bool merges = fill && p->mshr[index].valid && !p->mshr[index].count;
    const bool fresh_victim =
        victim >= 0 && p->cache[line % PG_SETS][victim].valid && p->cache[line % PG_SETS][victim].unasked;
    const bool jam = absent && room > 1 && victim >= 0 && m_free && p->jam;
    const page_line_t goes = p->cache[line % PG_SETS][victim < 0 ? 0 : victim];
    const bool hit_fresh = s2 == PG_REQUEST && here;
    const uint8_t asks = p->s2.warp;
    uint8_t owner = asks;
    for (unsigned w = 0; w < L1D_WAYS; w++)
        if (hit_fresh && p->cache[line % PG_SETS][w].valid && p->cache[line % PG_SETS][w].line == line)
            owner = p->cache[line % PG_SETS][w].owner;
    page_expect(p, in);
    const line_event_t *told = &p->out.line;
    if (p->out.line_valid) {
        BENCH_COVER(b, COV_TOLD_MISS, told->miss && !told->evicted);
        BENCH_COVER(b, COV_TOLD_MERGE, p->out.ev.l1d_load_merges);
        BENCH_COVER(b, COV_TOLD_OWN, told->evicted && told->of == told->warp);
        BENCH_COVER(b, COV_TOLD_OTHER, told->miss && told->evicted && told->of != told->warp);
        BENCH_COVER(b, COV_TOLD_WALKED, told->miss && told->walked);
        BENCH_COVER(b, COV_TOLD_AHEAD, !told->miss);
        BENCH_COVER(b, COV_TOLD_INVAL, told->evicted && in->inval);
        BENCH_COVER(b, COV_TOLD_GONE,
                    told->miss && !told->evicted && victim >= 0 && !goes.valid && goes.line
                        && !p->out.ev.l1d_load_merges);
        BENCH_COVER(b, COV_TOLD_OF_AHEAD, told->evicted && goes.mixed);
    }
    BENCH_COVER(b, COV_TOLD_CHAIN, p->out.ev.l1d_prefetch_hits && p->out.ev.l1d_load_hits && owner != asks);
    for (unsigned k = COV_TOLD_MISS; k <= COV_TOLD_GONE; k++)
        BENCH_COVER(b, k, LOCALITY_ENTRIES == 0);
    const ev_l1d_t *ev = &p->out.ev;
    const bool miss = ev->l1d_loads && !ev->l1d_load_hits && !ev->l1d_load_merges, on = in->prefetch & 1;
    BENCH_COVER(b, COV_AHEAD, ev->l1d_prefetches);
    BENCH_COVER(b, COV_AHEAD_HIT, ev->l1d_prefetch_hits && ev->l1d_load_hits);
    BENCH_COVER(b, COV_AHEAD_MERGE, ev->l1d_prefetch_hits && ev->l1d_load_merges);
    /* With two MSHRs the miss takes one, and a line is fetched ahead only once it has waited until the other is free as well. */
    BENCH_COVER(b, COV_AHEAD_FILL_MERGE, L1D_MSHRS == 2 || (merges && p->mshr[index].valid));
    BENCH_COVER(b, COV_AHEAD_UNASKED, merges && !p->mshr[index].valid);
    BENCH_COVER(b, COV_AHEAD_POISON, unasked && pending && (ev->l1d_stores || ev->l1d_atomics));
    BENCH_COVER(b, COV_AHEAD_HERE, s2 == PG_FETCH && here);
    BENCH_COVER(b, COV_AHEAD_ONE_LEFT, absent && room == 1 && victim >= 0 && m_free);
    BENCH_COVER(b, COV_AHEAD_RESERVED, L1D_MSHRS < L1D_WAYS + 2 || (absent && room > 1 && victim < 0));
    BENCH_COVER(b, COV_AHEAD_MEM, absent && room > 1 && victim >= 0 && !m_free);
    BENCH_COVER(b, COV_AHEAD_JAM, jam && !ev->l1d_prefetches);
    BENCH_COVER(b, COV_AHEAD_LAST, miss && on && place == PAGE_LINES - 1);
    BENCH_COVER(b, COV_AHEAD_FIRST, miss && in->prefetch == PREFETCH_STREAM && place == 0);
    BENCH_COVER(b, COV_AHEAD_NOT_FOUND, s2 == PG_PROBE && !here && !pending);
    BENCH_COVER(b, COV_AHEAD_PENDING, s2 == PG_PROBE && !here && pending);
    BENCH_COVER(b, COV_AHEAD_BUSY, some && p->ahead.some && p->ahead.line == asked_for);
    BENCH_COVER(b, COV_AHEAD_OTHER, some && p->ahead.some && p->ahead.line != asked_for);
    BENCH_COVER(b, COV_AHEAD_INVAL, some && alone && ev->l1d_invals && !in->inval);
    BENCH_COVER(b, COV_AHEAD_INVAL_I, some && in->inval);
    BENCH_COVER(b, COV_AHEAD_EVICTED, L1D_MSHRS == 2 || (fresh_victim && (miss || ev->l1d_prefetches)));
}
#endif
