/* The page of idiv (docs/blocks/idiv.md) as a program: results by the architectural reference, the cycles of every pass. */
#ifndef VERIF_CORE_IDIV_PAGE_H
#define VERIF_CORE_IDIV_PAGE_H
#include "idiv_ports.h"
#include "verif/common/scoreboard.h"
#include "verif/core/arith.h"
#include "verif/core/passes.h"

typedef struct {
    passes_t passes;
    idiv_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    (void)p;
}

/* How long the pass that begins runs. */
static unsigned page_run(page_t *p)
{
    const operands_t *q = &p->passes.queue[0];
    const bool word = q->op == OP_DIVW || q->op == OP_REMW || q->op == OP_DIVUW || q->op == OP_REMUW;
    const bool sign = q->op == OP_DIV || q->op == OP_REM || q->op == OP_DIVW || q->op == OP_REMW;
    const uint64_t lanes = passes_next(&p->passes) & q->mask;
    unsigned most = 0;
    for (unsigned l = 0; l < LANES; l++) {
        uint64_t x = word ? sign ? (uint64_t)(int64_t)(int32_t)q->rs1[l] : (uint32_t)q->rs1[l] : q->rs1[l];
        unsigned bytes = 0;
        if (sign && x >> 63)
            x = -x;
        for (; x; x >>= 8)
            bytes++;
        if (lanes >> l & 1 && bytes > most)
            most = bytes;
    }
    return 8 + 3 * most;
}

static void page_expect(page_t *p, const idiv_in_t *in)
{
    idiv_out_t o = {.ev.div_busy = p->passes.phase != AT_REST};
    const operands_t *q = &p->passes.queue[0];
    const enum pass_step step = passes_step(&p->passes);
    if (step == PASS_BEGIN)
        passes_of(&p->passes, q->mask);
    if (step == PASS_LOAD)
        p->passes.left = page_run(p);
    if (step == PASS_DONE) {
        o.div_res_valid = true;
        o.div_res = arith_result(q, q->mask);
        for (unsigned l = 0; l < LANES; l++)
            o.div_res.data[l] = arith(q, l, 0).value;
    }
    passes_queue(&p->passes, step, in->ops_valid && in->ops.pipe == PIPE_DIV, &in->ops);
    p->out = o;
}
#endif
