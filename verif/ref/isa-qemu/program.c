#include "program.h"

#include <stdlib.h>
#include <string.h>

/* ---- random bodies ------------------------------------------------------------------------------------------------ */

/* x31 points to the body's area, x30 is for addresses, x29 counts loops; the others hold anything. */
enum { AREA_REG = 31, ADDRESS = 30, COUNTER = 29, FREE_REGS = 29 };
#define UNITS 60
#define UNIT_WORDS 8

#define F(name) FORMAT(name)
static unsigned any(rng *r)
{
    return rng_below(r, FREE_REGS);
}

/* x30 = an address in the scratch part of the area, 8-aligned, with `room` bytes after it. */
static void put_address(rng *r, unit *u)
{
    put(u, encode(OP_ANDI, ADDRESS, any(r), 0, 0x1f8));
    put(u, encode(OP_ADD, ADDRESS, ADDRESS, AREA_REG, 0));
}

static void make_unit(rng *r, unit *u, int index)
{
    u->n = 0, u->patch = -1;
    int rest = UNITS - index; /* a jump goes 1 to rest units on */
    unsigned csr;
    op_e op;
    switch (rng_below(r, 20)) {
    case 0:
    case 1: /* memory, direct or through x30 */
        op = pick_op(r, F(L) | F(S));
        put(u, encode(op, any(r), AREA_REG, any(r), (int32_t)(rng_below(r, 1024) & -access_size(op))));
        break;
    case 2:
        op = pick_op(r, F(L) | F(S));
        put_address(r, u);
        put(u, encode(op, any(r), ADDRESS, any(r), (int32_t)(rng_below(r, 512) & -access_size(op))));
        break;
    case 3:
        do
            op = pick_op(r, F(AMO));
        while (op == OP_SC_W || op == OP_SC_D);
        put_address(r, u);
        put(u, encode(op, any(r), ADDRESS, any(r), 0) | pick_order(r));
        break;
    case 4: /* LR, some arithmetic, SC; sometimes the SC alone, which must fail */
        put_address(r, u);
        op = rng_below(r, 2) ? OP_LR_W : OP_LR_D;
        if (rng_below(r, 4))
            put(u, encode(op, any(r), ADDRESS, 0, 0) | pick_order(r));
        put(u, encode(pick_op(r, F(I)), any(r), any(r), 0, (int32_t)rng_below(r, 4096)));
        put(u, encode(op == OP_LR_W ? OP_SC_W : OP_SC_D, any(r), ADDRESS, any(r), 0) | pick_order(r));
        break;
    case 5: /* branch ahead */
        op = pick_op(r, F(B));
        put(u, encode(op, 0, any(r), any(r), 0));
        u->patch = 0, u->to = index + 1 + (int)rng_below(r, rest < 6 ? (uint32_t)rest : 6);
        break;
    case 6:
        put(u, encode(OP_JAL, any(r), 0, 0, 0));
        u->patch = 0, u->to = index + 1 + (int)rng_below(r, rest < 4 ? (uint32_t)rest : 4);
        break;
    case 7: /* a jump over one or no instruction, with an odd target now and then */
        put(u, encode(OP_AUIPC, ADDRESS, 0, 0, 0));
        put(u, encode(OP_JALR, any(r), ADDRESS, 0, (rng_below(r, 2) ? 8 : 12) + (int32_t)rng_below(r, 2)));
        put(u, encode(pick_op(r, F(I)), any(r), any(r), 0, (int32_t)rng_below(r, 4096)));
        break;
    case 8: /* a counted loop around a few operations */
        put(u, encode(OP_ADDI, COUNTER, 0, 0, (int32_t)rng_below(r, 6)));
        for (int i = 0; i < 3; i++)
            put(u, encode(pick_op(r, F(R)), any(r), any(r), any(r), 0));
        put(u, encode(OP_ADDI, COUNTER, COUNTER, 0, -1));
        put(u, encode(OP_BLT, 0, 0, COUNTER, -16));
        break;
    case 9:
        csr = 1 + rng_below(r, 3);
        put(u, encode_csr(OP_CSRRW + rng_below(r, 6), any(r), csr, any(r)));
        put(u, encode_csr(OP_CSRRWI, 0, CSR_FRM, rng_below(r, 5))); /* whatever it was, a legal mode again */
        break;
    case 10:
    case 11:
    case 12:
    case 13: {
        static const unsigned modes[6] = {0, 1, 2, 3, 4, 7};
        op = pick_op(r, F(R4) | F(RM1) | F(RM2));
        unsigned rd = any(r), source = any(r);
        if (rng_below(r, 3) == 0)
            put(u, encode(OP_LW, source, AREA_REG, 0, (int32_t)(rng_below(r, 1024) & -4u)));
        put(u, encode_fp(op, rd, source, any(r), any(r), modes[rng_below(r, 6)]));
        break;
    }
    case 14: put(u, rng_below(r, 4) ? encode_fp(OP_FENCE, 0, 0, 0, 0, 0) | rng_below(r, 256) << 20 : 0x8330000f); break;
    case 15: put(u, encode(OP_LUI + rng_below(r, 2), any(r), 0, 0, (int32_t)rng_u64(r))); break;
    case 16: put(u, encode(OP_LW, any(r), AREA_REG, 0, (int32_t)(rng_below(r, 1024) & -4u))); break;
    default:
        op = pick_op(r, F(R) | F(R1) | F(I) | F(SH5) | F(SH6) | F(R));
        if (op
            == OP_CTZW) { /* qemu 7.2 looks at bits 63:32 when 31:0 are zero; here they are zero too, isa-directed has the rest */
            unsigned source = any(r);
            put(u, encode(OP_ADD_UW, source, source, 0, 0));
            put(u, encode(op, any(r), source, 0, 0));
            break;
        }
        put(u, encode(op, any(r), any(r), any(r), (int32_t)rng_below(r, 4096)));
    }
}

