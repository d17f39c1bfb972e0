/* Step 5: which group goes on, and how. */
#ifndef VERIF_CORE_COMPACTOR_PAGE_DECIDE_H
#define VERIF_CORE_COMPACTOR_PAGE_DECIDE_H
#include "verif/core/compactor/page_state.h"

enum { P_NOT, P_STIRS, P_ALONE, P_DIVIDES, P_POPS };

/* Step 5. why: the first reason to go on alone. */
static int page_ready(const page_t *p, const compactor_in_t *in, int g, int *why)
{
    const group_s *q = &p->group[g];
    const int stand = page_count(p, g, STANDS), rest = page_count(p, g, ELSEWHERE), bar = page_count(p, g, ARRIVED);
    if (!q->on || q->started != q->size || page_count(p, g, RUNS) || !(stand + rest + bar))
        return P_NOT;
    *why = bar                          ? 1
           : q->mixed                   ? 2
           : !page_side(p, g, TAKES)    ? 3
           : !page_side(p, g, PASSES)   ? 4
           : q->level + 2 > BLOCK_STACK ? 5
                                        : 0;
    if (stand && *why)
        return P_ALONE;
    if (!stand && bar)
        return P_NOT;
    for (int w = 0; w < WARPS; w++)
        if (page_of(p, w, g) && (p->warp[w].fly || (uint64_t)in->rows >> w & 1))
            return P_STIRS;
    return stand ? P_DIVIDES : P_POPS;
}

static void page_no_sides(page_t *p, int g)
{
    for (int h = 0; h < WARPS; h++)
        for (int t = 0; t < THREADS; t++)
            if (page_of(p, h, g))
                p->warp[h].thread[t].side = NO_SIDE;
}

static void page_decide(page_t *p, const compactor_in_t *in, compactor_out_t *o)
{
    int is[GROUPS], why[GROUPS] = {0}, ready = 0, stirs = 0;
    for (int g = 0; g < GROUPS; g++) {
        is[g] = page_ready(p, in, g, &why[g]);
        ready += is[g] > P_STIRS;
        stirs += is[g] == P_STIRS;
    }
    p->did.ready = ready;
    o->ev.compact_waits = !ready && stirs;
    if (!ready)
        return;
    int g = p->turn;
    while (is[g] <= P_STIRS)
        g = (g + 1) % GROUPS;
    group_s *q = &p->group[g];
    p->g = g;
    p->turn = (g + 1) % GROUPS;
    p->engine = is[g] == P_ALONE ? E_ALONE : is[g] == P_DIVIDES ? E_DIV : E_POP;
    bool first = true;
    for (int w = 0; w < WARPS; w++) {
        const bool stands = page_of(p, w, g) && p->warp[w].state == STANDS;
        if (is[g] == P_ALONE)
            p->todo[w] = stands;
        if (is[g] == P_DIVIDES && stands && first) {
            p->d = p->warp[w].at;
            first = false;
        }
        if (is[g] == P_DIVIDES && page_of(p, w, g))
            p->warp[w].state = ELSEWHERE;
    }
    if (is[g] == P_ALONE) {
        p->did.alone_for = why[g];
        page_no_sides(p, g);
    }
    if (is[g] != P_POPS)
        q->some = q->mixed = false;
}
#endif
