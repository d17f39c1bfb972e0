/* Host side: `check make SEED COUNT` writes operands, `check judge SEED COUNT RESULTS` compares the device's results with the host's double (bit for bit) or long double (in
 * ulp), one line a function: the worst error and where. */
#include <fenv.h>
#include <stdint.h>

#include "verif/sw/device-double/functions.h"

typedef struct {
    double x, y, z;
    int64_t l;
    float s;
    int32_t n;
} operand_t;
typedef union {
    double d;
    float f;
    int64_t l;
    uint64_t u;
} result_t;

#define REAL double
enum { FRACTION = 52, LOWEST = -1074, BEYOND = 1024 };
#include "verif/sw/device-math/harness.h"

static uint64_t random64(void)
{
    const uint64_t v = draw();
    return v ^ v >> 31;
}
static double from_bits(uint64_t b)
{
    double f;
    memcpy(&f, &b, 8);
    return f;
}
static uint64_t to_bits(double f)
{
    uint64_t b;
    memcpy(&b, &f, 8);
    return b;
}

/* Zero, the ends of the subnormals, of the numbers and of the integers, halves and neighbours, multiples of pi, where exponentials end. */
static const double corners[] = {0x0p0,
                                 0x1p-1074,
                                 0x0.fffffffffffffp-1022,
                                 0x1p-1022,
                                 0x1p-1021,
                                 0x1.8p-1073,
                                 1,
                                 0x1.fffffffffffffp-1,
                                 0x1.0000000000001p0,
                                 0.5,
                                 0x1.fffffffffffffp-2,
                                 0x1.0000000000001p-1,
                                 1.5,
                                 2,
                                 2.5,
                                 3,
                                 0x1.921fb54442d18p1,
                                 0x1.921fb54442d18p0,
                                 0x1.921fb54442d18p-1,
                                 709.78271289338397,
                                 709.5,
                                 745.13321910194111,
                                 744.9,
                                 1022,
                                 1024,
                                 1074,
                                 308.25,
                                 323.5,
                                 26.6,
                                 171.6,
                                 0x1p31,
                                 0x1.fffffffcp30,
                                 0x1.ffffffffp31,
                                 0x1p32,
                                 0x1.fffffffffffffp62,
                                 0x1p63,
                                 0x1.fffffffffffffp63,
                                 0x1p64,
                                 0x1.fffffffffffffp51,
                                 0x1.0000000000001p52,
                                 0x1p53,
                                 0x1.fffffefp127,
                                 0x1p128,
                                 0x1p16,
                                 0x1.ffffffp127,
                                 0x1p-149,
                                 0x1p-150,
                                 0x1.ffcp15,
                                 0x1.fffffffffffffp1023,
                                 HUGE_VAL};
enum { CORNERS = sizeof corners / sizeof *corners };

static double random_corner(void)
{
    const uint64_t r = random64();
    const double c = r & 0x70000 ? corners[(r & 0xffff) % CORNERS] : r & 0x80000 ? HUGE_VAL : 0;
    return r % 97 == 0 ? NAN : r & UINT64_C(1) << 40 ? -c : c;
}

/* Operands that are hardest to round: the bits behind the 53 of the result are a half and next to nothing, or nearly a half. With t an odd number of 54 bits and k a small one:
 * x / y = t - k / y, x * y = t + k and sqrt(x) = t - k / 2t in units of some power of two; by inverses and roots modulo powers of two. */
