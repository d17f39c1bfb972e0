/* Maintenance: a step of it in s1 (step 6), which steps there are, when all is done (steps 8 and 10). */
#ifndef VERIF_COHERENCE_L2C_PAGE_MAINT_H
#define VERIF_COHERENCE_L2C_PAGE_MAINT_H
#include "verif/coherence/l2c/page_addresses.h"
#include "verif/coherence/l2c/page_needs.h"

static void page_maintain(page_t *p, page_s2_t *to, ev_l2c_t *ev)
{
    const uint64_t line = p->s1.req.line;
    page_way_t *v = NULL;
    int way = (int)p->s1_way;
    if (!p->s1_by_line) {
        v = &p->cache[line][way]; /* the step names a set */
    } else if (where(line).slice == p->slice) {
        way = page_way(p, line);
        v = way < 0 ? NULL : &p->cache[page_set(line)][way];
    }
    if (!v || !page_held(v))
        return;
    const bool forget = page_forgets(&p->job), gives = page_gives(v->state, PG_EVICT);
    const char st = v->state;
    if (!forget && !gives)
        return;
    *to = (page_s2_t){.valid = true,
                      .kind = PG_FLUSH,
                      .wb = gives,
                      .lost = forget,
                      .way = (unsigned)way,
                      .victim = v->line,
                      .vstate = st};
    v->state = forget ? 'I' : st == 'M' ? 'E' : 'S';
    page_moved(ev, st, v->state);
}

/* Steps 8 and 10, the maintenance's part of them; s1_in: something may come into s1. */
static void page_maintenance(page_t *p, const l2c_in_t *in, bool s1_in, bool empty, bool awaited, bool clear,
                             l2c_out_t *o)
{
    switch (p->maint) {
    case PG_NONE: break;
    case PG_WAIT:
        if (clear && empty && !awaited) {
            p->maint = PG_WALK;
            p->step = 0;
        }
        break;
    case PG_WALK:
        if (!s1_in)
            break;
        memset(&p->s1, 0, sizeof p->s1);
        p->s1_valid = p->s1_step = true;
        p->s1_by_line = page_by_line(&p->job);
        p->s1_way = p->step % L2_WAYS;
        p->s1.req.line = page_named(&p->job, p->step);
        if (++p->step == page_steps(&p->job))
            p->maint = PG_DRAIN;
        break;
    default:
        if (empty) {
            p->maint = PG_NONE;
            o->maint_done = true;
        }
    }
    if (in->maint_valid && in->host && !page_forgets(&in->maint)) {
        o->maint_done = true; /* a FLUSH passes by the last-level cache */
    } else if (in->maint_valid) {
        p->maint = PG_WAIT;
        p->job = in->maint;
    }
}
#endif
