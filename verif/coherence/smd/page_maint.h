/* Maintenance: STEP in s1 (step 5), which steps there are, when all is done (step 9). */
#ifndef VERIF_COHERENCE_SMD_PAGE_MAINT_H
#define VERIF_COHERENCE_SMD_PAGE_MAINT_H
#include "verif/coherence/smd/page_edge.h"

static bool page_order_all(const page_t *p)
{
    return p->order.op == L2_FLUSH_ALL || p->order.op == L2_INVAL_ALL;
}

static bool page_order_flush(const page_t *p)
{
    return p->order.op == L2_FLUSH_LINE || p->order.op == L2_FLUSH_PAGE || p->order.op == L2_FLUSH_ALL;
}

/* Step 5, STEP: its outcome. */
typedef enum { PT_OTHER, PT_BUSY, PT_FULL, PT_PASS, PT_MAKES } page_step_e;

static page_step_e page_step_is(const page_t *was)
{
    const uint64_t line = was->s1.line;
    const page_entry_t *t = &was->table[page_place(line)];
    if (line / PG_LPB % CHANNELS != was->channel || !(page_order_all(was) || page_here(t, line)))
        return PT_OTHER;
    if (page_has(was, line) < SMD_TRANSACTIONS || page_job_at(was, line))
        return PT_BUSY;
    if (page_order_flush(was) ? !page_marked(t->state) : t->state == NMOESI_I)
        return PT_PASS;
    return page_free_x(was) < SMD_TRANSACTIONS ? PT_MAKES : PT_FULL;
}

static void page_step(page_t *p, page_edge_t *e)
{
    const page_step_e is = page_step_is(e->was);
    if (is == PT_BUSY || is == PT_FULL)
        return;
    if (page_order_all(p) && p->step % 64 == 0)
        p->some[p->step / 64] = false;
    p->step++;
    if (is == PT_MAKES) {
        const bool flush = page_order_flush(p);
        const page_entry_t *t = page_entry(p, e->was->s1.line);
        const uint64_t first = page_line(p, t->block, 0);
        p->x[page_free_x(e->was)] = (page_x_t){.valid = true,
                                               .maint = true,
                                               .kind = flush ? PX_FLUSH : PX_EVICT,
                                               .stage = flush ? PX_ASK : PX_OUT,
                                               .bytes = page_gives(t),
                                               .line = first,
                                               .victim = first};
    }
}

/* Maintenance: how many steps, and the line of one. */
static uint64_t page_steps(const page_t *p)
{
    if (page_order_all(p))
        return PG_PLACES;
    const bool page = p->order.op == L2_FLUSH_PAGE || p->order.op == L2_INVAL_PAGE;
    return page && PG_LPB < PAGE_LINES ? PAGE_LINES / PG_LPB : 1;
}

static uint64_t page_step_line(const page_t *p)
{
    if (page_order_all(p))
        return page_line(p, p->step, 0);
    const bool page = p->order.op == L2_FLUSH_PAGE || p->order.op == L2_INVAL_PAGE;
    return page ? p->order.line / PAGE_LINES * PAGE_LINES + p->step * PG_LPB : p->order.line;
}

/* Step 9. */
static void page_maintain(page_t *p, page_edge_t *e)
{
    const page_t *was = e->was;
    bool busy = false;
    for (unsigned i = 0; i < SMD_TRANSACTIONS; i++)
        busy |= was->x[i].valid && was->x[i].maint;
    p->done = was->maint == PM_DRAIN && !busy;
    if (p->done)
        p->maint = PM_NONE;
    if (was->maint == PM_WALK && was->step >= page_steps(was) && !(was->s1.valid && was->s1.what == P1_STEP))
        p->maint = PM_DRAIN;
    if (e->in->maint_valid) {
        p->maint = PM_WALK;
        p->order = e->in->maint;
        p->step = 0;
    }
}
#endif
