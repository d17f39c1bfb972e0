/* The page's section "Outputs", a function of the state. */
#ifndef VERIF_COHERENCE_L2C_PAGE_SHOW_H
#define VERIF_COHERENCE_L2C_PAGE_SHOW_H
#include "verif/coherence/l2c/page_atomic.h"
#include "verif/coherence/l2c/page_nmoesi.h"

/* The bytes of a mask, and their values; 0 elsewhere. */
static void page_given(const page_bytes_t *d, line_be_t *be, line_data_t *data)
{
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (d->own[i]) {
            be->w[i / 64] |= 1ull << i % 64;
            ((uint8_t *)data->w)[i] = d->b[i];
        }
}

static void page_show(page_t *p)
{
    l2c_out_t *o = &p->out;
    const page_s3_t *s = &p->s3;
    o->net_req_ready = p->q_n < PG_QUEUE;
    o->home_probe_ready = !p->p1_valid && p->cleared == PG_SETS && !p->deferred;
    o->net_rsp_valid =
        s->valid && s->kind != PG_WB && s->kind != PG_ACK && (s->kind != PG_AMO || (s->phase && !s->sent));
    o->trace_line = o->net_rsp_valid ? s->n.req.line : 0;
    if (o->net_rsp_valid) {
        o->net_rsp.src = s->n.src;
        o->net_rsp.rsp.id = s->n.req.id;
        uint64_t stored;
        if (s->kind == PG_READ)
            memcpy(o->net_rsp.rsp.data.w, s->data.b, LINE_BYTES);
        else if (s->kind == PG_AMO)
            page_atomic(p, s, &o->net_rsp.rsp.data.w[0], &stored);
    }
    o->home_ack_valid = s->valid && s->kind == PG_ACK;
    if (o->home_ack_valid) {
        o->home_ack.line = s->line;
        o->home_ack.state = page_code(s->state);
        page_given(&s->data, &o->home_ack.be, &o->home_ack.data);
    }
    const bool wb = s->valid && s->kind == PG_WB && !p->rq_n;
    home_req_t *h = &o->home_req;
    o->home_req_valid = wb || p->rq_n;
    if (wb) {
        h->op = HOME_WRITE_BACK;
        h->state = page_code(s->state);
        h->keep = s->keep;
        h->src = s->n.src;
        h->asid = s->n.req.asid;
        h->line = s->line;
        page_given(&s->data, &h->be, &h->data);
    } else if (p->rq_n) {
        h->op = (uint8_t)p->rq[0].op;
        h->id = (uint8_t)p->rq[0].id;
        h->cls = (uint8_t)p->rq[0].cls;
        h->asid = (uint16_t)p->rq[0].asid;
        h->src = (uint8_t)p->rq[0].src;
        h->line = p->rq[0].line;
    }
    o->idle = p->cleared == PG_SETS && !p->q_n && !p->p1_valid && !p->s1_valid && !p->s2.valid && !p->s3.valid
              && p->maint == PG_NONE && !o->maint_done;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        o->idle &= !p->mshr[k].valid;
}
#endif
