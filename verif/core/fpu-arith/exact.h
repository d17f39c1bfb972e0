/* Single-precision arithmetic as docs/isa.md has it, all five rounding modes, computed exactly and rounded once. It shares nothing with RTL or
 * twin; test.c holds it against the host's own arithmetic before it is used.
 *
 * Sums, quotients and roots are formed in double and rounded to odd: the last bit says that something nonzero was cut off. A double has 53 bits, more
 * than twice 24 plus 2, and its exponents reach far below 2^-298, so rounding that value once more gives the exact result's rounding. */
#ifndef FPU_ARITH_EXACT_H
#define FPU_ARITH_EXACT_H
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { RNE = 0, RTZ = 1, RDN = 2, RUP = 3, RMM = 4, DYN = 7 };
enum { NX = 1, UF = 2, OF = 4, DZ = 8, NV = 16 };
#define QNAN 0x7fc00000u

typedef struct {
    uint64_t value;
    unsigned flags;
} exact_t;

static inline double f2d(uint32_t x)
{
    float f;
    memcpy(&f, &x, 4);
    return (double)f;
}
static inline uint64_t d2u(double d)
{
    uint64_t u;
    memcpy(&u, &d, 8);
    return u;
}
static inline double u2d(uint64_t u)
{
    double d;
    memcpy(&d, &u, 8);
    return d;
}
static inline bool is_nan(uint32_t x)
{
    return (x & 0x7fffffff) > 0x7f800000;
}
static inline bool is_snan(uint32_t x)
{
    return is_nan(x) && !(x & 0x400000);
}
static inline bool is_inf(uint32_t x)
{
    return (x & 0x7fffffff) == 0x7f800000;
}
static inline bool is_zero(uint32_t x)
{
    return (x & 0x7fffffff) == 0;
}

static inline exact_t result32(uint32_t v, unsigned flags)
{
    return (exact_t){(uint64_t)(int64_t)(int32_t)v, flags};
}

/* Is m * 2^-drop, of which `cut` says that it lies a little above, rounded up? */
static inline bool rounds_up(uint64_t m, unsigned drop, bool cut, bool sign, int rm)
{
    uint64_t rest, half;
    bool inexact;

    if (drop > 64)
        return (m || cut) && ((rm == RDN && sign) || (rm == RUP && !sign));
    rest = drop == 0 ? 0 : drop == 64 ? m : m & ((1ull << drop) - 1);
    half = drop == 0 ? 0 : 1ull << (drop - 1);
    inexact = rest || cut;
    switch (rm) {
    case RTZ: return false;
    case RDN: return sign && inexact;
    case RUP: return !sign && inexact;
    case RMM: return drop && rest >= half;
    default:
        if (!drop || rest < half)
            return false;
        if (rest > half || cut)
            return true;
        return drop < 64 && (m >> drop & 1);
    }
}

/* sign * (m, and a little more if cut) * 2^e to single precision. m is not 0. */
static inline exact_t round32(bool sign, uint64_t m, int e, bool cut, int rm)
{
    unsigned lz = (unsigned)__builtin_clzll(m), drop, flags = 0;
    int top, utop;
    uint64_t q;
    uint32_t s = (uint32_t)sign << 31;

    m <<= lz;
    e -= (int)lz;
    top = e + 63; /* exponent of the leading bit */
    utop = top + ((m >> 40) == 0xffffff && rounds_up(m, 40, cut, sign, rm));
    drop = top < -126 ? 40 + (unsigned)(-126 - top) : 40;
    q = (drop > 63 ? 0 : m >> drop) + rounds_up(m, drop, cut, sign, rm);
    if (drop > 63 || (m & ((1ull << drop) - 1)) || cut)
        flags |= NX;
    if (utop < -126 && (flags & NX))
        flags |= UF;
    if (q == 1u << 24) {
        q >>= 1;
        top++;
    }
    if (top > 127) {
        bool away = rm == RNE || rm == RMM || (rm == RUP && !sign) || (rm == RDN && sign);
        return result32(s | (away ? 0x7f800000 : 0x7f7fffff), OF | NX);
    }
    if (q < 1u << 23)
        return result32(s | (uint32_t)q, flags);
    if (top < -126)
        top = -126;
    return result32(s | (uint32_t)(top + 127) << 23 | ((uint32_t)q & 0x7fffff), flags);
}

static inline exact_t round_odd(double d, int rm) /* d rounded to odd, not 0 */
{
    uint64_t u = d2u(d);

    return round32(u >> 63, (u & 0xfffffffffffffull) | 1ull << 52, (int)(u >> 52 & 0x7ff) - 1075, false, rm);
}

/* s, from which `err` has been lost, to odd. */
static inline double to_odd(double s, double err)
{
    uint64_t u = d2u(s);

    if (err == 0 || (u & 1))
        return s;
    return u2d((err > 0) == (s > 0) ? u + 1 : u - 1);
}

/* a * b + c. */
static inline exact_t exact_fma(uint32_t a, uint32_t b, uint32_t c, int rm)
{
    bool ps = (a ^ b) >> 31, inv = (is_inf(a) && is_zero(b)) || (is_zero(a) && is_inf(b)),
         pinf = is_inf(a) || is_inf(b);
    unsigned nv = is_snan(a) || is_snan(b) || is_snan(c) || inv ? NV : 0;
    double p, z, s, t, err;

    if (is_nan(a) || is_nan(b) || is_nan(c) || inv)
        return result32(QNAN, nv);
    if (pinf && is_inf(c) && ps != (c >> 31))
        return result32(QNAN, NV);
    if (pinf)
        return result32((uint32_t)ps << 31 | 0x7f800000, 0);
    if (is_inf(c))
        return result32(c, 0);
    p = f2d(a) * f2d(b);
    z = f2d(c);
    s = p + z;
    if (s == 0) { /* no underflow in double: an exact zero */
        bool sign = ps == (c >> 31) ? ps : rm == RDN;
        return result32((uint32_t)sign << 31, 0);
    }
    t = s - p;
    err = (p - (s - t)) + (z - t);
    return round_odd(to_odd(s, err), rm);
}

