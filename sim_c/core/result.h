/* Results of the execution pipes. */
#ifndef SIM_C_CORE_RESULT_H
#define SIM_C_CORE_RESULT_H
#include "vl_types.h"

/* Whose result it is: everything but the data. */
static inline void result_head(result_t *r, const operands_t *p, uint64_t mask)
{
    r->warp = p->warp;
    r->seq = p->seq;
    r->beat = p->beat;
    r->rd = p->rd;
    r->last = p->last;
    r->mask = mask;
}
#endif
