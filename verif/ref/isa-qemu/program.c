#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void program_init(program *p, size_t code_words, size_t data_bytes)
{
    *p = (program){.room = code_words, .data_bytes = data_bytes};
    p->code = calloc(code_words, 4);
    p->data = calloc(1, data_bytes);
    p->data_at = BASE + (code_words * 4 + 4095) / 4096 * 4096;
    if (!p->code || !p->data) abort();
}

void program_free(program *p)
{
    free(p->code);
    free(p->data);
}

void emit(program *p, uint32_t word)
{
    if (p->n == p->room) {
        puts("the program outgrew its room");
        abort();
    }
    p->code[p->n++] = word;
}

static uint32_t immediate(fmt_e f, int32_t v)
{
    uint32_t u = (uint32_t)v;
    switch (f) {
    case FMT_I: case FMT_L: case FMT_JR: case FMT_SH5: case FMT_SH6: return u << 20;
    case FMT_S: return (u >> 5 & 127) << 25 | (u & 31) << 7;
    case FMT_B: return (u >> 12 & 1) << 31 | (u >> 5 & 63) << 25 | (u >> 1 & 15) << 8 | (u >> 11 & 1) << 7;
    case FMT_U: return u & 0xfffff000;
    case FMT_J: return (u >> 20 & 1) << 31 | (u >> 1 & 1023) << 21 | (u >> 11 & 1) << 20 | (u & 0xff000);
    default: return 0;
    }
}

uint32_t encode(op_e op, unsigned rd, unsigned rs1, unsigned rs2, int32_t imm)
{
    const isa_row_t *row = &isa_rows[op];
    fmt_e f = row->format;
    uint32_t fields = immediate(f, imm);
    if (f != FMT_S && f != FMT_B) fields |= rd << 7;
    if (f != FMT_U && f != FMT_J) fields |= rs1 << 15;
    if (f == FMT_R || f == FMT_S || f == FMT_B || f == FMT_AMO || f == FMT_CAS) fields |= rs2 << 20;
    return (fields & ~row->mask) | row->match;
}

uint32_t encode_fp(op_e op, unsigned rd, unsigned rs1, unsigned rs2, unsigned rs3, unsigned rm)
{
    const isa_row_t *row = &isa_rows[op];
    return ((rs3 << 27 | rs2 << 20 | rs1 << 15 | rm << 12 | rd << 7) & ~row->mask) | row->match;
}

uint32_t encode_csr(op_e op, unsigned rd, unsigned csr, unsigned rs1)
{
    return csr << 20 | rs1 << 15 | rd << 7 | isa_rows[op].match;
}

void emit_address(program *p, unsigned rd, uint64_t address)
{
    int32_t low = (int32_t)((address & 4095) ^ 2048) - 2048;
    emit(p, encode(OP_LUI, rd, 0, 0, (int32_t)(address - (uint64_t)(int64_t)low)));
    emit(p, encode(OP_ADDI, rd, rd, 0, low));
}

/* ---- random bodies ------------------------------------------------------------------------------------------------ */

/* x31 points to the body's area, x30 is for addresses, x29 counts loops; the others hold anything. */
enum { AREA_REG = 31, ADDRESS = 30, COUNTER = 29, FREE_REGS = 29 };
#define UNITS 60
#define UNIT_MAX 8

typedef struct {
    uint32_t words[UNIT_MAX];
    unsigned n;
    int patch, to; /* words[patch] jumps to unit `to`; none if patch is negative */
} unit;

static void put(unit *u, uint32_t word) { u->words[u->n++] = word; }

static op_e pick_op(rng *r, uint32_t formats)
{
    for (;;) {
        op_e op = 1 + rng_below(r, ISA_OPS - 2);
        if (formats >> isa_rows[op].format & 1 && isa_rows[op].mask && op != OP_CZERO_EQZ && op != OP_CZERO_NEZ) return op;
    }
}

static unsigned size_of(op_e op)
{
    switch (op) {
    case OP_LB: case OP_LBU: case OP_SB: return 1;
    case OP_LH: case OP_LHU: case OP_SH: return 2;
    case OP_LW: case OP_LWU: case OP_SW: return 4;
    case OP_LD: case OP_SD: return 8;
    default: return isa_rows[op].match & 1u << 12 ? 8 : 4; /* atomics: funct3 */
    }
}

