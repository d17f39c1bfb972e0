/*
 * Zfinx arithmetic. Where the host's single precision does what RISC-V asks (x86 SSE: tininess after rounding, four of the five
 * rounding modes), the host does it, and its sticky flags are read only when they are asked for. Everything else, rounding to nearest
 * with ties away above all, goes through double precision rounded to odd, which loses nothing that the last rounding needs:
 * a double has more than 24 + 2 bits of significand and its range covers every result and every residue.
 * Conversions are integer arithmetic.
 */
#include "sim_c/ref/fp.h"

#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#define HOST_FITS 1
#else
#define HOST_FITS 0
#endif

#pragma STDC FENV_ACCESS ON

#define QNAN 0x7fc00000u
#define SIGN 0x80000000u
#define INF 0x7f800000u

static bool is_nan(uint32_t a)
{
    return (a & ~SIGN) > INF;
}
static bool is_snan(uint32_t a)
{
    return is_nan(a) && !(a & 0x400000);
}

static float as_float(uint32_t a)
{
    float f;
    memcpy(&f, &a, 4);
    return f;
}

static uint32_t as_bits(float f)
{
    uint32_t a;
    memcpy(&a, &f, 4);
    return is_nan(a) ? QNAN : a;
}

/* ---- the host's floating-point state ---------------------------------------------------------------------------- */

#if HOST_FITS
_Static_assert(sizeof(fp_saved) >= sizeof(unsigned), "");
static const unsigned rounding_bits[4] = {0x0000, 0x6000, 0x2000, 0x4000}; /* of MXCSR, by rm */

void fp_enter(fp_saved *s)
{
    unsigned csr = _mm_getcsr();
    memcpy(s, &csr, sizeof csr);
    _mm_setcsr(0x1f80); /* all exceptions masked, none raised, nearest, no flush to zero */
}

void fp_leave(const fp_saved *s)
{
    unsigned csr;
    memcpy(&csr, s, sizeof csr);
    _mm_setcsr(csr);
}

static uint32_t take_flags(void)
{
    unsigned csr = _mm_getcsr();
    if (!(csr & 0x3f))
        return 0;
    _mm_setcsr(csr & ~0x3fu);
    return (csr & 0x01 ? FP_NV : 0) | (csr & 0x04 ? FP_DZ : 0) | (csr & 0x08 ? FP_OF : 0) | (csr & 0x10 ? FP_UF : 0)
           | (csr & 0x20 ? FP_NX : 0);
}

static void round_as(unsigned rm)
{
    _mm_setcsr((_mm_getcsr() & ~0x6000u) | rounding_bits[rm]);
}
#else
_Static_assert(sizeof(fp_saved) >= sizeof(fenv_t), "");

void fp_enter(fp_saved *s)
{
    fenv_t e;
    feholdexcept(&e);
    memcpy(s, &e, sizeof e);
    fesetround(FE_TONEAREST);
}

void fp_leave(const fp_saved *s)
{
    fenv_t e;
    memcpy(&e, s, sizeof e);
    fesetenv(&e);
}

static uint32_t take_flags(void)
{
    int f = fetestexcept(FE_ALL_EXCEPT);
    feclearexcept(FE_ALL_EXCEPT);
    return (f & FE_INVALID ? FP_NV : 0) | (f & FE_DIVBYZERO ? FP_DZ : 0) | (f & FE_OVERFLOW ? FP_OF : 0)
           | (f & FE_UNDERFLOW ? FP_UF : 0) | (f & FE_INEXACT ? FP_NX : 0);
}

static void round_as(unsigned rm)
{
    fesetround(rm == FP_RTZ ? FE_TOWARDZERO : FE_TONEAREST);
}
#endif

void fp_collect(uint32_t *flags)
{
    *flags |= take_flags();
}

/* ---- rounding by hand ------------------------------------------------------------------------------------------- */

/* Whether a magnitude is rounded up, given its last bit kept, the first bit lost, and whether any bit after that is lost. */
static bool rounds_up(unsigned rm, bool sign, bool last, bool half, bool sticky)
{
    switch (rm) {
    case FP_RNE: return half && (sticky || last);
    case FP_RTZ: return false;
    case FP_RDN: return sign && (half || sticky);
    case FP_RUP: return !sign && (half || sticky);
    default: return half;
    }
}

/* v >> n, rounded; *lost tells whether it is inexact. n <= 64. */
static uint64_t shift_round(uint64_t v, unsigned n, unsigned rm, bool sign, bool *lost)
{
    *lost = false;
    if (n == 0)
        return v;
    bool half = v >> (n - 1) & 1, sticky = v & ((1ull << (n - 1)) - 1);
    uint64_t q = n == 64 ? 0 : v >> n;
    *lost = half || sticky;
    return q + rounds_up(rm, sign, q & 1, half, sticky);
}

