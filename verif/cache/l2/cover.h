/* Functional coverage of l2, read off the state of its page (page.h): the points that the page lists. */
#ifndef VERIF_L2_COVER_H
#define VERIF_L2_COVER_H
#include "sim_c/common/line_be.h"
#include "verif/common/atomics.h"
#include "verif/cache/l2/page.h"

enum { MERGES = 9, MAINTS = 18 };
enum {
    COV_MERGE,
    COV_MERGE_BYP = COV_MERGE + MERGES,
    COV_UPGRADE_RD,
    COV_UPGRADE_WR,
    COV_UPGRADE_AMO,
    COV_HIT,
    COV_HIT_UNFILLED,
    COV_PROBE,
    COV_BYPASS,
    COV_MISS,
    COV_WMISS,
    COV_MISS_AMO,
    COV_WMISS_WHOLE,
    COV_WAYS,
    COV_EVICT,
    COV_EVICT_UPGRADE = COV_EVICT + 3,
    COV_PARTIAL,
    COV_WHOLE,
    COV_WB_READ,
    COV_READ_WB,
    COV_EVICT_AHEAD,
    COV_PROBE_WHOLE,
    COV_PROBE_PARTIAL,
    COV_PROBE_BEHIND,
    COV_BYP_HIT,
    COV_BYP_MERGE,
    COV_BYP_PROBE,
    COV_UP_RQ,
    COV_UP_SENT,
    COV_UP_NOW,
    COV_DROP_BEFORE,
    COV_DROP_AFTER,
    COV_MSHRS,
    COV_TARGETS,
    COV_RESERVED,
    COV_STALL_PIPE,
    COV_STALL_REPLAY,
    COV_STALL_DRAIN,
    COV_STALL_MSHR,
    COV_WRITE_FILL,
    COV_AMO_FILL,
    COV_AMO_SENT_FILL,
    COV_WRITE_AMO,
    COV_AMO_AMO,
    COV_READ_AMO,
    COV_WB_AMO,
    COV_AMOS,
    COV_AMO_STALL,
    COV_RSP_STALL,
    COV_DRAM_STALL,
    COV_WB_STALL,
    COV_BOTH,
    COV_QUEUE,
    COV_LONG,
    COV_MAINT,
    COV_OTHER = COV_MAINT + MAINTS,
    COV_MAINT_BUSY,
    COV_MAINT_WAITS,
    COV_IDLE,
    COV_CLEAR_REQ,
    COV_CLEAR_MAINT,
    COV_SC,
    COV_N = COV_SC + SC_N
};
#define MAINT_NAMES(op) op ", clean line", op ", dirty line", op ", dirty line that lacks bytes"
static const char *const cover[] = {"READ merges, line awaited",
                                    "WRITE merges, line awaited",
                                    "AMO merges, line awaited",
                                    "READ merges, line there and unwanted answer to come",
                                    "WRITE merges, line there and unwanted answer to come",
                                    "AMO merges, line there and unwanted answer to come",
                                    "READ merges, list just emptied",
                                    "WRITE merges, list just emptied",
                                    "AMO merges, list just emptied",
                                    "READ merges with a bypass",
                                    "upgrade by LR",
                                    "upgrade by WRITE",
                                    "upgrade by AMO",
                                    "hit",
                                    "WRITE hits a line that lacks bytes",
                                    "probe",
                                    "bypass",
                                    "miss",
                                    "write miss",
                                    "miss of an AMO",
                                    "write miss with all bytes",
                                    "a hit in each way",
                                    "READ evicts a dirty line",
                                    "WRITE evicts a dirty line",
                                    "AMO evicts a dirty line",
                                    "an upgrade evicts a dirty line",
                                    "a victim lacks bytes",
                                    "a victim is dirty in every byte",
                                    "a line is read right behind its write-back",
                                    "a line is written back right behind a read of another one",
                                    "the victim is the line that the request ahead writes",
                                    "probe finds all bytes",
                                    "probe finds some bytes",
                                    "probe right behind the WRITE that makes the line whole",
                                    "bypass hits",
                                    "bypass merges",
                                    "bypass probes",
                                    "upgrade before the read was sent",
                                    "upgrade after it",
                                    "upgrade in the cycle of the answer",
                                    "unwanted answer before the fill",
                                    "unwanted answer after the fill",
                                    "all MSHRs busy",
                                    "targets full",
                                    "all ways reserved",
                                    "stall: pipeline",
                                    "stall: replay",
                                    "stall: bypassed line",
                                    "stall: MSHR",
                                    "WRITE waits for a fill",
                                    "AMO's store waits for a fill",
                                    "the same, answered before",
                                    "WRITE waits for an AMO",
                                    "AMO behind AMO to its line",
                                    "READ behind AMO to its line",
                                    "write-back behind the AMO that writes the victim",
                                    "each atomic in each width",
                                    "AMO's answer stalled",
                                    "response stalled",
                                    "read stalled",
                                    "write-back stalled",
                                    "read and write-back at once",
                                    "queue full",
                                    "answers to half of the MSHRs in a row",
                                    MAINT_NAMES("FLUSH_LINE"),
                                    MAINT_NAMES("FLUSH_PAGE"),
                                    MAINT_NAMES("FLUSH_ALL"),
                                    MAINT_NAMES("INVAL_LINE"),
                                    MAINT_NAMES("INVAL_PAGE"),
                                    MAINT_NAMES("INVAL_ALL"),
                                    "maintenance of another slice's line",
                                    "maintenance comes while lines are awaited",
                                    "requests wait for maintenance",
                                    "idle",
                                    "request while clearing",
                                    "maintenance while clearing",
                                    SC_NAMES};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

