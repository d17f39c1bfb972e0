/* Checks of ptw's outputs against the scoreboard: its walks, reads and counts */
#ifndef VERIF_PTW_CHECKS_H
#define VERIF_PTW_CHECKS_H
#include "verif/mmu/ptw/cover.h"
#include "verif/mmu/ptw/env.h"
#include "verif/mmu/ptw/scenes.h"

/* Answers, and the ids that may not be joined. */
static void check_walks(bench_t *b, env_t *e, const ptw_out_t *out)
{
    scoreboard_t *sb = &e->scoreboard;
    unsigned open = 0, oldest = TLB_MSHRS;
    for (unsigned k = 0; k < TLB_MSHRS; k++) {
        waiting_t *w = &sb->walk[k];
        const bool closed = out->closed >> k & 1;
        BENCH_CHECK(b, !closed || w->valid, "id %u is closed, and not open", k);
        BENCH_CHECK(b, closed || !(e->closed >> k & 1), "id %u was closed, and is not", k);
        BENCH_CHECK(b, !closed || !e->put_back, "id %u is closed behind an invalidation", k);
        if (closed && (oldest == TLB_MSHRS || w->order < sb->walk[oldest].order))
            oldest = k;
        if (!closed)
            w->by = UINT64_MAX;
        else if (w->by == UINT64_MAX)
            w->by = b->cycle + TLB_MSHRS;
        BENCH_CHECK(b, b->cycle < w->by, "id %u is closed, and not answered", k);
        for (unsigned i = 0; i < k; i++)
            BENCH_COVER(b, COV_SAME_PAGE, w->valid && sb->walk[i].valid && w->vpn == sb->walk[i].vpn);
        open += w->valid;
    }
    BENCH_CHECK(b, open == sb->walks, "the bench has lost count");
    BENCH_CHECK(b, out->rsp_valid == (out->closed != 0),
                out->rsp_valid ? "a response whose id can be joined" : "ids are closed, and none is answered");
    BENCH_COVER(b, COV_CLOSED_MANY, __builtin_popcount((unsigned)out->closed) > 2);
    if (out->rsp_valid) {
        const translate_rsp_t *w = &out->rsp;
        BENCH_CHECK(b, w->id < TLB_MSHRS && sb->walk[w->id % TLB_MSHRS].valid,
                    "a response with id %u, which is not open", w->id);
        BENCH_CHECK(b, w->id == oldest, "a response to id %u, and %u is closed and older", w->id, oldest);
        if (b->failed)
            return;
        const uint64_t vpn = sb->walk[w->id].vpn;
        view_t v = scoreboard_view(&e->tables, e->root.ppn, vpn);
        int n = scoreboard_outcome(&v, w);
        BENCH_CHECK(b, n >= 0,
                    "page 0x%" PRIx64 ": what the tables do not say: result %u, ppn 0x%" PRIx64
                    " level %u%s%s%s%s; they say %u (why %u, level %u)",
                    vpn, w->result, (uint64_t)w->leaf.ppn, w->leaf.level, w->leaf.r ? " r" : "", w->leaf.w ? " w" : "",
                    w->leaf.x ? " x" : "", w->leaf.glob ? " g" : "", v.o[0].result, v.o[0].why, v.o[0].level);
        e->last_walked = b->cycle;
        if (n < 0)
            return;
        BENCH_COVER(b, COV_KEPT_OLD, e->stale && v.n > 1 && n == (int)v.n - 1);
        const outcome_t *o = &v.o[n];
        cover_view(b, &v, n);
        BENCH_COVER(b, COV_FETCH_ONLY, v.n == 1 && !o->why && !o->leaf.r && o->leaf.x);
        BENCH_COVER(b, COV_CLEAN, v.n == 1 && !o->why && o->leaf.r && !o->leaf.w);
        e->period.vague |= v.n > 1;
        e->period.need += o->reads;
        for (unsigned i = 0; i < v.refs; i++) {
            unsigned s = 0;
            while (s < e->period.distinct && e->period.addrs[s] != v.ref[i].addr)
                s++;
            if (s == e->period.distinct && s < SPREAD) {
                e->period.levels[s] = v.ref[i].level;
                e->period.addrs[e->period.distinct++] = v.ref[i].addr;
            }
            e->period.mixed |= s == SPREAD || e->period.levels[s] != v.ref[i].level;
            e->period.left[v.ref[i].level]++;
        }
    }
}