static void hardest(double *x, double *y)
{
    const uint64_t r = random64(), bits = UINT64_C(1) << 52, b = (r >> 12) | bits | 1;
    const uint64_t k = (uint64_t)(int64_t)((int)(r & 6) - 3);
    uint64_t inverse = b, t = 1, a;
    for (int i = 0; i < 6; i++)
        inverse *= 2 - b * inverse;
    switch (r >> 4 & 3) {
    case 0:
        t = k * inverse & (4 * bits - 1);
        a = (uint64_t)(((unsigned __int128)t * b - (unsigned __int128)(__int128)(int64_t)k) / (4 * bits));
        break;
    case 1: a = ((r & 8 ? bits : bits / 2) + k) * inverse & (2 * bits - 1); break;
    default: /* a square that is 1 or 9 or so more than a multiple of 2^55: one bit more of the root in each turn */
        for (int i = 3; i < 55; i++)
            if ((t * t - (8 * (r & 7) + 1)) >> i & 1)
                t += UINT64_C(1) << (i - 1);
        t = (t & (4 * bits - 1)) | (r & 8 ? 0 : 2 * bits);
        a = (uint64_t)((unsigned __int128)t * t / (8 * bits));
    }
    *x = (double)(a & (2 * bits - 1));
    *y = (double)b;
}

/* A corner; any bit pattern; moderate; near 1; a multiple of pi/2; small whole or half numbers; few bits, so that halves are exact; subnormal. */
static double random_double(void)
{
    const uint64_t r = random64(), s = random64();
    switch (s & 15) {
    case 0:
    case 1:
    case 2:
    case 3: return random_corner();
    case 4:
    case 5: return isnan(from_bits(r)) ? NAN : from_bits(r); /* no signalling NaN, which the standard lets alone */
    case 6:
    case 7:
    case 8:
    case 9: return from_bits((r & UINT64_C(0x800fffffffffffff)) | (1013 + (s >> 8) % 20) << 52);
    case 10: return from_bits((0x3ff0000000000000 + (r & 0xffffffff) - 0x80000000) | (s << 56 & UINT64_C(1) << 63));
    case 11: return (double)(s >> 8 & 0xffff) * 1.5707963267948966 * (s & 16 ? -1 : 1);
    case 12: return (double)((int)(r & 0x3ff) - 512) * 0.5;
    case 13: return ldexp((double)(r & 0xfff), (int)(s >> 8) % 80 - 40);
    case 14: return from_bits(r & UINT64_C(0x801fffffffffffff)); /* about the smallest normal */
    default: return (double)(int64_t)(r >> (s >> 8) % 64) + (s & 16 ? 0.5 : 0);
    }
}

static operand_t make(size_t k)
{
    operand_t o;
    (void)k;
    const uint64_t r = random64();
    o.x = random_double();
    /* operands that are close, or have the same exponent, are hard for add and fma */
    o.y = r & 15 ? random_double()
                 : from_bits(to_bits(o.x) ^ (isfinite(o.x) ? r >> 32 & 3 : 0) ^ (r & 16 ? UINT64_C(1) << 63 : 0));
    if ((r & 15) == 1)
        hardest(&o.x, &o.y);
    if ((r & 15) == 2) { /* quotients that are halves are subnormal */
        o.x = from_bits(r >> 12 & 0x3f);
        o.y = ldexp(1 + (double)(r >> 20 & 3) / 2, (int)(r >> 24 & 3));
    }
    o.z = r & 96 ? random_double() : -(o.x * o.y) * (r & 128 ? 1 : 1 + ldexp(1, -(int)(r >> 40) % 60));
    static const int32_t whole[] = {0,    1,     -1,    2,    -2,    3,    -3,    5,         1023,
                                    1022, -1074, -1022, 2098, -2098, 3000, -3000, INT32_MAX, INT32_MIN};
    o.n = r & 256   ? whole[(r >> 12) % (sizeof whole / sizeof *whole)]
          : r & 512 ? (int32_t)((r >> 12) % 64) - 32
                    : (int32_t)(r >> 32);
    o.l = (int64_t)(random64() >> (r >> 50) % 64) * (r & 1024 ? -1 : 1);
    if (r & 2048) /* halves of the last place of a double, and beside */
        o.l = (int64_t)((random64() << 11 | UINT64_C(1) << 10) + (r >> 20) % 3 - 1);
    o.s = (float)o.x;
    const uint32_t f = (uint32_t)(r >> 17);
    if (r & 4096)
        memcpy(&o.s, &f, 4);
    return o;
}

