/* The page of idiv (docs/blocks/idiv.md) as a program: results by the architectural reference, the cycles of every pass. */
#ifndef VERIF_CORE_IDIV_PAGE_H
#define VERIF_CORE_IDIV_PAGE_H
#include "idiv_ports.h"
#include "verif/common/scoreboard.h"
#include "verif/core/arith.h"

typedef struct {
    operands_t queue[BEATS + 1];
    unsigned n, run; /* run: cycles of it that are left */
    enum { PG_IDLE, PG_LOAD, PG_RUN, PG_FIN } phase;
    bool todo[LANES / DIV_LANES];
    idiv_out_t out;
} page_t;

enum { PG_GROUPS = LANES / DIV_LANES };

static void page_begin(page_t *p)
{
    (void)p;
}

/* Loads the lowest group that needs a pass: how long it runs. */
static void page_load(page_t *p)
{
    const operands_t *q = &p->queue[0];
    const bool word = q->op == OP_DIVW || q->op == OP_REMW || q->op == OP_DIVUW || q->op == OP_REMUW;
    const bool sign = q->op == OP_DIV || q->op == OP_REM || q->op == OP_DIVW || q->op == OP_REMW;
    unsigned g = 0, most = 0;
    while (g < PG_GROUPS && !p->todo[g])
        g++;
    for (unsigned d = 0; g < PG_GROUPS && d < DIV_LANES; d++) {
        const unsigned l = g * DIV_LANES + d;
        uint64_t x = word ? sign ? (uint64_t)(int64_t)(int32_t)q->rs1[l] : (uint32_t)q->rs1[l] : q->rs1[l];
        unsigned bytes = 0;
        if (sign && x >> 63)
            x = -x;
        for (; x; x >>= 8)
            bytes++;
        if (q->mask >> l & 1 && bytes > most)
            most = bytes;
    }
    if (g < PG_GROUPS)
        p->todo[g] = false;
    p->run = 8 + 3 * most;
    p->phase = PG_RUN;
}

static void page_expect(page_t *p, const idiv_in_t *in)
{
    idiv_out_t o = {.ev.div_busy = p->phase != PG_IDLE};
    const operands_t *q = &p->queue[0];
    bool more = false, leaves = false;
    for (unsigned g = 0; g < PG_GROUPS; g++)
        more |= p->todo[g];
    switch (p->phase) {
    case PG_IDLE:
        if (!p->n)
            break;
        for (unsigned g = 0; g < PG_GROUPS; g++)
            p->todo[g] = ((uint64_t)q->mask >> g * DIV_LANES & ((1ull << DIV_LANES) - 1)) != 0;
        p->phase = PG_LOAD;
        break;
    case PG_LOAD: page_load(p); break;
    case PG_RUN:
        if (!--p->run)
            p->phase = PG_FIN;
        break;
    default:
        if (more) {
            page_load(p);
            break;
        }
        leaves = o.div_res_valid = true;
        o.div_res = arith_result(q, q->mask);
        for (unsigned l = 0; l < LANES; l++)
            o.div_res.data[l] = arith(q, l, 0).value;
        p->phase = PG_IDLE;
    }
    if (leaves)
        memmove(p->queue, p->queue + 1, --p->n * sizeof *p->queue);
    if (in->ops_valid && in->ops.pipe == PIPE_DIV)
        p->queue[p->n++] = in->ops;
    p->out = o;
}
#endif