/* A read that is seen for the first time. */
static void check_read(bench_t *b, env_t *e, const mem_req_t *r)
{
    scoreboard_t *sb = &e->scoreboard;
    unsigned level = 4u - r->cls;
    mem_req_t plain = {.op = MEM_READ, .id = r->id, .cls = r->cls, .asid = e->root.asid, .line = r->line};
    vl_diff_t d;
    BENCH_CHECK(b, !mem_req_t_diff(r, &plain, &d), "a read's %s is %s", d.field, d.a);
    BENCH_CHECK(b, r->cls >= 1 && r->cls <= 4, "a read of class %u", r->cls);
    BENCH_CHECK(b, r->id < TLB_MSHRS && !sb->read[r->id].valid, "a read with id %u, which is not free", r->id);
    if (b->failed)
        return;
    bool at_level;
    unsigned needs = scoreboard_needs(sb, &e->tables, e->root.ppn, r->line, level, &at_level);
    BENCH_CHECK(b, at_level, "a read of line 0x%" PRIx64 " at level %u, which no walk needs", (uint64_t)r->line, level);
    unsigned same = 0, wanted = 0;
    for (unsigned i = 0; i < TLB_MSHRS; i++)
        same += sb->read[i].valid && !sb->read[i].drop && sb->read[i].line == r->line,
            wanted += sb->read[i].valid && !sb->read[i].drop;
    unsigned walkers = e->policy.walkers ? e->policy.walkers < WALKERS ? e->policy.walkers : WALKERS : 1;
    if (e->policy.coalesce) {
        BENCH_CHECK(b, same < needs, "coalesced: a PTE is read that is being read");
        BENCH_CHECK(b, !e->policy.reads || sb->reads < e->policy.reads, "more reads than the limit");
        BENCH_COVER(b, COV_LIMIT, sb->reads + 1u == e->policy.reads && sb->walks > sb->reads + 1);
        BENCH_COVER(b, COV_LIMIT_0, !e->policy.reads && sb->reads > 2);
    } else {
        BENCH_CHECK(b, wanted < walkers, "more reads than walkers");
        if (wanted + 1 == walkers)
            e->walkers_seen |= 1u << walkers;
        BENCH_COVER(b, COV_WALKERS, e->walkers_seen == (2ull << WALKERS) - 2);
        BENCH_COVER(b, COV_WALKERS_0, !e->policy.walkers);
        BENCH_COVER(b, COV_WALKERS_OVER, e->policy.walkers > WALKERS);
    }
    BENCH_COVER(b, e->policy.coalesce ? COV_LINE_TWO : COV_NAIVE_SAME, same);
    /* With one walker there is one read of any line. */
    BENCH_COVER(b, COV_NAIVE_SAME, WALKERS == 1);
    sb->read[r->id] = (awaited_t){.valid = true, .line = r->line, .level = (uint8_t)level};
    sb->reads++;
    BENCH_COVER(b, COV_FULL_READS, sb->reads == TLB_MSHRS);
    e->period.reads++;
    *(level == 0   ? &e->ev.ptw_reads_l0
      : level == 1 ? &e->ev.ptw_reads_l1
      : level == 2 ? &e->ev.ptw_reads_l2
                   : &e->ev.ptw_reads_l3) = true;
    if (e->scene) {
        BENCH_CHECK(b, scene_read(e, e->scene_reads, r), "%s, %s: reference %u is another one",
                    scene_name[e->scene_kind], e->policy.coalesce ? "coalesced" : "naive", e->scene_reads + 1);
        e->scene_reads++;
    }
}

/* References that were not sent, by level: of one level at an edge, that of the read that goes if one does; how many is looked at when all is idle. */
static void check_saved(bench_t *b, env_t *e, const ev_ptw_t *ev, bool read)
{
    const unsigned above = ev->ptw_shared_l3 + ev->ptw_shared_l2 + ev->ptw_shared_l1,
                   saved[4] = {ev->ptw_shared - above, ev->ptw_shared_l1, ev->ptw_shared_l2, ev->ptw_shared_l3};
    const bool sent[4] = {ev->ptw_reads_l0, ev->ptw_reads_l1, ev->ptw_reads_l2, ev->ptw_reads_l3};
    BENCH_CHECK(b, above <= ev->ptw_shared, "more references are saved at a level than in all");
    e->period.saved += ev->ptw_shared;
    for (unsigned l = 0; l < 4; l++) {
        BENCH_CHECK(b, !saved[l] || (saved[l] == ev->ptw_shared && (sent[l] || !read)),
                    "references are saved at level %u, which is not the leader's", l);
        e->period.left[l] -= (int64_t)saved[l] + sent[l];
        e->scene_sent[l] += sent[l];
        e->scene_saved[l] += saved[l];
    }
}

static bool tables_changed(const tables_t *t)
{
    bool any = false;
    for (unsigned k = 0; k < TABLES; k++)
        for (unsigned s = 0; s < SLOTS; s++)
            any |= t->pte[k][s].changed;
    return any;
}

