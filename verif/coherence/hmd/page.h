/* The page of hmd (docs/blocks/hmd.md) as a program: the directory, its transactions, and their messages; every output and event of each cycle. Step numbers and
 * stages are the page's. An edge computes its changes from a copy of the state before it; its steps are in headers of their own. */
#ifndef VERIF_COHERENCE_HMD_PAGE_H
#define VERIF_COHERENCE_HMD_PAGE_H
#include "verif/common/scoreboard.h"
#include "verif/coherence/hmd/page_show.h"
#include "verif/coherence/hmd/page_stages.h"
#include "verif/coherence/hmd/page_table.h"

static void page_begin(page_t *p)
{
    page_show(p);
}

static void page_expect(page_t *p, const hmd_in_t *in)
{
    static page_state_t before;
    before = p->s;
    const page_state_t *was = &before;
    page_state_t *s = &p->s;
    const hmd_out_t o = p->out;
    ev_hmd_t ev;
    memset(&ev, 0, sizeof ev);
    /* taken messages leave before anything enters */
    if (o.smd_probe_valid && in->smd_probe_ready) {
        s->pq.w[0] = s->pq.w[1];
        s->pq.n--;
    }
    if (o.smd_data_valid && in->smd_data_ready) {
        s->dq.w[0] = s->dq.w[1];
        s->dq.n--;
    }
    if (o.home_probe_valid && in->home_probe_ready) {
        s->lq.w[0] = s->lq.w[1];
        s->lq.n--;
    }
    if (o.host_req_valid && in->host_req_ready) {
        s->mq.w[0] = s->mq.w[1];
        s->mq.n--;
    }
    s->memory = in->memory;
    const bool dq = page_data(was, s, p, &ev), mq = page_bytes(was, s, page_stacks(s) ? dq : was->mq.n >= 2, &ev);
    page_probes(was, s, &ev);
    for (unsigned k = 0; k < HMD_TRANSACTIONS; k++)
        if (was->x[k].valid)
            page_probed(&was->x[k], &s->x[k]);
    page_lines(was, s, mq, &ev);
    page_table(p, was, s, in->peers && in->memory == MEMORY_UMH, &ev);
    if (in->host_rsp_valid) {
        s->r[in->host_rsp.id].state = PS_HERE;
        s->r[in->host_rsp.id].data = in->host_rsp.data;
    }
    if (in->smd_mem_valid) {
        s->r[in->smd_mem.id].state = PS_HERE;
        s->r[in->smd_mem.id].data = in->smd_mem.data;
    }
    if (in->home_ack_valid && o.home_ack_ready)
        s->ain.w[s->ain.n++] = in->home_ack;
    if (in->smd_req_valid && o.smd_req_ready)
        s->qin.w[s->qin.n++] = in->smd_req;
    if (in->smd_ack_valid && o.smd_ack_ready)
        s->kin.w[s->kin.n++] = in->smd_ack;
    if (in->home_req_valid && o.home_req_ready)
        s->lin.w[s->lin.n++] = in->home_req;
    p->out.ev = ev;
    page_show(p);
}
#endif
