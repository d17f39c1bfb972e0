/* The page of fpu (docs/blocks/fpu.md) as a program: results and flags by the architectural reference, fcsr of every thread, faults, every event. */
#ifndef VERIF_CORE_FPU_PAGE_H
#define VERIF_CORE_FPU_PAGE_H
#include "fpu_ports.h"
#include "verif/common/scoreboard.h"
#include "verif/core/arith.h"
#include "verif/core/homes.h"

typedef struct {
    bool valid;
    operands_t ops;
    uint64_t mask; /* without the lanes that fault */
    uint8_t frm[LANES], flags[LANES], fresh[LANES]; /* fresh: the value a CSR instruction writes, as in fcsr */
    uint64_t data[LANES];
} page_stage_t;

typedef struct {
    page_stage_t stage[5]; /* stage 1 first */
    uint8_t frm[WARPS][BEATS][LANES], fflags[WARPS][BEATS][LANES];
    bool bad[THREADS];
    fpu_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    (void)p;
}

static bool page_is_csr(const operands_t *q)
{
    return q->op >= OP_CSRRW && q->op <= OP_CSRRCI;
}

/* Step 4, at the edge into stage 5. */
static void page_csr(const page_t *p, const fpu_in_t *in, page_stage_t *s)
{
    const operands_t *q = &s->ops;
    const unsigned csr = q->instr >> 20;
    for (unsigned l = 0; l < LANES; l++) {
        const uint64_t fflags = p->fflags[HOME_AT(in, q->warp, q->beat * LANES + l)][q->beat][l], frm = s->frm[l];
        const uint64_t old = csr == CSR_FFLAGS ? fflags : csr == CSR_FRM ? frm : frm * 32 + fflags;
        uint64_t v = q->rs1[l];
        if (q->op == OP_CSRRS || q->op == OP_CSRRSI)
            v = old | v;
        if (q->op == OP_CSRRC || q->op == OP_CSRRCI)
            v = old & ~v;
        s->data[l] = old;
        s->fresh[l] = (uint8_t)(csr == CSR_FFLAGS ? v % 32 : csr == CSR_FRM ? v % 8 * 32 : v % 256);
    }
}

static void page_expect(page_t *p, const fpu_in_t *in)
{
    const operands_t *q = &in->ops;
    const bool mine = in->ops_valid && q->pipe == PIPE_FPU, seen = mine || (in->ops_valid && q->pipe == PIPE_FDIV);
    const unsigned format = isa_rows[q->op].format;
    const bool dynamic =
        seen && (format == FMT_RM1 || format == FMT_RM2 || format == FMT_R4) && (q->instr >> 12 & 7) == 7;
    fpu_out_t o = {.ev = {.fpu_beats = mine, .fpu_lanes = (uint8_t)(mine ? __builtin_popcountll(q->mask) : 0)}};

    /* 1 to 3. The beat that comes. */
    page_stage_t s = {.valid = mine, .ops = *q, .mask = q->mask};
    if (seen && q->first)
        memset(p->bad, 0, sizeof p->bad);
    for (unsigned l = 0; seen && l < LANES; l++) {
        s.frm[l] = p->frm[HOME_AT(in, q->warp, q->beat * LANES + l)][q->beat][l];
        if (!(q->mask >> l & 1))
            continue;
        if (dynamic && s.frm[l] > 4) {
            s.mask &= ~(1ull << l);
            p->bad[q->beat * LANES + l] = true;
        } else if (mine && !page_is_csr(q)) {
            const arith_t a = arith(q, l, s.frm[l]);
            s.data[l] = a.value;
            s.flags[l] = (uint8_t)a.flags;
        }
    }
    if (seen && q->last) {
        uint64_t bad = 0;
        for (unsigned t = 0; t < THREADS; t++)
            bad |= (uint64_t)p->bad[t] << t;
        o.fault_valid = bad != 0;
        o.fault = (fault_t){.cause = FAULT_ILLEGAL, .warp = q->warp, .pc = q->pc, .value = q->instr, .mask = bad};
    }

    /* 4. Into stage 5, with the flags of before the edge. */
    page_stage_t leaves = p->stage[4];
    memmove(p->stage + 1, p->stage, 4 * sizeof *p->stage);
    p->stage[0] = s;
    if (p->stage[4].valid && page_is_csr(&p->stage[4].ops))
        page_csr(p, in, &p->stage[4]);

    /* 5 to 7. */
    for (unsigned l = 0; leaves.valid && l < LANES; l++) {
        const unsigned home = HOME_AT(in, leaves.ops.warp, leaves.ops.beat * LANES + l);
        uint8_t *frm = &p->frm[home][leaves.ops.beat][l], *fflags = &p->fflags[home][leaves.ops.beat][l];
        const unsigned csr = leaves.ops.instr >> 20;
        if (!(leaves.mask >> l & 1))
            continue;
        if (!page_is_csr(&leaves.ops)) {
            *fflags |= leaves.flags[l];
            continue;
        }
        if (csr != CSR_FFLAGS)
            *frm = leaves.fresh[l] / 32;
        if (csr != CSR_FRM)
            *fflags = leaves.fresh[l] % 32;
    }
    for (unsigned l = 0; in->fdiv_flags_valid && l < LANES; l++)
        if (in->fdiv_flags.mask >> l & 1)
            p->fflags[HOME_AT(in, in->fdiv_flags.warp, in->fdiv_flags.beat * LANES + l)][in->fdiv_flags.beat][l] |=
                in->fdiv_flags.flags[l];
    if (in->start_valid) {
        memset(p->frm[in->start.warp], 0, sizeof p->frm[0]);
        memset(p->fflags[in->start.warp], 0, sizeof p->fflags[0]);
    }

    const page_stage_t *e = &p->stage[4];
    o.fpu_res_valid = e->valid;
    o.fpu_res = arith_result(&e->ops, e->mask);
    memcpy(o.fpu_res.data, e->data, sizeof e->data);
    o.frm_valid = e->valid && page_is_csr(&e->ops) && e->ops.instr >> 20 != CSR_FFLAGS;
    o.frm = (frm_t){.warp = e->ops.warp, .beat = e->ops.beat, .mask = e->mask};
    for (unsigned l = 0; l < LANES; l++)
        o.frm.frm[l] = e->fresh[l] / 32;
    p->out = o;
}
#endif
