/* Functional coverage that is read off the state of the page */
#ifndef VERIF_SIMT_PAGE_COVER_H
#define VERIF_SIMT_PAGE_COVER_H
#include "verif/core/simt/cover.h"
#include "verif/core/simt/page.h"

/* What compacted groups do, by the page's state before and after the edge. */
static void expect(bench_t *b, page_t *p, const simt_in_t *in)
{
    const bool div = p->engine == PG_DIV && !in->start_valid, asks = div && p->asks, held = p->held_valid,
               acts = p->engine == PG_IDLE && !in->start_valid && !in->halt;
    const bool pops = p->engine == PG_POP && !in->start_valid;
    const unsigned pop_warp = p->pop_warp, d_warp = p->d.warp;
    const unsigned sp = p->warp[d_warp].sp, queued = p->k_n && p->c_n;
    static unsigned popped; /* entries without threads, popped one after the other */
    const cf_t d = p->d, *c = p->c_n ? &p->c[0] : &in->cf;
    const bool k = p->k_n || (in->issue_valid && in->issue.pipe == PIPE_CTL),
               cf = acts && !held && !k && (p->c_n || in->cf_valid) && (uint64_t)in->grouped >> c->warp & 1,
               waits = cf && p->warp[c->warp].running != p->warp[c->warp].live;
    const bool jalr = cf && c->indirect && !p->warp[c->warp].sp && c->taken != c->tmask;
    BENCH_COVER(b, COV_BASE_JALR, jalr);
    BENCH_COVER(b, COV_BRANCH_WAITS, waits && !c->indirect && !p->warp[c->warp].sp);
    page_expect(p, in);
    const meet_t *m = &p->out.meet;
    const bool meets = p->out.meet_valid;
    popped = p->out.ev.simt_pops && !p->out.redirect_valid ? popped + 1 : pops ? popped : 0;
    BENCH_COVER(b, COV_MEET_BRANCH, meets && m->branch);
    BENCH_COVER(b, COV_MEET_BRANCH_ALL, meets && m->branch && (!m->taken || m->taken == m->tmask));
    BENCH_COVER(b, COV_MEET_BARRIER, meets && m->barrier);
    BENCH_COVER(b, COV_MEET_ENDED, meets && m->ended && !p->warp[m->warp].live);
    BENCH_COVER(b, COV_MEET_ENDED_PART, meets && m->ended && !m->done);
    BENCH_COVER(b, COV_MEET_ENDED_REST, meets && m->ended && m->done && p->warp[m->warp].live);
    BENCH_COVER(b, COV_MEET_WAITS, meets && m->waits && !p->warp[m->warp].live);
    BENCH_COVER(b, COV_MEET_WAITS_PART, meets && m->waits && !m->done);
    BENCH_COVER(b, COV_MEET_DONE, meets && m->done && !m->ended && !m->waits && !pops);
    BENCH_COVER(b, COV_MEET_POP, meets && pops && m->warp == pop_warp && popped == 1);
    BENCH_COVER(b, COV_MEET_POP_LATER, meets && pops && m->warp == pop_warp && popped > 1);
    BENCH_COVER(b, COV_BASE_MISS, asks && !sp && !meets && d.taken && d.taken != d.tmask);
    BENCH_COVER(b, COV_BASE_JUMP, asks && !meets && d.taken == d.tmask);
    BENCH_COVER(b, COV_BASE_NEXT, asks && !meets && !d.taken);
    BENCH_COVER(b, COV_GO_HALT, held && in->halt);
    BENCH_COVER(b, COV_GO_START, held && in->start_valid);
    BENCH_COVER(b, COV_GO_QUEUES, held && acts && queued);
    for (unsigned n = COV_GROUPS; n < COV_N; n++)
        BENCH_COVER(b, n, HOME_WARPS == 1);
}
#endif