/* All places of a set are reserved, as in the page. */
static bool cover_all_reserved(const page_t *p, unsigned set)
{
    unsigned n = 0;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        n += p->mshr[k].valid && !p->mshr[k].byp && page_set(p->mshr[k].line) == set;
    return n == L2_WAYS;
}

static bool cover_whole(const mem_req_t *r)
{
    return be_whole(&r->be);
}

/* The first request of the queue has waited long enough. */
static bool cover_ripe(const page_t *p)
{
    return p->q_n && p->now >= p->q[0].since + L2_LATENCY - 3;
}

/* The way of a set that has the line; L2_WAYS: none. */
static unsigned cover_way(const page_t *p, uint64_t line)
{
    unsigned way = 0;
    const page_way_t *ways = p->cache[page_set(line)];
    while (way < L2_WAYS && !(ways[way].valid && ways[way].line == line))
        way++;
    return way;
}

/* Step 5, maintenance. */
static void cover_step(bench_t *b, const page_t *p)
{
    const uint64_t line = p->s1.req.line;
    const unsigned way = p->s1_by_line ? cover_way(p, line) : p->s1_way;
    const page_way_t *v = &p->cache[p->s1_by_line ? page_set(line) : line][way % L2_WAYS];
    /* With one slice there is no line of another slice. */
    BENCH_COVER(b, COV_OTHER, p->s1_by_line && (SLICES == 1 || where(line).slice != p->slice));
    if (way < L2_WAYS && v->valid)
        BENCH_COVER(b, COV_MAINT + (p->job.op - p->job.op / 4) * 3 + (v->dirty ? v->filled ? 1 : 2 : 0), true);
}

static void cover_stages(bench_t *b, const page_t *p, const l2_in_t *in, bool fill_now)
{
    const page_s2_t *s2 = &p->s2;
    const page_s3_t *s3 = &p->s3;
    const page_way_t *row = &p->cache[page_set(s2->kind == PG_FLUSH ? s2->victim : s2->n.req.line)][s2->way];
    const bool amo = s3->valid && s3->kind == PG_AMO, one_row = s3->valid && s3->row == row,
               same = amo && !s3->wrote && one_row;
    BENCH_COVER(b, COV_EVICT_AHEAD, s2->valid && s2->wb && one_row && (s3->kind == PG_WRITE || amo));
    BENCH_COVER(b, COV_WB_AMO, s2->valid && s2->wb && same);
    if (s2->valid && !s2->wb) {
        const bool whole = page_all(row->mask);
        BENCH_COVER(b, COV_WRITE_FILL, s2->kind == PG_WRITE && !s3->valid && fill_now);
        BENCH_COVER(b, COV_WRITE_AMO, s2->kind == PG_WRITE && amo);
        BENCH_COVER(b, COV_AMO_AMO, s2->kind == PG_AMO && same);
        BENCH_COVER(b, COV_READ_AMO, s2->kind == PG_READ && !s2->frombyp && same);
        BENCH_COVER(b, COV_PROBE_WHOLE, s2->kind == PG_PROBE && whole);
        BENCH_COVER(b, COV_PROBE_PARTIAL, s2->kind == PG_PROBE && !whole);
        BENCH_COVER(b, COV_PROBE_BEHIND, s2->kind == PG_PROBE && whole && one_row && s3->kind == PG_WRITE);
    }
    uint64_t image, stored;
    const bool storing = amo && s3->phase && !s3->wrote && page_atomic(p, s3, &image, &stored);
    BENCH_COVER(b, COV_AMO_FILL, storing && fill_now);
    BENCH_COVER(b, COV_AMO_SENT_FILL, storing && fill_now && s3->sent);
    if (amo && s3->phase && !s3->sent) {
        static uint32_t seen;
        seen |= 1u << (s3->n.req.amo + 12 * s3->n.req.amo_dword);
        BENCH_COVER(b, COV_AMOS, seen == (1u << 24) - 1);
        BENCH_COVER(b, COV_AMO_STALL, !in->net_rsp_ready);
    }
    const bool wb = s3->valid && s3->kind == PG_WB;
    BENCH_COVER(b, COV_PARTIAL, wb && !page_all(s3->mask));
    BENCH_COVER(b, COV_WHOLE, wb && page_all(s3->mask));
    BENCH_COVER(b, COV_WB_STALL, wb && !p->rq_n && !in->home_req_ready);
    BENCH_COVER(b, COV_DRAM_STALL, p->rq_n && !in->home_req_ready);
    BENCH_COVER(b, COV_BOTH, wb && p->rq_n);
}

