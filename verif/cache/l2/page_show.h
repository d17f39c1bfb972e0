/* The outputs of the ports. */
#ifndef VERIF_CACHE_L2_PAGE_SHOW_H
#define VERIF_CACHE_L2_PAGE_SHOW_H
#include "verif/cache/l2/page_state.h"

/* Step 6. */
static bool page_atomic(const page_t *p, const page_s3_t *s, uint64_t *image, uint64_t *stored)
{
    return page_performs(p->resv, &s->n, s->old, false, image, stored);
}

static bool page_writes(const l2_out_t *o)
{
    return o->home_req.op == HOME_WRITE_BACK;
}

static void page_show(page_t *p)
{
    l2_out_t *o = &p->out;
    const page_s3_t *s = &p->s3;
    o->net_req_ready = p->q_n < PG_QUEUE;
    o->net_rsp_valid = s->valid && s->kind != PG_WB && (s->kind != PG_AMO || (s->phase && !s->sent));
    o->trace_line = o->net_rsp_valid ? s->n.req.line : 0;
    if (o->net_rsp_valid) {
        memset(&o->net_rsp, 0, sizeof o->net_rsp);
        o->net_rsp.src = s->n.src;
        o->net_rsp.rsp.id = s->n.req.id;
        uint64_t stored;
        if (s->kind == PG_READ)
            memcpy(o->net_rsp.rsp.data.w, s->data.b, LINE_BYTES);
        else if (s->kind == PG_AMO)
            page_atomic(p, s, &o->net_rsp.rsp.data.w[0], &stored);
    }
    const bool wb = s->valid && s->kind == PG_WB && !p->rq_n;
    o->home_req_valid = wb || p->rq_n;
    memset(&o->home_req, 0, sizeof o->home_req);
    if (wb) {
        o->home_req.op = HOME_WRITE_BACK;
        o->home_req.state = NMOESI_M;
        o->home_req.keep = s->keep;
        o->home_req.src = s->n.src;
        o->home_req.asid = s->n.req.asid;
        o->home_req.line = s->victim;
        for (unsigned i = 0; i < LINE_BYTES; i++)
            if (s->mask[i]) {
                o->home_req.be.w[i / 64] |= 1ull << i % 64;
                ((uint8_t *)o->home_req.data.w)[i] = s->data.b[i];
            }
    } else if (p->rq_n) {
        o->home_req.id = (uint8_t)p->rq[0].id;
        o->home_req.cls = (uint8_t)p->rq[0].cls;
        o->home_req.asid = (uint16_t)p->rq[0].asid;
        o->home_req.src = (uint8_t)p->rq[0].src;
        o->home_req.line = p->rq[0].line;
    }
    o->idle = p->cleared == PG_SETS && !p->q_n && !p->s1_valid && !p->s2.valid && !p->s3.valid && p->maint == PG_NONE
              && !o->maint_done;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        o->idle &= !p->mshr[k].valid;
}
#endif
