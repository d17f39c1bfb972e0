/* Scalar float functions that are the library's own: exact ones from the instruction set, the fast native_* and half_* forms, and
 * what libclc lacks. The rest of the scalar functions are libclc's (libclc.py); vectors wrap scalars (builtins.py). */
#include <opencl-c-base.h>

#define FN __attribute__((overloadable, always_inline))

/* One instruction, or a few, each. */
FN float sqrt(float x) { return __builtin_sqrtf(x); }
FN float rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }
FN float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
FN float mad(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
FN float fabs(float x) { return __builtin_fabsf(x); }
FN float fmin(float a, float b) { return __builtin_fminf(a, b); }
FN float fmax(float a, float b) { return __builtin_fmaxf(a, b); }
FN float floor(float x) { return __builtin_floorf(x); }
FN float ceil(float x) { return __builtin_ceilf(x); }
FN float trunc(float x) { return __builtin_truncf(x); }
FN float rint(float x) { return __builtin_rintf(x); }
FN float round(float x) { return __builtin_roundf(x); }
FN float copysign(float x, float s) { return __builtin_copysignf(x, s); }
FN float nan(uint code) { return as_float(0x7fc00000u | (code & 0x3fffffu)); }
FN float fdim(float a, float b) { return a != a ? a : b != b ? b : a > b ? a - b : 0.0f; }

/* fmin(x - floor(x), 0x1.fffffep-1f), and +-0 for an infinity. */
FN float vl_fract(float x)
{
    float f = __builtin_fminf(x - __builtin_floorf(x), 0x1.fffffep-1f);
    return x != x ? x : __builtin_isinf(x) ? __builtin_copysignf(0.0f, x) : __builtin_copysignf(f, x == 0.0f ? x : f);
}
FN float vl_modf(float x)
{
    float f = __builtin_isinf(x) ? 0.0f : x - __builtin_truncf(x);
    return __builtin_copysignf(f, x);
}

/* native_*: about 1e-6 relative over the useful range, without branches. Subnormal arguments and results are not honoured. The
 * polynomials are weighted least-squares fits on Chebyshev nodes. */
FN float native_divide(float a, float b) { return a / b; }
FN float native_recip(float x) { return 1.0f / x; }
FN float native_sqrt(float x) { return __builtin_sqrtf(x); }
FN float native_rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }

FN float native_exp2(float x)
{
    float c = __builtin_fminf(__builtin_fmaxf(x, -127.0f), 128.0f);
    float n = __builtin_rintf(c);
    float f = x == c ? c - n : x - x; /* beyond the ends the scale decides; a NaN stays a NaN */
    float p = 0.0013266970380946387f;
    p = fma(p, f, 0.00967545974554744f);
    p = fma(p, f, 0.05550742616018443f);
    p = fma(p, f, 0.24022121753560016f);
    p = fma(p, f, 0.6931469491610559f);
    p = fma(p, f, 1.0f);
    float scaled = p * as_float((uint)((int)n + 127) << 23);
    return x > 128.0f ? INFINITY : x < -127.0f ? 0.0f : scaled;
}
FN float native_exp(float x) { return native_exp2(x * 1.44269504f); }
FN float native_exp10(float x) { return native_exp2(x * 3.32192809f); }

FN float native_log2(float x)
{
    int bits = as_int(x);
    int e = (bits - 0x3f3504f3) >> 23; /* so that the fraction lies in [sqrt(1/2), sqrt(2)) */
    float t = as_float(bits - (e << 23)) - 1.0f;
    float p = 0.122805302408651f;
    p = fma(p, t, -0.20570561938489962f);
    p = fma(p, t, 0.21611912898559535f);
    p = fma(p, t, -0.23919490451458905f);
    p = fma(p, t, 0.28790175313918526f);
    p = fma(p, t, -0.360692107984214f);
    p = fma(p, t, 0.480910767769508f);
    p = fma(p, t, -0.7213474818054495f);
    p = fma(p, t, 1.4426950035486887f);
    float r = fma(p, t, (float)e);
    r = x == INFINITY ? x : r;
    return x > 0.0f ? r : x == 0.0f ? -INFINITY : NAN;
}
FN float native_log(float x) { return native_log2(x) * 0.693147181f; }
FN float native_log10(float x) { return native_log2(x) * 0.301029996f; }
FN float native_powr(float x, float y) { return native_exp2(y * native_log2(x)); }

