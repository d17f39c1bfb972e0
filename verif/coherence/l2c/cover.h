/* Functional coverage of l2c, read off the state of its page (page.h): what the page lists. */
#ifndef VERIF_COHERENCE_L2C_COVER_H
#define VERIF_COHERENCE_L2C_COVER_H
#include "verif/common/atomics.h"
#include "verif/coherence/l2c/page.h"

/* A name for each state, in the order of page_place(). */
#define IN_EACH(x) x " in I", x " in N", x " in S", x " in E", x " in O", x " in M"
#define HELD_EACH(x) x " in N", x " in S", x " in E", x " in O", x " in M"
#define GRANTED(x) x " is granted N", x " is granted S", x " is granted E", x " is granted M"
enum { STATES = 6, HELD = 5, GRANTS = 4, MAINTS = 6, WAITS = 4 };
enum {
    COVER_WAYS = L2_MSHRS > L2_WAYS &&L2_TARGETS >= L2_WAYS
}; /* otherwise MSHRs or targets are never left when all ways of a set are reserved */
enum {
    /* cases */
    COV_JOIN, /* load, n-store to READ, N_READ, READ_OWN; then coherent store and atomic to READ_OWN */
    COV_WAIT_HIT = COV_JOIN + 8,
    COV_WAIT_UPGRADE,
    COV_WAIT_MISS,
    COV_LOOKED, /* by what and state */
    COV_LR = COV_LOOKED + 3 * STATES,
    COV_SC_AWAITED = COV_LR + 2,
    COV_SC_LOST,
    COV_SC = COV_SC_LOST + 4,
    COV_ENDS = COV_SC + SC_N,
    COV_ENDS_LR = COV_ENDS + 4,
    COV_EVICTED,
    COV_UPGRADED = COV_EVICTED + HELD,
    COV_GRANTS = COV_UPGRADED + 3,
    COV_WAYS = COV_GRANTS + 2 * GRANTS + 2,
    /* probes */
    COV_PROBED,
    COV_PROBE_AWAITED = COV_PROBED + 3 * STATES,
    COV_PROBE_LIST,
    COV_PROBE_S2,
    COV_PROBE_S3,
    COV_PROBE_BEHIND,
    COV_PROBE_CLASH = COV_PROBE_BEHIND + 3,
    COV_PROBE_PASSES,
    COV_PROBE_POP = COV_PROBE_PASSES + WAITS,
    COV_PROBE_MAINT,
    COV_PROBE_CLEARING = COV_PROBE_MAINT + 3,
    COV_PROBE_GRANT,
    COV_PROBE_SAME,
    COV_PROBE_AGAIN,
    COV_PROBE_DEFERRED,
    /* fills */
    COV_FILL_AMO = COV_PROBE_DEFERRED + 2,
    COV_FILL_SENT,
    COV_FILL_WRITE,
    COV_FILL_S1,
    COV_FILL_P1,
    COV_FILL_LONG,
    /* maintenance */
    COV_MAINT,
    COV_OTHER = COV_MAINT + MAINTS * STATES,
    COV_MAINT_BUSY,
    COV_MAINT_WAITS,
    COV_MAINT_PASSES,
    COV_MAINT_HOST = COV_MAINT_PASSES + 3,
    COV_CLEAR_REQ,
    COV_CLEAR_MAINT,
    /* stalls and streams */
    COV_STALL_PROBE,
    COV_STALL_PIPE,
    COV_STALL_REPLAY,
    COV_STALL_FILL,
    COV_STALL_OWN,
    COV_STALL_MSHRS,
    COV_STALL_TARGETS,
    COV_STALL_WAY,
    COV_FULL,
    COV_RSP_STALL,
    COV_AMO_STALL,
    COV_READ_STALL,
    COV_WB_STALL,
    COV_PROBE_STALL,
    COV_ACK_STALL,
    COV_BOTH,
    COV_WB_READ,
    /* the row of an atomic */
    COV_AMO_CLASH,
    COV_AMOS = COV_AMO_CLASH + 5,
    COV_IDLE,
    /* the scoreboard's */
    COV_SC_EARLY,
    COV_OTHERS,
    COV_MERGED,
    /* grains of several bytes */
    COV_PART,
    COV_PART_IN = COV_PART + 5,
    COV_PART_HOST = COV_PART_IN + STATES,
    COV_PART_BESIDE,
    COV_WHOLE,
    COV_PART_BEHIND = COV_WHOLE + 3,
    COV_PART_BEFORE,
    COV_LONE,
    COV_N = COV_LONE + 2
};
static const char *const cover[] = {"load joins a READ",
                                    "load joins an N_READ",
                                    "load joins a READ_OWN",
                                    "n-store joins a READ",
                                    "n-store joins an N_READ",
                                    "n-store joins a READ_OWN",
                                    "coherent store joins a READ_OWN",
                                    "atomic joins a READ_OWN",
                                    "who waited for a line asked for by another hits",
                                    "who waited for a line asked for by another upgrades",
                                    "who waited for a line asked for by another misses",
                                    IN_EACH("load"),
                                    IN_EACH("coherent store, atomic"),
                                    IN_EACH("n-store"),
                                    "LR in E",
                                    "LR in M",
                                    "SC of a line that is awaited",
                                    "SC of a line in I",
                                    "SC of a line in N",
                                    "SC of a line in S",
                                    "SC of a line in O",
                                    SC_NAMES,
                                    "eviction ends a reservation",
                                    "upgrade ends a reservation",
                                    "probe ends a reservation",
                                    "INVAL ends a reservation",
                                    "line is lost at the edge at which its LR leaves",
                                    HELD_EACH("eviction"),
                                    "upgrade in N",
                                    "upgrade in S",
                                    "upgrade in O",
                                    GRANTED("READ"),
                                    GRANTED("N_READ"),
                                    "READ_OWN is granted E",
                                    "READ_OWN is granted M",
                                    "a hit in each way",
                                    IN_EACH("PROBE_READ"),
                                    IN_EACH("PROBE_WRITE"),
                                    IN_EACH("PROBE_CLEAN"),
                                    "probe of a line that is awaited",
                                    "probe of a line that is here with a list",
                                    "probe of a line in s2",
                                    "probe of a line in s3",
                                    "probe right behind an n-store",
                                    "probe right behind an atomic",
                                    "probe right behind a write-back of its line",
                                    "probe waits for an atomic's row",
                                    "probe passes who waits for an MSHR",
                                    "probe passes who waits for a target entry",
                                    "probe passes who waits for a way",
                                    "probe passes who waits for a line asked for by another",
                                    "probe keeps a request in the queue",
                                    "probe before the walk",
                                    "probe during the walk",
                                    "probe after the walk",
                                    "probe while clearing",
                                    "probe taken at the edge of its line's grant",
                                    "probe behind a probe of its line",
                                    "probe of a line that was lost by a probe",
                                    "probe waits for a turn of a request",
                                    "probe waits for a turn of a step of maintenance",
                                    "AMO's store waits for a fill",
                                    "the same, answered before",
                                    "WRITE waits for a fill",
                                    "fill beside a request of its set in s1",
                                    "fill beside a probe of its set in p1",
                                    "fills to half of the MSHRs in a row",
                                    IN_EACH("FLUSH_LINE"),
                                    IN_EACH("FLUSH_PAGE"),
                                    IN_EACH("FLUSH_ALL"),
                                    IN_EACH("INVAL_LINE"),
                                    IN_EACH("INVAL_PAGE"),
                                    IN_EACH("INVAL_ALL"),
                                    "maintenance of another slice's line",
                                    "maintenance comes while lines are awaited",
                                    "requests wait for maintenance",
                                    "FLUSH_LINE passes by bytes that the host has stored",
                                    "FLUSH_PAGE passes by bytes that the host has stored",
                                    "FLUSH_ALL passes by bytes that the host has stored",
                                    "INVAL is for the last-level cache, too",
                                    "request while clearing",
                                    "maintenance while clearing",
                                    "stall: probe",
                                    "stall: pipeline",
                                    "stall: replay",
                                    "stall: fill",
                                    "stall: line asked for by another",
                                    "stall: all MSHRs",
                                    "stall: targets",
                                    "stall: all ways reserved",
                                    "queue full",
                                    "response stalled",
                                    "AMO's answer stalled",
                                    "read stalled",
                                    "write-back stalled",
                                    "probe stalled",
                                    "acknowledgement stalled",
                                    "read and write-back at once",
                                    "a line is read right behind its write-back",
                                    "READ behind AMO to its line",
                                    "WRITE behind AMO to its line",
                                    "AMO behind AMO to its line",
                                    "eviction behind AMO to its line",
                                    "upgrade or miss behind an SC that fails",
                                    "each atomic in each width",
                                    "idle",
                                    "SC overtakes",
                                    "others store coherently",
                                    "others' n-stores are merged while the line is held",
                                    "partial n-store joins a READ_OWN",
                                    "partial n-store waits for a line asked for by another",
                                    "partial n-store hits",
                                    "partial n-store upgrades",
                                    "partial n-store misses",
                                    IN_EACH("partial n-store"),
                                    "partial n-store in the last-level cache",
                                    "whole grains beside a part of one",
                                    "n-store of no grain",
                                    "n-store of one grain",
                                    "n-store of several grains, not all",
                                    "partial n-store behind a whole one of its grain",
                                    "partial n-store before a whole one of its grain",
                                    "write-back of a grain of which one byte was stored",
                                    "acknowledgement with a grain of which one byte was stored"};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

