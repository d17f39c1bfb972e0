/* Step 3: the work of s2, and whether it leaves. */
#ifndef VERIF_CACHE_L2_PAGE_S2_H
#define VERIF_CACHE_L2_PAGE_S2_H
#include "verif/cache/l2/page_state.h"

static void page_send(page_t *p, unsigned id, const net_req_t *n)
{
    p->rq[p->rq_n++] = (page_send_t){id, n->req.cls, n->req.asid, n->src, n->req.line};
}

/* Step 3. Returns whether s2 leaves. */
static bool page_s2(page_t *p, page_s3_t *to, bool s3_free, bool amo_hold, const page_way_t *amo_row, bool fill_now)
{
    page_s2_t *s = &p->s2;
    page_mshr_t *m = &p->mshr[s->k];
    page_way_t *row = &p->cache[page_set(s->kind == PG_FLUSH ? s->victim : s->n.req.line)][s->way];
    const bool held = amo_hold && amo_row == row;
    if (!s->valid || !s3_free)
        return false;
    if (s->wb) {
        if (held)
            return false;
        *to = (page_s3_t){.valid = true,
                          .kind = PG_WB,
                          .row = row,
                          .n = s->n,
                          .victim = s->victim,
                          .data = row->data,
                          .keep = s->kind == PG_FLUSH && !page_forgets(&p->job)};
        memcpy(to->mask, row->mask, sizeof to->mask);
        s->wb = false;
        if (s->kind == PG_WRITE)
            return false;
    }
    switch (s->kind) {
    case PG_ALLOC:
        memset(row->mask, 0, sizeof row->mask);
        memset(m->fetched, 0, sizeof m->fetched);
        page_send(p, PG_TOP | s->k, &s->n);
        return true;
    case PG_FLUSH: memset(row->mask, 0, sizeof row->mask); return true;
    case PG_PROBE:
        if (page_all(row->mask)) {
            m->done = true;
        } else {
            memcpy(m->fetched, row->mask, sizeof m->fetched);
            page_send(p, PG_TOP | s->k, &s->n);
        }
        return true;
    case PG_BYPASS: page_send(p, s->k, &s->n); return true;
    case PG_READ:
        if (!s->frombyp && held)
            return false;
        *to = (page_s3_t){
            .valid = true, .kind = PG_READ, .row = row, .n = s->n, .data = s->frombyp ? m->data : row->data};
        return true;
    case PG_AMO:
        if (held)
            return false;
        *to = (page_s3_t){.valid = true, .kind = PG_AMO, .row = row, .n = s->n, .data = row->data};
        if (s->n.req.amo != AMO_LR)
            for (unsigned i = 0; i < (s->n.req.amo_dword ? 8u : 4u); i++)
                row->mask[s->n.req.amo_off + i] = true;
        return true;
    default:
        if (fill_now || amo_hold)
            return false;
        for (unsigned i = 0; i < LINE_BYTES; i++) {
            const bool be = page_be(&s->n.req, i);
            row->mask[i] = be || (!s->fresh && row->mask[i]);
            if (be)
                row->data.b[i] = ((const uint8_t *)s->n.req.data.w)[i];
        }
        *to = (page_s3_t){.valid = true, .kind = PG_WRITE, .row = row, .n = s->n};
        return true;
    }
}
#endif
