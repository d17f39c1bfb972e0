/* Double precision by integer arithmetic: the functions that the code generator calls for `double` (the machine has float alone), and those that the library needs besides.
 * Every result is correctly rounded; subnormals are honoured; a NaN that is made is the canonical one, as the machine's float instructions make it.
 * No loop but in the remainders, so that the threads of a warp stay together; a thread that ends early waits for a few tens of instructions.
 *
 * Numbers are taken apart into a sign (bit 63 of `sign`), a biased exponent and a significand with its leading one at bit 63 (`unpack`), and put together from one
 * with its leading one at bit 62 (`pack`): ten bits below the last place, of which the lowest stands for all that was lost ("sticky"). */
#include <stdint.h>

typedef uint64_t u64;
typedef int64_t i64;
typedef unsigned __int128 u128;
typedef __int128 i128;

enum { NEAREST = 0, ZERO = 1, UP = 2, DOWN = 3, AWAY = 4 }; /* AWAY: halves away from zero, of `round` alone */
#define SIGN (UINT64_C(1) << 63)
#define ONE (UINT64_C(1) << 52) /* the implicit bit */
#define HUGE (UINT64_C(0x7ff) << 52) /* infinity; above it are the NaNs */
#define QUIET (UINT64_C(0xfff) << 51) /* the canonical NaN */

static inline u64 bits_of(double x)
{
    union {
        double d;
        u64 u;
    } v = {x};
    return v.u;
}
static inline double of_bits(u64 x)
{
    union {
        u64 u;
        double d;
    } v = {x};
    return v.d;
}
static inline unsigned float_bits(float x)
{
    union {
        float f;
        unsigned u;
    } v = {x};
    return v.u;
}
static inline float of_float_bits(unsigned x)
{
    union {
        unsigned u;
        float f;
    } v = {x};
    return v.f;
}

/* v / 2^n; the lowest bit stands for all lost bits. */
static inline u64 jam(u64 v, int n)
{
    return n == 0 ? v : n > 63 ? v != 0 : v >> n | (v << (64 - n) != 0);
}
static inline u128 jam_long(u128 v, int n)
{
    return n == 0 ? v : n > 127 ? v != 0 : v >> n | (v << (128 - n) != 0);
}
static inline u64 high(u64 a, u64 b)
{
    return (u64)((u128)a * b >> 64);
}
static inline i64 high_signed(i64 a, i64 b)
{
    return (i64)((i128)a * b >> 64);
}

/* Whether the part cut off rounds up: `rest` of 2 * half, behind an odd or even last place. */
static inline int rounds_up(u64 rest, u64 half, u64 odd, u64 sign, int mode)
{
    switch (mode) {
    case NEAREST: return rest > half || (rest == half && odd);
    case AWAY: return rest >= half;
    case UP: return rest && !sign;
    case DOWN: return rest && sign;
    default: return 0;
    }
}

/* The significand of a magnitude that is neither zero nor infinite nor NaN. */
static inline u64 unpack(u64 m, int *e)
{
    const u64 fraction = m & (ONE - 1);
    if (m >= ONE) {
        *e = (int)(m >> 52);
        return (fraction | ONE) << 11;
    }
    const int n = fraction ? __builtin_clzl(fraction) : 0;
    *e = 12 - n;
    return fraction << n;
}

/* A number of a format with `places` bits behind the point and the exponent `infinite` for infinities: bits without the sign. */
static inline u64 pack_format(u64 sign, int e, u64 s, int mode, int places, int infinite)
{
    const int drop = 62 - places;
    const u64 half = UINT64_C(1) << (drop - 1), most = (u64)infinite << places;
    if (e < 1) {
        s = jam(s, 1 - e);
        e = 1;
    }
    u64 m = s >> drop;
    m += (u64)rounds_up(s & (2 * half - 1), half, m & 1, sign, mode);
    m += (u64)(e - 1) << places;
    if (e >= infinite || m >= most)
        m = mode == NEAREST || (mode == UP && !sign) || (mode == DOWN && sign) ? most : most - 1;
    return m;
}
static inline u64 pack(u64 sign, int e, u64 s, int mode)
{
    return sign | pack_format(sign, e, s, mode, 52, 0x7ff);
}

/* ---------------------------------------------------------------------------------------------------------------- arithmetic */