/* The events that the scoreboard counts, and the end of a period when all is idle. */
static void check_rest(bench_t *b, env_t *e, const ptw_out_t *out)
{
    scoreboard_t *sb = &e->scoreboard;
    ev_ptw_t *ev = &e->ev;
    bool read = ev->ptw_reads_l0 || ev->ptw_reads_l1 || ev->ptw_reads_l2 || ev->ptw_reads_l3;
    BENCH_CHECK(b, e->policy.coalesce || !out->ev.ptw_shared, "naive walks share");
    BENCH_CHECK(b, read || !out->ev.ptw_same_line, "on the line of the last, without a read");
    BENCH_CHECK(b, !out->ev.ptw_kept || (e->policy.pointers && !read), "a kept pointer where %s",
                read ? "a PTE is read" : "none is kept");
    e->period.kept += out->ev.ptw_kept;
    ev->ptw_kept = out->ev.ptw_kept;
    BENCH_COVER(b, COV_WAITS, out->ev.ptw_shared && !read && !out->ev.ptw_kept);
    BENCH_COVER(b, COV_SHARED, out->ev.ptw_shared == 1 && read);
    BENCH_COVER(b, COV_SHARED_MANY, out->ev.ptw_shared > 1 && read);
    BENCH_COVER(b,
                COV_LINE
                    + (ev->ptw_reads_l0   ? 0
                       : ev->ptw_reads_l1 ? 1
                       : ev->ptw_reads_l2 ? 2
                                          : 3),
                out->ev.ptw_same_line);
    check_saved(b, e, &out->ev, read);
    ev->ptw_shared = out->ev.ptw_shared;
    ev->ptw_shared_l3 = out->ev.ptw_shared_l3;
    ev->ptw_shared_l2 = out->ev.ptw_shared_l2;
    ev->ptw_shared_l1 = out->ev.ptw_shared_l1;
    ev->ptw_same_line = out->ev.ptw_same_line;
    vl_diff_t d;
    BENCH_CHECK(b, !ev_ptw_t_diff(&out->ev, ev, &d), "event %s: %s, by the scoreboard %s", d.field, d.a, d.b);
    BENCH_CHECK(b, out->inv_done == e->inv_busy,
                out->inv_done ? "done that nobody asked for" : "an invalidation is not done");
    /* An answer counts one edge after it came (in_a_row is still that of the cycle before). */
    BENCH_CHECK(b, !out->idle || (!sb->walks && !sb->reads && !e->in_a_row && !out->mem_req_valid),
                "idle with something under way");
    BENCH_CHECK(b, out->idle || sb->walks || sb->reads || e->in_a_row, "not idle with nothing under way");
    if (!sb->walks)
        e->last_walked = b->cycle;
    BENCH_CHECK(b, b->cycle - e->last_walked < PATIENCE, "%u walks, and none ends for %u cycles", sb->walks, PATIENCE);
    BENCH_COVER(b, COV_FULL, sb->walks == TLB_MSHRS);
    BENCH_COVER(b, COV_LAST_ID, sb->walks == TLB_MSHRS - 1);
    BENCH_COVER(b, COV_IDLE, out->idle);
    if (!out->idle)
        return;
    if (!e->period.vague) {
        const uint64_t used = e->period.reads + e->period.kept;
        BENCH_CHECK(
            b, e->policy.coalesce ? used <= e->period.need && used >= e->period.distinct : used == e->period.need,
            "%s: %" PRIu64 " reads, %" PRIu64 " of kept pointers, for walks of %" PRIu64 " entries, %u different ones",
            e->policy.coalesce ? "coalesced" : "naive", used, e->period.kept, e->period.need, e->period.distinct);
        BENCH_CHECK(b, used + e->period.saved == e->period.need,
                    "%" PRIu64 " reads and %" PRIu64 " saved, for walks of %" PRIu64 " entries", used, e->period.saved,
                    e->period.need);
        /* Which level a kept pointer had is not told; never the last. */
        int64_t left = (int64_t)e->period.kept;
        for (unsigned l = 0; l < 4; l++) {
            BENCH_CHECK(b, e->period.mixed || !e->period.left[l] || (l && e->period.left[l] > 0 && e->period.kept),
                        "level %u: %" PRId64 " references are neither read nor saved", l, e->period.left[l]);
            left -= e->period.left[l];
        }
        BENCH_CHECK(b, e->period.mixed || !left, "%" PRId64 " kept pointers more than references", left);
    }
    memset(&e->period, 0, sizeof e->period);
    tables_settle(&e->tables, e->keeps);
    e->stale = tables_changed(&e->tables);
}
#endif
