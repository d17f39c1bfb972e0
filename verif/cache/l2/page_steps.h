/* For the pages of either kind of L2 slice: the scope of maintenance, and the line or set of each of its steps (step 8 of docs/blocks/l2.md and l2c.md). */
#ifndef VERIF_CACHE_L2_PAGE_STEPS_H
#define VERIF_CACHE_L2_PAGE_STEPS_H

static bool page_forgets(const maint_t *m)
{
    return m->op == L2_INVAL_LINE || m->op == L2_INVAL_PAGE || m->op == L2_INVAL_ALL;
}

static bool page_one_line(const maint_t *m)
{
    return m->op == L2_FLUSH_LINE || m->op == L2_INVAL_LINE;
}

/* A step names a line, not a set and its way. */
static bool page_by_line(const maint_t *m)
{
    return page_one_line(m) || m->op == L2_FLUSH_PAGE || m->op == L2_INVAL_PAGE;
}

static unsigned page_steps(const maint_t *m)
{
    return page_one_line(m) ? 1 : page_by_line(m) ? PAGE_LINES : L2_BYTES / LINE_BYTES;
}

/* The line that a step names, or the set. */
static uint64_t page_named(const maint_t *m, unsigned step)
{
    return page_one_line(m) ? m->line : page_by_line(m) ? m->line / PAGE_LINES * PAGE_LINES + step : step / L2_WAYS;
}
#endif