/* x = n * pi/2 + r with pi/2 in two pieces: good for |x| up to some ten thousand. */
FN float vl_quadrant(float x, int *n)
{
    float k = __builtin_rintf(x * 0.636619772f);
    *n = (int)k;
    float r = fma(-k, 0x1.921fb6p+0f, x);
    return fma(-k, -0x1.777a5cp-25f, r);
}
FN float vl_sin_poly(float r)
{
    float s = r * r, p = -0.00019503961762664282f;
    p = fma(p, s, 0.008332036320189766f);
    p = fma(p, s, -0.16666650686420056f);
    return fma(p * s, r, r);
}
FN float vl_cos_poly(float r)
{
    float s = r * r, p = 2.4380275423909184e-05f;
    p = fma(p, s, -0.0013886623599396186f);
    p = fma(p, s, 0.041666616915027765f);
    p = fma(p, s, -0.4999999961772928f);
    return fma(p, s, 1.0f);
}
FN float vl_flip(float x, int n) { return as_float(as_int(x) ^ ((n & 2) << 30)); }

FN float native_sin(float x)
{
    int n;
    float r = vl_quadrant(x, &n), s = vl_sin_poly(r), c = vl_cos_poly(r);
    return vl_flip(n & 1 ? c : s, n);
}
FN float native_cos(float x)
{
    int n;
    float r = vl_quadrant(x, &n), s = vl_sin_poly(r), c = vl_cos_poly(r);
    return vl_flip(n & 1 ? s : c, n + 1);
}
FN float native_tan(float x)
{
    int n;
    float r = vl_quadrant(x, &n), s = vl_sin_poly(r), c = vl_cos_poly(r);
    return n & 1 ? -c / s : s / c;
}

/* half_*: OpenCL asks 8192 ulp. The trigonometric ones keep full range reduction, which native_* lacks near the zeros. */
float __attribute__((overloadable)) sin(float);
float __attribute__((overloadable)) cos(float);
float __attribute__((overloadable)) tan(float);
float __attribute__((overloadable)) powr(float, float);
FN float half_divide(float a, float b) { return a / b; }
FN float half_recip(float x) { return 1.0f / x; }
FN float half_sqrt(float x) { return __builtin_sqrtf(x); }
FN float half_rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }
FN float half_exp(float x) { return native_exp(x); }
FN float half_exp2(float x) { return native_exp2(x); }
FN float half_exp10(float x) { return native_exp10(x); }
FN float half_log(float x) { return native_log(x); }
FN float half_log2(float x) { return native_log2(x); }
FN float half_log10(float x) { return native_log10(x); }
FN float half_sin(float x) { return sin(x); }
FN float half_cos(float x) { return cos(x); }
FN float half_tan(float x) { return tan(x); }
FN float half_powr(float x, float y) { return powr(x, y); }

/* Half precision is a storage format only: 16 bits to float and back, all by integer operations. */
FN float vl_half_to_float(ushort h)
{
    uint magnitude = h & 0x7fffu, sign = (uint)(h & 0x8000u) << 16;
    /* shift exponent and fraction in place; 2^112 corrects the bias and normalises subnormals exactly */
    float f = as_float(magnitude << 13) * 0x1p112f;
    uint bits = magnitude >= 0x7c00u ? 0x7f800000u | magnitude << 13 : as_uint(f);
    return as_float(bits | sign);
}

/* mode: 0 to nearest even, 1 to zero, 2 up, 3 down */
FN ushort vl_float_to_half(float x, int mode)
{
    uint bits = as_uint(x), sign = bits >> 31, a = bits & 0x7fffffffu;
    if (a > 0x7f800000u)
        return (ushort)(sign << 15 | 0x7e00u | (a >> 13 & 0x1ffu));
    if (a == 0x7f800000u)
        return (ushort)(sign << 15 | 0x7c00u);
    /* the kept part as an integer, and the rest as a fraction of one unit with `shift` bits */
    int e = (int)(a >> 23) - 127;
    uint significand = (a & 0x7fffffu) | (a >= 0x800000u ? 0x800000u : 0u);
    int shift = e < -14 ? -14 - e + 13 : 13;
    shift = shift > 25 ? 25 : shift;
    uint kept = significand >> shift, rest = significand & ((1u << shift) - 1u), middle = 1u << (shift - 1);
    uint h = e < -14 ? kept : kept + ((uint)(e + 14) << 10);
    bool up = mode == 0   ? rest > middle || (rest == middle && (kept & 1u))
              : mode == 2 ? rest != 0 && !sign
              : mode == 3 ? rest != 0 && sign
                          : false;
    h += up;
    if (h >= 0x7c00u || e > 15) {
        bool infinite = mode == 0 || (mode == 2 && !sign) || (mode == 3 && sign);
        h = infinite ? 0x7c00u : 0x7bffu;
    }
    return (ushort)(sign << 15 | h);
}
