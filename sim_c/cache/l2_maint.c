/* Maintenance of a slice: lines, pages or all are written back and forgotten, step by step (docs/blocks/l2.md). */
#include "sim_c/cache/l2_state.h"

bool l2_maint_step(l2_t *s, uint32_t *flush)
{
    bool all = s->mreq.op == L2_FLUSH_ALL || s->mreq.op == L2_INVAL_ALL, inval = s->mreq.op >= L2_INVAL_LINE;
    unsigned set = s->s1_row / L2_WAYS;
    int way = (int)(s->s1_row % L2_WAYS);
    if (!all) {
        if (slice_of(s->s1_line) != s->slice)
            return false;
        set = l2_set_of(l2_key_at(s->s1_line));
        way = l2_find_way(s, set, l2_key_at(s->s1_line));
    }
    if (way < 0 || !(s->dvalid[set] >> way & 1))
        return false;
    uint32_t bit = 1u << way, row = set * L2_WAYS + (unsigned)way;
    bool dirty = s->dirty[set] & bit;
    s->dirty[set] &= ~bit;
    if (inval)
        s->dvalid[set] &= ~bit;
    *flush = row;
    return dirty;
}

void l2_maint_next(l2_t *s, const l2_in_t *in, bool s1_free, bool was_calm, bool quiet)
{
    bool all = s->mreq.op == L2_FLUSH_ALL || s->mreq.op == L2_INVAL_ALL;
    unsigned steps = all ? L2_ROWS : s->mreq.op == L2_FLUSH_PAGE || s->mreq.op == L2_INVAL_PAGE ? L2_PAGE_LINES : 1;
    s->maint_done = false;
    switch (s->maint) {
    case L2_M_WAIT:
        if (!s->clearing && quiet) {
            s->maint = L2_M_WALK;
            s->step = 0;
        }
        break;
    case L2_M_WALK:
        if (s1_free) {
            s->s1_valid = s->s1_maint = true;
            s->s1_row = all ? s->step : 0;
            s->s1_line =
                steps == L2_PAGE_LINES ? (s->mreq.line & ~(uint64_t)(L2_PAGE_LINES - 1)) + s->step : s->mreq.line;
            if (++s->step == steps)
                s->maint = L2_M_DRAIN;
        }
        break;
    case L2_M_DRAIN:
        if (was_calm) {
            s->maint = L2_M_NONE;
            s->maint_done = true;
        }
        break;
    }
    if (in->maint_valid) {
        s->maint = L2_M_WAIT;
        s->mreq = in->maint;
    }
}