/* The single nearest to +-sig * 2^exp in the sense of rm; sig is not 0. */
static uint32_t pack(bool sign, uint64_t sig, int exp, unsigned rm, uint32_t *flags)
{
    int up = __builtin_clzll(sig);
    sig <<= up;
    int biased = exp - up + 63 + 127; /* of the leading one, now bit 63 */
    bool lost, ignored;
    uint32_t s = sign ? SIGN : 0;
    if (biased >= 1) {
        uint64_t m = shift_round(sig, 40, rm, sign, &lost);
        if (m >> 24)
            m >>= 1, biased++;
        if (biased >= 255) {
            *flags |= FP_OF | FP_NX;
            bool to_inf = rm == FP_RNE || rm == FP_RMM || (rm == FP_RUP && !sign) || (rm == FP_RDN && sign);
            return s | (to_inf ? INF : INF - 1);
        }
        if (lost)
            *flags |= FP_NX;
        return s | (uint32_t)biased << 23 | ((uint32_t)m & 0x7fffff);
    }
    /* Subnormal, unless rounding to 24 bits with an unbounded exponent would reach the smallest normal number. */
    bool tiny = biased < 0 || !(shift_round(sig, 40, rm, sign, &ignored) >> 24);
    int n = 41 - biased;
    if (n > 64)
        sig = 1, n = 64; /* far below the last bit: only "not zero" matters, and it is less than half */
    uint64_t m = shift_round(sig, (unsigned)n, rm, sign, &lost);
    if (lost)
        *flags |= FP_NX | (tiny ? FP_UF : 0);
    return s | (uint32_t)m; /* a carry into bit 23 makes the smallest normal number */
}

enum operation { ADD, SUB, MUL, DIV, SQRT, FMA };

/* Any operation in any rounding mode, through a double rounded to odd. */
static uint32_t exact(enum operation op, uint32_t a, uint32_t b, uint32_t c, unsigned rm, uint32_t *flags)
{
    fp_collect(flags);
    round_as(FP_RTZ);
    double x = as_float(a), y = as_float(b), z = as_float(c), r;
    switch (op) {
    case ADD: r = x + y; break;
    case SUB: r = x - y; break;
    case MUL: r = x * y; break;
    case DIV: r = x / y; break;
    case SQRT: r = __builtin_sqrt(x); break;
    default:
        r = x * y; /* exact: 48 bits */
        r = r + z;
        break;
    }
    uint64_t bits;
    memcpy(&bits, &r, 8);
    uint32_t raised = take_flags();
    round_as(FP_RNE);
    bool sign = bits >> 63;
    int exp = (int)(bits >> 52 & 2047);
    *flags |= raised & (FP_NV | FP_DZ);
    if (isnan(r))
        return QNAN;
    if (exp == 2047)
        return INF | (sign ? SIGN : 0);
    if (r == 0) {
        /* An exact zero sum of unlike signs is -0 when rounding down; RTZ gave +0. */
        bool cancels = op == ADD || op == SUB || op == FMA;
        bool like = cancels
                    && (op == FMA   ? ((a ^ b ^ c) & SIGN) == 0
                        : op == ADD ? ((a ^ b) & SIGN) == 0
                                    : ((a ^ b) & SIGN) != 0);
        if (cancels && !like && rm == FP_RDN)
            sign = true;
        return sign ? SIGN : 0;
    }
    if (raised & FP_NX)
        bits |= 1;
    return pack(sign, (bits & ((1ull << 52) - 1)) | 1ull << 52, exp - 1075, rm, flags);
}

#if HOST_FITS
/* expr in the host's single precision, the mode set for it alone. */
#define ON_HOST(op, a, b, c, expr)                        \
    do {                                                  \
        if (rm == FP_RNE) return as_bits(expr);           \
        if (rm == FP_RMM) return exact(op, a, b, c, rm, flags); \
        round_as(rm);                                     \
        uint32_t result = as_bits(expr);                  \
        round_as(FP_RNE);                                 \
        return result;                                    \
    } while (0)
#else
#define ON_HOST(op, a, b, c, expr) return exact(op, a, b, c, rm, flags)
#endif

uint32_t fp_add(uint32_t a, uint32_t b, unsigned rm, uint32_t *flags)
{
    ON_HOST(ADD, a, b, 0, as_float(a) + as_float(b));
}

uint32_t fp_sub(uint32_t a, uint32_t b, unsigned rm, uint32_t *flags)
{
    ON_HOST(SUB, a, b, 0, as_float(a) - as_float(b));
}

uint32_t fp_mul(uint32_t a, uint32_t b, unsigned rm, uint32_t *flags)
{
    ON_HOST(MUL, a, b, 0, as_float(a) * as_float(b));
}

uint32_t fp_div(uint32_t a, uint32_t b, unsigned rm, uint32_t *flags)
{
    ON_HOST(DIV, a, b, 0, as_float(a) / as_float(b));
}

uint32_t fp_sqrt(uint32_t a, unsigned rm, uint32_t *flags)
{
    ON_HOST(SQRT, a, 0, 0, __builtin_sqrtf(as_float(a)));
}

