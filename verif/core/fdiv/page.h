/* The page of fdiv (docs/blocks/fdiv.md) as a program: results and flags by the architectural reference, the cycles of every pass, the copy of frm. */
#ifndef VERIF_CORE_FDIV_PAGE_H
#define VERIF_CORE_FDIV_PAGE_H
#include "fdiv_ports.h"
#include "verif/common/scoreboard.h"
#include "verif/core/arith.h"
#include "verif/core/homes.h"
#include "verif/core/passes.h"

typedef struct {
    passes_t passes;
    uint8_t frm[WARPS][BEATS][LANES], rm[LANES];
    uint64_t mask; /* reduced, of the head */
    fdiv_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    (void)p;
}

/* Leading zeros of the 24-bit significand of a number that is neither NaN, infinity nor zero; -1 of others. */
static int page_zeros(uint32_t x)
{
    const unsigned exponent = x >> 23 & 255;
    int n = 0;
    if (exponent == 255 || !(x << 1))
        return -1;
    for (uint32_t m = (x & 0x7fffff) | (exponent ? 0x800000 : 0); !(m & 0x800000); m <<= 1)
        n++;
    return n;
}

/* Cycles of PREP and ITER of the pass that begins. */
static unsigned page_run(page_t *p)
{
    const operands_t *q = &p->passes.queue[0];
    const uint64_t lanes = passes_next(&p->passes);
    int longest = -1;
    for (unsigned l = 0; l < LANES; l++) {
        const bool root = q->op == OP_FSQRT_S;
        const int x = page_zeros((uint32_t)q->rs1[l]), y = root ? 0 : page_zeros((uint32_t)q->rs2[l]);
        if (!((p->mask & lanes) >> l & 1) || x < 0 || y < 0 || (root && q->rs1[l] >> 31 & 1))
            continue;
        longest = x > longest ? x : longest;
        longest = y > longest ? y : longest;
    }
    return longest < 0 ? 1 : 1 + (unsigned)longest + 13;
}

static void page_expect(page_t *p, const fdiv_in_t *in)
{
    fdiv_out_t o = {.ev.fdiv_busy = p->passes.phase != AT_REST};
    const operands_t *q = &p->passes.queue[0];
    const enum pass_step step = passes_step(&p->passes);
    if (step == PASS_BEGIN) {
        p->mask = q->mask;
        for (unsigned l = 0; l < LANES; l++) {
            p->rm[l] = p->frm[HOME_AT(in, q->warp, q->beat * LANES + l)][q->beat][l];
            if ((q->instr >> 12 & 7) == 7 && p->rm[l] > 4)
                p->mask &= ~(1ull << l);
        }
        passes_of(&p->passes, p->mask);
    }
    if (step == PASS_LOAD)
        p->passes.left = page_run(p);
    if (step == PASS_DONE) {
        o.fdiv_res_valid = o.fdiv_flags_valid = o.ev.fdiv_beats = true;
        o.fdiv_res = arith_result(q, p->mask);
        o.fdiv_flags = (fflags_t){.warp = q->warp, .beat = q->beat, .mask = p->mask};
        for (unsigned l = 0; l < LANES; l++)
            if (p->mask >> l & 1) {
                const arith_t a = arith(q, l, p->rm[l]);
                o.fdiv_res.data[l] = a.value;
                o.fdiv_flags.flags[l] = (uint8_t)a.flags;
            }
    }
    passes_queue(&p->passes, step, in->ops_valid && in->ops.pipe == PIPE_FDIV, &in->ops);
    for (unsigned l = 0; in->frm_valid && l < LANES; l++)
        if (in->frm.mask >> l & 1)
            p->frm[HOME_AT(in, in->frm.warp, in->frm.beat * LANES + l)][in->frm.beat][l] = in->frm.frm[l];
    if (in->start_valid)
        memset(p->frm[in->start.warp], 0, sizeof p->frm[0]);
    p->out = o;
}
#endif
