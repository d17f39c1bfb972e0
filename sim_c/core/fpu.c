/* Twin of rtl/core/fpu.sv: single precision, pipelined (docs/blocks/fpu.md). The answer of a beat is computed when it comes; the
 * stages are a ring. */
#include "fpu_ports.h"
#include "isa_gen.h"
#include "sim_c/common/twin.h"
#include "sim_c/core/homes.h"
#include "sim_c/core/result.h"
#include "sim_c/core/softfp.h"
#include <string.h>

enum { STAGES = 5, RING = 8, DYN = 7 };

typedef struct {
    result_t res;
    uint16_t csr; /* number of the csr, 0: no CSR instruction */
    uint8_t op;
    uint8_t flags[LANES];
    uint8_t frm[LANES]; /* CSR instruction: the old one, from stage 5 on the new one */
    uint8_t fflags[LANES]; /* CSR instruction in stage 5: the new ones */
} beat_rec_t;

struct fpu {
    unsigned valid; /* bit n - 1: stage n holds a beat */
    unsigned head; /* where stage 1 is in the ring */
    beat_rec_t ring[RING];
    uint8_t frm[WARPS][BEATS][LANES];
    uint8_t fflags[WARPS][BEATS][LANES];
    uint64_t bad;
    bool fault_valid;
    fault_t fault;
    ev_fpu_t ev;
};

#define EACH_LANE(l, mask) for (uint64_t m_ = (mask), l; m_ && (l = (unsigned)__builtin_ctzll(m_), true); m_ &= m_ - 1)

static unsigned place(const fpu_t *s, unsigned stage)
{
    return (s->head + 1 - stage) % RING;
}

TWIN_STATE(fpu)

void fpu_out(const fpu_t *s, fpu_out_t *o)
{
    o->fpu_res_valid = s->valid >> (STAGES - 1) & 1;
    o->frm_valid = false;
    if (o->fpu_res_valid) {
        const beat_rec_t *r = &s->ring[place(s, STAGES)];
        o->fpu_res = r->res;
        o->frm_valid = r->csr == CSR_FRM || r->csr == CSR_FCSR;
        if (o->frm_valid) {
            o->frm.warp = r->res.warp;
            o->frm.beat = r->res.beat;
            o->frm.mask = r->res.mask;
            memcpy(o->frm.frm, r->frm, sizeof r->frm);
        }
    }
    o->fault_valid = s->fault_valid;
    if (s->fault_valid)
        o->fault = s->fault;
    o->ev = s->ev;
}

bool fpu_idle(const fpu_t *s)
{
    return !s->valid && !s->fault_valid && !s->ev.fpu_beats;
}

static bool has_rm(unsigned op)
{
    switch (op) {
    case OP_FADD_S:
    case OP_FSUB_S:
    case OP_FMUL_S:
    case OP_FMADD_S:
    case OP_FMSUB_S:
    case OP_FNMSUB_S:
    case OP_FNMADD_S:
    case OP_FCVT_W_S:
    case OP_FCVT_WU_S:
    case OP_FCVT_L_S:
    case OP_FCVT_LU_S:
    case OP_FCVT_S_W:
    case OP_FCVT_S_WU:
    case OP_FCVT_S_L:
    case OP_FCVT_S_LU:
    case OP_FDIV_S:
    case OP_FSQRT_S: return true;
    default: return false;
    }
}

/* A 32-bit result in a 64-bit register. */
static uint64_t extend(uint64_t v)
{
    return (uint64_t)(int64_t)(int32_t)v;
}

/* Results and flags of the lanes of the mask; rm is one mode a lane. */
static void results(const operands_t *p, const uint8_t *modes, beat_rec_t *r)
{
#define EACH(e) EACH_LANE(l, r->res.mask) { \
        const uint32_t a = (uint32_t)p->rs1[l], b = (uint32_t)p->rs2[l], c = (uint32_t)p->rs3[l]; \
        const unsigned rm = modes[l]; \
        unsigned f = 0; \
        (void)a, (void)b, (void)c, (void)rm; \
        r->res.data[l] = (e); \
        r->flags[l] = (uint8_t)f; \
    } break
