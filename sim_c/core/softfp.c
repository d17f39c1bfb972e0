/* See softfp.h. */
#include "sim_c/core/softfp.h"
#include <math.h>

typedef unsigned __int128 wide_t;

/* A number other than zero: sig * 2^exp, bit 63 of sig is 1. */
typedef struct {
    bool minus;
    int exp;
    uint64_t sig;
} num_t;

static num_t normal(bool minus, int exp, uint64_t sig)
{
    int n = __builtin_clzll(sig);
    return (num_t){minus, exp - n, sig << n};
}

static num_t unpack(uint32_t a)
{
    unsigned e = a >> 23 & 255, frac = a & 0x7fffff;
    return e ? normal(a >> 31, (int)e - 150, frac | 0x800000) : normal(a >> 31, -149, frac);
}

/* Whether a magnitude is rounded up: its last bit, and the part cut off in units where half is 2^63. */
static bool rounds_up(bool minus, bool odd, uint64_t cut, unsigned rm)
{
    const uint64_t half = 1ull << 63;
    switch (rm) {
    case SF_RNE: return cut > half || (cut == half && odd);
    case SF_RDN: return minus && cut;
    case SF_RUP: return !minus && cut;
    case SF_RMM: return cut >= half;
    default: return false;
    }
}

/* Bit 0 of n.sig may stand for anything below it that is not zero. */
static uint32_t pack(num_t n, unsigned rm, unsigned *flags)
{
    uint32_t sign = n.minus ? SF_SIGN : 0;
    int e = n.exp + 63 + 127; /* the exponent field */
    uint32_t m = (uint32_t)(n.sig >> 40);
    uint64_t cut = n.sig << 24;
    bool up = rounds_up(n.minus, m & 1, cut, rm), tiny = false;
    if (e <= 0) {
        tiny = !(e == 0 && up && m == 0xffffff); /* with unbounded exponent it would not reach 2^-126 */
        unsigned shift = (unsigned)(1 - e);
        uint64_t sig = shift < 64 ? n.sig >> shift | (n.sig << (64 - shift) != 0) : 1;
        m = (uint32_t)(sig >> 40);
        cut = sig << 24;
        up = rounds_up(n.minus, m & 1, cut, rm);
        e = 1;
    }
    m += up;
    if (m >> 24) {
        m >>= 1;
        e++;
    }
    if (e >= 255) {
        *flags |= SF_OF | SF_NX;
        bool inf = rm == SF_RNE || rm == SF_RMM || rm == (n.minus ? SF_RDN : SF_RUP);
        return sign | (inf ? SF_INF : SF_INF - 1);
    }
    if (cut)
        *flags |= tiny ? SF_UF | SF_NX : SF_NX;
    return sign | ((((uint32_t)e - 1) << 23) + m); /* the hidden bit counts as one in the exponent */
}

static uint32_t invalid(unsigned *flags)
{
    *flags |= SF_NV;
    return SF_QNAN;
}

static uint32_t nan_of(bool signalling, unsigned *flags)
{
    *flags |= signalling ? SF_NV : 0;
    return SF_QNAN;
}

/* Each has 48 significant bits at most. */
static uint32_t sum(num_t a, num_t b, unsigned rm, unsigned *flags)
{
    if (a.exp < b.exp || (a.exp == b.exp && a.sig < b.sig)) {
        num_t t = a;
        a = b;
        b = t;
    }
    wide_t x = (wide_t)a.sig << 63, y = (wide_t)b.sig << 63;
    int shift = a.exp - b.exp;
    if (shift >= 127)
        y = 1;
    else if (shift)
        y = y >> shift | (y << (128 - shift) != 0);
    x = a.minus == b.minus ? x + y : x - y;
    if (!x)
        return rm == SF_RDN ? SF_SIGN : 0;
    uint64_t high = (uint64_t)(x >> 64);
    int n = high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)x);
    x <<= n;
    return pack((num_t){a.minus, a.exp + 1 - n, (uint64_t)(x >> 64) | ((uint64_t)x != 0)}, rm, flags);
}

static uint32_t sum_of_zeros(uint32_t a, uint32_t b, unsigned rm)
{
    return a == b ? a : rm == SF_RDN ? SF_SIGN : 0;
}