/* References that the C library lacks or has otherwise. Multiples of pi are reduced to where a long double loses nothing. */
static long double sin_pi(double x)
{
    if (isinf(x) || isnan(x))
        return NAN;
    if (fmod(x, 1) == 0)
        return copysign(0.0, x);
    const double r = remainder(x, 2);
    return sinl(PI * (long double)(fabs(r) > 0.5 ? copysign(1, r) - r : r));
}
static long double cos_pi(double x)
{
    if (isinf(x) || isnan(x))
        return NAN;
    const double r = fabs(remainder(x, 2));
    return r == 0.5   ? 0
           : r < 0.25 ? cosl(PI * (long double)r)
           : r > 0.75 ? -cosl(PI * (1 - (long double)r))
                      : sinl(PI * (0.5L - (long double)r));
}
static long double tan_pi(double x)
{
    if (isinf(x) || isnan(x))
        return NAN;
    const double r = remainder(x, 1); /* in [-1/2, 1/2] */
    if (r == 0) /* zeros take their sign from which multiple it is */
        return fmod(fabs(x), 2) == 0 ? copysign(0.0, x) : copysign(0.0, -x);
    if (fabs(r) == 0.5) {
        const double m = fmod(x, 2);
        return m == 0.5 || m == -1.5 ? INFINITY : -INFINITY;
    }
    return fabs(r) < 0.25 ? tanl(PI * (long double)r) : copysign(1, r) / tanl(PI * (0.5L - fabsl((long double)r)));
}
/* Of a zero some C libraries miss the sign, which is that of x. */
static double rest_of(double x, double y)
{
    const double r = remainder(x, y);
    return r == 0 ? copysign(r, x) : r;
}
static double fract_of(double x)
{
    return isinf(x) ? copysign(0.0, x) : isnan(x) ? NAN : x == 0 ? x : fmin(x - floor(x), 0x1.fffffffffffffp-1);
}
static long double powr_of(double x, double y)
{
    if (isnan(x) || isnan(y) || x < 0 || (x == 0 && y == 0) || (isinf(x) && y == 0) || (x == 1 && isinf(y)))
        return NAN;
    return x == 0 ? (y < 0 ? INFINITY : 0) : powl(x, y);
}
/* The exponent -2^63 of an infinity goes wrong in some C libraries' long double. */
static long double pow_of(double x, double y)
{
    return isinf(x) ? pow(x, y) : powl(x, y);
}
static long double pown_of(double x, int n)
{
    return powl(x, n);
}
static long double rootn_of(double x, int n)
{
    if (x < 0 && !(n & 1))
        return NAN;
    if (x == 0)
        return n < 0 ? (n & 1 ? copysign(INFINITY, x) : INFINITY) : n & 1 ? x : 0;
    return copysignl(powl(fabs(x), 1.0L / n), x);
}
static int64_t clamp(double x, long double low, long double high)
{
    return isnan(x) ? 0 : x < low ? (int64_t)low : x > high ? (int64_t)high : (int64_t)x;
}
static uint64_t clamp_unsigned(double x)
{
    return !(x > 0) ? 0 : x >= 0x1p64 ? UINT64_MAX : (uint64_t)x;
}
/* Bits of the half that x becomes. */
static uint64_t half_of(double x, int mode)
{
    const uint64_t sign = signbit(x) ? 0x8000 : 0;
    if (isnan(x))
        return sign | 0x7e00;
    if (isinf(x))
        return sign | 0x7c00;
    const double a = fabs(x);
    const int e = a < 0x1p-14 ? -14 : ilogb(a);
    const double units = ldexp(a, 10 - e);
    const int up = (mode == 2 && !sign) || (mode == 3 && sign);
    const double whole = mode == 0 ? rint(units) : up ? ceil(units) : floor(units);
    if (a != 0 && units == 0) /* below all doubles of that scale */
        return sign | (up ? 1 : 0);
    const double value = ldexp(whole, e - 10);
    if (value > 65504)
        return sign | (mode == 0 || up ? 0x7c00 : 0x7bff);
    return sign
           | (value < 0x1p-14 ? (uint64_t)(value * 0x1p24)
                              : (uint64_t)((ilogb(value) + 15) << 10 | ((int)ldexp(value, 10 - ilogb(value)) & 0x3ff)));
}
#define ROUNDED(mode, expression)                                                                                      \
    ({                                                                                                                 \
        fesetround(mode);                                                                                              \
        volatile __typeof__(expression) v_ = expression;                                                               \
        fesetround(FE_TONEAREST);                                                                                      \
        v_;                                                                                                            \
    })

