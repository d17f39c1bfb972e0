/*
 * Single-precision arithmetic as Zfinx has it, on bit patterns. Rounding modes are the numbers of frm (0..4).
 *
 * Between fp_enter() and fp_leave() exceptions accumulate partly in the host's own sticky flags, partly in the `flags` that are passed
 * along; fp_collect() moves the host's to `flags`. fp_leave() gives the host's state back as it was.
 */
#ifndef REF_FP_H
#define REF_FP_H
#include <stdint.h>

enum { FP_NX = 1, FP_UF = 2, FP_OF = 4, FP_DZ = 8, FP_NV = 16 };
enum { FP_RNE, FP_RTZ, FP_RDN, FP_RUP, FP_RMM };

typedef struct {
    unsigned char host[64];
} fp_saved;
void fp_enter(fp_saved *s);
void fp_collect(uint32_t *flags);
void fp_leave(const fp_saved *s);

uint32_t fp_add(uint32_t a, uint32_t b, unsigned rm, uint32_t *flags);
uint32_t fp_sub(uint32_t a, uint32_t b, unsigned rm, uint32_t *flags);
uint32_t fp_mul(uint32_t a, uint32_t b, unsigned rm, uint32_t *flags);
uint32_t fp_div(uint32_t a, uint32_t b, unsigned rm, uint32_t *flags);
uint32_t fp_sqrt(uint32_t a, unsigned rm, uint32_t *flags);
uint32_t fp_fma(uint32_t a, uint32_t b, uint32_t c, unsigned rm, uint32_t *flags); /* a*b + c */

uint32_t fp_min(uint32_t a, uint32_t b, uint32_t *flags);
uint32_t fp_max(uint32_t a, uint32_t b, uint32_t *flags);
uint32_t fp_eq(uint32_t a, uint32_t b, uint32_t *flags);
uint32_t fp_lt(uint32_t a, uint32_t b, uint32_t *flags);
uint32_t fp_le(uint32_t a, uint32_t b, uint32_t *flags);
uint32_t fp_class(uint32_t a);

/* To integers, saturating. */
int32_t fp_to_w(uint32_t a, unsigned rm, uint32_t *flags);
uint32_t fp_to_wu(uint32_t a, unsigned rm, uint32_t *flags);
int64_t fp_to_l(uint32_t a, unsigned rm, uint32_t *flags);
uint64_t fp_to_lu(uint32_t a, unsigned rm, uint32_t *flags);

uint32_t fp_from_l(int64_t v, unsigned rm, uint32_t *flags);
uint32_t fp_from_lu(uint64_t v, unsigned rm, uint32_t *flags);

#endif
