/* The page of mul (docs/blocks/mul.md) as a program: results by the architectural reference, three cycles later. */
#ifndef VERIF_CORE_MUL_PAGE_H
#define VERIF_CORE_MUL_PAGE_H
#include "mul_ports.h"
#include "verif/common/scoreboard.h"
#include "verif/core/arith.h"

typedef struct {
    mul_out_t way[2]; /* the results in stages 2 and 1 */
    mul_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    (void)p;
}

static void page_expect(page_t *p, const mul_in_t *in)
{
    p->out = p->way[0];
    p->way[0] = p->way[1];
    p->way[1] = (mul_out_t){.mul_res_valid = in->ops_valid && in->ops.pipe == PIPE_MUL};
    p->out.ev.mul_beats = p->way[1].mul_res_valid;
    if (!p->way[1].mul_res_valid)
        return;
    p->way[1].mul_res = arith_result(&in->ops, in->ops.mask);
    for (unsigned l = 0; l < LANES; l++)
        p->way[1].mul_res.data[l] = arith(&in->ops, l, 0).value;
}
#endif
