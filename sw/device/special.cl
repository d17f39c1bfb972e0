/* Scalar float functions for which libclc's code is not good enough here: it flushes subnormal results or operands (exp, exp2, exp10, ldexp, erfc,
 * fmod, remainder, remquo, nextafter, rootn), misses the signs of zeros (sinpi, cospi, tanpi), or is wrong for negative operands (tgamma).
 * The test sw/device-math measures them. Polynomials are weighted least-squares fits on Chebyshev nodes. */
#include <opencl-c-base.h>

#define FN __attribute__((overloadable, always_inline))
#define fma __builtin_fmaf

/* m * 2^n for m in [1/2, 2], correctly rounded also where the result is subnormal: the first product is exact. -300 <= n <= 300. */
static inline __attribute__((always_inline)) float scale(float m, int n)
{
    int half_n = n >> 1;
    half_n = half_n < -80 ? -80 : half_n > 80 ? 80 : half_n;
    int rest = n - half_n;
    rest = rest < -126 ? -126 : rest > 127 ? 127 : rest;
    return m * as_float((uint)(half_n + 127) << 23) * as_float((uint)(rest + 127) << 23);
}

/* ------------------------------------------------------------------------------------------------------------------- exponentials */

/* e^r for |r| <= ln 2 / 2 */
static inline __attribute__((always_inline)) float exp_core(float r)
{
    float p = 0.0013947592578143603f;
    p = fma(p, r, 0.00836986486121818f);
    p = fma(p, r, 0.041666246916671215f);
    p = fma(p, r, 0.16666509933071935f);
    p = fma(p, r, 0.500000008572616f);
    return 1.0f + fma(p * r, r, r);
}

FN float exp(float x)
{
    float c = __builtin_fminf(__builtin_fmaxf(x, -110.0f), 90.0f);
    float n = __builtin_rintf(c * 0x1.715476p+0f);
    float r = fma(-n, -0x1.05c61p-29f, fma(-n, 0x1.62e43p-1f, c));
    float e = scale(exp_core(r), (int)n);
    return x != x ? x : e;
}

FN float exp10(float x)
{
    float c = __builtin_fminf(__builtin_fmaxf(x, -48.0f), 40.0f);
    float n = __builtin_rintf(c * 0x1.a934fp+1f);
    float r = fma(-n, -0x1.ec10cp-27f, fma(-n, 0x1.344136p-2f, c));
    float e = scale(exp_core(fma(r, 0x1.26bb1cp+1f, r * -0x1.12aabap-25f)), (int)n);
    return x != x ? x : e;
}

FN float exp2(float x)
{
    float c = __builtin_fminf(__builtin_fmaxf(x, -160.0f), 140.0f);
    float n = __builtin_rintf(c), f = c - n;
    float p = 0.0001537070547706808f;
    p = fma(p, f, 0.0013399848279796913f);
    p = fma(p, f, 0.00961837324899073f);
    p = fma(p, f, 0.05550329035187556f);
    p = fma(p, f, 0.24022648462300386f);
    p = fma(p, f, 0.6931472055770795f);
    float e = scale(fma(p, f, 1.0f), (int)n);
    return x != x ? x : e;
}

/* Above 2 (libclc's loses up to 35 ulp near 8 and flushes): erfc x = e^(-x^2) / x * polynomial in 1/x^2. x^2 is taken in two floats. */
float __attribute__((overloadable)) vl_erfc(float);
FN float erfc(float x)
{
    if (!(x > 2.0f && x < 10.5f))
        return vl_erfc(x);
    float s = x * x, low = fma(x, x, -s), t = 1.0f / s;
    float p = 29.319846344966518f;
    p = fma(p, t, -39.9618675716901f);
    p = fma(p, t, 25.056385358050495f);
    p = fma(p, t, -10.084369853802887f);
    p = fma(p, t, 3.230925206173032f);
    p = fma(p, t, -1.0357308196907664f);
    p = fma(p, t, 0.4225333934007743f);
    p = fma(p, t, -0.28208641098247156f);
    p = fma(p, t, 0.5641895418495281f);
    return exp(-s) * ((1.0f - low) * p / x);
}

