/* The page's section "Outputs": a function of the state. */
#ifndef VERIF_COHERENCE_SMD_PAGE_SHOW_H
#define VERIF_COHERENCE_SMD_PAGE_SHOW_H
#include "verif/coherence/smd/page_state.h"

static void page_show(page_t *p)
{
    smd_out_t *o = &p->out;
    const bool clear = p->cleared == PG_PLACES;
    o->home_req_ready = p->in_n < 2 && clear;
    o->home_ack_ready = p->aq_n < 2;
    o->smd_probe_ready = p->job.phase == PJ_NONE && clear;
    bool slot = false, slots = true;
    for (unsigned i = 0; i < PG_SLOTS; i++) {
        slot |= p->job.slot[i].state == PS_FREE;
        slots &= p->job.slot[i].state == PS_FREE;
    }
    o->smd_data_ready = p->sq_n < 2 && p->fq_n < 2 && (!p->serve || slot);
#define PAGE_HEAD(port, q) \
    o->port##_valid = p->q##_n != 0; \
    if (p->q##_n) \
        o->port = p->q[0]
    PAGE_HEAD(home_probe, pq);
    PAGE_HEAD(stack_req, sq);
    PAGE_HEAD(smd_req, rq);
    PAGE_HEAD(smd_ack, kq);
    PAGE_HEAD(smd_peer, eq);
#undef PAGE_HEAD
    o->home_rsp_valid = p->rsp_valid;
    o->home_rsp = p->rsp;
    o->maint_done = p->done;
    o->idle = clear && slots && !(p->fq_n + p->in_n + p->aq_n + p->sq_n + p->pq_n + p->rq_n + p->kq_n + p->eq_n)
              && p->job.phase == PJ_NONE && !p->s1.valid && !p->rsp_valid && p->maint == PM_NONE && !p->done;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        o->idle &= p->w[k].state == PW_FREE;
    for (unsigned x = 0; x < SMD_TRANSACTIONS; x++)
        o->idle &= !p->x[x].valid;
}
#endif
