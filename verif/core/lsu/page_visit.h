/* The visit of the row at work: the first step of the page's section "Front" that applies, and the threads that it may send (P, L). */
#ifndef LSU_BENCH_PAGE_VISIT_H
#define LSU_BENCH_PAGE_VISIT_H
#include "verif/core/lsu/page_rows.h"

static unsigned page_log2(unsigned v)
{
    return lowest(v);
}

static uint64_t page_ready_threads(const lsu_page_t *s, const page_row_t *r, bool overlap) /* P */
{
    return !s->sd && (overlap || r->unsent == r->ok) ? r->ok : 0;
}

static uint64_t page_next_threads(const lsu_page_t *s, const page_row_t *r, bool overlap) /* L */
{
    const uint64_t p = page_ready_threads(s, r, overlap);
    if (s->lmask || !p)
        return s->lmask;
    return r->kind == MEMOP_ATOMIC ? p & -p : page_alike(r, p, p, page_log2(SECTOR_BYTES), true);
}

typedef enum {
    VISIT_NONE,
    VISIT_EARLY,
    VISIT_DROP,
    VISIT_FAULT,
    VISIT_WG,
    VISIT_FENCE,
    VISIT_POST,
    VISIT_FAULTED,
    VISIT_RELEASE,
    VISIT_WAIT,
    VISIT_ACTIVE
} page_visit_e;

/* The first step that applies. */
static page_visit_e page_visit(const lsu_page_t *s, bool overlap)
{
    const page_row_t *r = &s->row[s->front];
    if (s->front == NO_ROW)
        return VISIT_NONE;
    if (s->early)
        return VISIT_EARLY;
    if (s->dead[r->warp] && !r->seen)
        return VISIT_DROP;
    if (r->bad)
        return VISIT_FAULT;
    if (r->kind == MEMOP_WG)
        return VISIT_WG;
    if (r->kind == MEMOP_FENCE)
        return VISIT_FENCE;
    if (s->post)
        return VISIT_POST;
    const bool midst = r->seen && !(s->tbeat == BEATS && !s->lmask && !s->words);
    if (r->flt && r->unsent == (r->flt | r->ok) && !(overlap && r->ok) && !midst)
        return VISIT_FAULTED;
    if (r->rl && !s->pre && !r->seen)
        return VISIT_RELEASE;
    return r->seen || r->kind == MEMOP_STORE || page_free_entry(s) != NO_ENTRY ? VISIT_ACTIVE : VISIT_WAIT;
}
#endif