#define F(name) (1u << FMT_##name)
static unsigned any(rng *r) { return rng_below(r, FREE_REGS); }
static uint32_t order(rng *r) { return rng_below(r, 3) ? 0 : rng_below(r, 4) << 25; }

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
    case 0: case 1: /* memory, direct or through x30 */
        op = pick_op(r, F(L) | F(S));
        put(u, encode(op, any(r), AREA_REG, any(r), (int32_t)(rng_below(r, 1024) & -size_of(op))));
        break;
    case 2:
        op = pick_op(r, F(L) | F(S));
        put_address(r, u);
        put(u, encode(op, any(r), ADDRESS, any(r), (int32_t)(rng_below(r, 512) & -size_of(op))));
        break;
    case 3:
        do op = pick_op(r, F(AMO));
        while (op == OP_SC_W || op == OP_SC_D);
        put_address(r, u);
        put(u, encode(op, any(r), ADDRESS, any(r), 0) | order(r));
        break;
    case 4: /* LR, some arithmetic, SC; sometimes the SC alone, which must fail */
        put_address(r, u);
        op = rng_below(r, 2) ? OP_LR_W : OP_LR_D;
        if (rng_below(r, 4)) put(u, encode(op, any(r), ADDRESS, 0, 0) | order(r));
        put(u, encode(pick_op(r, F(I)), any(r), any(r), 0, (int32_t)rng_below(r, 4096)));
        put(u, encode(op == OP_LR_W ? OP_SC_W : OP_SC_D, any(r), ADDRESS, any(r), 0) | order(r));
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
        for (int i = 0; i < 3; i++) put(u, encode(pick_op(r, F(R)), any(r), any(r), any(r), 0));
        put(u, encode(OP_ADDI, COUNTER, COUNTER, 0, -1));
        put(u, encode(OP_BLT, 0, 0, COUNTER, -16));
        break;
    case 9:
        csr = 1 + rng_below(r, 3);
        put(u, encode_csr(OP_CSRRW + rng_below(r, 6), any(r), csr, any(r)));
        put(u, encode_csr(OP_CSRRWI, 0, CSR_FRM, rng_below(r, 5))); /* whatever it was, a legal mode again */
        break;
    case 10: case 11: case 12: case 13: {
        static const unsigned modes[6] = {0, 1, 2, 3, 4, 7};
        op = pick_op(r, F(R4) | F(RM1) | F(RM2));
        unsigned rd = any(r), source = any(r);
        if (rng_below(r, 3) == 0) put(u, encode(OP_LW, source, AREA_REG, 0, (int32_t)(rng_below(r, 1024) & -4u)));
        put(u, encode_fp(op, rd, source, any(r), any(r), modes[rng_below(r, 6)]));
        break;
    }
    case 14: put(u, rng_below(r, 4) ? encode_fp(OP_FENCE, 0, 0, 0, 0, 0) | rng_below(r, 256) << 20 : 0x8330000f); break;
    case 15: put(u, encode(OP_LUI + rng_below(r, 2), any(r), 0, 0, (int32_t)rng_u64(r))); break;
    case 16: put(u, encode(OP_LW, any(r), AREA_REG, 0, (int32_t)(rng_below(r, 1024) & -4u))); break;
    default:
        op = pick_op(r, F(R) | F(R1) | F(I) | F(SH5) | F(SH6) | F(R));
        if (op == OP_CTZW) { /* qemu 7.2 looks at bits 63:32 when 31:0 are zero; here they are zero too, isa-directed has the rest */
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
    size_t at[UNITS + 1];
    emit_address(p, AREA_REG, area);
    emit(p, encode(OP_LW, 1, AREA_REG, 0, AREA_INIT));
    emit(p, encode_csr(OP_CSRRW, 0, CSR_FCSR, 1));
    for (unsigned i = 1; i <= 30; i++) emit(p, encode(OP_LD, i, AREA_REG, 0, (int32_t)(AREA_INIT + 8 * i)));
    at[0] = p->n;
    for (int i = 0; i < UNITS; i++) {
        make_unit(r, &units[i], i);
        at[i + 1] = at[i] + units[i].n;
    }
    for (int i = 0; i < UNITS; i++)
        for (unsigned k = 0; k < units[i].n; k++) {
            uint32_t word = units[i].words[k];
            if ((int)k == units[i].patch) {
                int32_t offset = (int32_t)(at[units[i].to] - p->n) * 4;
                word |= immediate((word & 127) == 0x6f ? FMT_J : FMT_B, offset);
            }
            emit(p, word);
        }
    for (unsigned i = 1; i <= 30; i++) emit(p, encode(OP_SD, 0, AREA_REG, i, (int32_t)(AREA_STATE + 8 * i)));
    emit(p, encode_csr(OP_CSRRS, 1, CSR_FCSR, 0));
    emit(p, encode(OP_SD, 0, AREA_REG, 1, AREA_STATE));
}

void make_random(program *p, rng *r, unsigned count)
{
    program_init(p, count * (size_t)(UNITS * UNIT_MAX + 80) + 32, (size_t)count * AREA);
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
        for (unsigned k = 0; k < 3; k++) v[k] = rng_u64(r) << 32 | rng_float(r); /* bits 63:32 are to be ignored */
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
        for (unsigned rm = 0; rm < modes; rm++) cases[count++].insn = encode_fp(op, 8, 5, 6, 7, rm);
    }
    program_init(p, count * 24u + 32, n * FP_TRIPLE + count * n * 16);
    fill_triples(r, p->data, n);
    for (unsigned i = 0; i < count; i++) {
        cases[i].results_at = n * FP_TRIPLE + i * n * 16;
        emit_address(p, 10, p->data_at);
        emit_address(p, 12, p->data_at + n * FP_TRIPLE);
        emit_address(p, 11, p->data_at + cases[i].results_at);
        size_t loop = p->n;
        for (unsigned k = 0; k < 3; k++) emit(p, encode(OP_LD, 5 + k, 10, 0, 8 * (int32_t)k));
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
