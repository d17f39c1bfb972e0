/* The page's section "Outputs", a function of the state. */
#ifndef VERIF_COHERENCE_HMD_PAGE_SHOW_H
#define VERIF_COHERENCE_HMD_PAGE_SHOW_H
#include "verif/coherence/hmd/page_state.h"

static void page_show(page_t *p)
{
    const page_state_t *s = &p->s;
    hmd_out_t *o = &p->out;
    o->smd_req_ready = s->qin.n < 2;
    o->smd_ack_ready = s->kin.n < 2;
    o->home_req_ready = s->lin.n < 2;
    o->home_ack_ready = s->ain.n < 2;
    for (unsigned i = 0; i < s->lin.n; i++)
        o->home_ack_ready &= s->lin.w[i].op != HOME_WRITE_BACK;
    o->smd_probe_valid = s->pq.n;
    o->smd_probe = s->pq.w[0];
    o->smd_data_valid = s->dq.n;
    o->smd_data = s->dq.w[0];
    o->home_probe_valid = s->lq.n;
    o->home_probe = s->lq.w[0];
    o->host_req_valid = s->mq.n;
    o->host_req = s->mq.w[0];
    o->idle = s->init == PG_ENTRIES && !s->qin.n && !s->kin.n && !s->lin.n && !s->ain.n && !s->pq.n && !s->dq.n
              && !s->lq.n && !s->mq.n && !s->pool_n && !s->s1_valid && !o->home_rsp_valid;
    for (unsigned x = 0; x < HMD_TRANSACTIONS; x++)
        o->idle &= !s->x[x].valid;
    for (unsigned r = 0; r < PG_SLOTS; r++)
        o->idle &= s->r[r].state == PS_FREE;
}
#endif
