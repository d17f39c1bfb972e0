#include "verif/ref/lib/code.h"

#include <stdio.h>
#include <stdlib.h>

void program_init(program *p, size_t code_words, size_t data_bytes)
{
    *p = (program){.room = code_words, .data_bytes = data_bytes};
    p->code = calloc(code_words, 4);
    p->data = calloc(1, data_bytes);
    p->data_at = BASE + (code_words * 4 + 4095) / 4096 * 4096;
    if (!p->code || !p->data)
        abort();
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
    case FMT_I:
    case FMT_L:
    case FMT_JR:
    case FMT_SH5:
    case FMT_SH6: return u << 20;
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
    if (f != FMT_S && f != FMT_B)
        fields |= rd << 7;
    if (f != FMT_U && f != FMT_J)
        fields |= rs1 << 15;
    if (f == FMT_R || f == FMT_S || f == FMT_B || f == FMT_AMO || f == FMT_CAS)
        fields |= rs2 << 20;
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

/* ---- units -------------------------------------------------------------------------------------------------------- */

void put(unit *u, uint32_t word)
{
    if (u->n == UNIT_MAX)
        abort();
    u->words[u->n++] = word;
}

void emit_units(program *p, const unit *units, int n)
{
    size_t *at = calloc((size_t)n + 1, sizeof *at);
    if (!at)
        abort();
    at[0] = p->n;
    for (int i = 0; i < n; i++)
        at[i + 1] = at[i] + units[i].n;
    for (int i = 0; i < n; i++)
        for (unsigned k = 0; k < units[i].n; k++) {
            uint32_t word = units[i].words[k];
            if ((int)k == units[i].patch) {
                int32_t offset = (int32_t)(at[units[i].to] - p->n) * 4;
                word |= immediate((word & 127) == 0x6f ? FMT_J : FMT_B, offset);
            }
            emit(p, word);
        }
    free(at);
}

op_e pick_op(rng *r, uint32_t formats)
{
    for (;;) {
        op_e op = 1 + rng_below(r, ISA_OPS - 2);
        if (formats >> isa_rows[op].format & 1 && isa_rows[op].mask && op != OP_CZERO_EQZ && op != OP_CZERO_NEZ)
            return op;
    }
}

unsigned access_size(op_e op)
{
    return 1u << (isa_rows[op].match >> 12 & 3); /* funct3, of loads, stores and atomics alike */
}

uint32_t pick_order(rng *r)
{
    return rng_below(r, 3) ? 0 : rng_below(r, 4) << 25;
}