/* The order of requests to memory. */
static void cover_dram(bench_t *b, const l2_out_t *o, const l2_in_t *in)
{
    static uint64_t line;
    static bool write;
    BENCH_COVER(b, COV_RSP_STALL, o->net_rsp_valid && !in->net_rsp_ready);
    if (!o->home_req_valid || !in->home_req_ready)
        return;
    bool is_write = o->home_req.op == HOME_WRITE_BACK;
    BENCH_COVER(b, COV_WB_READ, write && !is_write && line == o->home_req.line);
    BENCH_COVER(b, COV_READ_WB, !write && is_write && line != o->home_req.line);
    write = is_write;
    line = o->home_req.line;
}

static bool cover_in_rq(const page_t *p, unsigned id)
{
    for (unsigned i = 0; i < p->rq_n; i++)
        if (p->rq[i].id == id)
            return true;
    return false;
}

/* The state at the look-up of a request in s1. */
typedef struct {
    bool unfilled, byp, rq, reserved;
    unsigned m, state, hit, set; /* m: its MSHR, L2_MSHRS: none; state: of that */
    net_req_t n;
} cover_request_t;

static void cover_performed(bench_t *b, const cover_request_t *r, const ev_l2_t *v)
{
    static uint64_t ways[PG_SETS];
    if (!b->cycle)
        memset(ways, 0, sizeof ways);
    const unsigned op = r->n.req.op;
    bool merges = v->l2_merge && !v->l2_upgrade, misses = !v->l2_hit && !v->l2_merge && !v->l2_probe,
         lr = op == MEM_AMO && r->n.req.amo == AMO_LR;
    BENCH_COVER(b, COV_MERGE + 3 * r->state + op, merges && !r->byp);
    BENCH_COVER(b, COV_MERGE_BYP, merges && r->byp);
    BENCH_COVER(b, lr ? COV_UPGRADE_RD : op == MEM_WRITE ? COV_UPGRADE_WR : COV_UPGRADE_AMO, v->l2_upgrade);
    BENCH_COVER(b, r->rq ? COV_UP_RQ : COV_UP_SENT, v->l2_upgrade);
    BENCH_COVER(b, COV_HIT, v->l2_hit && !r->unfilled);
    BENCH_COVER(b, COV_HIT_UNFILLED, v->l2_hit && r->unfilled);
    BENCH_COVER(b, COV_PROBE, v->l2_probe);
    BENCH_COVER(b, COV_BYPASS, misses && v->l2_bypass);
    BENCH_COVER(b, COV_MISS, misses && !v->l2_bypass && op == MEM_READ);
    BENCH_COVER(b, COV_MISS_AMO, misses && op == MEM_AMO);
    BENCH_COVER(b, COV_WMISS, misses && op == MEM_WRITE && !cover_whole(&r->n.req));
    BENCH_COVER(b, COV_WMISS_WHOLE, misses && op == MEM_WRITE && cover_whole(&r->n.req));
    BENCH_COVER(b, COV_EVICT + op, v->l2_evict && !v->l2_upgrade);
    BENCH_COVER(b, COV_EVICT_UPGRADE, v->l2_evict && v->l2_upgrade);
    BENCH_COVER(b, COV_BYP_HIT, v->l2_bypass && v->l2_hit);
    BENCH_COVER(b, COV_BYP_MERGE, v->l2_bypass && v->l2_merge);
    BENCH_COVER(b, COV_BYP_PROBE, v->l2_bypass && v->l2_probe);
    if (v->l2_hit) {
        ways[r->set] |= 1ull << r->hit;
        BENCH_COVER(b, COV_WAYS, ways[r->set] == (1ull << L2_WAYS) - 1);
    }
}

