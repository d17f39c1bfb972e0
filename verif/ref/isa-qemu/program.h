/* A program that can run under qemu and on the reference: code and data in one image that differs in its last instructions alone.
 * What it leaves in `data` is what is compared. */
#ifndef PROGRAM_H
#define PROGRAM_H
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

/* `count` random bodies; the data holds one area of AREA bytes a body. */
#define AREA 2048
#define AREA_INIT 1024  /* initial x1..x30 at 8 * number, fcsr at 0 */
#define AREA_STATE 1536 /* final ones, the same way */
void make_random(program *p, rng *r, unsigned count);

/* Every floating-point operation in every rounding mode on n operand triples. */
typedef struct {
    uint32_t insn;     /* its operands are x5, x6, x7, its result x8 */
    size_t results_at; /* in data: 16 bytes a triple, result and flags */
} fp_case;
#define FP_CASES_MAX 128
#define FP_TRIPLE 24 /* bytes; they stand at the start of data */
unsigned make_fp(program *p, rng *r, size_t n, fp_case cases[FP_CASES_MAX]);

/* Run; `out` gets data_bytes. Return 0, or -1 after having said why on standard output. */
int run_qemu(const program *p, const char *work, uint8_t *out);
int run_ref(const program *p, uint8_t *out);
int step_ref(const program *p, uint8_t *out);

#endif
