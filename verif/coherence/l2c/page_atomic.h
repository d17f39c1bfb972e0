/* Step 7: what an atomic answers and stores, and reservations. */
#ifndef VERIF_COHERENCE_L2C_PAGE_ATOMIC_H
#define VERIF_COHERENCE_L2C_PAGE_ATOMIC_H
#include "verif/coherence/l2c/page_state.h"

/* Step 7: what an atomic answers, and whether and what it stores. */
static bool page_atomic(const page_t *p, const page_s3_t *s, uint64_t *image, uint64_t *stored)
{
    const mem_req_t *r = &s->n.req;
    const bool d = r->amo_dword;
    const uint64_t low = 0xffffffffull, old = d ? s->old : (r->amo_off & 4 ? s->old >> 32 : s->old) & low;
    const uint64_t x = d ? r->data.w[0] : r->data.w[0] & low, cmp = d ? r->data.w[1] : r->data.w[1] & low;
    const int64_t so = d ? (int64_t)old : (int32_t)old, sx = d ? (int64_t)x : (int32_t)x;
    bool stores = true;
    uint64_t result = old, v = x;
    switch (r->amo) {
    case AMO_SWAP: break;
    case AMO_ADD: v = old + x; break;
    case AMO_XOR: v = old ^ x; break;
    case AMO_AND: v = old & x; break;
    case AMO_OR: v = old | x; break;
    case AMO_MIN: v = so < sx ? old : x; break;
    case AMO_MAX: v = so > sx ? old : x; break;
    case AMO_MINU: v = old < x ? old : x; break;
    case AMO_MAXU: v = old > x ? old : x; break;
    case AMO_CAS: stores = old == cmp; break;
    case AMO_LR: stores = false; break;
    default:
        stores = !s->fail && !r->sc_fail && p->resv[s->n.src].valid && p->resv[s->n.src].hart == r->hart
                 && p->resv[s->n.src].line == r->line;
        result = !stores;
    }
    *image = d ? result : (result & low) << 32 | (result & low);
    *stored = v;
    return stores;
}

static void page_unreserve(page_t *p, uint64_t line)
{
    for (unsigned s = 0; s < SOURCES; s++)
        if (p->resv[s].line == line)
            p->resv[s].valid = false;
}

/* Step 7, at leaving. */
static void page_left_s3(page_t *p, const page_s3_t *s)
{
    uint64_t image, stored;
    const mem_req_t *r = &s->n.req;
    if (s->kind == PG_WRITE)
        page_unreserve(p, r->line);
    if (s->kind != PG_AMO)
        return;
    const bool stores = page_atomic(p, s, &image, &stored);
    if (r->amo == AMO_SC && p->resv[s->n.src].hart == r->hart)
        p->resv[s->n.src].valid = false;
    if (stores)
        page_unreserve(p, r->line);
    if (r->amo == AMO_LR) {
        p->resv[s->n.src].valid = true;
        p->resv[s->n.src].hart = r->hart;
        p->resv[s->n.src].line = r->line;
    }
}
#endif
