/* Twin of rtl/core/alu.sv: integer operations, branches, jumps (docs/blocks/alu.md). */
#include "alu_ports.h"
#include "isa_gen.h"
#include "sim_c/common/twin.h"
#include "sim_c/core/result.h"
#include <string.h>

#define PC_MASK ((1ull << PA_W) - 1)

struct alu {
    alu_out_t o;
    uint64_t acc, lead;
    bool lead_valid;
};

TWIN_STATE(alu)

void alu_out(const alu_t *s, alu_out_t *o)
{
    o->alu_res_valid = s->o.alu_res_valid;
    if (s->o.alu_res_valid)
        o->alu_res = s->o.alu_res;
    o->cf_valid = s->o.cf_valid;
    if (s->o.cf_valid)
        o->cf = s->o.cf;
    o->ev = s->o.ev;
}

bool alu_idle(const alu_t *s)
{
    return !s->o.alu_res_valid && !s->o.cf_valid && !s->o.ev.branches && !s->o.ev.branches_divergent
           && !s->o.ev.jumps_indirect;
}

static uint64_t sext32(uint64_t v)
{
    return (uint64_t)(int64_t)(int32_t)v;
}

static uint64_t rol64(uint64_t v, unsigned n)
{
    return v << (n & 63) | v >> (-n & 63);
}

static uint64_t rol32(uint64_t v, unsigned n)
{
    uint32_t w = (uint32_t)v;
    return sext32(w << (n & 31) | w >> (-n & 31));
}

static uint64_t orc_b(uint64_t v)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < 64; i += 8)
        if (v >> i & 0xff)
            r |= 0xffull << i;
    return r;
}

/* Results of all lanes. Operand a is rs1; b is rs2, or the immediate where the operation has one. */
static void results(const operands_t *p, uint64_t *d)
{
#define EACH(e) for (unsigned l = 0; l < LANES; l++) { const uint64_t a = p->rs1[l], b = p->rs2[l]; (void)a, (void)b; d[l] = (e); } break
#define EACH_IMM(e) for (unsigned l = 0; l < LANES; l++) { const uint64_t a = p->rs1[l], b = p->imm; (void)a, (void)b; d[l] = (e); } break
/* The same operation with rs2 and with an immediate. */
#define BOTH(reg, imm, e) case reg: EACH(e); case imm: EACH_IMM(e)
    // clang-format off
    switch (p->op) {
    case OP_LUI: EACH_IMM(b);
    case OP_AUIPC: EACH_IMM(a + b);
    case OP_JAL: case OP_JALR: EACH((p->pc + 4) & PC_MASK);
    case OP_CSRRW: case OP_CSRRS: case OP_CSRRC: case OP_CSRRWI: case OP_CSRRSI: case OP_CSRRCI: EACH(a + b);
    BOTH(OP_ADD, OP_ADDI, a + b);
    case OP_SUB: EACH(a - b);
    BOTH(OP_SLT, OP_SLTI, (int64_t)a < (int64_t)b);
    BOTH(OP_SLTU, OP_SLTIU, a < b);
    BOTH(OP_XOR, OP_XORI, a ^ b);
    BOTH(OP_OR, OP_ORI, a | b);
    BOTH(OP_AND, OP_ANDI, a & b);
    BOTH(OP_SLL, OP_SLLI, a << (b & 63));
    BOTH(OP_SRL, OP_SRLI, a >> (b & 63));
    BOTH(OP_SRA, OP_SRAI, (uint64_t)((int64_t)a >> (b & 63)));
    BOTH(OP_ADDW, OP_ADDIW, sext32(a + b));
    case OP_SUBW: EACH(sext32(a - b));
    BOTH(OP_SLLW, OP_SLLIW, sext32((uint32_t)a << (b & 31)));
    BOTH(OP_SRLW, OP_SRLIW, sext32((uint32_t)a >> (b & 31)));
    BOTH(OP_SRAW, OP_SRAIW, sext32((uint32_t)((int32_t)a >> (b & 31))));
    case OP_CZERO_EQZ: EACH(b ? a : 0);
    case OP_CZERO_NEZ: EACH(b ? 0 : a);
    case OP_ADD_UW: EACH((uint32_t)a + b);
    case OP_SH1ADD: EACH((a << 1) + b);
    case OP_SH2ADD: EACH((a << 2) + b);
    case OP_SH3ADD: EACH((a << 3) + b);
    case OP_SH1ADD_UW: EACH(((uint64_t)(uint32_t)a << 1) + b);
    case OP_SH2ADD_UW: EACH(((uint64_t)(uint32_t)a << 2) + b);
    case OP_SH3ADD_UW: EACH(((uint64_t)(uint32_t)a << 3) + b);
    case OP_SLLI_UW: EACH_IMM((uint64_t)(uint32_t)a << (b & 63));
    case OP_ANDN: EACH(a & ~b);
    case OP_ORN: EACH(a | ~b);
    case OP_XNOR: EACH(~(a ^ b));
    case OP_CLZ: EACH(a ? (uint64_t)__builtin_clzll(a) : 64);
    case OP_CTZ: EACH(a ? (uint64_t)__builtin_ctzll(a) : 64);
    case OP_CPOP: EACH((uint64_t)__builtin_popcountll(a));
    case OP_CLZW: EACH((uint32_t)a ? (uint64_t)__builtin_clz((uint32_t)a) : 32);
    case OP_CTZW: EACH((uint32_t)a ? (uint64_t)__builtin_ctz((uint32_t)a) : 32);
    case OP_CPOPW: EACH((uint64_t)__builtin_popcount((uint32_t)a));
    case OP_SEXT_B: EACH((uint64_t)(int64_t)(int8_t)a);
    case OP_SEXT_H: EACH((uint64_t)(int64_t)(int16_t)a);
    case OP_ZEXT_H: EACH(a & 0xffff);
    case OP_MIN: EACH((int64_t)a < (int64_t)b ? a : b);
    case OP_MINU: EACH(a < b ? a : b);
    case OP_MAX: EACH((int64_t)a < (int64_t)b ? b : a);
    case OP_MAXU: EACH(a < b ? b : a);
    case OP_ROL: EACH(rol64(a, (unsigned)b));
    BOTH(OP_ROR, OP_RORI, rol64(a, -(unsigned)b));
    case OP_ROLW: EACH(rol32(a, (unsigned)b));
    BOTH(OP_RORW, OP_RORIW, rol32(a, -(unsigned)b));
    case OP_ORC_B: EACH(orc_b(a));
    case OP_REV8: EACH(__builtin_bswap64(a));
    BOTH(OP_BCLR, OP_BCLRI, a & ~(1ull << (b & 63)));
    BOTH(OP_BEXT, OP_BEXTI, a >> (b & 63) & 1);
    BOTH(OP_BINV, OP_BINVI, a ^ 1ull << (b & 63));
    BOTH(OP_BSET, OP_BSETI, a | 1ull << (b & 63));
    default: EACH(0);
    }
    // clang-format on
#undef EACH
#undef EACH_IMM
#undef BOTH
}