static unsigned page_place(char state)
{
    return state ? (unsigned)(strchr("INSEOM", state) - "INSEOM") : 0;
}

/* Whose line of the MSHRs is awaited (not done), or here with a list. -1: nobody's. */
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
                                                  : p->cache[s][w].line / 32 == m->line / 32));
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
    /* With one slice there is no other one. */
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

/* What s1 waited for before a probe came by. */
enum { WAIT_MSHR, WAIT_TARGET, WAIT_WAY, WAIT_OWN };
static unsigned cover_waited; /* a bit each */

/* A probe in p1 that leaves, and what it found. */
static void cover_probe(bench_t *b, const home_probe_t *probe, char state, bool awaited, bool passes)
{
    static uint64_t lost;
    BENCH_COVER(b, COV_PROBED + probe->kind * STATES + page_place(state), true);
    BENCH_COVER(b, COV_PROBE_AWAITED, awaited);
    for (unsigned i = 0; i < WAITS; i++)
        BENCH_COVER(b, COV_PROBE_PASSES + i, passes && cover_waited >> i & 1);
    BENCH_COVER(b, COV_PROBE_PASSES + WAIT_WAY, !COVER_WAYS);
    const bool held = page_place(state);
    BENCH_COVER(b, COV_PROBE_AGAIN, !held && lost == probe->line);
    lost = held && probe->kind == PROBE_WRITE ? probe->line : 0;
}

