/* Fetches and evictions: messages from the HMD (step 1), and to it (step 6). */
#ifndef VERIF_COHERENCE_SMD_PAGE_TRANSACT_H
#define VERIF_COHERENCE_SMD_PAGE_TRANSACT_H
#include "verif/coherence/smd/page_edge.h"

/* Step 1, reads and writes of this stack by the HMD. */
static void page_serve(page_t *p, page_edge_t *e, const smd_data_t *d)
{
    unsigned i = 0;
    if (d->mem == SMD_MEM_WRITE) {
        e->ev.smd_mem_write = true;
        page_to_stack(p, e,
                      (stack_req_t){.write = true,
                                    .line = page_home_line(p, d->line),
                                    .be = mask_any(&d->mask) ? be_of_mask(&d->mask) : be_all(),
                                    .data = d->data});
        return;
    }
    e->ev.smd_mem_read = true;
    while (i < PG_SLOTS - 1 && e->was->job.slot[i].state != PS_FREE)
        i++;
    page_to_stack(p, e, (stack_req_t){.id = (uint8_t)(L2_MSHRS + i), .line = page_home_line(p, d->line)});
    p->job.slot[i].state = PS_READ;
    p->job.slot[i].mem = true;
    p->job.slot[i].line = d->line;
    p->job.slot[i].id = d->id;
}

/* Step 1. */
static void page_data(page_t *p, page_edge_t *e)
{
    const page_t *was = e->was;
    const smd_data_t *d = &e->in->smd_data;
    if (!e->in->smd_data_valid || !was->out.smd_data_ready)
        return;
    if (d->mem != SMD_MEM_NONE) {
        page_serve(p, e, d);
        return;
    }
    e->ev.smd_line = !d->grant;
    if (!d->grant && was->far) {
        p->fq[p->fq_n++] = *d;
        return;
    }
    if (!d->grant) {
        page_to_stack(
            p, e,
            (stack_req_t){
                .write = true, .line = page_stack_line(p, d->line), .be = be_all(), .marks = d->mask, .data = d->data});
        for (unsigned k = 0; k < L2_MSHRS; k++)
            e->woken[k] |= was->w[k].state == PW_WAIT && was->w[k].line == d->line;
    }
    for (unsigned i = 0; i < SMD_TRANSACTIONS; i++) {
        const page_x_t *x = &was->x[i];
        if (!x->valid)
            continue;
        const bool fetches = x->stage == PX_WAIT && page_together(x->line, d->line);
        if (!d->grant)
            p->x[i].come[page_off(d->line)] |= fetches && x->kind == PX_FETCH;
        else if (x->stage == PX_LEAVE && page_together(x->victim, d->line))
            p->x[i].stage = PX_LEFT;
        else if (fetches && x->kind == PX_FLUSH)
            p->x[i].stage = PX_ARRIVE;
        else if (fetches) {
            p->x[i].granted = true;
            p->x[i].gstate = d->state;
        }
    }
}

/* Step 6. */
static void page_out(page_t *p, page_edge_t *e)
{
    const page_t *was = e->was;
    for (unsigned i = 0; i < SMD_TRANSACTIONS && was->rq_n < 2; i++) {
        const page_x_t *x = &was->x[i];
        const bool out = x->stage == PX_OUT;
        if (!x->valid || !(out || x->stage == PX_ASK))
            continue;
        const unsigned op = out ? SMD_EVICT : x->kind == PX_FLUSH ? SMD_FLUSH : x->own ? SMD_OWN : SMD_READ;
        p->rq[p->rq_n++] = (smd_req_t){.op = (uint8_t)op,
                                       .bytes = out ? x->bytes : op == SMD_FLUSH,
                                       .line = out ? x->victim : x->line,
                                       .thin = was->far && op <= SMD_OWN};
        p->x[i].stage = out ? PX_LEAVE : PX_WAIT;
        e->ev.smd_fetch = op == SMD_READ;
        e->ev.smd_own = op == SMD_OWN;
        e->ev.smd_evict = op == SMD_EVICT;
        e->ev.smd_flush = op == SMD_FLUSH;
        break;
    }
    if (e->kq_room) {
        if (was->job.phase == PJ_DONE) {
            page_to_hmd(p, e,
                        (smd_ack_t){.kind = SMD_DONE,
                                    .line = was->job.probe.line / PG_LPB * PG_LPB,
                                    .state = was->job.st,
                                    .sent = was->job.to_peer});
            p->job.phase = PJ_NONE;
            page_wake_all(e);
        } else {
            for (unsigned i = 0; i < SMD_TRANSACTIONS; i++) {
                const page_x_t *x = &was->x[i];
                if (!x->valid || !(x->stage == PX_LEFT || x->stage == PX_ARRIVE))
                    continue;
                page_to_hmd(p, e, (smd_ack_t){.kind = SMD_ARRIVED, .line = x->stage == PX_LEFT ? x->victim : x->line});
                if (x->stage == PX_LEFT && x->kind == PX_FETCH) {
                    p->x[i].stage = PX_CLEAR;
                } else {
                    p->x[i].valid = false;
                    page_wake_all(e);
                }
                break;
            }
        }
    }
    for (unsigned i = 0; i < SMD_TRANSACTIONS; i++) {
        const page_x_t *x = &was->x[i];
        bool all = x->valid && x->kind == PX_FETCH && x->stage == PX_WAIT && x->granted;
        for (unsigned l = 0; l < PG_LPB; l++)
            all &= x->come[l] || was->far;
        if (all)
            p->x[i].stage = PX_END;
    }
}
#endif