static inline exact_t exact_mul(uint32_t a, uint32_t b, int rm)
{
    return exact_fma(a, b, (a ^ b) & 0x80000000, rm);
}

static inline exact_t exact_add(uint32_t a, uint32_t b, int rm)
{
    return exact_fma(a, 0x3f800000, b, rm);
}

static inline exact_t exact_div(uint32_t a, uint32_t b, int rm)
{
    uint32_t s = (a ^ b) & 0x80000000;
    double x, y, q;

    if (is_nan(a) || is_nan(b))
        return result32(QNAN, is_snan(a) || is_snan(b) ? NV : 0);
    if ((is_inf(a) && is_inf(b)) || (is_zero(a) && is_zero(b)))
        return result32(QNAN, NV);
    if (is_inf(a))
        return result32(s | 0x7f800000, 0);
    if (is_zero(b))
        return result32(s | 0x7f800000, DZ);
    if (is_zero(a) || is_inf(b))
        return result32(s, 0);
    x = f2d(a);
    y = f2d(b);
    q = x / y;
    return round_odd(to_odd(q, fma(-q, y, x) * (y < 0 ? -1.0 : 1.0)), rm);
}

static inline exact_t exact_sqrt(uint32_t a, int rm)
{
    double x, q;

    if (is_nan(a))
        return result32(QNAN, is_snan(a) ? NV : 0);
    if (is_zero(a))
        return result32(a, 0);
    if (a >> 31)
        return result32(QNAN, NV);
    if (is_inf(a))
        return result32(a, 0);
    x = f2d(a);
    q = sqrt(x);
    return round_odd(to_odd(q, fma(-q, q, x)), rm);
}

/* To an integer of `bits` bits. */
static inline exact_t exact_to_int(uint32_t a, bool uns, unsigned bits, int rm)
{
    bool sign = a >> 31;
    int e = (int)(a >> 23 & 0xff);
    uint64_t m = (a & 0x7fffff) | (e ? 1u << 23 : 0), q, high, low;
    unsigned flags = 0, drop;
    bool out = false;

    high = uns ? (bits == 64 ? ~0ull : 0xffffffffull) : (1ull << (bits - 1)) - 1;
    low = uns ? 0 : 1ull << (bits - 1); /* magnitude of the most negative */
    if (is_nan(a)) {
        sign = false;
        out = true;
        q = 0;
    } else if (e > 190) {
        out = true;
        q = 0;
    } else if (e >= 150) {
        q = m << (e - 150);
    } else {
        drop = (unsigned)(150 - (e ? e : 1));
        q = (drop > 63 ? 0 : m >> drop) + rounds_up(m, drop, false, sign, rm);
        if (drop > 63 ? m != 0 : (m & ((1ull << drop) - 1)) != 0)
            flags = NX;
    }
    if (out || (sign ? q > low : q > high)) {
        q = sign ? low : high;
        flags = NV;
    }
    if (sign)
        q = -q;
    return (exact_t){bits == 32 ? (uint64_t)(int64_t)(int32_t)q : q, flags};
}

static inline exact_t exact_from_int(uint64_t a, bool uns, unsigned bits, int rm)
{
    bool sign;

    if (bits == 32)
        a = uns ? (uint32_t)a : (uint64_t)(int64_t)(int32_t)a;
    sign = !uns && a >> 63;
    if (a == 0)
        return result32(0, 0);
    return round32(sign, sign ? -a : a, 0, false, rm);
}

static inline exact_t exact_minmax(uint32_t a, uint32_t b, bool max)
{
    unsigned nv = is_snan(a) || is_snan(b) ? NV : 0;
    bool less;

    if (is_nan(a) && is_nan(b))
        return result32(QNAN, nv);
    if (is_nan(a))
        return result32(b, nv);
    if (is_nan(b))
        return result32(a, nv);
    less = f2d(a) < f2d(b) || (is_zero(a) && is_zero(b) && a >> 31);
    return result32(less != max ? a : b, nv);
}

/* 0 le, 1 lt, 2 eq */
static inline exact_t exact_cmp(uint32_t a, uint32_t b, int which)
{
    if (is_nan(a) || is_nan(b))
        return result32(0, which != 2 || is_snan(a) || is_snan(b) ? NV : 0);
    return result32(which == 0 ? f2d(a) <= f2d(b) : which == 1 ? f2d(a) < f2d(b) : f2d(a) == f2d(b), 0);
}

static inline exact_t exact_class(uint32_t a)
{
    bool s = a >> 31;
    unsigned bit;

    if (is_nan(a))
        bit = is_snan(a) ? 8 : 9;
    else if (is_inf(a))
        bit = s ? 0 : 7;
    else if (is_zero(a))
        bit = s ? 3 : 4;
    else if ((a & 0x7f800000) == 0)
        bit = s ? 2 : 5;
    else
        bit = s ? 1 : 6;
    return result32(1u << bit, 0);
}
#endif
