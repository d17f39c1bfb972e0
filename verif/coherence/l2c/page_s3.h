/* Step 2: s3 leaves. */
#ifndef VERIF_COHERENCE_L2C_PAGE_S3_H
#define VERIF_COHERENCE_L2C_PAGE_S3_H
#include "verif/coherence/l2c/page_atomic.h"

/* Step 2. Returns whether s3 leaves; *next is its next state otherwise. */
static bool page_s3(const page_t *p, const l2c_in_t *in, bool fill_now, page_s3_t *next, bool *store, uint64_t *stored)
{
    const page_s3_t *s = &p->s3;
    *next = *s;
    if (!s->valid)
        return false;
    switch (s->kind) {
    case PG_AMO: {
        uint64_t image;
        const bool stores = s->phase && page_atomic(p, s, &image, stored);
        *store = stores && !s->wrote && !fill_now;
        if (!s->phase)
            memcpy(&next->old, s->data.b + (s->n.req.amo_off & ~7u), 8);
        next->phase = true;
        next->sent |= p->out.net_rsp_valid && in->net_rsp_ready;
        next->wrote |= *store;
        return s->phase && (s->sent || in->net_rsp_ready) && (!stores || s->wrote || !fill_now);
    }
    case PG_WB: return !p->rq_n && in->home_req_ready;
    case PG_ACK: return in->home_ack_ready;
    default: return in->net_rsp_ready;
    }
}
#endif
