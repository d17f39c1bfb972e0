/* Functional coverage of l2c, read off the state of its page (page.h): the points that the page lists. */
#ifndef VERIF_COHERENCE_L2C_COVER_H
#define VERIF_COHERENCE_L2C_COVER_H
#include "verif/coherence/l2c/cover_probe.h"
#include "verif/coherence/l2c/cover_request.h"

/* An SC with ownership of its line, at its answer: the state of its reservation. */
static void cover_sc(bench_t *b, const page_t *p, const l2c_in_t *in)
{
    static uint8_t ended[SOURCES];
    static bool valid[SOURCES];
    const page_s3_t *s = &p->s3;
    if (!b->cycle) {
        memset(valid, 0, sizeof valid);
        memset(ended, SC_NEVER, sizeof ended);
    }
    for (unsigned i = 0; i < SOURCES; i++) {
        if (valid[i] && !p->resv[i].valid && ended[i] != SC_USED)
            ended[i] = SC_BROKEN;
        valid[i] = p->resv[i].valid;
    }
    if (!s->valid || s->kind != PG_AMO || s->n.req.amo != AMO_SC || !p->out.net_rsp_valid || !in->net_rsp_ready)
        return;
    const unsigned src = s->n.src;
    const bool here = valid[src], hart = p->resv[src].hart == s->n.req.hart, line = p->resv[src].line == s->n.req.line;
    if (!s->fail)
        BENCH_COVER(b,
                    COV_SC
                        + (!here              ? ended[src]
                           : !hart            ? SC_HART
                           : !line            ? SC_LINE
                           : s->n.req.sc_fail ? SC_CORE
                                              : SC_OK),
                    true);
    ended[src] = here && hart ? SC_USED : here ? SC_BROKEN : ended[src];
}

static void cover_stalls(bench_t *b, const page_t *p, const l2c_in_t *in, bool targets, bool mshrs, bool request)
{
    const ev_l2c_t *v = &p->out.ev;
    BENCH_COVER(b, COV_STALL_PROBE, v->l2_stall_probe);
    BENCH_COVER(b, COV_STALL_PIPE, v->l2_stall_pipe && !v->l2_replay && !in->home_rsp_valid);
    BENCH_COVER(b, COV_STALL_REPLAY, v->l2_stall_pipe && v->l2_replay);
    BENCH_COVER(b, COV_STALL_FILL, v->l2_stall_pipe && !v->l2_replay && in->home_rsp_valid);
    BENCH_COVER(b, COV_STALL_OWN, v->l2_stall_own);
    BENCH_COVER(b, COV_STALL_MSHRS, v->l2_stall_mshr && mshrs);
    BENCH_COVER(b, COV_STALL_TARGETS, v->l2_stall_mshr && targets);
    BENCH_COVER(b, COV_STALL_WAY, v->l2_stall_way || !COVER_WAYS);
    if (v->l2_stall_own || v->l2_stall_mshr || v->l2_stall_way)
        cover_waited = (unsigned)v->l2_stall_own << WAIT_OWN | (unsigned)v->l2_stall_way << WAIT_WAY
                       | (unsigned)(v->l2_stall_mshr && mshrs) << WAIT_MSHR
                       | (unsigned)(v->l2_stall_mshr && targets) << WAIT_TARGET;
    else if (!request || v->l2_access)
        cover_waited = 0;
}

/* Reservations that `lost` ends. */
static void cover_lost(bench_t *b, const page_t *p, const page_s2_t *s2, const page_s3_t *s3, const bool *stood)
{
    bool ended = false;
    for (unsigned i = 0; i < SOURCES; i++)
        ended |= stood[i] && !p->resv[i].valid;
    if (!s2->valid || !s2->lost || (p->s2.valid && p->s2.kind == s2->kind && p->s2.lost && p->s2.victim == s2->victim))
        return;
    const bool upgrade = s2->kind == PG_ALLOC && s2->victim == s2->n.req.line;
    BENCH_COVER(b, COV_ENDS + (s2->kind == PG_PROBE ? 2 : s2->kind == PG_FLUSH ? 3 : upgrade), ended);
    BENCH_COVER(b, COV_ENDS_LR,
                s3->valid && s3->kind == PG_AMO && s3->n.req.amo == AMO_LR && s3->n.req.line == s2->victim
                    && s3->phase);
}

/* page_expect, and the coverage of that edge. */
static void cover_expect(bench_t *b, page_t *p, const l2c_in_t *in)
{
    const bool request = p->s1_valid && !p->s1_step, clear = p->cleared == PG_SETS, targets = p->targets == L2_TARGETS;
    cover_request_t r = {.m = -1, .way = -1, .n = p->s1};
    unsigned awaited = 0;
    bool stood[SOURCES] = {false};
    const page_s2_t s2 = p->s2;
    const page_s3_t s3 = p->s3;
    if (!b->cycle)
        cover_waited = 0;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        awaited += p->mshr[k].valid;
    if (request) {
        r.m = cover_mshr(p, p->s1.req.line, false);
        r.way = page_way(p, p->s1.req.line);
        r.state = r.way < 0 ? 'I' : p->cache[page_set(p->s1.req.line)][r.way].state;
        r.own = r.m >= 0 && p->mshr[r.m].own;
        r.n_read = r.m >= 0 && page_what(&p->list[r.m][0].req) == PG_N_STORE;
    }
    if (s2.valid && s2.lost)
        for (unsigned i = 0; i < SOURCES; i++)
            stood[i] = p->resv[i].valid && p->resv[i].line == s2.victim;
    cover_stages(b, p, in);
    cover_streams(b, p, in);
    cover_fill(b, p, in);
    cover_sc(b, p, in);
    cover_probe_waits(b, p, in, clear);
    BENCH_COVER(b, COV_CLEAR_REQ, !clear && cover_ripe(p));
    BENCH_COVER(b, COV_CLEAR_MAINT, !clear && p->maint != PG_NONE);
    BENCH_COVER(b, COV_MAINT_BUSY, in->maint_valid && awaited);
    BENCH_COVER(b, COV_MAINT_WAITS, p->maint == PG_WALK && cover_ripe(p));
    if (in->maint_valid && in->host && !page_forgets(&in->maint)) {
        static const unsigned at[] = {[L2_FLUSH_LINE] = 0, [L2_FLUSH_PAGE] = 1, [L2_FLUSH_ALL] = 2};
        BENCH_COVER(b, COV_MAINT_PASSES + at[in->maint.op], cover_stored(p, &in->maint));
    }
    BENCH_COVER(b, COV_MAINT_HOST, in->maint_valid && in->host && page_forgets(&in->maint));
    const cover_step_t step = cover_step(p);
    const home_probe_t probe = p->p1;
    const int probed = page_way(p, probe.line);
    const char found = probed < 0 ? 'I' : p->cache[page_set(probe.line)][probed].state;
    const bool probe_awaited = cover_mshr(p, probe.line, false) >= 0;

    page_expect(p, in);
    const ev_l2c_t *v = &p->out.ev;
    cover_stepped(b, p, &step);
    cover_lost(b, p, &s2, &s3, stood);
    if (v->l2_probe)
        cover_probe(b, &probe, found, probe_awaited, request);
    if (v->l2_access)
        cover_performed(b, p, &r, v);
    if (request)
        cover_grains(b, &r, v, in->host);
    cover_stalls(b, p, in, targets, awaited == L2_MSHRS, request);
}
#endif
