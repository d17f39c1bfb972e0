/* Machine code made by hand: words, fields, and pieces of random programs with jumps that are patched later. */
#ifndef VERIF_REF_CODE_H
#define VERIF_REF_CODE_H
#include <stddef.h>
#include <stdint.h>

#include "isa_gen.h"
#include "verif/ref/lib/rng.h"

#define BASE 0x10000000ull

typedef struct {
    uint32_t *code;
    size_t n, room;
    uint8_t *data; /* follows the code, at `data_at` */
    size_t data_bytes;
    uint64_t data_at;
} program;

void program_init(program *p, size_t code_words, size_t data_bytes);
void program_free(program *p);

void emit(program *p, uint32_t word);
/* One instruction of row op: operand fields as given, those that the row fixes as it fixes them. */
uint32_t encode(op_e op, unsigned rd, unsigned rs1, unsigned rs2, int32_t imm);
uint32_t encode_fp(op_e op, unsigned rd, unsigned rs1, unsigned rs2, unsigned rs3, unsigned rm);
uint32_t encode_csr(op_e op, unsigned rd, unsigned csr, unsigned rs1);
/* rd = address; always two instructions. */
void emit_address(program *p, unsigned rd, uint64_t address);

/* ---- units: a few instructions each; jumps go from unit to unit ---- */
#define UNIT_MAX 16
typedef struct {
    uint32_t words[UNIT_MAX];
    unsigned n;
    int patch, to; /* words[patch] jumps to unit `to`; none if patch is negative */
} unit;
void put(unit *u, uint32_t word);
/* Emits them one after the other; a jump may go to unit n, the end of these. */
void emit_units(program *p, const unit *units, int n);

/* A random operation of one of these formats (a set of FORMAT(...)), not of those that are not known to qemu. */
#define FORMAT(name) (1u << FMT_##name)
op_e pick_op(rng *r, uint32_t formats);
/* Bytes that a load, store or atomic touches. */
unsigned access_size(op_e op);
/* aq and rl, mostly neither. */
uint32_t pick_order(rng *r);

#endif