static inline double add(u64 x, u64 y)
{
    if (x << 1 < y << 1) {
        const u64 swap = x;
        x = y;
        y = swap;
    }
    const u64 mx = x & ~SIGN, my = y & ~SIGN, differ = (x ^ y) & SIGN;
    if (mx >= HUGE)
        return of_bits(mx > HUGE || (my == HUGE && differ) ? QUIET : x);
    const int ex = (int)(mx >> 52) + (mx < ONE), ey = (int)(my >> 52) + (my < ONE);
    const u64 sx = ((mx & (ONE - 1)) | (mx < ONE ? 0 : ONE)) << 10,
              sy = jam(((my & (ONE - 1)) | (my < ONE ? 0 : ONE)) << 10, ex - ey);
    const u64 s = differ ? sx - sy : sx + sy;
    if (!s)
        return of_bits(x & y & SIGN);
    const int n = __builtin_clzl(s);
    return of_bits(pack(x & SIGN, ex + 1 - n, n ? s << (n - 1) : s >> 1 | (s & 1), NEAREST));
}

double __adddf3(double a, double b)
{
    return add(bits_of(a), bits_of(b));
}

double __subdf3(double a, double b)
{
    return add(bits_of(a), bits_of(b) ^ SIGN);
}

double __muldf3(double a, double b)
{
    const u64 x = bits_of(a), y = bits_of(b), sign = (x ^ y) & SIGN, mx = x & ~SIGN, my = y & ~SIGN;
    if (mx >= HUGE || my >= HUGE)
        return of_bits(mx > HUGE || my > HUGE || !mx || !my ? QUIET : sign | HUGE);
    if (!mx || !my)
        return of_bits(sign);
    int ex, ey;
    const u64 sx = unpack(mx, &ex), sy = unpack(my, &ey);
    const u128 p = (u128)sx * sy;
    const u64 s = (u64)(p >> 64) | ((u64)p != 0), wide = s >> 63;
    return of_bits(pack(sign, ex + ey - 1023 + (int)wide, s >> wide | (s & 1), NEAREST));
}

/* The quotient to 57 bits: a float's reciprocal, one step of Newton, one of the quotient itself, and a correction by the remainder. */
double __divdf3(double a, double b)
{
    const u64 x = bits_of(a), y = bits_of(b), sign = (x ^ y) & SIGN, mx = x & ~SIGN, my = y & ~SIGN;
    if (mx > HUGE || my > HUGE || (mx == HUGE && my == HUGE) || (!mx && !my))
        return of_bits(QUIET);
    if (mx == HUGE || !my)
        return of_bits(sign | HUGE);
    if (!mx || my == HUGE)
        return of_bits(sign);
    int ex, ey;
    const u64 sx = unpack(mx, &ex), sy = unpack(my, &ey);
    const int less = sx < sy;
    const i128 n = (i128)((u128)sx << (62 + less)); /* n / sy has its leading one at bit 62 */
    u64 r = (u64)(0x1p126f / (float)sy); /* 2^126 / sy, to 23 bits */
    r = high(r, SIGN - high(sy, r)) << 2; /* to 45 bits */
    u64 q = high(sx, r) << less;
    i128 rest = n - (i128)((u128)q * sy);
    q += (u64)(high_signed((i64)(rest >> 40), (i64)(r >> 1))
               >> 21); /* right, or one less; more only within 2^-44 of it */
    q &= ~UINT64_C(63);
    rest = n - (i128)((u128)q * sy);
    const i128 unit = (i128)sy << 6;
    if (rest < 0) {
        q -= 64;
        rest += unit;
    } else if (rest >= unit) {
        q += 64;
        rest -= unit;
    }
    return of_bits(pack(sign, ex - ey + 1023 - less, q | (rest != 0), NEAREST));
}

/* As the quotient, from the reciprocal of a float's root. */
double sqrt(double a)
{
    const u64 x = bits_of(a);
    if (x >= HUGE) /* negative operands too */
        return of_bits(x == HUGE || x == SIGN ? x : QUIET);
    if (!x)
        return a;
    int e;
    u64 s = unpack(x, &e);
    const int odd = (e - 1023) & 1;
    s >>= !odd; /* in [1, 4), 62 bits behind the point */
    u64 r = (u64)(0x1p93f / __builtin_sqrtf((float)s));
    r = high(r, 3 * (UINT64_C(1) << 58) - high(s, high(r, r))) << 5;
    const i128 n = (i128)((u128)s << 62);
    u64 q = high(s, r) << 2;
    q += (u64)(high_signed((i64)((n - (i128)((u128)q * q)) >> 40), (i64)r) >> 21);
    q &= ~UINT64_C(63);
    if (n < (i128)((u128)q * q))
        q -= 64;
    else if (n >= (i128)((u128)(q + 64) * (q + 64)))
        q += 64;
    return of_bits(pack(0, (e - 1023 - odd) / 2 + 1023, q | (n != (i128)((u128)q * q)), NEAREST));
}

