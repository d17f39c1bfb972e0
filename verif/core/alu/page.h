/* The page of alu (docs/blocks/alu.md) as a program: results by the architectural reference, who is taken where, every event. */
#ifndef VERIF_CORE_ALU_PAGE_H
#define VERIF_CORE_ALU_PAGE_H
#include "alu_ports.h"
#include "verif/common/scoreboard.h"
#include "verif/core/arith.h"

typedef struct {
    bool lead_valid, taken[THREADS]; /* of the beats so far */
    uint64_t lead;
    alu_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    (void)p;
}

static bool page_holds(unsigned op, uint64_t a, uint64_t b)
{
    switch (op) {
    case OP_BEQ: return a == b;
    case OP_BNE: return a != b;
    case OP_BLT: return (int64_t)a < (int64_t)b;
    case OP_BGE: return (int64_t)a >= (int64_t)b;
    case OP_BLTU: return a < b;
    default: return a >= b;
    }
}

static void page_expect(page_t *p, const alu_in_t *in)
{
    const operands_t *q = &in->ops;
    const uint64_t pcs = (1ull << PA_W) - 1;
    alu_out_t o = {0};
    if (!in->ops_valid || q->pipe != PIPE_ALU) {
        p->out = o;
        return;
    }
    const unsigned format = isa_rows[q->op].format;
    const bool branch = format == FMT_B, jal = q->op == OP_JAL, jalr = q->op == OP_JALR,
               csr = format == FMT_CSR || format == FMT_CSRI;
    uint64_t hits = 0, goal;
    if (q->first) {
        p->lead_valid = false;
        memset(p->taken, 0, sizeof p->taken);
    }
    for (unsigned l = 0; jalr && l < LANES && !p->lead_valid; l++)
        if (q->mask >> l & 1) {
            p->lead = q->rs1[l] & pcs;
            p->lead_valid = true;
        }
    for (unsigned l = 0; l < LANES; l++) {
        bool hit = q->mask >> l & 1;
        if (branch)
            hit &= page_holds(q->op, q->rs1[l], q->rs2[l]);
        if (jalr)
            hit &= p->lead_valid && ((q->rs1[l] ^ p->lead) & pcs & (q->imm & 1 ? ~0ull : ~1ull)) == 0;
        p->taken[q->beat * LANES + l] = hit;
        hits |= (uint64_t)hit << l;
    }
    goal = jalr ? (p->lead + q->imm) & pcs & ~1ull : (q->pc + q->imm) & pcs;
    o.alu_res_valid = q->rd && !(jal && q->imm & 2) && !(jalr && p->lead_valid && goal & 2);
    o.alu_res = arith_result(q, jalr ? hits : q->mask);
    for (unsigned l = 0; l < LANES; l++)
        o.alu_res.data[l] = jal || jalr ? (q->pc + 4) & pcs
                            : csr       ? q->rs1[l] + q->rs2[l]
                            : branch    ? 0
                                        : arith(q, l, 0).value;
    if (q->last && (branch || jal || jalr)) {
        uint64_t taken = 0;
        for (unsigned t = 0; t < THREADS; t++)
            taken |= (uint64_t)p->taken[t] << t;
        o.cf_valid = true;
        o.cf = (cf_t){.warp = q->warp,
                      .seq = q->seq,
                      .pc = q->pc,
                      .indirect = jalr,
                      .tmask = q->tmask,
                      .taken = jal ? q->tmask : taken,
                      .target = goal};
        o.cf.misaligned = goal & 2 && (!branch || taken);
        o.ev.branches = branch;
        o.ev.branches_divergent = !jal && taken && taken != q->tmask;
        o.ev.jumps_indirect = jalr;
    }
    p->out = o;
}
#endif
