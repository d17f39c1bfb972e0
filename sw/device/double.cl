/* Scalar functions of double that are the library's own: calls of double.c, and operations on bits. The others are libclc's (libclc.py); vectors wrap
 * scalars (builtins.py). */
#include <opencl-c-base.h>

#define FN __attribute__((overloadable, always_inline))
#define INFINITE 0x7ff0000000000000ul
#define MAGNITUDE(x) (as_ulong(x) & ~0ul >> 1)

FN double sqrt(double x) { return __builtin_sqrt(x); }
FN double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
FN double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
FN double mad(double a, double b, double c) { return __builtin_fma(a, b, c); }
FN double fabs(double x) { return __builtin_fabs(x); }
FN double fmin(double a, double b) { return __builtin_fmin(a, b); }
FN double fmax(double a, double b) { return __builtin_fmax(a, b); }
FN double floor(double x) { return __builtin_floor(x); }
FN double ceil(double x) { return __builtin_ceil(x); }
FN double trunc(double x) { return __builtin_trunc(x); }
FN double rint(double x) { return __builtin_rint(x); }
FN double round(double x) { return __builtin_round(x); }
FN double copysign(double x, double s) { return __builtin_copysign(x, s); }
FN double nan(ulong code) { return as_double(0x7ff8000000000000ul | (code & 0x7fffffffffffful)); }
FN double fdim(double a, double b) { return a != a ? a : b != b ? b : a > b ? a - b : 0.0; }
FN double fmod(double x, double y) { return __builtin_fmod(x, y); }

double vl_ldexp(double, int) __asm__("ldexp");
double vl_remainder(double, double) __asm__("remainder");
double vl_remquo(double, double, int *);
FN double ldexp(double x, int n) { return vl_ldexp(x, n); }
FN double remainder(double x, double y) { return vl_remainder(x, y); }
FN double remquo(double x, double y, int *quotient) { return vl_remquo(x, y, quotient); }

/* fmin(x - floor(x), 0x1.fffffffffffffp-1), and +-0 for an infinity. */
FN double vl_fract(double x)
{
    double f = __builtin_fmin(x - __builtin_floor(x), 0x1.fffffffffffffp-1);
    return MAGNITUDE(x) > INFINITE ? x : __builtin_copysign(MAGNITUDE(x) == INFINITE ? 0.0 : f, MAGNITUDE(x) && MAGNITUDE(x) < INFINITE ? f : x);
}
FN double vl_modf(double x)
{
    double f = MAGNITUDE(x) == INFINITE ? 0.0 : x - __builtin_trunc(x);
    return __builtin_copysign(f, x);
}

/* By magnitude; of equal ones the greater or lesser, and a number rather than a NaN. */
FN double maxmag(double x, double y)
{
    ulong a = MAGNITUDE(x), b = MAGNITUDE(y);
    return a > INFINITE || b > INFINITE || a == b ? __builtin_fmax(x, y) : a > b ? x : y;
}
FN double minmag(double x, double y)
{
    ulong a = MAGNITUDE(x), b = MAGNITUDE(y);
    return a > INFINITE || b > INFINITE || a == b ? __builtin_fmin(x, y) : a < b ? x : y;
}

FN double nextafter(double x, double y)
{
    ulong a = as_ulong(x), b = as_ulong(y);
    if (MAGNITUDE(x) > INFINITE || MAGNITUDE(y) > INFINITE)
        return as_double(0x7ff8000000000000ul);
    if (!MAGNITUDE(x) && !MAGNITUDE(y))
        return y;
    if (!MAGNITUDE(x))
        return as_double((b & ~(~0ul >> 1)) | 1);
    bool away = (long)(a ^ b) >= 0 && MAGNITUDE(y) > MAGNITUDE(x);
    return a == b ? y : as_double(away ? a + 1 : a - 1);
}