double fma(double a, double b, double c)
{
    const u64 x = bits_of(a), y = bits_of(b), z = bits_of(c);
    const u64 mx = x & ~SIGN, my = y & ~SIGN, mz = z & ~SIGN, sp = (x ^ y) & SIGN, sz = z & SIGN;
    if (mx >= HUGE || my >= HUGE || mz >= HUGE) {
        if (mx > HUGE || my > HUGE || mz > HUGE)
            return of_bits(QUIET);
        if (mx < HUGE && my < HUGE)
            return c;
        return of_bits(!mx || !my || (mz == HUGE && sp != sz) ? QUIET : sp | HUGE);
    }
    if (!mx || !my)
        return of_bits(mz ? z : sp & sz);
    int ex, ey, ez = -8192; /* exponent of a zero: below all others */
    const u64 sx = unpack(mx, &ex), sy = unpack(my, &ey);
    u128 p = (u128)sx * sy, s, t = 0; /* the leading one to bit 125, exactly: 22 zeros are below */
    const int wide = (int)(p >> 127);
    p >>= 1 + wide;
    int e = ex + ey - 1023 + wide;
    if (mz)
        t = (u128)unpack(mz, &ez) << 62;
    if (e < ez) {
        p = jam_long(p, ez - e);
        e = ez;
    } else {
        t = jam_long(t, e - ez);
    }
    const u64 sign = sp == sz || p > t ? sp : sz;
    s = sp == sz ? p + t : p > t ? p - t : t - p;
    if (!s)
        return 0;
    const int n = s >> 64 ? __builtin_clzl((u64)(s >> 64)) : 64 + __builtin_clzl((u64)s);
    s <<= n - 1;
    return of_bits(pack(sign, e + 2 - n, (u64)(s >> 64) | ((u64)s != 0), NEAREST));
}

/* ---------------------------------------------------------------------------------------------------------------- comparisons */

static inline int unordered(u64 x, u64 y)
{
    return (x & ~SIGN) > HUGE || (y & ~SIGN) > HUGE;
}

/* -1, 0, 1; `otherwise` where one is a NaN. */
static inline int order(double a, double b, int otherwise)
{
    const u64 x = bits_of(a), y = bits_of(b);
    const i64 p = x >> 63 ? -(i64)(x & ~SIGN) : (i64)x, q = y >> 63 ? -(i64)(y & ~SIGN) : (i64)y;
    return unordered(x, y) ? otherwise : (p > q) - (p < q);
}
#define ORDER(name, otherwise)                                                                                         \
    int name(double a, double b)                                                                                       \
    {                                                                                                                  \
        return order(a, b, otherwise);                                                                                 \
    }
ORDER(__eqdf2, 1)
ORDER(__nedf2, 1)
ORDER(__ltdf2, 1)
ORDER(__ledf2, 1)
ORDER(__gtdf2, -1)
ORDER(__gedf2, -1)

int __unorddf2(double a, double b)
{
    return unordered(bits_of(a), bits_of(b));
}

/* The lesser of two: a number rather than a NaN, -0 rather than +0. `flip` makes it the greater. */
static inline u64 least(u64 x, u64 y, u64 flip)
{
    if ((x & ~SIGN) > HUGE)
        return (y & ~SIGN) > HUGE ? QUIET : y;
    if ((y & ~SIGN) > HUGE)
        return x;
    const i64 p = (i64)(x ^ flip), q = (i64)(y ^ flip);
    const i64 kp = p < 0 ? p ^ INT64_MAX : p, kq = q < 0 ? q ^ INT64_MAX : q;
    return kp < kq ? x : y;
}

double fmin(double a, double b)
{
    return of_bits(least(bits_of(a), bits_of(b), 0));
}

double fmax(double a, double b)
{
    return of_bits(least(bits_of(a), bits_of(b), SIGN));
}

/* ---------------------------------------------------------------------------------------------------------------- whole numbers */

static inline double whole(double a, int mode)
{
    const u64 x = bits_of(a), sign = x & SIGN, m = x & ~SIGN;
    const int e = (int)(m >> 52);
    if (e >= 1075)
        return of_bits(m > HUGE ? QUIET : x);
    if (e < 1023) /* below 1: 0 or 1. A half is at m = 0x3fe0... */
        return of_bits(sign | (rounds_up(m, UINT64_C(0x3fe) << 52, 0, sign, mode) ? UINT64_C(0x3ff) << 52 : 0));
    const u64 unit = UINT64_C(1) << (1075 - e), rest = m & (unit - 1), low = m - rest;
    return of_bits(sign | (low + (rounds_up(rest, unit >> 1, low & unit, sign, mode) ? unit : 0)));
}
#define WHOLE(name, mode)                                                                                              \
    double name(double a)                                                                                              \
    {                                                                                                                  \
        return whole(a, mode);                                                                                         \
    }
