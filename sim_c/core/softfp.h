/*
 * binary32 arithmetic of the twins of fpu and fdiv, on bit patterns: results, exception flags and NaNs as docs/blocks/fpu.md has them.
 * `rm` is a rounding mode 0..4; flags are ORed into *flags.
 *
 * The sf_int_ functions are exact integer arithmetic and know every case. sf_add, sf_mul and sf_fma give the same, but use the host's
 * binary64 where it is exact: rounding to nearest even, a result that is zero or normal. They need the
 * host in its default state (nearest even, no flushing).
 */
#ifndef SIM_C_CORE_SOFTFP_H
#define SIM_C_CORE_SOFTFP_H
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SF_NX = 1, SF_UF = 2, SF_OF = 4, SF_DZ = 8, SF_NV = 16 };
enum { SF_RNE, SF_RTZ, SF_RDN, SF_RUP, SF_RMM };
#define SF_SIGN 0x80000000u
#define SF_INF 0x7f800000u
#define SF_QNAN 0x7fc00000u

static inline bool sf_is_nan(uint32_t a)
{
    return (a & ~SF_SIGN) > SF_INF;
}
static inline bool sf_is_snan(uint32_t a)
{
    return sf_is_nan(a) && !(a & 0x00400000);
}
static inline bool sf_is_inf(uint32_t a)
{
    return (a & ~SF_SIGN) == SF_INF;
}
static inline bool sf_is_zero(uint32_t a)
{
    return !(a & ~SF_SIGN);
}

uint32_t sf_int_add(uint32_t a, uint32_t b, unsigned rm, unsigned *flags);
uint32_t sf_int_mul(uint32_t a, uint32_t b, unsigned rm, unsigned *flags);
uint32_t sf_int_fma(uint32_t a, uint32_t b, uint32_t c, unsigned rm, unsigned *flags); /* a*b + c */

uint32_t sf_div(uint32_t a, uint32_t b, unsigned rm, unsigned *flags);
uint32_t sf_sqrt(uint32_t a, unsigned rm, unsigned *flags);

uint32_t sf_min(uint32_t a, uint32_t b, unsigned *flags);
uint32_t sf_max(uint32_t a, uint32_t b, unsigned *flags);
bool sf_eq(uint32_t a, uint32_t b, unsigned *flags);
bool sf_lt(uint32_t a, uint32_t b, unsigned *flags);
bool sf_le(uint32_t a, uint32_t b, unsigned *flags);
unsigned sf_class(uint32_t a); /* one of ten bits */

/* To an integer of 32 or 64 bits, saturating; not extended. From the integer with the 64-bit (extended) form v. */
uint64_t sf_to_int(uint32_t a, unsigned width, bool is_signed, unsigned rm, unsigned *flags);
uint32_t sf_from_int(uint64_t v, bool is_signed, unsigned rm, unsigned *flags);

/* ---- the short way ---------------------------------------------------------------------------------------------- */
static inline double sf_to_double(uint32_t a)
{
    float f;
    memcpy(&f, &a, sizeof f);
    return f;
}

/* Rounds s to nearest even. False if the result is not zero or normal (and when s is NaN): *r and *flags are as before then. */
static inline bool sf_narrow(double s, uint32_t *r, unsigned *flags)
{
    uint64_t size;
    memcpy(&size, &s, sizeof size);
    size &= ~0ull >> 1;
    /* 2^-126 .. the largest binary32, as binary64 */
    if (size - 0x3810000000000000 > 0x47efffffe0000000 - 0x3810000000000000 && size)
        return false;
    float f = (float)s;
    memcpy(r, &f, sizeof f);
    *flags |= (double)f != s; /* SF_NX */
    return true;
}

/*
 * x + y, rounded to odd: the sum if it is exact, else its neighbour with a last bit of 1. Rounding that to 24 bits is
 * rounding the exact sum. The error of the sum is exact (Knuth's two-sum; no double here is near overflow or underflow). Infinities
 * make it NaN or leave it infinite, sf_narrow refuses both.
 */
static inline double sf_sum_to_odd(double x, double y)
{
#pragma STDC FP_CONTRACT OFF
    double s = x + y, v = s - x, err = (x - (s - v)) + (y - v);
    uint64_t w, e;
    memcpy(&w, &s, sizeof w);
    memcpy(&e, &err, sizeof e);
    if (err != 0 && !(w & 1))
        w += (int64_t)(e ^ w) < 0 ? ~0ull : 1;
    memcpy(&s, &w, sizeof s);
    return s;
}

static inline uint32_t sf_add(uint32_t a, uint32_t b, unsigned rm, unsigned *flags)
{
    uint32_t r;
    if (rm == SF_RNE && sf_narrow(sf_sum_to_odd(sf_to_double(a), sf_to_double(b)), &r, flags))
        return r;
    return sf_int_add(a, b, rm, flags);
}

/* A product of two binary32 is exact in binary64. */
static inline uint32_t sf_mul(uint32_t a, uint32_t b, unsigned rm, unsigned *flags)
{
    uint32_t r;
    if (rm == SF_RNE && sf_narrow(sf_to_double(a) * sf_to_double(b), &r, flags))
        return r;
    return sf_int_mul(a, b, rm, flags);
}

static inline uint32_t sf_fma(uint32_t a, uint32_t b, uint32_t c, unsigned rm, unsigned *flags)
{
#pragma STDC FP_CONTRACT OFF
    uint32_t r;
    double product = sf_to_double(a) * sf_to_double(b);
    if (rm == SF_RNE && sf_narrow(sf_sum_to_odd(product, sf_to_double(c)), &r, flags))
        return r;
    return sf_int_fma(a, b, c, rm, flags);
}
#endif
