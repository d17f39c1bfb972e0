/* Which requests are made: loads, stores and atomics of a few lines, and INVAL */
#ifndef VERIF_L1D_REQUESTS_H
#define VERIF_L1D_REQUESTS_H
#include "verif/cache/l1d/env.h"

static bool tag_in_use(const env_t *e, const l1d_tag_t *t)
{
    for (unsigned i = 0; i < INSIDE; i++)
        if (e->awaited[i].busy && e->awaited[i].tag.entry == t->entry && e->awaited[i].tag.tmask == t->tmask)
            return true;
    return false;
}

/* A tag that no request waits with; atomics have one thread, loads more than one. */
static bool pick_tag(bench_t *b, env_t *e, bool amo, l1d_tag_t *t)
{
    for (unsigned tries = 0; tries < 64; tries++) {
        t->entry = vl_below(&b->rng, LSU_ENTRIES);
        uint64_t m = vl_random_bits(&b->rng, THREADS);
        t->tmask = amo ? 1ull << vl_below(&b->rng, THREADS) : m;
        if ((amo || (m & (m - 1))) && !tag_in_use(e, t))
            return true;
    }
    return false;
}

static bool make(bench_t *b, env_t *e, l1d_req_t *r)
{
    unsigned p = vl_below(&b->rng, 64), k = (e->base + vl_below(&b->rng, e->span)) % POOL;
    if (e->streams && vl_below(&b->rng, 4))
        k = (e->walk += vl_below(&b->rng, 6) == 0) % POOL;
    for (unsigned i = 0; i < L1D_MSHRS; i++) { /* lines that are being fetched ahead */
        const page_mshr_t *m = &e->page.mshr[i];
        if (m->valid && !m->count && find(e, m->line) < POOL && vl_below(&b->rng, 6) == 0)
            k = find(e, m->line);
    }
    memset(r, 0, sizeof *r);
    r->line = e->addr[k];
    r->warp = vl_below(&b->rng, WARPS);
    unsigned stores = e->mix == 0   ? 0
                      : e->mix == 1 ? 16
                      : e->mix == 2 ? 32
                                    : 8,
             amos = e->mix == 5   ? 56
                    : e->mix == 3 ? 24
                    : e->mix      ? 2
                                  : 0;
    r->op = p < stores ? L1D_STORE : p < stores + amos ? L1D_AMO : p == 63 && e->mix == 4 ? L1D_INVAL : L1D_LOAD;
    if (r->op == L1D_STORE) {
        uint8_t be[SECTOR_BYTES / 8], keep = vl_below(&b->rng, 2) ? 0xff : (uint8_t)vl_random(&b->rng);
        for (unsigned i = 0; i < sizeof be; i++)
            be[i] = (uint8_t)vl_random(&b->rng) & keep;
        memcpy(&r->be, be, sizeof be);
        for (unsigned i = 0; i < SECTOR_BYTES; i++)
            if (be[i / 8] >> i % 8 & 1)
                ((uint8_t *)r->data.w)[i] = (uint8_t)vl_random(&b->rng);
        r->sector = vl_below(&b->rng, SECTORS);
    } else if (r->op == L1D_AMO) {
        r->amo = vl_below(&b->rng, 12);
        r->amo_dword = true;
        r->amo_off = 8 * vl_below(&b->rng, LINE_BYTES / 8);
        r->hart = vl_random_bits(&b->rng, HART_W);
        r->data.w[0] = vl_random(&b->rng);
        return pick_tag(b, e, true, &r->tag);
    } else if (r->op == L1D_LOAD) {
        r->sector = vl_below(&b->rng, SECTORS);
        r->walked = LOCALITY_ENTRIES != 0 && vl_below(&b->rng, 2);
        return pick_tag(b, e, false, &r->tag);
    } else {
        r->line = 0;
    }
    return true;
}
#endif
