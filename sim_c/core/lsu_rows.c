/* See lsu_rows.h. */
#include "sim_c/core/lsu_rows.h"
#include "sim_c/core/memop.h"
#include <string.h>

void rows_remove(rows_t *s, unsigned k)
{
    const uint64_t others = ~BIT(k);
    row_t *r = &s->row[k];
    unsigned at = 0;
    while (s->order[at] != k)
        at++;
    memmove(s->order + at, s->order + at + 1, --s->count - at);
    s->valid &= others;
    s->complete &= others;
    s->sound &= others;
    s->todo &= others;
    s->wait &= others;
    s->ans &= others;
    s->seen &= others;
    s->reported &= others;
    rows_sent(s, k, ~0ull);
    r->todo = r->wait = r->ans = r->ok = r->flt = 0;
}

unsigned rows_oldest(const rows_t *s, uint64_t set)
{
    for (unsigned i = 0; i < s->count && set; i++)
        if (set >> s->order[i] & 1)
            return s->order[i];
    return NO_ROW;
}

enum readiness { NOT_READY, READY, READY_WITH_ENTRY };

static enum readiness readiness(const row_t *r, const ready_t *with)
{
    if (with->dead >> r->warp & 1)
        return row_in_look_up(r) ? NOT_READY : READY;
    if (r->kind == MEMOP_FENCE || r->kind == MEMOP_WG || row_bad(r))
        return READY;
    if (row_settled(r, with->overlap) && (with->halt || (!r->reported && !with->pf)))
        return READY;
    if (r->seen)
        return r->ok && (with->overlap || r->unsent == r->ok) ? READY : NOT_READY;
    if (with->overlap ? !r->ok && r->unsent && !(r->spad && r->unsent != r->flt) : r->unsent != r->ok)
        return NOT_READY;
    return r->kind == MEMOP_STORE ? READY : READY_WITH_ENTRY;
}

unsigned rows_choose(const rows_t *s, unsigned front, bool early, unsigned fresh, bool entries_full,
                     const ready_t *with)
{
    unsigned best = NO_ROW;
    uint64_t warps = 0; /* warps of the rows looked at so far, which are older */
    for (unsigned i = 0; i < s->count; i++) {
        unsigned k = s->order[i];
        const row_t *r = &s->row[k];
        if ((k == front && !early) || warps >> r->warp & 1)
            continue;
        warps |= BIT(r->warp);
        if (!(s->complete >> k & 1) || (k == front && !r->unsent))
            continue;
        /* the row that is completed now is the youngest, and is chosen only if there is no other */
        if (k == fresh && best != NO_ROW)
            break;
        enum readiness is = readiness(r, with);
        if (is == READY || (is && !entries_full))
            return k;
        if (is && best == NO_ROW)
            best = k;
    }
    return best;
}

bool rows_early(const rows_t *s, unsigned k)
{
    const row_t *r = &s->row[k];
    if (r->kind != MEMOP_LOAD || r->spad || r->traced || r->unsent != r->todo)
        return false;
    for (unsigned i = 0; s->order[i] != k; i++)
        if (s->row[s->order[i]].warp == r->warp)
            return false;
    return true;
}

bool rows_seen_ready(const rows_t *s, unsigned front, const ready_t *with)
{
    uint64_t set = s->seen; /* a row that is seen has begun, so it was the oldest of its warp, and still is */
    if (front != NO_ROW)
        set &= ~BIT(front);
    for EACH(k, set)
        if (readiness(&s->row[k], with))
            return true;
    return false;
}