/* Lanes of the mask with a true comparison. */
static uint64_t compare(const operands_t *p)
{
    uint64_t hit = 0;
#define EACH(e) for (unsigned l = 0; l < LANES; l++) { const uint64_t a = p->rs1[l], b = p->rs2[l]; hit |= (uint64_t)(e) << l; } break
    switch (p->op) {
    case OP_BEQ: EACH(a == b);
    case OP_BNE: EACH(a != b);
    case OP_BLT: EACH((int64_t)a < (int64_t)b);
    case OP_BGE: EACH((int64_t)a >= (int64_t)b);
    case OP_BLTU: EACH(a < b);
    default: EACH(a >= b);
    }
#undef EACH
    return hit & p->mask;
}

void alu_tick(alu_t *s, const alu_in_t *in)
{
    const operands_t *p = &in->ops;
    s->o.alu_res_valid = false;
    s->o.cf_valid = false;
    memset(&s->o.ev, 0, sizeof s->o.ev);
    if (!in->ops_valid || p->pipe != PIPE_ALU)
        return;
    bool branch = p->op >= OP_BEQ && p->op <= OP_BGEU, jal = p->op == OP_JAL, jalr = p->op == OP_JALR;
    if (p->first) /* step 1 */
        s->acc = 0, s->lead_valid = false, s->lead = 0;
    uint64_t hit = 0;
    if (branch || jal) /* step 2 */
        hit = branch ? compare(p) : p->mask;
    if (jalr) { /* step 3 */
        if (!s->lead_valid && p->mask) {
            s->lead = p->rs1[__builtin_ctzll(p->mask)] & PC_MASK;
            s->lead_valid = true;
        }
        for (unsigned l = 0; l < LANES; l++)
            hit |= (uint64_t)(s->lead_valid && ((p->rs1[l] ^ s->lead) & PC_MASK & ~(~p->imm & 1)) == 0) << l;
        hit &= p->mask;
    }
    uint64_t goal = jalr ? (s->lead + p->imm) & PC_MASK & ~1ull : (p->pc + p->imm) & PC_MASK;
    s->acc = (s->acc & ~(((1ull << (LANES - 1)) * 2 - 1) << p->beat * LANES)) | hit << p->beat * LANES; /* step 4 */

    if (p->rd && !(jal && (p->imm & 2)) && !(jalr && s->lead_valid && (goal & 2))) { /* step 5 */
        result_t *r = &s->o.alu_res;
        s->o.alu_res_valid = true;
        result_head(r, p, jalr ? hit : p->mask);
        results(p, r->data);
    }
    if (p->last && (branch || jal || jalr)) { /* step 6 */
        cf_t *c = &s->o.cf;
        uint64_t taken = jal ? p->tmask : s->acc;
        s->o.cf_valid = true;
        c->warp = p->warp;
        c->seq = p->seq;
        c->pc = p->pc;
        c->indirect = jalr;
        c->tmask = p->tmask;
        c->taken = taken;
        c->target = goal;
        c->misaligned = (c->target & 2) && !(branch && !taken);
        s->o.ev.branches = branch; /* step 7 */
        s->o.ev.branches_divergent = taken && taken != p->tmask;
        s->o.ev.jumps_indirect = jalr;
    }
}