#define EACH_FLOAT(e) EACH(extend(e))
    switch (p->op) {
    case OP_FADD_S: EACH_FLOAT(sf_add(a, b, rm, &f));
    case OP_FSUB_S: EACH_FLOAT(sf_add(a, b ^ SF_SIGN, rm, &f));
    case OP_FMUL_S: EACH_FLOAT(sf_mul(a, b, rm, &f));
    case OP_FMADD_S: EACH_FLOAT(sf_fma(a, b, c, rm, &f));
    case OP_FMSUB_S: EACH_FLOAT(sf_fma(a, b, c ^ SF_SIGN, rm, &f));
    case OP_FNMSUB_S: EACH_FLOAT(sf_fma(a ^ SF_SIGN, b, c, rm, &f));
    case OP_FNMADD_S: EACH_FLOAT(sf_fma(a ^ SF_SIGN, b, c ^ SF_SIGN, rm, &f));
    case OP_FSGNJ_S: EACH_FLOAT((a & ~SF_SIGN) | (b & SF_SIGN));
    case OP_FSGNJN_S: EACH_FLOAT((a & ~SF_SIGN) | (~b & SF_SIGN));
    case OP_FSGNJX_S: EACH_FLOAT(a ^ (b & SF_SIGN));
    case OP_FMIN_S: EACH_FLOAT(sf_min(a, b, &f));
    case OP_FMAX_S: EACH_FLOAT(sf_max(a, b, &f));
    case OP_FEQ_S: EACH(sf_eq(a, b, &f));
    case OP_FLT_S: EACH(sf_lt(a, b, &f));
    case OP_FLE_S: EACH(sf_le(a, b, &f));
    case OP_FCLASS_S: EACH(sf_class(a));
    case OP_FCVT_W_S: EACH(extend(sf_to_int(a, 32, true, rm, &f)));
    case OP_FCVT_WU_S: EACH(extend(sf_to_int(a, 32, false, rm, &f)));
    case OP_FCVT_L_S: EACH(sf_to_int(a, 64, true, rm, &f));
    case OP_FCVT_LU_S: EACH(sf_to_int(a, 64, false, rm, &f));
    case OP_FCVT_S_W: EACH_FLOAT(sf_from_int(extend(a), true, rm, &f));
    case OP_FCVT_S_WU: EACH_FLOAT(sf_from_int(a, false, rm, &f));
    case OP_FCVT_S_L: EACH_FLOAT(sf_from_int(p->rs1[l], true, rm, &f));
    case OP_FCVT_S_LU: EACH_FLOAT(sf_from_int(p->rs1[l], false, rm, &f));
    default: break;
    }
#undef EACH
#undef EACH_FLOAT
}

/* Steps 1 to 3 for a beat of PIPE_FPU (r is stage 1) or PIPE_FDIV (r is NULL). */
static void take(fpu_t *s, const fpu_in_t *in, beat_rec_t *r)
{
    const operands_t *p = &in->ops;
    const uint8_t *frm = s->frm[p->warp][p->beat];
    uint8_t fixed[LANES], of_homes[LANES];
    unsigned static_rm = p->instr >> 12 & 7;
    uint64_t bad = 0;
    if (COMPACTS) {
        for (unsigned l = 0; l < LANES; l++)
            of_homes[l] = s->frm[HOME_OF(in, p->warp, p->beat * LANES + l)][p->beat][l];
        frm = of_homes;
    }
    if (has_rm(p->op)) {
        if (static_rm == DYN) {
            for (unsigned l = 0; l < LANES; l++)
                bad |= (uint64_t)(frm[l] >= 5) << l;
            bad &= p->mask;
        } else {
            memset(fixed, (int)static_rm, sizeof fixed);
            frm = fixed;
        }
    }
    uint64_t acc = (p->first ? 0 : s->bad) | bad << p->beat * LANES;
    s->bad = acc;
    s->fault_valid = p->last && acc;
    if (s->fault_valid)
        s->fault = (fault_t){.cause = FAULT_ILLEGAL, .warp = p->warp, .pc = p->pc, .value = p->instr, .mask = acc};
    if (!r)
        return;
    result_head(&r->res, p, p->mask & ~bad);
    r->op = p->op;
    r->csr = 0;
    if (p->op >= OP_CSRRW && p->op <= OP_CSRRCI) {
        r->csr = p->instr >> 20;
        memcpy(r->frm, frm, sizeof r->frm);
        memcpy(r->res.data, p->rs1, sizeof r->res.data); /* the operand stays here until stage 5 writes the result */
    } else {
        results(p, frm, r);
    }
}

