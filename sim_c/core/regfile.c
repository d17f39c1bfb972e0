/* Twin of rtl/core/regfile.sv: registers, operands, results (docs/blocks/regfile.md). */
#include "isa_gen.h"
#include "regfile_ports.h"
#include "sim_c/common/twin.h"
#include "sim_c/core/homes.h"
#include <string.h>

enum { Q_LSU, Q_FPU, Q_DIV, Q_FDIV, QUEUES };
enum { Q_PLACES = MAX_FPU_RESULT_DEPTH > BEATS ? MAX_FPU_RESULT_DEPTH : BEATS, WAIT_MAX = 8 };
enum { WRITTEN = COMPACTS ? LANES : 1 };

static unsigned places_of(unsigned queue)
{
    return queue == Q_LSU ? 2 : queue == Q_FPU ? FPU_RESULT_DEPTH : BEATS;
}

typedef struct {
    wb_t rec[Q_PLACES];
    unsigned head, count, wait;
} queue_t;

struct regfile {
    uint64_t r[WARPS][BEATS][32][LANES];
    uint32_t written[WARPS][BEATS][WRITTEN]; /* a bit a register, of a row, or of each lane where threads have homes */
    uint16_t lid[WARPS][BEATS][LANES][3];
    uint32_t grp[WARPS][3], gbase[WARPS][3];
    queue_t q[QUEUES];
    unsigned ptr;
    regfile_out_t o;
};

TWIN_STATE(regfile)

void regfile_out(const regfile_t *s, regfile_out_t *o)
{
    o->lsu_res_ready = s->q[Q_LSU].count < places_of(Q_LSU);
    o->wb_hold = false;
    for (unsigned i = 0; i < QUEUES; i++)
        o->wb_hold |= s->q[i].wait == WAIT_MAX;
    o->ops_valid = s->o.ops_valid;
    if (s->o.ops_valid)
        o->ops = s->o.ops;
    o->wb_valid = s->o.wb_valid;
    if (s->o.wb_valid)
        o->wb = s->o.wb;
    o->credit = s->o.credit;
    o->ev = s->o.ev;
}

bool regfile_idle(const regfile_t *s)
{
    for (unsigned i = 0; i < QUEUES; i++)
        if (s->q[i].count || s->q[i].wait)
            return false;
    const credit_t *c = &s->o.credit;
    return !s->o.ops_valid && !s->o.wb_valid && !c->div && !c->fpu && !c->fdiv && !s->o.ev.writeback_waits
           && !s->o.ev.writeback_holds;
}

static bool reads_rs1(unsigned fmt)
{
    return fmt != FMT_U && fmt != FMT_J && fmt != FMT_CSRI && fmt != FMT_FENCE && fmt != FMT_NONE;
}

static bool reads_rs2(unsigned fmt)
{
    return fmt == FMT_R || fmt == FMT_R4 || fmt == FMT_RM2 || fmt == FMT_S || fmt == FMT_B || fmt == FMT_AMO
           || fmt == FMT_CAS;
}

/* val(n) of all lanes, with the bypass of record w. */
static void read(const regfile_t *s, const regfile_in_t *in, const wb_t *w, unsigned n, uint64_t *v)
{
    const issued_t *p = &in->issue;
    bool written = s->written[p->warp][p->beat][0] >> n & 1;
    if (COMPACTS)
        for (unsigned l = 0; l < LANES; l++) { /* Homes, 2 */
            const unsigned h = HOME_OF(in, p->warp, p->beat * LANES + l);
            v[l] = n && s->written[h][p->beat][l % WRITTEN] >> n & 1 ? s->r[h][p->beat][n][l] : 0;
        }
    else if (n && written)
        memcpy(v, s->r[p->warp][p->beat][n], LANES * sizeof *v);
    else
        memset(v, 0, LANES * sizeof *v);
    if (n && w && w->res.rd == n && w->res.warp == p->warp && w->res.beat == p->beat)
        for (unsigned l = 0; l < LANES; l++)
            if (w->res.mask >> l & 1)
                v[l] = w->res.data[l];
}