/* ------------------------------------------------------------------------------------------------------------------- exponents and bits */

FN float ldexp(float x, int n)
{
    uint bits = as_uint(x), a = bits & 0x7fffffffu;
    float normal = a < 0x800000u ? x * 0x1p24f : x; /* exact */
    int e = (int)(as_uint(normal) >> 23 & 0xffu) - 127 - (a < 0x800000u ? 24 : 0);
    n = n < -400 ? -400 : n > 400 ? 400 : n;
    float m = as_float((as_uint(normal) & 0x807fffffu) | 0x3f800000u);
    int to = e + n, first = to < -126 ? -126 : to > 127 ? 127 : to, rest = to - first;
    rest = rest < -30 ? -30 : rest > 30 ? 30 : rest;
    float r = m * as_float((uint)(first + 127) << 23) * as_float((uint)(rest + 127) << 23);
    return a == 0 || a >= 0x7f800000u ? x : r;
}

FN float nextafter(float x, float y)
{
    uint a = as_uint(x);
    uint next = x == 0.0f ? (as_uint(y) & 0x80000000u) | 1u : (y > x) == (x > 0.0f) ? a + 1 : a - 1;
    return x != x ? x : y != y ? y : x == y ? y : as_float(next);
}

float __attribute__((overloadable)) vl_rootn(float, int);
FN float rootn(float x, int n) { return n == 1 ? x : n == -1 ? 1.0f / x : vl_rootn(x, n); }

/* ------------------------------------------------------------------------------------------------------------------- remainders */

/* |x| mod |y| for finite x and finite y other than 0, exact, by integer remainders of up to 40 bits at a time; *quotient gets its low bits. */
static inline __attribute__((always_inline)) float modulo(float x, float y, uint *quotient)
{
    uint ax = as_uint(x) & 0x7fffffffu, ay = as_uint(y) & 0x7fffffffu;
    int ex = (int)(ax >> 23), ey = (int)(ay >> 23);
    ulong r = ex ? (ax & 0x7fffffu) | 0x800000u : ax, m = ey ? (ay & 0x7fffffu) | 0x800000u : ay;
    ex = ex ? ex : 1;
    ey = ey ? ey : 1;
    *quotient = 0;
    if (ax < ay)
        return as_float(ax);
    uint q = (uint)(r / m);
    r %= m;
    for (int d = ex - ey; d > 0; d -= 40) {
        int s = d < 40 ? d : 40;
        r <<= s;
        q = (s < 32 ? q << s : 0) + (uint)(r / m);
        r %= m;
    }
    *quotient = q;
    int e = ey - 150, half_e = e >> 1; /* r < 2^24, so that both products are exact */
    return (float)(uint)r * as_float((uint)(half_e + 127) << 23) * as_float((uint)(e - half_e + 127) << 23);
}

static inline __attribute__((always_inline)) bool no_remainder(float x, float y)
{
    return (as_uint(x) & 0x7fffffffu) >= 0x7f800000u || y == 0.0f || y != y;
}

FN float fmod(float x, float y)
{
    uint q;
    if (no_remainder(x, y))
        return NAN;
    if ((as_uint(y) & 0x7fffffffu) == 0x7f800000u)
        return x;
    return as_float(as_uint(modulo(x, y, &q)) | (as_uint(x) & 0x80000000u));
}

FN float remquo(float x, float y, int *quotient)
{
    uint q = 0;
    *quotient = 0;
    if (no_remainder(x, y))
        return NAN;
    if ((as_uint(y) & 0x7fffffffu) == 0x7f800000u)
        return x;
    float a = __builtin_fabsf(y), r = modulo(x, y, &q);
    if (r > a - r || (r == a - r && (q & 1u))) {
        r -= a;
        q++;
    }
    int low = (int)(q & 0x7fu);
    *quotient = (as_int(x) ^ as_int(y)) < 0 ? -low : low;
    return as_float(as_uint(r) ^ (as_uint(x) & 0x80000000u));
}

FN float remainder(float x, float y)
{
    int q;
    return remquo(x, y, &q);
}

/* ------------------------------------------------------------------------------------------------------------------- multiples of pi */

