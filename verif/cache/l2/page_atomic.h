/* For the pages of either kind of L2 slice: answers and stores of atomics, and the reservations (step 6 of docs/blocks/l2.md, step 7 of l2c.md). */
#ifndef VERIF_CACHE_L2_PAGE_ATOMIC_H
#define VERIF_CACHE_L2_PAGE_ATOMIC_H
#include "verif/common/atomics.h"

typedef struct {
    bool valid;
    unsigned hart;
    uint64_t line;
} page_resv_t;

/* `word`: the doubleword in which the datum is; `image`: the answer, `stored`: the new datum. Returns whether it stores. */
static bool page_performs(const page_resv_t resv[SOURCES], const net_req_t *n, uint64_t word, bool fail,
                          uint64_t *image, uint64_t *stored)
{
    const mem_req_t *r = &n->req;
    const page_resv_t *v = &resv[n->src];
    const unsigned size = r->amo_dword ? 8 : 4;
    const uint64_t ones = ~0ull >> (64 - 8 * size), old = word >> (r->amo_off % 8 * 8) & ones;
    bool stores = true;
    uint64_t result = old;
    switch (r->amo) {
    case AMO_LR: stores = false; break;
    case AMO_CAS: stores = old == (r->data.w[1] & ones); break;
    case AMO_SC:
        stores = !fail && !r->sc_fail && v->valid && v->hart == r->hart && v->line == r->line;
        result = !stores;
        break;
    default: break;
    }
    *image = r->amo_dword ? result : result << 32 | result;
    *stored = amo_value(r->amo, size, old, r->data.w[0]);
    return stores;
}

static void page_unreserve(page_resv_t resv[SOURCES], uint64_t line)
{
    for (unsigned s = 0; s < SOURCES; s++)
        if (resv[s].line == line)
            resv[s].valid = false;
}

/* Behind a store, or an atomic that stores or does not. */
static void page_reserve(page_resv_t resv[SOURCES], const net_req_t *n, bool stores)
{
    const mem_req_t *r = &n->req;
    page_resv_t *v = &resv[n->src];
    const bool amo = r->op == MEM_AMO;
    if (amo && r->amo == AMO_SC && v->hart == r->hart)
        v->valid = false;
    if (stores)
        page_unreserve(resv, r->line);
    if (amo && r->amo == AMO_LR)
        *v = (page_resv_t){true, r->hart, r->line};
}
#endif
