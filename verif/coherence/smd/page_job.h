/* The answer to a probe: the slice's acknowledgements (step 2), messages sent (step 3), the phases of the job (step 7). */
#ifndef VERIF_COHERENCE_SMD_PAGE_JOB_H
#define VERIF_COHERENCE_SMD_PAGE_JOB_H
#include "verif/coherence/smd/page_edge.h"

/* Step 2. */
static void page_acked(page_t *p, page_edge_t *e)
{
    const page_t *was = e->was;
    const home_ack_t *a = &was->aq[0];
    if (!was->aq_n)
        return;
    if (!page_none(a->be)) {
        if (!page_way(p, e, a->line) || was->older[0])
            return;
        page_gave(p, e, a->line, a->be, &a->data);
        p->job.given = true;
    }
    memmove(p->aq, p->aq + 1, sizeof *p->aq);
    p->older[0] = p->older[1];
    p->aq_n--;
    p->job.out--;
}

/* Step 3. */
static void page_send(page_t *p, page_edge_t *e)
{
    const page_t *was = e->was;
    const page_job_t *j = &was->job;
    for (unsigned i = 0; i < PG_SLOTS && was->eq_n < 2; i++) {
        if (j->slot[i].state != PS_HERE || !j->slot[i].mem)
            continue;
        p->eq[p->eq_n++] = (smd_peer_t){
            .mem = SMD_MEM_LINE, .id = (uint8_t)j->slot[i].id, .line = j->slot[i].line, .data = j->slot[i].data};
        p->job.slot[i].state = PS_FREE;
        p->job.slot[i].mem = false;
        break;
    }
    if (j->phase != PJ_SEND)
        return;
    unsigned here = 0, room = 0, busy = 0;
    while (here < PG_SLOTS && j->slot[here].state != PS_HERE)
        here++;
    while (room < PG_SLOTS && j->slot[room].state != PS_FREE)
        room++;
    for (unsigned i = 0; i < PG_SLOTS; i++)
        busy += j->slot[i].state != PS_FREE;
    const uint64_t block = page_block(j->probe.line);
    if (here < PG_SLOTS) {
        const uint64_t line = page_line(p, block, j->slot[here].off);
        const line_mask_t mask = j->slot[here].mask, none = {0};
        const bool clean = j->probe.kind == PROBE_CLEAN;
        if (j->to_peer) {
            if (was->eq_n < 2) {
                p->eq[p->eq_n++] = (smd_peer_t){.device = j->probe.peer,
                                                .line = line,
                                                .mask = j->probe.kind == PROBE_READ ? none : mask,
                                                .data = j->slot[here].data};
                e->ev.smd_peer = true;
                p->job.slot[here].state = PS_FREE;
            }
        } else if (!mask_any(&mask)) {
            p->job.slot[here].state = PS_FREE;
        } else if (e->kq_room && (!clean || e->sq_room)) {
            page_to_hmd(p, e, (smd_ack_t){.kind = SMD_BYTES, .line = line, .mask = mask, .data = j->slot[here].data});
            e->ev.smd_bytes = true;
            if (clean)
                page_to_stack(p, e,
                              (stack_req_t){.write = true,
                                            .line = page_stack_line(p, line),
                                            .be = be_of_mask(&mask),
                                            .data = j->slot[here].data});
            p->job.slot[here].state = PS_FREE;
        }
    }
    if (j->next < PG_LPB && room < PG_SLOTS && e->sq_room) {
        page_to_stack(
            p, e,
            (stack_req_t){.id = (uint8_t)(L2_MSHRS + room), .line = page_stack_line(p, page_line(p, block, j->next))});
        p->job.slot[room].state = PS_READ;
        p->job.slot[room].off = j->next;
        p->job.next++;
    }
    if (j->next == PG_LPB && !busy)
        p->job.phase = PJ_SET;
}

/* A write-back of the block has been taken and not been performed. */
static bool page_write_inside(const page_t *p, uint64_t line)
{
    bool is = p->s1.valid && p->s1.what == P1_WRITE && page_together(p->s1.write.line, line);
    for (unsigned i = 0; i < p->in_n; i++)
        is |= p->in[i].op == HOME_WRITE_BACK && page_together(p->in[i].line, line);
    return is;
}

/* Step 7. */
static void page_probe(page_t *p, page_edge_t *e)
{
    const page_t *was = e->was;
    const page_job_t *j = &was->job;
    if (e->in->smd_probe_valid && was->out.smd_probe_ready) {
        p->job.probe = e->in->smd_probe;
        p->job.phase = PJ_LOOK;
        p->job.given = false;
        p->job.out = 0;
        e->ev.smd_probe = true;
        e->ev.smd_probe_kind = e->in->smd_probe.kind;
    }
    if (j->phase == PJ_ASK) {
        unsigned l = 0;
        bool sent = false;
        while (l < PG_LPB && !j->asks[l])
            l++;
        for (unsigned k = 0; k < L2_MSHRS; k++)
            sent |= was->w[k].state >= PW_SENT && page_together(was->w[k].line, j->probe.line);
        if (l == PG_LPB) {
            p->job.phase = PJ_DRAIN;
        } else if (was->pq_n < 2 && !sent) {
            p->pq[p->pq_n++] = (home_probe_t){.kind = j->probe.kind == PROBE_WRITE ? PROBE_WRITE : PROBE_CLEAN,
                                              .line = page_line(p, page_block(j->probe.line), l)};
            p->job.asks[l] = false;
            p->job.out++;
            e->ev.smd_ask = true;
        }
    }
    if (j->phase == PJ_DRAIN && !j->out && !page_write_inside(was, j->probe.line))
        p->job.phase = PJ_LOOK2;
}
#endif