uint32_t sf_int_add(uint32_t a, uint32_t b, unsigned rm, unsigned *flags)
{
    if (sf_is_nan(a) || sf_is_nan(b))
        return nan_of(sf_is_snan(a) || sf_is_snan(b), flags);
    if (sf_is_inf(a))
        return sf_is_inf(b) && a != b ? invalid(flags) : a;
    if (sf_is_inf(b))
        return b;
    if (sf_is_zero(b))
        return sf_is_zero(a) ? sum_of_zeros(a, b, rm) : a;
    if (sf_is_zero(a))
        return b;
    return sum(unpack(a), unpack(b), rm, flags);
}

static num_t product(uint32_t a, uint32_t b)
{
    num_t x = unpack(a), y = unpack(b);
    return normal(x.minus != y.minus, x.exp + y.exp + 80, (x.sig >> 40) * (y.sig >> 40));
}

uint32_t sf_int_mul(uint32_t a, uint32_t b, unsigned rm, unsigned *flags)
{
    uint32_t sign = (a ^ b) & SF_SIGN;
    if (sf_is_nan(a) || sf_is_nan(b))
        return nan_of(sf_is_snan(a) || sf_is_snan(b), flags);
    if (sf_is_inf(a) || sf_is_inf(b))
        return sf_is_zero(a) || sf_is_zero(b) ? invalid(flags) : sign | SF_INF;
    if (sf_is_zero(a) || sf_is_zero(b))
        return sign;
    return pack(product(a, b), rm, flags);
}

uint32_t sf_int_fma(uint32_t a, uint32_t b, uint32_t c, unsigned rm, unsigned *flags)
{
    uint32_t sign = (a ^ b) & SF_SIGN;
    bool inf = sf_is_inf(a) || sf_is_inf(b), zero = sf_is_zero(a) || sf_is_zero(b);
    bool nan = sf_is_nan(a) || sf_is_nan(b);
    if (!nan && inf && zero)
        return invalid(flags);
    if (nan || sf_is_nan(c))
        return nan_of(sf_is_snan(a) || sf_is_snan(b) || sf_is_snan(c), flags);
    if (inf)
        return sf_is_inf(c) && (c & SF_SIGN) != sign ? invalid(flags) : sign | SF_INF;
    if (sf_is_inf(c))
        return c;
    if (zero)
        return sf_is_zero(c) ? sum_of_zeros(sign, c, rm) : c;
    if (sf_is_zero(c))
        return pack(product(a, b), rm, flags);
    return sum(product(a, b), unpack(c), rm, flags);
}

uint32_t sf_div(uint32_t a, uint32_t b, unsigned rm, unsigned *flags)
{
    uint32_t sign = (a ^ b) & SF_SIGN;
    if (sf_is_nan(a) || sf_is_nan(b))
        return nan_of(sf_is_snan(a) || sf_is_snan(b), flags);
    if (sf_is_inf(a))
        return sf_is_inf(b) ? invalid(flags) : sign | SF_INF;
    if (sf_is_inf(b))
        return sign;
    if (sf_is_zero(b)) {
        if (sf_is_zero(a))
            return invalid(flags);
        *flags |= SF_DZ;
        return sign | SF_INF;
    }
    if (sf_is_zero(a))
        return sign;
    num_t x = unpack(a), y = unpack(b);
    uint64_t dividend = x.sig >> 2,
             divisor = y.sig >> 40; /* 38 bits more than the divisor: 38 or 39 bits of quotient */
    uint64_t q = dividend / divisor, rest = dividend - q * divisor;
    return pack(normal(sign != 0, x.exp - y.exp - 39, q << 1 | (rest != 0)), rm, flags);
}

uint32_t sf_sqrt(uint32_t a, unsigned rm, unsigned *flags)
{
    if (sf_is_nan(a))
        return nan_of(sf_is_snan(a), flags);
    if (sf_is_zero(a))
        return a;
    if (a & SF_SIGN)
        return invalid(flags);
    if (sf_is_inf(a))
        return a;
    num_t x = unpack(a);
    unsigned cut = x.exp & 1 ? 13 : 12; /* 52 or 51 bits and an even exponent */
    uint64_t square = x.sig >> cut, root = (uint64_t)sqrt((double)square);
    while (root * root > square)
        root--;
    while ((root + 1) * (root + 1) <= square)
        root++;
    return pack(normal(false, (x.exp + (int)cut) / 2 - 1, root << 1 | (root * root != square)), rm, flags);
}