uint32_t fp_fma(uint32_t a, uint32_t b, uint32_t c, unsigned rm, uint32_t *flags)
{
    /* Infinity times zero is invalid even when c is a quiet NaN; hosts differ in that. */
    bool inf_zero = ((a & ~SIGN) == INF && (b & ~SIGN) == 0) || ((a & ~SIGN) == 0 && (b & ~SIGN) == INF);
    if (inf_zero) {
        *flags |= FP_NV;
        return QNAN;
    }
    ON_HOST(FMA, a, b, c, fmaf(as_float(a), as_float(b), as_float(c)));
}

/* ---- comparisons ------------------------------------------------------------------------------------------------- */

/* Orders all numbers as signed integers, -0 just below +0. */
static int32_t key(uint32_t a)
{
    return (int32_t)(a & SIGN ? ~(a & ~SIGN) : a);
}

static bool less(uint32_t a, uint32_t b)
{
    return ((a | b) & ~SIGN) != 0 && key(a) < key(b);
}

static uint32_t min_max(uint32_t a, uint32_t b, bool want_b, uint32_t *flags)
{
    if (is_snan(a) || is_snan(b))
        *flags |= FP_NV;
    if (is_nan(a))
        return is_nan(b) ? QNAN : b;
    if (is_nan(b))
        return a;
    return want_b ? b : a;
}

uint32_t fp_min(uint32_t a, uint32_t b, uint32_t *flags)
{
    return min_max(a, b, key(b) < key(a), flags);
}
uint32_t fp_max(uint32_t a, uint32_t b, uint32_t *flags)
{
    return min_max(a, b, key(b) > key(a), flags);
}

uint32_t fp_eq(uint32_t a, uint32_t b, uint32_t *flags)
{
    if (is_snan(a) || is_snan(b))
        *flags |= FP_NV;
    if (is_nan(a) || is_nan(b))
        return 0;
    return a == b || ((a | b) & ~SIGN) == 0;
}

uint32_t fp_lt(uint32_t a, uint32_t b, uint32_t *flags)
{
    if (is_nan(a) || is_nan(b)) {
        *flags |= FP_NV;
        return 0;
    }
    return less(a, b);
}

uint32_t fp_le(uint32_t a, uint32_t b, uint32_t *flags)
{
    if (is_nan(a) || is_nan(b)) {
        *flags |= FP_NV;
        return 0;
    }
    return !less(b, a);
}

uint32_t fp_class(uint32_t a)
{
    uint32_t m = a & ~SIGN;
    if (is_nan(a))
        return is_snan(a) ? 1u << 8 : 1u << 9;
    unsigned kind = m == INF ? 0 : m >= 0x800000 ? 1 : m ? 2 : 3; /* infinite, normal, subnormal, zero */
    return 1u << (a & SIGN ? kind : 7 - kind);
}

/* ---- conversions ------------------------------------------------------------------------------------------------- */

/* Rounds to an integer and clamps it to [-low, high]; NaN counts as too large. Two's complement. */
static uint64_t to_integer(uint32_t a, unsigned rm, uint64_t low, uint64_t high, uint32_t *flags)
{
    bool sign = a & SIGN, lost = false;
    int exp = (int)(a >> 23 & 255);
    uint64_t m = a & 0x7fffff;
    if (is_nan(a)) {
        *flags |= FP_NV;
        return high;
    }
    if (exp)
        m |= 0x800000;
    else
        exp = 1;
    int shift = exp - 150; /* the value is m * 2^shift */
    bool huge = shift > 40;
    if (!huge && shift >= 0)
        m <<= shift;
    else if (!huge)
        m = shift_round(m, shift < -64 ? 64 : (unsigned)-shift, rm, sign, &lost);
    if (huge || m > (sign ? low : high)) {
        *flags |= FP_NV;
        return sign ? -low : high;
    }
    if (lost)
        *flags |= FP_NX;
    return sign ? -m : m;
}

int32_t fp_to_w(uint32_t a, unsigned rm, uint32_t *flags)
{
    return (int32_t)to_integer(a, rm, 1ull << 31, INT32_MAX, flags);
}
uint32_t fp_to_wu(uint32_t a, unsigned rm, uint32_t *flags)
{
    return (uint32_t)to_integer(a, rm, 0, UINT32_MAX, flags);
}
int64_t fp_to_l(uint32_t a, unsigned rm, uint32_t *flags)
{
    return (int64_t)to_integer(a, rm, 1ull << 63, INT64_MAX, flags);
}
uint64_t fp_to_lu(uint32_t a, unsigned rm, uint32_t *flags)
{
    return to_integer(a, rm, 0, UINT64_MAX, flags);
}

uint32_t fp_from_lu(uint64_t v, unsigned rm, uint32_t *flags)
{
    return v ? pack(false, v, 0, rm, flags) : 0;
}
uint32_t fp_from_l(int64_t v, unsigned rm, uint32_t *flags)
{
    return v < 0 ? pack(true, -(uint64_t)v, 0, rm, flags) : fp_from_lu((uint64_t)v, rm, flags);
}
