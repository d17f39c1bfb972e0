/* The page of l2c (docs/blocks/l2c.md) as a program: every state of every line, the victim by true LRU, every wait, read, write-back, acknowledgement, answer and event.
 * The step numbers and the letters of the cases are the page's. An edge calls its steps here; each step is in the header of its part. */
#ifndef VERIF_COHERENCE_L2C_PAGE_H
#define VERIF_COHERENCE_L2C_PAGE_H
#include "verif/common/scoreboard.h"
#include "verif/coherence/l2c/page_maint.h"
#include "verif/coherence/l2c/page_probe.h"
#include "verif/coherence/l2c/page_request.h"
#include "verif/coherence/l2c/page_s2.h"
#include "verif/coherence/l2c/page_s3.h"
#include "verif/coherence/l2c/page_show.h"

static void page_begin(page_t *p)
{
    for (unsigned s = 0; s < PG_SETS; s++)
        for (unsigned w = 0; w < L2_WAYS; w++)
            p->cache[s][w].used = L2_WAYS - w; /* way 0 counts as the youngest */
    p->touches = L2_WAYS;
    page_show(p);
}

/* Steps 4, 5 and 6: the next occupant of s2, which is free. */
static void page_into_s2(page_t *p, const page_before_t *was, bool fill_now, page_s2_t *s2, bool *p1_leaves,
                         bool *s1_leaves, ev_l2c_t *ev)
{
    for (unsigned k = 0; k < L2_MSHRS; k++) {
        page_mshr_t *m = &p->mshr[k];
        if (!was->mshr[k].valid || !was->mshr[k].done || !was->mshr[k].n)
            continue;
        *s2 = (page_s2_t){
            .valid = true, .kind = page_kind(&p->list[k][0].req), .way = m->way, .k = k, .n = p->list[k][0]};
        memmove(p->list[k], p->list[k] + 1, --m->n * sizeof *p->list[k]);
        p->targets--;
        ev->l2_replay = true;
        return;
    }
    if (fill_now)
        return;
    if (p->p1_valid) {
        page_probed(p, s2, ev);
        *p1_leaves = true;
    } else if (p->s1_valid && p->s1_step) {
        page_maintain(p, s2, ev);
        *s1_leaves = true;
    } else if (p->s1_valid) {
        const char c = page_request(p, s2, was, ev);
        *s1_leaves = c != 0;
        if (!c)
            return;
        ev->l2_access = true;
        ev->l2_hit = c == 'c';
        ev->l2_merge = c == 'a';
        ev->l2_sc_lost = c == 'd';
        ev->l2_upgrade = c == 'e';
        ev->l2_atomic = p->s1.req.op == MEM_AMO;
        ev->l2_cls = p->s1.req.cls;
        ev->l2_asid = p->s1.req.asid;
    }
}

/* Step 1. */
static void page_filled(page_t *p, const l2c_in_t *in, ev_l2c_t *ev)
{
    page_mshr_t *m = &p->mshr[in->home_rsp.id & (PG_TOP - 1)];
    page_way_t *v = &p->cache[page_set(m->line)][m->way];
    const char granted = page_state(in->home_rsp.state);
    memcpy(v->data.b, in->home_rsp.data.w, LINE_BYTES);
    v->state = m->own ? 'M' : m->stored ? page_next(granted, PG_N_STORE) : granted;
    v->line = m->line;
    m->done = true;
    ev->l2_fill = true;
    page_moved(ev, 'I', v->state);
}

static void page_expect(page_t *p, const l2c_in_t *in)
{
    page_mshr_t before[L2_MSHRS];
    memcpy(before, p->mshr, sizeof before);
    const page_before_t was = {before, p->targets};
    const bool fill_now = in->home_rsp_valid, clear = p->cleared == PG_SETS,
               empty = !p->s1_valid && !p->s2.valid && !p->s3.valid, taken = p->out.net_req_ready && in->net_req_valid,
               probed = p->out.home_probe_ready && in->home_probe_valid;
    bool awaited = false;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        awaited |= before[k].valid;
    l2c_out_t o = {0};
    ev_l2c_t *ev = &o.ev;
    p->slice = in->slice;

    /* 2, 7. */
    page_s3_t s3 = p->s3, next;
    bool store = false;
    uint64_t stored = 0;
    const bool amo_hold = s3.valid && s3.kind == PG_AMO && !s3.wrote,
               leaves = page_s3(p, in, fill_now, &next, &store, &stored), s3_free = !s3.valid || leaves;
    if (leaves)
        page_left_s3(p, &s3);
    if (s3_free)
        next = (page_s3_t){0};

    /* Requests and acknowledgements that the home took. */
    const bool sent = p->out.home_req_valid && in->home_req_ready, wrote_back = p->out.home_req.op == HOME_WRITE_BACK;
    ev->l2_read = sent && !wrote_back;
    ev->l2_write = sent && wrote_back;
    ev->l2_ack = p->out.home_ack_valid && in->home_ack_ready;
    if (ev->l2_read)
        memmove(p->rq, p->rq + 1, --p->rq_n * sizeof *p->rq);

    /* 3; 4, 5, 6. */
    page_s2_t s2 = {0};
    const bool s2_leaves = page_s2(p, &next, s3_free, s3.row, amo_hold, fill_now), s2_free = !p->s2.valid || s2_leaves;
    if (s2_leaves && p->s2.lost)
        page_unreserve(p->resv, p->s2.victim);
    bool p1_leaves = false, s1_leaves = false;
    if (s2_free)
        page_into_s2(p, &was, fill_now, &s2, &p1_leaves, &s1_leaves, ev);
    const bool turn = s2_free && !ev->l2_replay && !fill_now, stays = p->s1_valid && !s1_leaves;
    if (stays && !p->s1_step) {
        ev->l2_stall_probe = p->p1_valid;
        ev->l2_stall_pipe = !p->p1_valid && !turn;
    }
    p->deferred = p->s1_valid && (p->p1_valid ? p->deferred : !turn);
    for (unsigned k = 0; k < L2_MSHRS; k++)
        if (before[k].valid && before[k].done && !before[k].n)
            p->mshr[k].valid = false;

    /* 1, and the store of step 2. */
    if (fill_now)
        page_filled(p, in, ev);
    if (store)
        memcpy(s3.row->data.b + s3.n.req.amo_off, &stored, s3.n.req.amo_dword ? 8 : 4);

    /* 8, 9, 10. */
    const bool s1_free = !p->s1_valid || s1_leaves, s1_in = s1_free && !probed && (!p->p1_valid || p1_leaves);
    if (s1_free)
        p->s1_valid = false;
    if (s1_in && clear && p->maint == PG_NONE && p->q_n && p->now >= p->q[0].since + L2_LATENCY - 3) {
        p->s1_valid = true;
        p->s1_step = false;
        p->s1 = p->q[0].n;
        memmove(p->q, p->q + 1, --p->q_n * sizeof *p->q);
    }
    if (taken) {
        p->q[p->q_n].n = in->net_req;
        p->q[p->q_n++].since = p->now;
    }
    if (p1_leaves)
        p->p1_valid = false;
    if (probed) {
        p->p1_valid = true;
        p->p1 = in->home_probe;
    }
    page_maintenance(p, in, s1_in, empty, awaited, clear, &o);
    p->s3 = next;
    if (s2_free)
        p->s2 = s2;
    p->cleared += !clear;
    p->now++;
    p->out = o;
    page_show(p);
}
#endif
