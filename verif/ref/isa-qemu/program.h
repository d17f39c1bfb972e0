/* A program that can run under qemu and on the reference: code and data in one image that differs in its last instructions alone.
 * Its results in `data` are compared. */
#ifndef PROGRAM_H
#define PROGRAM_H
#include "verif/ref/lib/code.h"

/* `count` random bodies; the data holds one area of AREA bytes a body. */
#define AREA 2048
#define AREA_INIT 1024  /* initial x1..x30 at 8 * number, fcsr at 0 */
#define AREA_STATE 1536 /* final ones, the same way */
void make_random(program *p, rng *r, unsigned count);

/* Every floating-point operation in every rounding mode on n operand triples. */
typedef struct {
    uint32_t insn; /* its operands are x5, x6, x7, its result x8 */
    size_t results_at; /* in data: 16 bytes a triple, result and flags */
} fp_case;
#define FP_CASES_MAX 128
#define FP_TRIPLE 24 /* bytes; they stand at the start of data */
unsigned make_fp(program *p, rng *r, size_t n, fp_case cases[FP_CASES_MAX]);

/* Run; `out` gets data_bytes. Return 0, or -1 after the reason has been printed on standard output. */
int run_qemu(const program *p, const char *work, uint8_t *out);
int run_ref(const program *p, uint8_t *out);
int step_ref(const program *p, uint8_t *out);

#endif
