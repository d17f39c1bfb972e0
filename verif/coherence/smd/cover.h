/* Functional coverage of smd, read off the state of its page (page.h): the points that the page lists. */
#ifndef VERIF_COHERENCE_SMD_COVER_H
#define VERIF_COHERENCE_SMD_COVER_H
#include "verif/coherence/smd/cover_block.h"
#include "verif/coherence/smd/cover_far.h"

/* page_expect, and the coverage of that edge. */
static void cover_expect(bench_t *b, page_t *p, const smd_in_t *in)
{
    static page_t was;
    was = *p;
    page_expect(p, in);
    cover_far(b, &was, p, in);
    cover_home(b, &was, p, in);
    const ev_smd_t *v = &p->out.ev;
    const page_s1_t *s = &was.s1;
    const page_job_t *j = &was.job;
    const bool clearing = was.cleared < PG_PLACES, left = s->valid && memcmp(s, &p->s1, sizeof *s);
    if (s->valid && left) {
        BENCH_COVER(b, COV_WHAT + s->what, true);
        switch (s->what) {
        case P1_LOOK:
        case P1_LOOK2: cover_job(b, &was); break;
        case P1_READ: cover_read(b, &was, v); break;
        case P1_WRITE: cover_write(b, &was); break;
        case P1_STEP: cover_step(b, &was); break;
        default: break;
        }
        BENCH_COVER(b, COV_WOKEN_TWICE, s->what == P1_READ && !s->first && p->w[s->number].state == PW_WAIT);
    }
    if (in->smd_data_valid && was.out.smd_data_ready)
        cover_data(b, &was, &in->smd_data);
    for (unsigned k = 0; k < L2_MSHRS; k++) {
        const bool woken = was.w[k].state == PW_WAIT && !was.w[k].wake && p->w[k].wake;
        BENCH_COVER(b, COV_WOKEN_LINE, woken && v->smd_line && in->smd_data.line == was.w[k].line);
        BENCH_COVER(b, COV_WOKEN_END, woken && !v->smd_line);
    }
    bool sent = false, fetch = false;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        sent |= was.w[k].state == PW_SENT && page_together(was.w[k].line, j->probe.line);
    for (unsigned x = 0; x < SMD_TRANSACTIONS; x++)
        fetch |= was.x[x].valid && was.x[x].kind == PX_FETCH;
    BENCH_COVER(b, COV_SENT, j->phase == PJ_ASK && sent && was.pq_n < 2 && p->job.phase == PJ_ASK && !v->smd_ask);
    if (j->phase == PJ_DRAIN && !j->out && p->job.phase == PJ_DRAIN) {
        const bool s1 = s->valid && s->what == P1_WRITE && page_together(s->write.line, j->probe.line);
        BENCH_COVER(b, s1 ? COV_DRAIN_S1 : COV_DRAIN_IN, true);
    }
    BENCH_COVER(b, COV_ACK_WAITS,
                !was.far && was.aq_n && !page_none(was.aq[0].be) && was.older[0] && was.sq_n < 2 && !v->smd_line);
    for (unsigned i = 0; i <= was.in_n && was.aq_n && was.older[0]; i++) {
        const home_req_t *r = i < was.in_n ? &was.in[i] : &s->write;
        const home_ack_t *a = &was.aq[0];
        const bool writes = i < was.in_n ? r->op == HOME_WRITE_BACK : s->valid && s->what == P1_WRITE;
        BENCH_COVER(b, COV_ACK_LINE, writes && r->line == a->line && be_meets(&r->be, &a->be));
    }
    BENCH_COVER(b, COV_STALL, v->smd_stall);
    for (unsigned i = 0; i < PG_SLOTS; i++)
        BENCH_COVER(b, COV_NO_MARKS, j->phase == PJ_SEND && j->slot[i].state == PS_HERE && !mask_any(&j->slot[i].mask));
    if (in->maint_valid && in->maint.op == L2_FLUSH_ALL)
        cover_flush(b, &was);
    const unsigned full[] = {was.in_n, was.aq_n, was.sq_n, was.pq_n, was.rq_n, was.kq_n, was.eq_n};
    for (unsigned i = 0; i < 7; i++)
        BENCH_COVER(b, COV_FULL + i, full[i] == 2);
    const bool begins = was.maint == PM_WALK && p->s1.valid && p->s1.what == P1_STEP && !s->valid
                        && page_order_all(&was) && page_order_flush(&was) && was.step % 64 == 0
                        && !was.some[was.step / 64 % PG_GROUPS];
    BENCH_COVER(b, COV_SKIP, p->maint == PM_WALK && was.maint == PM_WALK && p->step == was.step + 64);
    BENCH_COVER(b, COV_SKIP_JOB, begins && j->phase != PJ_NONE);
    BENCH_COVER(b, COV_SKIP_FETCH, begins && fetch);
    BENCH_COVER(b, COV_CLEAR_REQ, clearing && in->home_req_valid);
    BENCH_COVER(b, COV_CLEAR_PROBE, clearing && in->smd_probe_valid);
    BENCH_COVER(b, COV_CLEAR_MAINT, clearing && was.maint != PM_NONE);
    BENCH_COVER(b, COV_IDLE, was.out.idle);
}
#endif
