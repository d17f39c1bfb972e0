/* Coverage of l2c: s2 and s3, fills, steps of maintenance and the streams. */
#ifndef VERIF_COHERENCE_L2C_COVER_STAGES_H
#define VERIF_COHERENCE_L2C_COVER_STAGES_H
#include "verif/common/atomics.h"
#include "verif/coherence/l2c/page.h"
#include "verif/coherence/l2c/cover_points.h"

static unsigned page_place(char state)
{
    return state ? (unsigned)(strchr("INSEOM", state) - "INSEOM") : 0;
}

/* The MSHR of this line, with its answer pending (not done), or answered with a list. -1: no such MSHR. */
static int cover_mshr(const page_t *p, uint64_t line, bool done)
{
    for (int k = 0; k < L2_MSHRS; k++)
        if (p->mshr[k].valid && p->mshr[k].line == line && p->mshr[k].done == done && (!done || p->mshr[k].n))
            return k;
    return -1;
}

/* The first request of the queue has waited long enough. */
static bool cover_ripe(const page_t *p)
{
    return p->q_n && p->now >= p->q[0].since + L2_LATENCY - 3;
}

/* Whether a maintenance is about a line that has bytes of its own. */
static bool cover_stored(const page_t *p, const maint_t *m)
{
    bool any = false;
    for (unsigned s = 0; s < PG_SETS; s++)
        for (unsigned w = 0; w < L2_WAYS; w++)
            any |= p->cache[s][w].state && strchr("NOM", p->cache[s][w].state)
                   && (m->op == L2_FLUSH_ALL
                       || (m->op == L2_FLUSH_LINE ? p->cache[s][w].line == m->line
                                                  : p->cache[s][w].line / PAGE_LINES == m->line / PAGE_LINES));
    return any;
}

/* A step of maintenance in s1, and the state that it finds. */
typedef struct {
    bool valid, here;
    char state;
    uint64_t line;
    unsigned way;
} cover_step_t;

static cover_step_t cover_step(const page_t *p)
{
    cover_step_t s = {.valid = p->s1_valid && p->s1_step, .here = true, .line = p->s1.req.line, .way = p->s1_way};
    if (!s.valid)
        return s;
    s.here = !p->s1_by_line || where(s.line).slice == p->slice;
    const int way = p->s1_by_line ? page_way(p, s.line) : (int)s.way;
    if (s.here && way >= 0)
        s.state = p->cache[p->s1_by_line ? page_set(s.line) : s.line][way].state;
    return s;
}

static void cover_stepped(bench_t *b, const page_t *p, const cover_step_t *s)
{
    if (!s->valid || (p->s1_valid && p->s1_step && p->s1.req.line == s->line && p->s1_way == s->way))
        return;
    /* One slice alone has every line. */
    BENCH_COVER(b, COV_OTHER, SLICES == 1 || !s->here);
    BENCH_COVER(b, COV_MAINT + (p->job.op - p->job.op / 4) * STATES + page_place(s->state), s->here);
}

