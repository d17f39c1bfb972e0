/* Maintenance of a slice: a line, a page or all lines are written back and invalidated, step by step (docs/blocks/l2.md). */
#include "sim_c/cache/l2_maint.h"

bool l2_maint_next(l2_maint_t *m, const maint_t *req, bool free, bool drained, bool quiet, uint32_t rows,
                   uint64_t *line, uint32_t *row)
{
    bool all = l2_maint_all(m), page = m->req.op == L2_FLUSH_PAGE || m->req.op == L2_INVAL_PAGE, comes = false;
    m->done = false;
    switch (m->state) {
    case L2_M_WAIT:
        if (quiet) {
            m->state = L2_M_WALK;
            m->step = 0;
        }
        break;
    case L2_M_WALK:
        if (free) {
            comes = true;
            *row = all ? m->step : 0;
            *line = page ? (m->req.line & ~(uint64_t)(PAGE_LINES - 1)) + m->step : m->req.line;
            if (++m->step == (all ? rows : page ? (unsigned)PAGE_LINES : 1))
                m->state = L2_M_DRAIN;
        }
        break;
    case L2_M_DRAIN:
        if (drained) {
            m->state = L2_M_NONE;
            m->done = true;
        }
        break;
    }
    if (req) {
        m->state = L2_M_WAIT;
        m->req = *req;
    }
    return comes;
}