/* The error, by the kind of result; bit for bit where the limit is 0. */
static double error_d(result_t got, long double exact, double limit)
{
    const double want = (double)exact;
    if (limit > 0)
        return error_ulp(
            got.d, exact,
            isinf(want)
                ? 0
                : (double)fabsl(((long double)want - exact)
                                / ldexpl(1, want == 0 || ilogb(want) < -1022 ? LOWEST : ilogb(want) - FRACTION)));
    return (isnan(want) && isnan(got.d)) || to_bits(want) == got.u ? 0 : INFINITY;
}
static double error_f(result_t got, float want, double limit)
{
    (void)limit;
    return (isnan(want) && isnan(got.f)) || !memcmp(&got.f, &want, 4) ? 0 : INFINITY;
}
static double error_l(result_t got, int64_t want, double limit)
{
    (void)limit;
    return got.l == want ? 0 : INFINITY;
}
static double error_u(result_t got, uint64_t want, double limit)
{
    (void)limit;
    return got.u == want ? 0 : INFINITY;
}

static const operand_t *in;
static size_t count;

static int report(const char *name, double worst, double limit, size_t judged, size_t bad, size_t at, result_t got)
{
    const int ok = bad == 0 && judged > 10;
    printf("%s %-17s worst %8.3f ulp, limit %g, %zu judged, %zu bad", ok ? "ok    " : "FAILED", name, worst, limit,
           judged, bad);
    if (!ok && judged)
        printf(": x %a y %a z %a n %d l %lld s %a got %a (%#llx)", in[at].x, in[at].y, in[at].z, in[at].n,
               (long long)in[at].l, (double)in[at].s, got.d, (unsigned long long)got.u);
    putchar('\n');
    return ok;
}

#define F(name, kind, device, expression, limit, every, domain)                                                        \
    static int judge_##name(FILE *f)                                                                                   \
    {                                                                                                                  \
        double worst = 0, p;                                                                                           \
        size_t at = 0, judged = 0, bad = 0;                                                                            \
        int i;                                                                                                         \
        result_t got, first = {.u = 0};                                                                                \
        (void)p, (void)i;                                                                                              \
        for (size_t k = 0; k < count; k += every) {                                                                    \
            const double x = in[k].x, y = in[k].y, z = in[k].z;                                                        \
            const int64_t l = in[k].l;                                                                                 \
            const uint64_t u = (uint64_t)l;                                                                            \
            const float s = in[k].s;                                                                                   \
            const int n = in[k].n;                                                                                     \
            (void)x, (void)y, (void)z, (void)n, (void)l, (void)u, (void)s;                                             \
            if (fread(&got, sizeof got, 1, f) != 1) {                                                                  \
                printf("FAILED %s: no results\n", #name);                                                              \
                return 0;                                                                                              \
            }                                                                                                          \
            if (!(domain))                                                                                             \
                continue;                                                                                              \
            judged++;                                                                                                  \
            const double e = error_##kind(got, expression, limit);                                                     \
            bad += e > limit;                                                                                          \
            if (e > worst)                                                                                             \
                worst = e, at = k, first = got;                                                                        \
        }                                                                                                              \
        return report(#name, worst, limit, judged, bad, at, first);                                                    \
    }
FUNCTIONS(F)
#undef F

int main(int argc, char **argv)
{
    FILE *f;
    int status;
    in = begin(argc, argv, &count, &f, &status);
    if (!f)
        return status;
    int passed = 0, failed = 0, ok;
#define F(name, ...) ok = judge_##name(f), passed += ok, failed += !ok;
    FUNCTIONS(F)
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