static void fill_area(rng *r, uint8_t *area)
{
    for (unsigned at = 0; at < AREA_INIT + 31 * 8; at += 8) {
        uint64_t v = rng_below(r, 2) ? rng_integer(r) : (uint64_t)rng_float(r) << 32 | rng_float(r);
        memcpy(area + at, &v, 8);
    }
    uint64_t fcsr = rng_below(r, 5) << 5 | rng_below(r, 32);
    memcpy(area + AREA_INIT, &fcsr, 8);
}

static void make_body(program *p, rng *r, uint64_t area)
{
    unit units[UNITS];
    emit_address(p, AREA_REG, area);
    emit(p, encode(OP_LW, 1, AREA_REG, 0, AREA_INIT));
    emit(p, encode_csr(OP_CSRRW, 0, CSR_FCSR, 1));
    for (unsigned i = 1; i <= 30; i++)
        emit(p, encode(OP_LD, i, AREA_REG, 0, (int32_t)(AREA_INIT + 8 * i)));
    for (int i = 0; i < UNITS; i++)
        make_unit(r, &units[i], i);
    emit_units(p, units, UNITS);
    for (unsigned i = 1; i <= 30; i++)
        emit(p, encode(OP_SD, 0, AREA_REG, i, (int32_t)(AREA_STATE + 8 * i)));
    emit(p, encode_csr(OP_CSRRS, 1, CSR_FCSR, 0));
    emit(p, encode(OP_SD, 0, AREA_REG, 1, AREA_STATE));
}

void make_random(program *p, rng *r, unsigned count)
{
    program_init(p, count * (size_t)(UNITS * UNIT_WORDS + 80) + 32, (size_t)count * AREA);
    for (unsigned i = 0; i < count; i++) {
        fill_area(r, p->data + (size_t)i * AREA);
        make_body(p, r, p->data_at + (size_t)i * AREA);
    }
}

/* ---- floating point in bulk --------------------------------------------------------------------------------------- */

static void fill_triples(rng *r, uint8_t *data, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t v[3];
        for (unsigned k = 0; k < 3; k++)
            v[k] = rng_u64(r) << 32 | rng_float(r); /* bits 63:32 are to be ignored */
        /* All pairs of corners with all signs first; of the rest some are integers for fcvt, some sums and products that cancel. */
        size_t pairs = (size_t)n_float_corners * n_float_corners;
        if (i < 4 * pairs) {
            v[0] = (v[0] & ~0xffffffffull) | float_corners[i % pairs / n_float_corners] | (i / pairs & 1) << 31;
            v[1] = (v[1] & ~0xffffffffull) | float_corners[i % pairs % n_float_corners] | (i / pairs >> 1) << 31;
        } else if (i % 4 == 0) {
            v[0] = rng_integer(r);
        } else if (i % 4 == 1) {
            v[1] = v[0] ^ (rng_u64(r) & 0x80000007);
            float a, b, product;
            memcpy(&a, &v[0], 4), memcpy(&b, &v[1], 4);
            product = -(a * b);
            memcpy(&v[2], &product, 4);
            v[2] += rng_below(r, 5) - 2;
        }
        memcpy(data + i * FP_TRIPLE, v, FP_TRIPLE);
    }
}

unsigned make_fp(program *p, rng *r, size_t n, fp_case cases[FP_CASES_MAX])
{
    unsigned count = 0;
    for (op_e op = OP_FMADD_S; op <= OP_FCLASS_S; op++) {
        fmt_e f = isa_rows[op].format;
        unsigned modes = f == FMT_R4 || f == FMT_RM1 || f == FMT_RM2 ? 5 : 1;
        for (unsigned rm = 0; rm < modes; rm++)
            cases[count++].insn = encode_fp(op, 8, 5, 6, 7, rm);
    }
    program_init(p, count * 24u + 32, n * FP_TRIPLE + count * n * 16);
    fill_triples(r, p->data, n);
    for (unsigned i = 0; i < count; i++) {
        cases[i].results_at = n * FP_TRIPLE + i * n * 16;
        emit_address(p, 10, p->data_at);
        emit_address(p, 12, p->data_at + n * FP_TRIPLE);
        emit_address(p, 11, p->data_at + cases[i].results_at);
        size_t loop = p->n;
        for (unsigned k = 0; k < 3; k++)
            emit(p, encode(OP_LD, 5 + k, 10, 0, 8 * (int32_t)k));
        emit(p, encode_csr(OP_CSRRWI, 0, CSR_FFLAGS, 0));
        emit(p, cases[i].insn);
        emit(p, encode_csr(OP_CSRRS, 9, CSR_FFLAGS, 0));
        emit(p, encode(OP_SD, 0, 11, 8, 0));
        emit(p, encode(OP_SD, 0, 11, 9, 8));
        emit(p, encode(OP_ADDI, 10, 10, 0, FP_TRIPLE));
        emit(p, encode(OP_ADDI, 11, 11, 0, 16));
        emit(p, encode(OP_BNE, 0, 10, 12, (int32_t)(loop - p->n) * 4));
    }
    return count;
}