/* x = 2k + q/2 + f with f in [-1/4, 1/4] and q in -2..2, all exact; sin and cos of pi f */
static inline __attribute__((always_inline)) int half_turns(float x, float *s, float *c)
{
    float r = fma(-2.0f, __builtin_rintf(x * 0.5f), x);
    float q = __builtin_rintf(r + r), f = fma(-0.5f, q, r), t = f * f;
    float p = 0.08102676355602231f;
    p = fma(p, t, -0.5992056193284765f);
    p = fma(p, t, 2.5501628133256085f);
    p = fma(p, t, -5.167712772064284f);
    *s = fma(f, 0x1.921fb6p+1f, f * fma(p, t, -0x1.777a5cp-24f));
    p = 0.2314177756981259f;
    p = fma(p, t, -1.335056954657248f);
    p = fma(p, t, 4.05870784423454f);
    p = fma(p, t, -4.934802172689258f);
    *c = fma(p, t, 1.0f);
    return (int)q;
}

FN float sinpi(float x)
{
    float s, c;
    int q = half_turns(x, &s, &c);
    float r = q & 1 ? c : s;
    r = q == -1 || (q & 2 && !(q & 1)) ? -r : r;
    return r == 0.0f ? __builtin_copysignf(r, x) : r;
}

FN float cospi(float x)
{
    float s, c;
    int q = half_turns(x, &s, &c);
    float r = q & 1 ? s : c;
    return (q == 1 || (q & 2 && !(q & 1)) ? -r : r) + 0.0f; /* +0 at every n + 1/2 */
}

FN float tanpi(float x)
{
    float s, c;
    int q = half_turns(x, &s, &c);
    if (q & 1)
        return s == 0.0f ? (q == 1 ? INFINITY : -INFINITY) : -c / s;
    return s == 0.0f ? __builtin_copysignf(0.0f, q == 0 ? x : -x) : s / c;
}

/* ------------------------------------------------------------------------------------------------------------------- gamma */

/* With x = n + u, |u| <= 1/2: Gamma(x) is Gamma(1+u) times (u+1)(u+2)...(u+n-1), or divided by u(u-1)...(u+n). Each factor is exact, the
 * product is kept in two floats, and 1/Gamma(1+u) is a polynomial (it is entire). */
FN float tgamma(float x)
{
    if (x > 36.0f)
        return INFINITY;
    if (x < -46.0f)
        return __builtin_floorf(x) == x ? NAN : (int)__builtin_floorf(x) & 1 ? -0.0f : 0.0f;
    if (x != x || x == 0.0f)
        return x != x ? x : __builtin_copysignf(INFINITY, x);
    float n = __builtin_rintf(x), u = x - n;
    if (n <= 0.0f && u == 0.0f)
        return NAN;
    float p = 0.0001284573045800116f;
    p = fma(p, u, -0.0002287746897110672f);
    p = fma(p, u, -0.0011657481581076848f);
    p = fma(p, u, 0.007222308662142118f);
    p = fma(p, u, -0.009621824304237907f);
    p = fma(p, u, -0.042198102559485834f);
    p = fma(p, u, 0.16653859798987916f);
    p = fma(p, u, -0.042002618564239085f);
    p = fma(p, u, -0.6558780711512363f);
    p = fma(p, u, 0.5772156646947134f);
    float inverse = fma(p, u, 1.0f);

    int k = (int)n, count = k >= 1 ? k - 1 : 1 - k, shifts = 0;
    float high = k >= 1 ? 0x1p-8f : 1.0f, low = 0.0f, factor = k >= 1 ? x - (float)(k - 1) : x;
    for (int i = 0; i < count; i++) {
        float product = high * factor;
        low = fma(low, factor, fma(high, factor, -product));
        high = product;
        if (k < 1 && __builtin_fabsf(high) > 0x1p64f) {
            high *= 0x1p-64f;
            low *= 0x1p-64f;
            shifts++;
        }
        factor = k >= 1 ? x - (float)(k - 2 - i) : x + (float)(i + 1);
    }
    if (k >= 1)
        return (high + low) / inverse * 0x1p8f;
    float r = 1.0f / ((high + low) * inverse);
    for (; shifts > 0; shifts--)
        r *= 0x1p-64f;
    return r;
}
