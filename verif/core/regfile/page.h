/* The page of regfile (docs/blocks/regfile.md) as a program: which record is written in each cycle, operands lane by lane, identities, waits and holds. */
#ifndef VERIF_CORE_REGFILE_PAGE_H
#define VERIF_CORE_REGFILE_PAGE_H
#include "isa_gen.h"
#include "regfile_ports.h"
#include "verif/common/scoreboard.h"
#include "verif/core/homes.h"

enum { PG_QUEUES = 4, PG_PLACES = FPU_RESULT_DEPTH + BEATS + 3 };
typedef struct {
    uint64_t value[WARPS][BEATS][LANES][32];
    bool written[WARPS][BEATS][LANES][32]; /* without homes alike in all lanes of a row */
    lids_t lids[WARPS][BEATS];
    start_t start[WARPS];
    wb_t queue[PG_QUEUES][PG_PLACES];
    unsigned n[PG_QUEUES], wait[PG_QUEUES], ptr;
    regfile_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    p->out.lsu_res_ready = true;
}

/* val(n) of the page, with the record w that is written at this edge (or NULL). */
static uint64_t page_value(const page_t *p, const regfile_in_t *in, unsigned l, unsigned n, const result_t *w)
{
    const issued_t *i = &in->issue;
    const unsigned home = HOME_AT(in, i->warp, i->beat * LANES + l);
    if (!n)
        return 0;
    if (w && w->rd == n && w->warp == i->warp && w->beat == i->beat && w->mask >> l & 1)
        return w->data[l];
    return p->written[home][i->beat][l][n] ? p->value[home][i->beat][l][n] : 0;
}

static void page_identity(const page_t *p, const regfile_in_t *in, unsigned csr, unsigned l, uint64_t *rs1,
                          uint64_t *rs2)
{
    const unsigned b = in->issue.beat, w = HOME_AT(in, in->issue.warp, b * LANES + l), g = in->issue.warp;
    const uint64_t thread = b * LANES + l, hart = ((uint64_t)in->core * WARPS + w) * THREADS + thread;
    switch (csr) {
    case 0xcc0:
    case 0xcc1:
    case 0xcc2: *rs1 = p->lids[w][b].lid[l][csr - 0xcc0]; break;
    case 0xcc4:
    case 0xcc5:
    case 0xcc6: *rs1 = p->start[g].gbase[csr - 0xcc4]; break;
    case 0xcc8:
    case 0xcc9:
    case 0xcca: *rs1 = p->start[g].grp[csr - 0xcc8]; break;
    case 0xccc: *rs1 = in->kernel.arg; break;
    case 0xccd:
        *rs1 = in->kernel.stack_base + ((hart - thread) << in->kernel.stack_log2);
        *rs2 = (thread + 1) << in->kernel.stack_log2;
        break;
    case 0xcd0: *rs1 = l; break;
    case 0xcd1: *rs1 = thread; break;
    case 0xcd2: *rs1 = w; break;
    case 0xcd3: *rs1 = in->core; break;
    case 0xf14: *rs1 = hart; break;
    }
}

/* Step 2. */
static void page_operands(const page_t *p, const regfile_in_t *in, const result_t *w, operands_t *o)
{
    const issued_t *i = &in->issue;
    const unsigned f = isa_rows[i->op].format;
    const bool csr = f == FMT_CSR || f == FMT_CSRI;
    const bool one = f != FMT_U && f != FMT_J && f != FMT_CSRI && f != FMT_FENCE && f != FMT_NONE;
    const bool two =
        f == FMT_R || f == FMT_R4 || f == FMT_RM2 || f == FMT_S || f == FMT_B || f == FMT_AMO || f == FMT_CAS;
    *o = (operands_t){.pipe = i->pipe,
                      .op = i->op,
                      .warp = i->warp,
                      .seq = i->seq,
                      .pc = i->pc,
                      .instr = i->instr,
                      .beat = i->beat,
                      .first = i->first,
                      .last = i->last,
                      .rd = i->rd_we ? i->instr >> 7 & 31 : 0,
                      .mask = i->mask,
                      .tmask = i->tmask,
                      .imm = (uint64_t)isa_imm(i->instr, (op_e)i->op)};
    for (unsigned l = 0; l < LANES; l++) {
        o->rs1[l] = one ? page_value(p, in, l, i->instr >> 15 & 31, w) : 0;
        o->rs2[l] = two ? page_value(p, in, l, i->instr >> 20 & 31, w) : 0;
        o->rs3[l] = f == FMT_R4    ? page_value(p, in, l, i->instr >> 27, w)
                    : f == FMT_CAS ? page_value(p, in, l, i->instr >> 7 & 31, w)
                                   : 0;
        if (csr && i->pipe == PIPE_ALU) {
            o->rs1[l] = 0;
            page_identity(p, in, i->instr >> 20, l, &o->rs1[l], &o->rs2[l]);
        }
        if (f == FMT_CSRI && i->pipe == PIPE_FPU)
            o->rs1[l] = i->instr >> 15 & 31;
        if (i->op == OP_AUIPC)
            o->rs1[l] = i->pc;
    }
}