/* Numbers in the order of the integers (-0 just below +0). */
static int32_t order(uint32_t a)
{
    return (int32_t)(a & SF_SIGN ? ~(a & ~SF_SIGN) : a);
}

static uint32_t lesser(uint32_t a, uint32_t b, bool want_greater, unsigned *flags)
{
    if (sf_is_snan(a) || sf_is_snan(b))
        *flags |= SF_NV;
    if (sf_is_nan(a))
        return sf_is_nan(b) ? SF_QNAN : b;
    if (sf_is_nan(b))
        return a;
    return (order(a) < order(b)) != want_greater ? a : b;
}

uint32_t sf_min(uint32_t a, uint32_t b, unsigned *flags)
{
    return lesser(a, b, false, flags);
}

uint32_t sf_max(uint32_t a, uint32_t b, unsigned *flags)
{
    return lesser(a, b, true, flags);
}

bool sf_eq(uint32_t a, uint32_t b, unsigned *flags)
{
    if (sf_is_snan(a) || sf_is_snan(b))
        *flags |= SF_NV;
    return (a == b && !sf_is_nan(a)) || (sf_is_zero(a) && sf_is_zero(b));
}

/* Not for NaNs: those are noted. */
static bool ordered(uint32_t a, uint32_t b, unsigned *flags)
{
    bool nan = sf_is_nan(a) || sf_is_nan(b);
    *flags |= nan ? SF_NV : 0;
    return !nan;
}

bool sf_lt(uint32_t a, uint32_t b, unsigned *flags)
{
    return ordered(a, b, flags) && order(a) < order(b) && !(sf_is_zero(a) && sf_is_zero(b));
}

bool sf_le(uint32_t a, uint32_t b, unsigned *flags)
{
    return ordered(a, b, flags) && (order(a) <= order(b) || (sf_is_zero(a) && sf_is_zero(b)));
}

unsigned sf_class(uint32_t a)
{
    bool minus = a & SF_SIGN;
    if (sf_is_nan(a))
        return sf_is_snan(a) ? 1 << 8 : 1 << 9;
    if (sf_is_inf(a))
        return minus ? 1 << 0 : 1 << 7;
    if (sf_is_zero(a))
        return minus ? 1 << 3 : 1 << 4;
    if (!(a & SF_INF))
        return minus ? 1 << 2 : 1 << 5;
    return minus ? 1 << 1 : 1 << 6;
}

uint64_t sf_to_int(uint32_t a, unsigned width, bool is_signed, unsigned rm, unsigned *flags)
{
    bool minus = a & SF_SIGN, fits = !(sf_is_nan(a) || sf_is_inf(a));
    const uint64_t all = ~0ull >> (64 - width), top = all / 2 + 1;
    uint64_t size = 0, cut = 0;
    if (fits && !sf_is_zero(a)) {
        num_t n = unpack(a);
        if (n.exp > 0) {
            fits = false; /* 2^64 and more */
        } else {
            unsigned shift = (unsigned)-n.exp;
            size = shift < 64 ? n.sig >> shift : 0;
            cut = !shift ? 0 : shift < 64 ? n.sig << (64 - shift) : shift == 64 ? n.sig : 1;
            size += rounds_up(minus, size & 1, cut, rm);
        }
    }
    if (fits && (is_signed ? size < top || (minus && size == top) : minus ? !size : size <= all)) {
        *flags |= cut ? SF_NX : 0;
        return (minus ? -size : size) & all;
    }
    *flags |= SF_NV;
    bool low = minus && !sf_is_nan(a);
    return is_signed ? (low ? top : top - 1) : low ? 0 : all;
}

uint32_t sf_from_int(uint64_t v, bool is_signed, unsigned rm, unsigned *flags)
{
    bool minus = is_signed && (int64_t)v < 0;
    return v ? pack(normal(minus, 0, minus ? -v : v), rm, flags) : 0;
}