/* rs1, and rs2 of vl_sp. */
static void identity(const regfile_t *s, const issued_t *p, const regfile_in_t *in, uint64_t *v, uint64_t *add)
{
    unsigned csr = p->instr >> 20;
    for (unsigned l = 0; l < LANES; l++) {
        const unsigned home = HOME_OF(in, p->warp, p->beat * LANES + l);
        uint64_t thread = p->beat * LANES + l, hart = ((uint64_t)in->core * WARPS + home) * THREADS + thread;
        switch (csr) {
        case CSR_VL_LID_X:
        case CSR_VL_LID_Y:
        case CSR_VL_LID_Z: v[l] = s->lid[home][p->beat][l][csr - CSR_VL_LID_X]; break;
        case CSR_VL_GBASE_X:
        case CSR_VL_GBASE_Y:
        case CSR_VL_GBASE_Z: v[l] = s->gbase[p->warp][csr - CSR_VL_GBASE_X]; break;
        case CSR_VL_GRP_X:
        case CSR_VL_GRP_Y:
        case CSR_VL_GRP_Z: v[l] = s->grp[p->warp][csr - CSR_VL_GRP_X]; break;
        case CSR_VL_ARG: v[l] = in->kernel.arg; break;
        case CSR_VL_SP:
            v[l] = in->kernel.stack_base + ((hart - thread) << in->kernel.stack_log2);
            add[l] = (thread + 1) << in->kernel.stack_log2;
            break;
        case CSR_VL_LANE: v[l] = l; break;
        case CSR_VL_THREAD: v[l] = thread; break;
        case CSR_VL_WARP: v[l] = home; break;
        case CSR_VL_CORE: v[l] = in->core; break;
        case CSR_MHARTID: v[l] = hart; break;
        default: v[l] = 0; break;
        }
    }
}

/* Step 2. */
static void operands(regfile_t *s, const regfile_in_t *in, const wb_t *w)
{
    const issued_t *p = &in->issue;
    operands_t *o = &s->o.ops;
    op_e op = (op_e)p->op;
    unsigned fmt = isa_rows[op].format;
    bool csr = fmt == FMT_CSR || fmt == FMT_CSRI;
    o->pipe = p->pipe;
    o->op = p->op;
    o->warp = p->warp;
    o->seq = p->seq;
    o->pc = p->pc;
    o->instr = p->instr;
    o->beat = p->beat;
    o->first = p->first;
    o->last = p->last;
    o->rd = p->rd_we ? p->instr >> 7 & 31 : 0;
    o->mask = p->mask;
    o->tmask = p->tmask;
    o->imm = (uint64_t)isa_imm(p->instr, op);
    read(s, in, w, reads_rs1(fmt) && !(csr && p->pipe == PIPE_ALU) ? p->instr >> 15 & 31 : 0, o->rs1);
    read(s, in, w, reads_rs2(fmt) ? p->instr >> 20 & 31 : 0, o->rs2);
    if (csr && p->pipe == PIPE_ALU)
        identity(s, p, in, o->rs1, o->rs2);
    else if (fmt == FMT_CSRI || op == OP_AUIPC)
        for (unsigned l = 0; l < LANES; l++)
            o->rs1[l] = op == OP_AUIPC ? p->pc : p->instr >> 15 & 31;
    read(s, in, w, fmt == FMT_R4 || fmt == FMT_CAS ? isa_rs3(p->instr, op) : 0, o->rs3);
}

static void enter(regfile_t *s, unsigned i, pipe_e pipe, const result_t *r)
{
    queue_t *q = &s->q[i];
    q->rec[(q->head + q->count) % places_of(i)] = (wb_t){.pipe = pipe, .res = *r};
    q->count++;
}