/* Step 4: a CSR instruction goes into stage 5. */
static void access_csr(const fpu_t *s, const fpu_in_t *in, beat_rec_t *r)
{
    EACH_LANE(l, r->res.mask) {
        const uint8_t *fflags = s->fflags[HOME_OF(in, r->res.warp, r->res.beat * LANES + l)][r->res.beat];
        uint64_t rs1 = r->res.data[l];
        uint64_t old = r->csr == CSR_FFLAGS ? fflags[l] : r->csr == CSR_FRM ? r->frm[l] : r->frm[l] << 5 | fflags[l];
        uint64_t new = r->op == OP_CSRRW || r->op == OP_CSRRWI   ? rs1
                       : r->op == OP_CSRRS || r->op == OP_CSRRSI ? old | rs1
                                                                 : old & ~rs1;
        r->fflags[l] = new & 31;
        if (r->csr != CSR_FFLAGS)
            r->frm[l] = (r->csr == CSR_FRM ? new : new >> 5) & 7;
        r->res.data[l] = old;
    }
}

/* Step 5: a beat leaves stage 5. */
static void leave(fpu_t *s, const fpu_in_t *in, const beat_rec_t *r)
{
    EACH_LANE(l, r->res.mask) {
        const unsigned home = HOME_OF(in, r->res.warp, r->res.beat * LANES + l);
        uint8_t *frm = s->frm[home][r->res.beat], *fflags = s->fflags[home][r->res.beat];
        if (!r->csr) {
            fflags[l] |= r->flags[l];
            continue;
        }
        if (r->csr != CSR_FRM)
            fflags[l] = r->fflags[l];
        if (r->csr != CSR_FFLAGS)
            frm[l] = r->frm[l];
    }
}

void fpu_tick(fpu_t *s, const fpu_in_t *in)
{
    const operands_t *p = &in->ops;
    bool mine = in->ops_valid && p->pipe == PIPE_FPU;
    unsigned before = s->valid;

    s->fault_valid = false;
    memset(&s->ev, 0, sizeof s->ev);
    if (before || mine) {
        /* turns the ring: stage n becomes stage n + 1. The beat of stage 5 is at 6 until it has left. */
        s->head = (s->head + 1) % RING;
        s->valid = (before << 1 | mine) & ((1u << STAGES) - 1);
        beat_rec_t *last = &s->ring[place(s, STAGES)];
        if (s->valid >> (STAGES - 1) & 1 && last->csr)
            access_csr(s, in, last);
    }
    if (mine) {
        take(s, in, &s->ring[place(s, 1)]);
        s->ev.fpu_beats = true;
        s->ev.fpu_lanes = (uint8_t)__builtin_popcountll(p->mask);
    } else if (in->ops_valid && p->pipe == PIPE_FDIV) {
        take(s, in, NULL);
    }
    if (before >> (STAGES - 1) & 1)
        leave(s, in, &s->ring[place(s, STAGES + 1)]);
    if (in->fdiv_flags_valid) { /* step 6 */
        const fflags_t *f = &in->fdiv_flags;
        EACH_LANE(l, f->mask)
            s->fflags[HOME_OF(in, f->warp, f->beat * LANES + l)][f->beat][l] |= f->flags[l];
    }
    if (in->start_valid) { /* step 7 */
        memset(s->frm[in->start.warp], 0, sizeof s->frm[0]);
        memset(s->fflags[in->start.warp], 0, sizeof s->fflags[0]);
    }
}