static void cover_probe_waits(bench_t *b, const page_t *p, const l2c_in_t *in, bool clear)
{
    const bool taken = in->home_probe_valid && p->out.home_probe_ready;
    BENCH_COVER(b, COV_PROBE_CLEARING, in->home_probe_valid && !clear);
    BENCH_COVER(b, COV_PROBE_POP, taken && !p->s1_valid && p->maint == PG_NONE && cover_ripe(p));
    if (taken && p->maint != PG_NONE)
        BENCH_COVER(b, COV_PROBE_MAINT + (p->maint == PG_WAIT ? 0 : p->maint == PG_WALK ? 1 : 2), true);
    BENCH_COVER(b, COV_PROBE_DEFERRED + p->s1_step, in->home_probe_valid && !p->p1_valid && p->deferred);
    if (!p->p1_valid)
        return;
    const uint64_t line = p->p1.line;
    BENCH_COVER(b, COV_PROBE_LIST, cover_mshr(p, line, true) >= 0);
    BENCH_COVER(b, COV_PROBE_S2,
                p->s2.valid && (p->s2.kind == PG_READ || p->s2.kind == PG_WRITE || p->s2.kind == PG_AMO)
                    && p->s2.n.req.line == line);
    BENCH_COVER(b, COV_PROBE_S3,
                p->s3.valid && (p->s3.kind == PG_READ || p->s3.kind == PG_WRITE || p->s3.kind == PG_AMO)
                    && p->s3.n.req.line == line);
    BENCH_COVER(b, COV_PROBE_SAME, p->s2.valid && p->s2.kind == PG_PROBE && p->s2.victim == line);
}

/* What a request in s1 was looked up with. */
typedef struct {
    char state;
    int way, m;
    bool own, n_read;
    net_req_t n;
} cover_request_t;

