/* Maintenance of an L2 slice: which line is next (sim_c/cache/l2_maint.c). */
#ifndef VL_L2_MAINT_H
#define VL_L2_MAINT_H
#include "sim_c/cache/l2_slice.h"

enum l2_maint_state { L2_M_NONE, L2_M_WAIT, L2_M_WALK, L2_M_DRAIN };

typedef struct {
    uint8_t state;
    bool done;
    maint_t req;
    uint32_t step;
} l2_maint_t;

/* The step is about a place, not about a line. */
static inline bool l2_maint_all(const l2_maint_t *m)
{
    return m->req.op == L2_FLUSH_ALL || m->req.op == L2_INVAL_ALL;
}

static inline bool l2_maint_inval(const l2_maint_t *m)
{
    return m->req.op >= L2_INVAL_LINE;
}

/* An edge. `req`: a new request, or NULL; `free`: the next step may come into s1; `drained`: nothing was in the pipeline before the edge, `quiet`: nothing
 * was awaited or being cleared either; `rows`: places of the slice. Returns whether a step comes into s1, with its line, or its row if the step concerns a place (else 0). */
bool l2_maint_next(l2_maint_t *m, const maint_t *req, bool free, bool drained, bool quiet, uint32_t rows,
                   uint64_t *line, uint32_t *row);
#endif