static void page_enter(page_t *p, unsigned q, unsigned pipe, const result_t *r)
{
    p->queue[q][p->n[q]].pipe = (uint8_t)pipe;
    p->queue[q][p->n[q]++].res = *r;
}

static void page_expect(page_t *p, const regfile_in_t *in)
{
    regfile_out_t o = {.ev.writeback_holds = p->out.wb_hold};
    int popped = -1;
    unsigned before[PG_QUEUES];
    memcpy(before, p->n, sizeof before);

    /* 1. */
    if (in->alu_res_valid) {
        o.wb_valid = true;
        o.wb = (wb_t){PIPE_ALU, in->alu_res};
    }
    for (unsigned k = 0; !o.wb_valid && k < PG_QUEUES; k++) {
        const unsigned q = (p->ptr + k) % PG_QUEUES;
        if (!p->n[q])
            continue;
        o.wb_valid = true;
        o.wb = p->queue[q][0];
        popped = (int)q;
    }
    const result_t *w = o.wb_valid ? &o.wb.res : NULL;

    /* 2. */
    o.ops_valid = in->issue_valid && in->issue.pipe != PIPE_CTL;
    if (o.ops_valid)
        page_operands(p, in, w, &o.ops);

    /* 3. */
    if (w && w->rd) {
        for (unsigned l = 0; l < LANES; l++) {
            const unsigned home = HOME_AT(in, w->warp, w->beat * LANES + l);
            uint64_t *v = &p->value[home][w->beat][l][w->rd];
            bool *written = &p->written[home][w->beat][l][w->rd];
            if (COMPACTS && !(w->mask >> l & 1))
                continue; /* Homes, 1: other lanes are not specified */
            *v = w->mask >> l & 1 ? w->data[l] : *written ? *v : 0;
            *written = true;
        }
    }

    /* 4, 7 to 9. */
    for (unsigned q = 0; q < PG_QUEUES; q++) {
        const bool waits = before[q] && popped != (int)q;
        p->wait[q] = !waits ? 0 : p->wait[q] < 8 ? p->wait[q] + 1 : 8;
        o.wb_hold |= p->wait[q] == 8;
        o.ev.writeback_waits += waits;
    }
    if (popped >= 0) {
        memmove(p->queue[popped], p->queue[popped] + 1, --p->n[popped] * sizeof **p->queue);
        p->ptr = ((unsigned)popped + 1) % PG_QUEUES;
    }
    o.credit = (credit_t){.fpu = popped == 1, .div = popped == 2, .fdiv = popped == 3};
    if (in->lsu_res_valid && p->out.lsu_res_ready)
        page_enter(p, 0, PIPE_LSU, &in->lsu_res);
    if (in->fpu_res_valid)
        page_enter(p, 1, PIPE_FPU, &in->fpu_res);
    if (in->mul_res_valid)
        page_enter(p, 1, PIPE_MUL, &in->mul_res);
    if (in->div_res_valid)
        page_enter(p, 2, PIPE_DIV, &in->div_res);
    if (in->fdiv_res_valid)
        page_enter(p, 3, PIPE_FDIV, &in->fdiv_res);
    o.lsu_res_ready = p->n[0] < 2;

    /* 5. */
    if (in->start_valid) {
        memset(p->written[in->start.warp], 0, sizeof p->written[0]);
        p->start[in->start.warp] = in->start;
    }
    if (in->lids_valid)
        p->lids[in->lids.warp][in->lids.beat] = in->lids;
    p->out = o;
}
#endif