/* s2 and s3. */
static void cover_stages(bench_t *b, const page_t *p, const l2c_in_t *in)
{
    const page_s2_t *s2 = &p->s2;
    const page_s3_t *s3 = &p->s3;
    const bool fill = in->home_rsp_valid, amo = s3->valid && s3->kind == PG_AMO && !s3->wrote;
    if (s2->valid) {
        const page_way_t *row = &p->cache[page_set(page_s2_line(s2))][s2->way];
        const bool clash = amo && s3->row == row;
        BENCH_COVER(b, COV_FILL_WRITE, s2->kind == PG_WRITE && !s3->valid && fill);
        BENCH_COVER(b, COV_AMO_CLASH, s2->kind == PG_READ && clash);
        BENCH_COVER(b, COV_AMO_CLASH + 1, s2->kind == PG_WRITE && amo);
        BENCH_COVER(b, COV_AMO_CLASH + 2, s2->kind == PG_AMO && !s2->fail && clash);
        BENCH_COVER(b, COV_AMO_CLASH + 3, s2->wb && clash);
        BENCH_COVER(b, COV_AMO_CLASH + 4, s2->kind == PG_ALLOC && amo && s3->fail && s3->n.req.line == s2->n.req.line);
        BENCH_COVER(b, COV_PROBE_CLASH, s2->kind == PG_PROBE && clash && s2->vstate != 'I');
        if (s2->kind == PG_PROBE && s3->valid) {
            BENCH_COVER(b, COV_PROBE_BEHIND,
                        s3->kind == PG_WRITE && s3->n.req.op == MEM_WRITE && s3->n.req.line == s2->victim);
            BENCH_COVER(b, COV_PROBE_BEHIND + 1, s3->kind == PG_AMO && s3->n.req.line == s2->victim);
            BENCH_COVER(b, COV_PROBE_BEHIND + 2, s3->kind == PG_WB && s3->line == s2->victim);
        }
    }
    uint64_t image, stored;
    const bool storing = amo && s3->phase && page_atomic(p, s3, &image, &stored);
    BENCH_COVER(b, COV_FILL_AMO, storing && fill);
    BENCH_COVER(b, COV_FILL_SENT, storing && fill && s3->sent);
    if (s3->valid && s3->kind == PG_AMO && s3->phase && !s3->sent) {
        static uint32_t seen;
        seen |= 1u << (s3->n.req.amo + 12 * s3->n.req.amo_dword);
        BENCH_COVER(b, COV_AMOS, seen == (1u << 24) - 1);
        BENCH_COVER(b, COV_AMO_STALL, !in->net_rsp_ready);
    }
    const bool wb = s3->valid && s3->kind == PG_WB;
    BENCH_COVER(b, COV_WB_STALL, wb && !p->rq_n && !in->home_req_ready);
    BENCH_COVER(b, COV_READ_STALL, p->rq_n && !in->home_req_ready);
    BENCH_COVER(b, COV_BOTH, wb && p->rq_n);
}

static void cover_streams(bench_t *b, const page_t *p, const l2c_in_t *in)
{
    static uint64_t line;
    static bool write;
    const l2c_out_t *o = &p->out;
    BENCH_COVER(b, COV_FULL, in->net_req_valid && !o->net_req_ready);
    BENCH_COVER(b, COV_RSP_STALL, o->net_rsp_valid && !in->net_rsp_ready);
    BENCH_COVER(b, COV_PROBE_STALL, in->home_probe_valid && p->p1_valid);
    BENCH_COVER(b, COV_ACK_STALL, o->home_ack_valid && !in->home_ack_ready);
    if (!o->home_req_valid || !in->home_req_ready)
        return;
    bool is_write = o->home_req.op == HOME_WRITE_BACK;
    BENCH_COVER(b, COV_WB_READ, write && !is_write && line == o->home_req.line);
    write = is_write;
    line = o->home_req.line;
}

static void cover_fill(bench_t *b, const page_t *p, const l2c_in_t *in)
{
    static unsigned row;
    if (!b->cycle)
        row = 0;
    row = in->home_rsp_valid ? row + 1 : 0;
    if (!in->home_rsp_valid)
        return;
    const page_mshr_t *m = &p->mshr[in->home_rsp.id & (PG_TOP - 1)];
    const unsigned granted = page_place(page_state(in->home_rsp.state)), grant = granted == 5 ? 3 : granted - 1;
    const page_what_t what = page_what(&p->list[in->home_rsp.id & (PG_TOP - 1)][0].req);
    BENCH_COVER(b,
                m->own ? COV_GRANTS + 2 * GRANTS + (granted == 5) : COV_GRANTS + (what == PG_LOAD ? 0 : GRANTS) + grant,
                true);
    BENCH_COVER(b, COV_FILL_S1, p->s1_valid && !p->s1_step && page_set(p->s1.req.line) == page_set(m->line));
    BENCH_COVER(b, COV_FILL_P1, p->p1_valid && page_set(p->p1.line) == page_set(m->line));
    BENCH_COVER(b, COV_PROBE_GRANT, in->home_probe_valid && p->out.home_probe_ready && in->home_probe.line == m->line);
    BENCH_COVER(b, COV_FILL_LONG, row > L2_MSHRS / 2);
}
#endif