WHOLE(rint, NEAREST)
WHOLE(nearbyint, NEAREST)
WHOLE(roundeven, NEAREST)
WHOLE(trunc, ZERO)
WHOLE(ceil, UP)
WHOLE(floor, DOWN)
WHOLE(round, AWAY)

/* |a| as an integer, 2^64 - 1 if it is larger. */
static inline u64 magnitude(u64 x, int mode)
{
    const u64 m = x & ~SIGN;
    const int e = (int)(m >> 52), n = 1075 - e;
    if (e >= 1023 + 64)
        return UINT64_MAX;
    const u64 s = e ? (m & (ONE - 1)) | ONE : m;
    if (n <= 0)
        return s << -n;
    const u64 v = n > 63 ? 0 : s >> n, rest = n > 63 ? s != 0 : s << (64 - n);
    return v + (u64)rounds_up(rest, SIGN, v & 1, x & SIGN, mode);
}

/* An integer of `bits` bits, the nearest that there is; 0 for a NaN. */
static inline i64 to_signed(double a, int mode, int bits)
{
    const u64 x = bits_of(a), most = (UINT64_C(1) << (bits - 1)) - !(x >> 63), m = magnitude(x, mode);
    const u64 v = m < most ? m : most;
    return (x & ~SIGN) > HUGE ? 0 : (i64)(x >> 63 ? -v : v);
}
static inline u64 to_unsigned(double a, int mode, int bits)
{
    const u64 x = bits_of(a), most = UINT64_MAX >> (64 - bits), m = magnitude(x, mode);
    return (x & ~SIGN) > HUGE || x >> 63 ? 0 : m < most ? m : most;
}
static inline double from_integer(u64 v, u64 sign, int mode)
{
    if (!v)
        return 0;
    const int n = __builtin_clzl(v);
    v <<= n;
    return of_bits(pack(sign, 1023 + 63 - n, v >> 1 | (v & 1), mode));
}
static inline double from_signed(i64 v, int mode)
{
    return from_integer(v < 0 ? -(u64)v : (u64)v, (u64)v & SIGN, mode);
}

int __fixdfsi(double a)
{
    return (int)to_signed(a, ZERO, 32);
}
i64 __fixdfdi(double a)
{
    return to_signed(a, ZERO, 64);
}
unsigned __fixunsdfsi(double a)
{
    return (unsigned)to_unsigned(a, ZERO, 32);
}
u64 __fixunsdfdi(double a)
{
    return to_unsigned(a, ZERO, 64);
}
double __floatsidf(int a)
{
    return from_signed(a, NEAREST);
}
double __floatdidf(i64 a)
{
    return from_signed(a, NEAREST);
}
double __floatunsidf(unsigned a)
{
    return from_integer(a, 0, NEAREST);
}
double __floatundidf(u64 a)
{
    return from_integer(a, 0, NEAREST);
}

/* convert_* with a rounding mode of its own. `bits` is the width of the integer. */
i64 vl_double_to_signed(double a, int mode, int bits)
{
    return to_signed(a, mode, bits);
}
u64 vl_double_to_unsigned(double a, int mode, int bits)
{
    return to_unsigned(a, mode, bits);
}
double vl_double_of_signed(i64 a, int mode)
{
    return from_signed(a, mode);
}
double vl_double_of_unsigned(u64 a, int mode)
{
    return from_integer(a, 0, mode);
}

/* ---------------------------------------------------------------------------------------------------------------- float and double */

double __extendsfdf2(float a)
{
    const unsigned x = float_bits(a), m = x & 0x7fffffffu;
    const u64 sign = (u64)(x & 0x80000000u) << 32;
    if (m > 0x7f800000u)
        return of_bits(QUIET);
    if (m >= 0x800000u)
        return of_bits(sign | (((u64)m << 29) + (m == 0x7f800000u ? UINT64_C(0x700) << 52 : UINT64_C(896) << 52)));
    if (!m)
        return of_bits(sign);
    const int n = __builtin_clzl((u64)m);
    return of_bits(pack(sign, 1023 - 149 + 63 - n, (u64)m << (n - 1), NEAREST));
}

