/* Warps that meet (step 2), and groups that start. */
#ifndef VERIF_CORE_COMPACTOR_PAGE_MEET_H
#define VERIF_CORE_COMPACTOR_PAGE_MEET_H
#include "verif/core/compactor/page_state.h"

/* Step 2, the fault of a meet: 1 + value, or 0. */
static int page_wrong(const page_t *p, const meet_t *m)
{
    const int g = p->warp[m->warp].slot;
    bool gone = false, waits = false, apart = false, others = page_count(p, g, ARRIVED) != 0;
    for (int w = 0; w < WARPS; w++)
        others |= page_of(p, w, g) && page_waits(p, w);
    for (int t = 0; t < THREADS; t++) {
        if (!((uint64_t)m->tmask >> t & 1))
            continue;
        const int h = p->warp[m->warp].home[t];
        gone |= p->warp[h].gone;
        waits |= page_waits(p, h);
        apart |= page_waits(p, h) && p->warp[h].wpc != m->pc;
    }
    if ((m->barrier || m->waits) && p->group[g].left)
        return gone ? 1 : 2;
    if (m->waits && apart)
        return 1;
    if (m->ended && others)
        return waits ? 1 : 2;
    return 0;
}

static void page_meet(page_t *p, const meet_t *m)
{
    warp_s *w = &p->warp[m->warp];
    group_s *q = &p->group[w->slot];
    if (m->branch) {
        w->state = STANDS;
        w->at = *m;
        q->mixed |= q->some && q->pc != m->pc;
        if (!q->some)
            q->pc = m->pc;
        q->some = true;
    } else if (m->barrier) {
        w->state = ARRIVED;
    } else if (m->done) {
        w->state = ELSEWHERE;
    }
    for (int t = 0; t < THREADS; t++) {
        if (!((uint64_t)m->tmask >> t & 1))
            continue;
        warp_s *h = &p->warp[w->home[t]];
        if (m->branch)
            h->thread[t].side = (uint64_t)m->taken >> t & 1 ? TAKES : PASSES;
        if (m->ended) {
            h->thread[t].live = false;
            h->gone = q->left = true;
        }
        if (m->waits) {
            h->thread[t].waits = true;
            h->wpc = m->pc;
        }
    }
}

static void page_start(page_t *p, const compactor_in_t *in)
{
    const start_t *s = &in->start;
    warp_s *w = &p->warp[s->warp];
    group_s *q = &p->group[s->slot];
    if (q->started == q->size)
        *q = (group_s){.size = s->group_warps,
                       .on = in->policy == COMPACT_TBC || in->policy == COMPACT_TLB,
                       .aware = in->policy == COMPACT_TLB};
    q->started++;
    w->in = q->on;
    w->slot = s->slot;
    w->gone = false;
    w->state = q->on ? RUNS : ELSEWHERE;
    for (int t = 0; t < THREADS; t++) {
        w->home[t] = s->warp;
        w->thread[t] = (thread_s){.live = q->on && (uint64_t)s->tmask >> t & 1};
    }
}
#endif