void regfile_tick(regfile_t *s, const regfile_in_t *in)
{
    bool hold = false, ready = s->q[Q_LSU].count < places_of(Q_LSU);
    for (unsigned i = 0; i < QUEUES; i++)
        hold |= s->q[i].wait == WAIT_MAX;

    /* 1. W goes straight into the output register. */
    wb_t *w = &s->o.wb;
    unsigned popped = QUEUES;
    s->o.wb_valid = false;
    if (in->alu_res_valid) {
        w->pipe = PIPE_ALU;
        w->res = in->alu_res;
        s->o.wb_valid = true;
    } else {
        for (unsigned k = 0; k < QUEUES && popped == QUEUES; k++)
            if (s->q[(s->ptr + k) % QUEUES].count)
                popped = (s->ptr + k) % QUEUES;
        if (popped < QUEUES) {
            *w = s->q[popped].rec[s->q[popped].head];
            s->o.wb_valid = true;
            s->ptr = (popped + 1) % QUEUES;
        }
    }

    /* 8, 9. On the queues as they were. */
    unsigned waits = 0;
    for (unsigned i = 0; i < QUEUES; i++) {
        queue_t *q = &s->q[i];
        if (q->count && i != popped) {
            waits++;
            q->wait += q->wait < WAIT_MAX;
        } else {
            q->wait = 0;
        }
    }
    s->o.ev.writeback_waits = (uint8_t)waits;
    s->o.ev.writeback_holds = hold;
    s->o.credit = (credit_t){.div = popped == Q_DIV, .fpu = popped == Q_FPU, .fdiv = popped == Q_FDIV}; /* 7 */
    if (popped < QUEUES) {
        s->q[popped].head = (s->q[popped].head + 1) % places_of(popped);
        s->q[popped].count--;
    }

    s->o.ops_valid = in->issue_valid && in->issue.pipe != PIPE_CTL; /* 2 */
    if (s->o.ops_valid)
        operands(s, in, s->o.wb_valid ? w : NULL);

    if (COMPACTS && s->o.wb_valid && w->res.rd) { /* Homes, 3 */
        for (unsigned l = 0; l < LANES; l++)
            if (w->res.mask >> l & 1) {
                const unsigned h = HOME_OF(in, w->res.warp, w->res.beat * LANES + l);
                s->r[h][w->res.beat][w->res.rd][l] = w->res.data[l];
                s->written[h][w->res.beat][l % WRITTEN] |= 1u << w->res.rd;
            }
    } else if (s->o.wb_valid && w->res.rd) { /* 3 */
        uint64_t *r = s->r[w->res.warp][w->res.beat][w->res.rd];
        uint32_t *written = &s->written[w->res.warp][w->res.beat][0];
        if (!(*written >> w->res.rd & 1))
            memset(r, 0, LANES * sizeof *r);
        for (unsigned l = 0; l < LANES; l++)
            if (w->res.mask >> l & 1)
                r[l] = w->res.data[l];
        *written |= 1u << w->res.rd;
    }

    if (in->fpu_res_valid) /* 4 */
        enter(s, Q_FPU, PIPE_FPU, &in->fpu_res);
    if (in->mul_res_valid)
        enter(s, Q_FPU, PIPE_MUL, &in->mul_res);
    if (in->div_res_valid)
        enter(s, Q_DIV, PIPE_DIV, &in->div_res);
    if (in->fdiv_res_valid)
        enter(s, Q_FDIV, PIPE_FDIV, &in->fdiv_res);
    if (in->lsu_res_valid && ready)
        enter(s, Q_LSU, PIPE_LSU, &in->lsu_res);

    if (in->start_valid) { /* 5 */
        memset(s->written[in->start.warp], 0, sizeof s->written[0]);
        memcpy(s->grp[in->start.warp], in->start.grp, sizeof s->grp[0]);
        memcpy(s->gbase[in->start.warp], in->start.gbase, sizeof s->gbase[0]);
    }
    if (in->lids_valid)
        memcpy(s->lid[in->lids.warp][in->lids.beat], in->lids.lid, sizeof s->lid[0][0]);
}