/* page_expect, and the coverage of that edge. */
static void cover_expect(bench_t *b, page_t *p, const l2_in_t *in)
{
    const bool request = p->s1_valid && !p->s1_step, top = in->home_rsp.id & PG_TOP,
               fill_now = in->home_rsp_valid && top, byp_now = in->home_rsp_valid && !top,
               clearing = p->cleared != PG_SETS, targets = p->targets == L2_TARGETS;
    const unsigned rsp_k = in->home_rsp.id & (PG_TOP - 1);
    cover_request_t r = {.m = L2_MSHRS, .n = p->s1};
    unsigned awaited = 0;
    static unsigned rsps;
    if (!b->cycle)
        rsps = 0;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        awaited += p->mshr[k].valid;
    if (request) {
        r.set = page_set(p->s1.req.line);
        r.reserved = cover_all_reserved(p, r.set);
        for (r.m = 0; r.m < L2_MSHRS && !(p->mshr[r.m].valid && p->mshr[r.m].line == p->s1.req.line); r.m++)
            ;
        if (r.m < L2_MSHRS) {
            const page_mshr_t *m = &p->mshr[r.m];
            r.byp = m->byp;
            r.state = !m->done ? 0 : m->drop ? 1 : 2; /* done: its list is empty, or s1 would not move */
            r.rq = cover_in_rq(p, r.m);
        }
        r.hit = cover_way(p, p->s1.req.line);
        r.unfilled = r.hit < L2_WAYS && !p->cache[r.set][r.hit].filled;
    }
    cover_stages(b, p, in, fill_now);
    cover_dram(b, &p->out, in);
    if (p->s1_valid && p->s1_step)
        cover_step(b, p);
    rsps = in->home_rsp_valid ? rsps + 1 : 0;
    BENCH_COVER(b, COV_LONG, rsps > L2_MSHRS / 2);
    BENCH_COVER(b, COV_DROP_BEFORE, byp_now && p->mshr[rsp_k].drop && !p->mshr[rsp_k].done);
    BENCH_COVER(b, COV_DROP_AFTER, byp_now && p->mshr[rsp_k].drop && p->mshr[rsp_k].done);
    BENCH_COVER(b, COV_QUEUE, in->net_req_valid && p->q_n == PG_QUEUE);
    BENCH_COVER(b, COV_CLEAR_REQ, clearing && cover_ripe(p));
    BENCH_COVER(b, COV_CLEAR_MAINT, clearing && p->maint != PG_NONE);
    BENCH_COVER(b, COV_MAINT_BUSY, in->maint_valid && awaited);
    BENCH_COVER(b, COV_MAINT_WAITS, p->maint == PG_WALK && cover_ripe(p));

    page_expect(p, in);
    const ev_l2_t *v = &p->out.ev;
    BENCH_COVER(b, COV_STALL_PIPE, v->l2_stall_pipe && !v->l2_replay);
    BENCH_COVER(b, COV_STALL_REPLAY, v->l2_stall_pipe && v->l2_replay);
    BENCH_COVER(b, COV_STALL_DRAIN, v->l2_stall_drain && r.state);
    BENCH_COVER(b, COV_UP_NOW, v->l2_stall_drain && !r.state && byp_now && rsp_k == r.m);
    BENCH_COVER(b, COV_STALL_MSHR, v->l2_stall_mshr);
    BENCH_COVER(b, COV_MSHRS, v->l2_stall_mshr && awaited == L2_MSHRS && r.m == L2_MSHRS && !targets);
    BENCH_COVER(b, COV_TARGETS, v->l2_stall_mshr && targets);
    BENCH_COVER(b, COV_RESERVED, v->l2_stall_way && r.reserved);
    if (v->l2_access)
        cover_performed(b, &r, v);
}
#endif
