/* Functional coverage of l2, read off the twin's state: what the page lists. cover_tick stands before the twin's tick. */
#ifndef VERIF_L2_COVER_H
#define VERIF_L2_COVER_H
#include "sim_c/cache/l2_state.h"
#include "verif/common/places.h"
#include "verif/common/bench.h"

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
    COV_N = COV_SC + 7
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
                                    "SC succeeds",
                                    "SC without an LR",
                                    "SC of another hart",
                                    "SC of another line",
                                    "SC after an SC",
                                    "SC after the line was written",
                                    "SC that its core has made fail"};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

static bench_t *cover_bench;

/* What may be in a set: the places reserved, as in the page. */
static bool cover_all_reserved(const l2_t *s, unsigned set)
{
    unsigned n = 0;
    for (uint64_t v = s->valid & ~s->byp; v; v &= v - 1)
        n += s->mshr[__builtin_ctzll(v)].row / L2_WAYS == set;
    return n == L2_WAYS;
}

static unsigned cover_set(uint64_t line)
{
    return (unsigned)(local_of(line) / L2_SLICES % L2_SETS);
}

static bool ones(const vl_bits_128 *m)
{
    return !~(m->w[0] & m->w[1]);
}

/* Step 5, maintenance. */
static void cover_step(bench_t *b, const l2_t *s)
{
    unsigned set = s->s1_row / L2_WAYS, way = s->s1_row % L2_WAYS;
    bool all = s->mreq.op % 4 == 2;
    if (!all) {
        set = cover_set(s->s1_line);
        for (way = 0;
             way < L2_WAYS && !(s->dvalid[set] >> way & 1 && key_line(s->key[set * L2_WAYS + way]) == s->s1_line);
             way++)
            ;
        /* With one slice there is no other one. */
        BENCH_COVER(b, COV_OTHER, SLICES == 1 || where(s->s1_line).slice != s->slice);
    }
    if (way == L2_WAYS || !(s->dvalid[set] >> way & 1))
        return;
    bool dirty = s->dirty[set] >> way & 1, filled = s->filled[set] >> way & 1;
    BENCH_COVER(b, COV_MAINT + (s->mreq.op - s->mreq.op / 4) * 3 + (dirty ? filled ? 1 : 2 : 0), true);
}

static void cover_stages(bench_t *b, const l2_t *s, const l2_in_t *in, bool fill_now)
{
    bool amo = s->s3_valid && s->s3_kind == L2_K_AMO, same = amo && !s->wrote && s->s3_row == s->s2_row;
    BENCH_COVER(b, COV_EVICT_AHEAD,
                s->s2_valid && s->s2_wb && s->s3_valid && s->s3_row == s->s2_row && (s->s3_kind == L2_K_WRITE || amo));
    BENCH_COVER(b, COV_WB_AMO, s->s2_valid && s->s2_wb && same);
    if (s->s2_valid && !s->s2_wb) {
        BENCH_COVER(b, COV_WRITE_FILL, s->s2_kind == L2_K_WRITE && !s->s3_valid && fill_now);
        BENCH_COVER(b, COV_WRITE_AMO, s->s2_kind == L2_K_WRITE && amo);
        BENCH_COVER(b, COV_AMO_AMO, s->s2_kind == L2_K_AMO && same);
        BENCH_COVER(b, COV_READ_AMO, s->s2_kind == L2_K_READ && !s->s2_frombyp && same);
        bool whole = ones(&s->mask[s->s2_row]);
        BENCH_COVER(b, COV_PROBE_WHOLE, s->s2_kind == L2_K_PROBE && whole);
        BENCH_COVER(b, COV_PROBE_PARTIAL, s->s2_kind == L2_K_PROBE && !whole);
        BENCH_COVER(b, COV_PROBE_BEHIND,
                    s->s2_kind == L2_K_PROBE && whole && s->s3_valid && s->s3_kind == L2_K_WRITE
                        && s->s3_row == s->s2_row);
    }
    bool storing = amo && s->phase && s->stores && !s->wrote;
    BENCH_COVER(b, COV_AMO_FILL, storing && fill_now);
    BENCH_COVER(b, COV_AMO_SENT_FILL, storing && fill_now && s->sent);
    if (amo && s->phase && !s->sent) {
        static uint32_t seen;
        const mem_req_t *r = &s->pool[s->s3_slot].req;
        seen |= 1u << (r->amo + 12 * r->amo_dword);
        BENCH_COVER(b, COV_AMOS, seen == (1u << 24) - 1);
        BENCH_COVER(b, COV_AMO_STALL, !in->net_rsp_ready);
    }
    bool wb = s->s3_valid && s->s3_kind == L2_K_WB;
    BENCH_COVER(b, COV_PARTIAL, wb && !ones(&s->s3_mask));
    BENCH_COVER(b, COV_WHOLE, wb && ones(&s->s3_mask));
    BENCH_COVER(b, COV_WB_STALL, wb && !s->rqcount && !in->home_req_ready);
    BENCH_COVER(b, COV_DRAM_STALL, s->rqcount && !in->home_req_ready);
    BENCH_COVER(b, COV_BOTH, wb && s->rqcount);
}

