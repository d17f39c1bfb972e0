/* Step 5 for a step of maintenance, and the walk that makes the steps (step 8). */
#ifndef VERIF_CACHE_L2_PAGE_MAINT_H
#define VERIF_CACHE_L2_PAGE_MAINT_H
#include "verif/cache/l2/page_state.h"

static void page_maintain(page_t *p, page_s2_t *to)
{
    const uint64_t line = p->s1.req.line;
    page_way_t *v = NULL;
    unsigned way = p->s1_way;
    if (!p->s1_by_line) {
        v = &p->cache[line][way]; /* the step names a set */
    } else if (where(line).slice == p->slice) {
        for (way = 0; way < L2_WAYS; way++) {
            v = &p->cache[page_set(line)][way];
            if (v->valid && v->line == line)
                break;
            v = NULL;
        }
    }
    if (!v || !v->valid)
        return;
    if (v->dirty)
        *to = (page_s2_t){.valid = true, .kind = PG_FLUSH, .wb = true, .way = way, .victim = v->line};
    v->dirty = false;
    v->valid &= !page_forgets(&p->job);
}

/* Step 8. quiet: nothing is in s1, s2 and s3; awaited: a line is. Both before the edge. Returns whether it is done. */
static bool page_walk(page_t *p, const l2_in_t *in, bool s1_free, bool quiet, bool awaited)
{
    bool done = false;
    switch (p->maint) {
    case PG_NONE: break;
    case PG_WAIT:
        if (p->cleared == PG_SETS && quiet && !awaited) {
            p->maint = PG_WALK;
            p->step = 0;
        }
        break;
    case PG_WALK:
        if (s1_free) {
            memset(&p->s1, 0, sizeof p->s1);
            p->s1_valid = p->s1_step = true;
            p->s1_by_line = page_by_line(&p->job);
            p->s1_way = p->step % L2_WAYS;
            p->s1.req.line = page_named(&p->job, p->step);
            if (++p->step == page_steps(&p->job))
                p->maint = PG_DRAIN;
        }
        break;
    default:
        if (quiet) {
            p->maint = PG_NONE;
            done = true;
        }
    }
    if (in->maint_valid) {
        p->maint = PG_WAIT;
        p->job = in->maint;
    }
    return done;
}
#endif
