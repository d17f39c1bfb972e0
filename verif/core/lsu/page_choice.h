/* The front's choice: which row is ready to go, and which of them goes; an early visit (E1). */
#ifndef LSU_BENCH_PAGE_CHOICE_H
#define LSU_BENCH_PAGE_CHOICE_H
#include "verif/core/lsu/page_before.h"

static bool page_first(const lsu_page_t *s, const page_before_t *b, unsigned k, unsigned gone)
{
    for (unsigned o = 0; o < LSU_ROWS; o++)
        if (o != k && o != gone && b->row[o].valid && s->row[o].age < s->row[k].age && s->row[o].warp == s->row[k].warp)
            return false;
    return true;
}

/* Ready to go, given its threads; *entry: it needs one. */
static bool page_ready(const page_before_t *b, const lsu_in_t *in, const page_row_t *r, bool seen, bool reported,
                       uint64_t u, uint64_t ok, uint64_t flt, uint64_t in_look, bool *entry)
{
    *entry = false;
    if (b->dead[r->warp] && !in_look)
        return true;
    if (b->dead[r->warp])
        return false;
    if (r->bad || r->kind >= MEMOP_FENCE)
        return true;
    if (flt && u == (flt | ok) && !(b->overlap && ok) && (in->halt || (!reported && !b->pf)))
        return true;
    if (seen)
        return ok && (b->overlap || u == ok);
    *entry = r->kind != MEMOP_STORE;
    return b->overlap ? ok || (r->spad && u != flt) || !u : u == ok;
}

static bool page_row_ready(const lsu_page_t *s, const page_before_t *b, const lsu_in_t *in, unsigned k, bool *entry)
{
    const uint64_t found = k == b->found_row ? b->found : 0, ok = b->row[k].ok | found;
    return b->row[k].valid && b->row[k].complete
           && page_ready(b, in, &s->row[k], b->row[k].seen, b->row[k].reported, b->row[k].unsent, ok, b->row[k].flt,
                         b->row[k].in_look & ~found, entry);
}

/* The front's choice. `gone`: the row that pops at this edge; `completes`: the row that becomes complete. */
static void page_choose(lsu_page_t *s, const page_before_t *b, const lsu_in_t *in, unsigned gone, unsigned completes,
                        bool used)
{
    unsigned any = NO_ROW, without = NO_ROW, pick;
    for (unsigned k = 0; k < LSU_ROWS; k++) {
        bool entry;
        const bool sent = b->visit == VISIT_EARLY && k == b->front && !b->row[k].unsent; /* E2 */
        if (k == gone || sent || !page_row_ready(s, b, in, k, &entry) || !page_first(s, b, k, gone))
            continue;
        if (any == NO_ROW || s->row[k].age < s->row[any].age)
            any = k;
        if (!entry && (without == NO_ROW || s->row[k].age < s->row[without].age))
            without = k;
    }
    pick = b->entry_free || without == NO_ROW ? any : without;
    s->early = false;
    if (pick == NO_ROW && used && s->row[b->lrow].kind == MEMOP_LOAD && !s->row[b->lrow].spad && !b->row[b->lrow].traced
        && b->row[b->lrow].todo == b->row[b->lrow].unsent && page_first(s, b, b->lrow, NO_ROW)) { /* E1 */
        pick = b->lrow;
        s->early = s->row[pick].traced = true;
        s->front = pick;
        s->pre = s->post = false;
        s->tbeat = 0;
        s->words = s->lmask = s->lseen = s->pseen = 0;
        return;
    }
    if (pick == NO_ROW && completes != NO_ROW) {
        const page_row_t *r = &s->row[completes];
        bool entry;
        if (page_first(s, b, completes, gone) && page_ready(b, in, r, false, false, r->unsent, r->ok, 0, 0, &entry))
            pick = completes;
    }
    s->front = pick;
    if (pick == NO_ROW)
        return;
    s->pre = s->post = false;
    s->tbeat = s->row[pick].traced ? BEATS : 0;
    s->words = s->row[pick].traced ? 0 : s->row[pick].spad;
    s->lmask = s->lseen = s->pseen = 0;
}
#endif