/* The order of what memory is sent. */
static void cover_dram(bench_t *b, const l2_t *s, const l2_in_t *in)
{
    static uint64_t line;
    static bool write;
    l2_out_t o;
    memset(&o, 0, sizeof o);
    l2_out(s, &o);
    BENCH_COVER(b, COV_RSP_STALL, o.net_rsp_valid && !in->net_rsp_ready);
    if (!o.home_req_valid || !in->home_req_ready)
        return;
    bool is_write = o.home_req.op == HOME_WRITE_BACK;
    BENCH_COVER(b, COV_WB_READ, write && !is_write && line == o.home_req.line);
    BENCH_COVER(b, COV_READ_WB, !write && is_write && line != o.home_req.line);
    write = is_write;
    line = o.home_req.line;
}

static bool cover_in_rq(const l2_t *s, unsigned id)
{
    for (unsigned i = 0; i < s->rqcount; i++)
        if (s->rq[(s->rqhead + i) % L2_RQDEPTH].id == id)
            return true;
    return false;
}

static void cover_tick(l2_t *s, const l2_in_t *in)
{
    bench_t *b = cover_bench;
    bool request = s->s1_valid && !s->s1_maint;
    const net_req_t *n = request ? &s->pool[s->s1_slot] : NULL;
    unsigned rsp_k = in->home_rsp.id % L2_FILL_ID, set = n ? cover_set(n->req.line) : 0, hit = 0;
    bool fill_now = in->home_rsp_valid && in->home_rsp.id & L2_FILL_ID, byp_now = in->home_rsp_valid && !fill_now;
    bool reserved = n && cover_all_reserved(s, set), unfilled = false, m_rq = false, m_byp = false;
    unsigned m_state = 0, m = L2_MSHRS, op = n ? n->req.op : 0;
    static unsigned rsps;
    static uint64_t ways[L2_SETS];
    if (!b->cycle)
        rsps = 0, memset(ways, 0, sizeof ways);
    if (n) {
        for (m = 0; m < L2_MSHRS && !(s->valid >> m & 1 && key_line(s->mshr[m].key) == n->req.line); m++)
            ;
        if (m < L2_MSHRS) {
            m_byp = s->byp >> m & 1;
            m_state = !(s->done >> m & 1) ? 0
                      : s->drop >> m & 1  ? 1
                                          : 2; /* done: its list is empty, or s1 would not move */
            m_rq = cover_in_rq(s, m);
        }
        for (hit = 0;
             hit < L2_WAYS && !(s->dvalid[set] >> hit & 1 && key_line(s->key[set * L2_WAYS + hit]) == n->req.line);
             hit++)
            ;
        unfilled = hit < L2_WAYS && !(s->filled[set] >> hit & 1);
    }
    cover_stages(b, s, in, fill_now);
    cover_dram(b, s, in);
    if (s->s1_valid && s->s1_maint)
        cover_step(b, s);
    rsps = in->home_rsp_valid ? rsps + 1 : 0;
    BENCH_COVER(b, COV_LONG, rsps > L2_MSHRS / 2);
    BENCH_COVER(b, COV_DROP_BEFORE, byp_now && s->drop >> rsp_k & 1 && !(s->done >> rsp_k & 1));
    BENCH_COVER(b, COV_DROP_AFTER, byp_now && s->drop >> rsp_k & 1 && s->done >> rsp_k & 1);
    BENCH_COVER(b, COV_QUEUE, in->net_req_valid && s->qcount == L2_QDEPTH);
    BENCH_COVER(b, COV_CLEAR_REQ, s->clearing && s->qcount && s->q[s->qhead].ripe <= s->now);
    BENCH_COVER(b, COV_CLEAR_MAINT, s->clearing && s->maint != L2_M_NONE);
    BENCH_COVER(b, COV_MAINT_BUSY, in->maint_valid && s->valid);
    BENCH_COVER(b, COV_MAINT_WAITS, s->maint == L2_M_WALK && s->qcount && s->q[s->qhead].ripe <= s->now);
    uint64_t full = s->valid + 1;
    bool targets = s->targets == L2_TARGETS;

    l2_tick(s, in);
    const ev_l2_t *v = &s->ev;
    BENCH_COVER(b, COV_STALL_PIPE, v->l2_stall_pipe && !v->l2_replay);
    BENCH_COVER(b, COV_STALL_REPLAY, v->l2_stall_pipe && v->l2_replay);
    BENCH_COVER(b, COV_STALL_DRAIN, v->l2_stall_drain && m_state);
    BENCH_COVER(b, COV_UP_NOW, v->l2_stall_drain && m_state == 0 && byp_now && rsp_k == m);
    BENCH_COVER(b, COV_STALL_MSHR, v->l2_stall_mshr);
    BENCH_COVER(b, COV_MSHRS,
                v->l2_stall_mshr && full == (L2_MSHRS == 64 ? 0 : 1ull << L2_MSHRS % 64) && m == L2_MSHRS && !targets);
    BENCH_COVER(b, COV_TARGETS, v->l2_stall_mshr && targets);
    BENCH_COVER(b, COV_RESERVED, v->l2_stall_way && reserved);
    if (!v->l2_access)
        return;
    bool merges = v->l2_merge && !v->l2_upgrade, misses = !v->l2_hit && !v->l2_merge && !v->l2_probe,
         lr = op == MEM_AMO && n->req.amo == AMO_LR;
    BENCH_COVER(b, COV_MERGE + 3 * m_state + op, merges && !m_byp);
    BENCH_COVER(b, COV_MERGE_BYP, merges && m_byp);
    BENCH_COVER(b, lr ? COV_UPGRADE_RD : op == MEM_WRITE ? COV_UPGRADE_WR : COV_UPGRADE_AMO, v->l2_upgrade);
    BENCH_COVER(b, m_rq ? COV_UP_RQ : COV_UP_SENT, v->l2_upgrade);
    BENCH_COVER(b, COV_HIT, v->l2_hit && !unfilled);
    BENCH_COVER(b, COV_HIT_UNFILLED, v->l2_hit && unfilled);
    BENCH_COVER(b, COV_PROBE, v->l2_probe);
    BENCH_COVER(b, COV_BYPASS, misses && v->l2_bypass);
    BENCH_COVER(b, COV_MISS, misses && !v->l2_bypass && op == MEM_READ);
    BENCH_COVER(b, COV_MISS_AMO, misses && op == MEM_AMO);
    BENCH_COVER(b, COV_WMISS, misses && op == MEM_WRITE && !ones(&n->req.be));
    BENCH_COVER(b, COV_WMISS_WHOLE, misses && op == MEM_WRITE && ones(&n->req.be));
    BENCH_COVER(b, COV_EVICT + op, v->l2_evict && !v->l2_upgrade);
    BENCH_COVER(b, COV_EVICT_UPGRADE, v->l2_evict && v->l2_upgrade);
    BENCH_COVER(b, COV_BYP_HIT, v->l2_bypass && v->l2_hit);
    BENCH_COVER(b, COV_BYP_MERGE, v->l2_bypass && v->l2_merge);
    BENCH_COVER(b, COV_BYP_PROBE, v->l2_bypass && v->l2_probe);
    if (v->l2_hit) {
        ways[set] |= 1ull << hit;
        BENCH_COVER(b, COV_WAYS, ways[set] == (1ull << L2_WAYS) - 1);
    }
}
#endif