/* The exponent of a number that is neither zero nor infinite nor NaN. */
static inline __attribute__((always_inline)) int exponent(ulong m)
{
    return m >> 52 ? (int)(m >> 52) - 1023 : -1011 - (int)__builtin_clzl(m);
}
FN int ilogb(double x)
{
    ulong m = MAGNITUDE(x);
    return !m ? (int)0x80000000 : m < INFINITE ? exponent(m) : m == INFINITE ? 0x7fffffff : FP_ILOGBNAN;
}
FN double logb(double x)
{
    ulong m = MAGNITUDE(x);
    return !m ? -(double)INFINITY : m < INFINITE ? (double)exponent(m) : as_double(m);
}
FN double frexp(double x, int *e)
{
    ulong m = MAGNITUDE(x);
    bool number = m && m < INFINITE;
    int n = number ? exponent(m) + 1 : 0;
    *e = n;
    if (!number)
        return x;
    ulong fraction = m >> 52 ? m : m << (__builtin_clzl(m) - 11);
    return as_double((as_ulong(x) & ~(~0ul >> 1)) | 0x3feul << 52 | (fraction & 0xffffffffffffful));
}

/* libclc's lose the sign of zeros. */
#define KEEPS_ZERO(name)                                                                                               \
    double __attribute__((overloadable)) vl_##name(double);                                                            \
    FN double name(double x) { return MAGNITUDE(x) ? vl_##name(x) : x; }
KEEPS_ZERO(atan)
KEEPS_ZERO(atanpi)
KEEPS_ZERO(erf)
KEEPS_ZERO(expm1)
KEEPS_ZERO(sin)
KEEPS_ZERO(tan)

double __attribute__((overloadable)) vl_sinpi(double);
double __attribute__((overloadable)) vl_cospi(double);
double __attribute__((overloadable)) vl_tanpi(double);
static inline __attribute__((always_inline)) bool whole(double x)
{
    return MAGNITUDE(x) < INFINITE && as_ulong(__builtin_rint(x)) == as_ulong(x);
}
FN double sinpi(double x) { return whole(x) ? __builtin_copysign(0.0, x) : vl_sinpi(x); }
FN double cospi(double x) { return !whole(x) && whole(ldexp(x, 1)) ? 0.0 : vl_cospi(x); }
FN double tanpi(double x)
{
    double zero = __builtin_copysign(0.0, x);
    return !whole(x) ? vl_tanpi(x) : whole(ldexp(x, -1)) ? zero : -zero;
}

/* ------------------------------------------------------------------------------------------------------------------- gamma
 * libclc's has no negative operands. From 12 on Stirling's series: y^(y - 1/2) e^-y sqrt(2 pi) e^(1/12y - ...), the power as a square, which does not overflow before
 * the result does. Below -12 by reflection, gamma(-y) = pi / (y sin(-pi y) gamma(y)); values between are brought to 12 and above, and divided by the factors. Their
 * product is taken in two doubles. */
double __attribute__((overloadable)) exp(double);
double __attribute__((overloadable)) log(double);
double __attribute__((overloadable)) pow(double, double);

/* The square root of the power, and the rest of Stirling's formula. */
static inline __attribute__((always_inline)) double stirling(double y, double *power)
{
    double w = 1.0 / y, t = w * w;
    double p = 1.0 / 156.0;
    p = p * t + -691.0 / 360360.0;
    p = p * t + 1.0 / 1188.0;
    p = p * t + -1.0 / 1680.0;
    p = p * t + 1.0 / 1260.0;
    p = p * t + -1.0 / 360.0;
    p = p * t + 1.0 / 12.0;
    *power = pow(y, 0.5 * y - 0.25);
    return 0x1.40d931ff62706p+1 * exp(p * w) * exp(-y);
}

double __attribute__((overloadable, noinline)) tgamma(double x)
{
    ulong m = MAGNITUDE(x);
    double y = as_double(m), power;
    if (m >= INFINITE)
        return x > 0.0 || m > INFINITE ? x : NAN;
    if (y < 0x1p-60)
        return 1.0 / x;
    if (y >= 12.0) {
        double c = __builtin_fmin(y, 300.0), rest = stirling(c, &power);
        return x > 0.0 ? power * rest * power : 0x1.921fb54442d18p+1 / (y * sinpi(x)) / power / rest / power;
    }
    double high = 1.0, low = 0.0, at = x, lost = 0.0;
    for (int i = 1; at < 12.0; i++) {
        double product = high * at;
        low = __builtin_fma(low, at, __builtin_fma(high, at, -product)) + high * lost;
        high = product;
        double n = i, next = x + n, back = next - x;
        lost = (x - (next - back)) + (n - back);
        at = next;
    }
    double rest = stirling(at, &power), slope = log(at) - 0.5 / at;
    double g = power * rest * power;
    g = __builtin_fma(g * lost, slope, g);
    return g / (high + low);
}