static inline float to_float(double a, int mode)
{
    const u64 x = bits_of(a), sign = x & SIGN, m = x & ~SIGN;
    unsigned f = 0;
    if (m > HUGE)
        return of_float_bits(0x7fc00000u);
    if (m == HUGE) {
        f = 0x7f800000u;
    } else if (m) {
        int e;
        const u64 s = unpack(m, &e);
        f = (unsigned)pack_format(sign, e - 1023 + 127, s >> 1, mode, 23, 0xff);
    }
    return of_float_bits(f | (unsigned)(sign >> 32));
}

float __truncdfsf2(double a)
{
    return to_float(a, NEAREST);
}
float vl_double_to_float(double a, int mode)
{
    return to_float(a, mode);
}

/* Half precision is a storage format alone: its bits. */
unsigned short vl_double_to_half(double a, int mode)
{
    const u64 x = bits_of(a), sign = x & SIGN, m = x & ~SIGN;
    u64 h = m > HUGE ? 0x7e00 : m == HUGE ? 0x7c00 : 0;
    if (m && m < HUGE) {
        int e;
        const u64 s = unpack(m, &e);
        h = pack_format(sign, e - 1023 + 15, s >> 1, mode, 10, 31);
    }
    return (unsigned short)(h | sign >> 48);
}

/* ---------------------------------------------------------------------------------------------------------------- exponents, remainders */

double ldexp(double a, int n)
{
    const u64 x = bits_of(a), m = x & ~SIGN;
    if (!m || m >= HUGE)
        return of_bits(m > HUGE ? QUIET : x);
    int e;
    const u64 s = unpack(m, &e);
    n = n < -4200 ? -4200 : n > 4200 ? 4200 : n;
    return of_bits(pack(x & SIGN, e + n, s >> 1, NEAREST));
}

/* r * 2^(e - 1075), exactly */
static inline u64 scaled(u64 r, int e)
{
    if (!r)
        return 0;
    const int n = __builtin_clzl(r);
    return pack(0, e + 11 - n, r << (n - 1), NEAREST);
}

/* |x| modulo |y|, of finite numbers and y not 0, eleven bits of the quotient at a time; *q gets its low bits. The result is in units of 2^(*e - 1075). */
static inline u64 modulo(u64 mx, u64 my, int *e, u64 *q)
{
    int ex = (int)(mx >> 52), ey = (int)(my >> 52);
    u64 r = ex ? (mx & (ONE - 1)) | ONE : mx;
    const u64 m = ey ? (my & (ONE - 1)) | ONE : my;
    ex += !ex;
    ey += !ey;
    *q = 0;
    if (ex < ey) {
        *e = ex;
        return r;
    }
    *e = ey;
    *q = r / m;
    r %= m;
    for (int d = ex - ey; d > 0; d -= 11) {
        const int s = d < 11 ? d : 11;
        r <<= s;
        *q = *q << s | r / m;
        r %= m;
    }
    return r;
}

static inline int no_remainder(u64 mx, u64 my)
{
    return mx >= HUGE || my > HUGE || !my;
}

double fmod(double a, double b)
{
    const u64 x = bits_of(a), mx = x & ~SIGN, my = bits_of(b) & ~SIGN;
    if (no_remainder(mx, my))
        return of_bits(QUIET);
    if (mx < my)
        return a;
    int e;
    u64 q;
    const u64 r = modulo(mx, my, &e, &q);
    return of_bits(scaled(r, e) | (x & SIGN));
}

/* The remainder of the nearest quotient, and that quotient's low bits with its sign. */
static inline double nearest_remainder(double a, double b, int *quotient)
{
    const u64 x = bits_of(a), y = bits_of(b), mx = x & ~SIGN, my = y & ~SIGN;
    *quotient = 0;
    if (no_remainder(mx, my))
        return of_bits(QUIET);
    if (my == HUGE)
        return a;
    int e;
    u64 q, sign = x & SIGN, r = modulo(mx, my, &e, &q);
    /* Bring y to the remainder's unit. Far below y the remainder is in units of x, and is the nearest already. */
    const int ey = (int)(my >> 52) + (my < ONE);
    if (ey - e <= 1) {
        const u64 m = ((my & (ONE - 1)) | (my < ONE ? 0 : ONE)) << (ey - e);
        if (r > m - r || (r == m - r && (q & 1))) {
            r = m - r;
            q++;
            sign ^= SIGN;
        }
    }
    if (!r)
        sign = x & SIGN;
    const int low = (int)(q & 0x7f);
    *quotient = (x ^ y) & SIGN ? -low : low;
    return of_bits(scaled(r, e) | sign);
}

double vl_remquo(double a, double b, int *quotient)
{
    return nearest_remainder(a, b, quotient);
}

double remainder(double a, double b)
{
    int q;
    return nearest_remainder(a, b, &q);
}
