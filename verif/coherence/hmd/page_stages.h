/* Step 6: the stages of a transaction, its probes, lines and grant. */
#ifndef VERIF_COHERENCE_HMD_PAGE_STAGES_H
#define VERIF_COHERENCE_HMD_PAGE_STAGES_H
#include "verif/coherence/hmd/page_bytes.h"
#include "verif/coherence/hmd/page_grant.h"

/* Step 6, FIRST and SECOND: stages of transaction k, without probes. */
static void page_probed(const page_x_t *was, page_x_t *x)
{
    if (was->stage == PX_FIRST && (!was->first || (was->first_sent && !page_any(was->wait, DEVICES))))
        x->stage = PX_SECOND;
    if (was->stage == PX_SECOND && !page_any(was->probe, DEVICES) && !page_any(was->lprobe, PG_LPB)
        && !page_any(was->wait, DEVICES) && !was->lwait) {
        const page_op_e op = was->job.op;
        x->stage =
            page_llc(op) || ((op == PO_READ || op == PO_OWN) && !was->osent && !was->job.thin) ? PX_LINES : PX_SET;
        x->next = 0;
    }
}

static void page_probes(const page_state_t *was, page_state_t *s, ev_hmd_t *ev)
{
    bool sent = was->pq.n >= 2, lsent = was->lq.n >= 2;
    for (unsigned k = 0; k < HMD_TRANSACTIONS; k++) {
        const page_x_t *w = &was->x[k];
        page_x_t *x = &s->x[k];
        if (!w->valid)
            continue;
        const bool first = w->stage == PX_FIRST && w->first && !w->first_sent, second = w->stage == PX_SECOND;
        unsigned d = first ? w->e.owner - 1 : 0, line = 0;
        while (!first && d < DEVICES && !w->probe[d])
            d++;
        if (!sent && (first || (second && d < DEVICES))) {
            hmd_probe_t *q = &s->pq.w[s->pq.n++];
            memset(q, 0, sizeof *q);
            q->device = (__typeof__(q->device))d;
            q->probe.kind = (__typeof__(q->probe.kind))(first ? w->first_kind : w->pkind);
            q->probe.line = page_block(w->job.line) * PG_LPB;
            q->probe.to_peer = first && w->first_peer;
            if (q->probe.to_peer)
                q->probe.peer = (__typeof__(q->probe.peer))w->job.device;
            q->probe.keep = second && w->job.op == PO_FLUSH && !w->wide;
            x->wait[d] = true;
            if (first)
                x->first_sent = true;
            else
                x->probe[d] = false;
            sent = ev->hmd_probe = true;
        }
        while (line < PG_LPB && !w->lprobe[line])
            line++;
        if (!lsent && second && line < PG_LPB) {
            s->lq.w[s->lq.n].kind = (__typeof__(s->lq.w[0].kind))w->lkind;
            s->lq.w[s->lq.n++].line = page_block(w->job.line) * PG_LPB + line;
            x->lprobe[line] = false;
            x->lwait++;
            lsent = ev->hmd_host_probe = true;
        }
    }
}

/* Step 6, LINES. mq: its place is taken. */
static void page_lines(const page_state_t *was, page_state_t *s, bool mq, ev_hmd_t *ev)
{
    unsigned slot = 0;
    while (slot < PG_SLOTS && was->r[slot].state != PS_FREE)
        slot++;
    for (unsigned k = 0; k < HMD_TRANSACTIONS; k++) {
        const page_x_t *w = &was->x[k];
        const unsigned n = page_llc(w->job.op) ? 1 : PG_LPB;
        if (!w->valid || w->stage != PX_LINES)
            continue;
        if (w->next < n && slot < PG_SLOTS && !mq) {
            const uint64_t line = page_block(w->job.line) * PG_LPB + (w->job.line + w->next) % PG_LPB;
            page_reads(s, slot, line, ev);
            s->r[slot].state = PS_READ;
            s->r[slot].get = false;
            s->r[slot].x = k;
            s->r[slot].line = line;
            s->x[k].next++;
            mq = true;
        }
        bool mine = false;
        for (unsigned i = 0; i < PG_SLOTS; i++)
            mine |= was->r[i].state != PS_FREE && !was->r[i].get && was->r[i].x == k;
        if (w->next == n && !mine)
            s->x[k].stage = PX_SET;
    }
}

/* Step 6, Emit and GRANT. Returns whether the place of dq is taken. */
static bool page_data(const page_state_t *was, page_state_t *s, page_t *p, ev_hmd_t *ev)
{
    unsigned here = 0;
    bool emitted = false, granted = false;
    p->out.home_rsp_valid = false;
    while (here < PG_SLOTS && was->r[here].state != PS_HERE)
        here++;
    if (here < PG_SLOTS) {
        const page_slot_t *r = &was->r[here];
        const page_x_t *w = &was->x[r->get ? 0 : r->x];
        page_entry_t e;
        if (!r->get && page_llc(w->job.op)) {
            p->out.home_rsp_valid = true;
            p->out.home_rsp.id = (__typeof__(p->out.home_rsp.id))w->job.id;
            p->out.home_rsp.state = (__typeof__(p->out.home_rsp.state))page_set(w, &e);
            p->out.home_rsp.data = r->data;
            s->r[here].state = PS_FREE;
            ev->hmd_line = true;
        } else if (was->dq.n < 2) {
            hmd_data_t *d = &s->dq.w[s->dq.n++];
            memset(d, 0, sizeof *d);
            d->device = (__typeof__(d->device))(r->get ? r->x : w->job.device);
            d->data.line = r->line;
            d->data.data = r->data;
            s->r[here].state = PS_FREE;
            emitted = ev->hmd_line = true;
        }
    }
    for (unsigned k = 0; k < HMD_TRANSACTIONS && !granted && !emitted && was->dq.n < 2; k++) {
        const page_x_t *w = &was->x[k];
        page_entry_t e;
        if (!w->valid || w->stage != PX_GRANT)
            continue;
        hmd_data_t *d = &s->dq.w[s->dq.n++];
        memset(d, 0, sizeof *d);
        d->device = (__typeof__(d->device))w->job.device;
        d->data.grant = true;
        d->data.line = w->job.line;
        d->data.state = (__typeof__(d->data.state))page_set(w, &e);
        s->x[k].stage = PX_ARRIVE;
        granted = ev->hmd_grant = true;
        ev->hmd_state = d->data.state;
    }
    return was->dq.n >= 2 || emitted || granted;
}
#endif