static void cover_performed(bench_t *b, const page_t *p, const cover_request_t *r, const ev_l2c_t *v)
{
    static uint64_t ways[PG_SETS];
    const mem_req_t *q = &r->n.req;
    const page_what_t what = page_what(q);
    const bool amo = q->op == MEM_AMO, sc = amo && q->amo == AMO_SC, lr = amo && q->amo == AMO_LR;
    if (!b->cycle)
        memset(ways, 0, sizeof ways);
    if (v->l2_merge)
        BENCH_COVER(
            b, what == PG_STORE ? COV_JOIN + 6 + amo : COV_JOIN + (what == PG_LOAD ? 0 : 3) + (r->own ? 2 : r->n_read),
            true);
    BENCH_COVER(b, COV_WAIT_HIT, cover_waited >> WAIT_OWN & 1 && v->l2_hit);
    BENCH_COVER(b, COV_WAIT_UPGRADE, cover_waited >> WAIT_OWN & 1 && v->l2_upgrade);
    BENCH_COVER(b, COV_WAIT_MISS,
                cover_waited >> WAIT_OWN & 1 && !v->l2_hit && !v->l2_upgrade && !v->l2_sc_lost && !v->l2_merge);
    if (!v->l2_merge && !sc)
        BENCH_COVER(b, COV_LOOKED + what * STATES + page_place(r->state), true);
    BENCH_COVER(b, COV_LR, lr && v->l2_hit && r->state == 'E');
    BENCH_COVER(b, COV_LR + 1, lr && v->l2_hit && r->state == 'M');
    if (v->l2_sc_lost) {
        static const unsigned at[] = {0, 1, 2, 0, 3, 0};
        BENCH_COVER(b, r->m >= 0 ? COV_SC_AWAITED : COV_SC_LOST + at[page_place(r->state)], true);
    }
    if (v->l2_upgrade)
        BENCH_COVER(b, COV_UPGRADED + (r->state == 'N' ? 0 : r->state == 'S' ? 1 : 2), true);
    if (p->s2.valid && p->s2.kind == PG_ALLOC && !v->l2_upgrade && p->s2.vstate != 'I')
        BENCH_COVER(b, COV_EVICTED + page_place(p->s2.vstate) - 1, true);
    if (v->l2_hit) {
        ways[page_set(q->line)] |= 1ull << r->way;
        BENCH_COVER(b, COV_WAYS, ways[page_set(q->line)] == (1ull << L2_WAYS) - 1);
    }
}

/* A WRITE that is in s1 and was looked up: the line and bytes of the one before it stay. */
static void cover_grains(bench_t *b, const cover_request_t *r, const ev_l2c_t *v, bool host)
{
    static mem_req_t before;
    const mem_req_t *q = &r->n.req;
    if (!b->cycle || MASK_GRAIN == 1)
        before = (mem_req_t){0};
    for (unsigned k = COV_PART; k < COV_N; k++)
        BENCH_COVER(b, k, MASK_GRAIN == 1);
    if (q->op != MEM_WRITE)
        return;
    const bool part = be_partial(&q->be);
    /* again: grains stored in part that the write before stored whole; grains stored whole that it stored in part */
    unsigned grains = 0, whole = 0, again[2] = {0};
    for (unsigned g = 0; g < GRAINS; g++) {
        const unsigned n = grain_bytes(&q->be, g), was = before.line == q->line ? grain_bytes(&before.be, g) : 0;
        grains += n != 0;
        whole += n == MASK_GRAIN;
        again[0] += n && n < MASK_GRAIN && was == MASK_GRAIN;
        again[1] += n == MASK_GRAIN && was && was < MASK_GRAIN;
    }
    BENCH_COVER(b, COV_PART + 1, part && v->l2_stall_own);
    if (!v->l2_access)
        return;
    BENCH_COVER(b,
                part ? COV_PART
                           + (v->l2_merge     ? 0
                              : v->l2_hit     ? 2
                              : v->l2_upgrade ? 3
                                              : 4)
                     : COV_WHOLE,
                part || !grains);
    BENCH_COVER(b, COV_PART_IN + page_place(r->state), part && !v->l2_merge);
    BENCH_COVER(b, COV_PART_HOST, part && host);
    BENCH_COVER(b, COV_PART_BESIDE, part && whole);
    BENCH_COVER(b, COV_WHOLE + 1, !part && grains == 1);
    BENCH_COVER(b, COV_WHOLE + 2, !part && grains > 1 && grains < GRAINS);
    BENCH_COVER(b, COV_PART_BEHIND, again[0] && !be_partial(&before.be));
    BENCH_COVER(b, COV_PART_BEFORE, again[1] && !part);
    before = *q;
}

/* An SC that is owned, at its answer: what it meets. */
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

/* page_expect, and what is worth noting in that edge. */
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
