/* Steps 6 that need no place for a go: a group divides, and returns. */
#ifndef VERIF_CORE_COMPACTOR_PAGE_SIDES_H
#define VERIF_CORE_COMPACTOR_PAGE_SIDES_H
#include "verif/core/compactor/page_state.h"

static void page_push(page_t *p, group_s *q, uint64_t pc, bool rpc_valid, uint64_t rpc, bool takers_alone)
{
    entry_s *e = &q->stack[q->level++];
    e->pc = pc;
    e->rpc_valid = rpc_valid;
    e->rpc = rpc;
    for (int h = 0; h < WARPS; h++)
        for (int t = 0; t < THREADS; t++) {
            const int side = page_of(p, h, p->g) ? p->warp[h].thread[t].side : NO_SIDE;
            e->has[h][t] = takers_alone ? side == TAKES : side != NO_SIDE;
        }
}

/* Steps 6 that need no place for a go. */
static void page_divide(page_t *p, compactor_out_t *o)
{
    group_s *q = &p->group[p->g];
    o->ev.compact_divisions = true;
    p->did.fresh = !(q->rpc_valid && q->rpc == p->d.meeting);
    if (p->did.fresh)
        page_push(p, q, p->d.meeting, q->rpc_valid, q->rpc, false);
    q->rpc_valid = true;
    q->rpc = p->d.meeting;
    p->engine = E_SIDE;
}

static void page_sides(page_t *p)
{
    group_s *q = &p->group[p->g];
    const uint64_t next = (p->d.pc + 4) & PAGE_PC_MASK;
    const bool at_target = p->d.target == q->rpc, at_next = next == q->rpc;
    if (!at_target && !at_next)
        page_push(p, q, p->d.target, true, q->rpc, true);
    const int goes = at_next && !at_target ? TAKES : PASSES;
    p->fpc = goes == TAKES ? p->d.target : next;
    for (int h = 0; h < WARPS; h++)
        for (int t = 0; t < THREADS; t++)
            p->warp[h].thread[t].form = page_of(p, h, p->g) && p->warp[h].thread[t].side == goes;
    page_no_sides(p, p->g);
    for (int w = 0; w < WARPS; w++)
        p->todo[w] = page_of(p, w, p->g);
    p->did.at_target = at_target, p->did.at_next = at_next, p->did.both = !at_target && !at_next;
    p->engine = E_FORM;
}

static void page_pop(page_t *p)
{
    group_s *q = &p->group[p->g];
    bool waits = false;
    for (int w = 0; w < WARPS; w++) {
        p->todo[w] = page_of(p, w, p->g);
        waits |= p->todo[w] && page_waits(p, w);
    }
    if (!q->level) {
        for (int w = 0; w < WARPS; w++)
            for (int t = 0; t < THREADS && p->todo[w]; t++)
                p->warp[w].thread[t].waits = false;
        p->engine = waits ? E_BACK : E_DONE;
        return;
    }
    const entry_s *e = &q->stack[--q->level];
    for (int h = 0; h < WARPS; h++)
        for (int t = 0; t < THREADS; t++) {
            thread_s *x = &p->warp[h].thread[t];
            x->form = e->has[h][t] && x->live && !x->waits && page_of(p, h, p->g);
        }
    p->did.popped++;
    if (!page_to_form(p))
        return;
    p->fpc = e->pc;
    q->rpc_valid = e->rpc_valid;
    q->rpc = e->rpc;
    p->engine = E_FORM;
}
#endif
