/* The scalar float functions under test: name, the expression of the device program, the exact value on the host, the limit in ulp.
 * x, y are floats, n an int; on the host the reference is evaluated in double (long double where double could spoil a half-way case).
 * Limits are those of OpenCL 1.2 table 7.4 (full profile), or tighter where the library promises more (docs/kernels.md).
 * DOMAIN restricts the operands where the standard leaves the result open; a NaN is expected wherever the reference is NaN.
 *
 * F(name, device expression, host expression, ulp, domain) */
#define FUNCTIONS(F)                                                                                                   \
    F(acos, acos(x), acos(dx), 4, 1)                                                                                   \
    F(acosh, acosh(x), acosh(dx), 4, 1)                                                                                \
    F(acospi, acospi(x), acosl(dx) / PI, 5, 1)                                                                         \
    F(asin, asin(x), asin(dx), 4, 1)                                                                                   \
    F(asinh, asinh(x), asinh(dx), 4, 1)                                                                                \
    F(asinpi, asinpi(x), asinl(dx) / PI, 5, 1)                                                                         \
    F(atan, atan(x), atan(dx), 5, 1)                                                                                   \
    F(atan2, atan2(x, y), atan2(dx, dy), 6, 1)                                                                         \
    F(atanh, atanh(x), atanh(dx), 5, 1)                                                                                \
    F(atanpi, atanpi(x), atanl(dx) / PI, 5, 1)                                                                         \
    F(atan2pi, atan2pi(x, y), atan2l(dx, dy) / PI, 6, 1)                                                               \
    F(cbrt, cbrt(x), cbrt(dx), 2, 1)                                                                                   \
    F(ceil, ceil(x), ceil(dx), 0, 1)                                                                                   \
    F(copysign, copysign(x, y), copysign(dx, dy), 0, !isnan(x))                                                        \
    F(cos, cos(x), cos(dx), 4, 1)                                                                                      \
    F(cosh, cosh(x), cosh(dx), 4, 1)                                                                                   \
    F(cospi, cospi(x), cos_pi(dx), 4, 1)                                                                               \
    F(divide, x / y, (long double)dx / dy, 0.5, 1)                                                                     \
    F(erfc, erfc(x), erfc(dx), 16, 1)                                                                                  \
    F(erf, erf(x), erf(dx), 16, 1)                                                                                     \
    F(exp, exp(x), exp(dx), 3, 1)                                                                                      \
    F(exp2, exp2(x), exp2(dx), 3, 1)                                                                                   \
    F(exp10, exp10(x), exp10(dx), 3, 1)                                                                                \
    F(expm1, expm1(x), expm1(dx), 3, 1)                                                                                \
    F(fabs, fabs(x), fabs(dx), 0, 1)                                                                                   \
    F(fdim, fdim(x, y), fdim(dx, dy), 0.5, 1)                                                                          \
    F(floor, floor(x), floor(dx), 0, 1)                                                                                \
    F(fma, fma(x, y, z), fma_exact(x, y, z), 0.5, 1)                                                                   \
    F(fmax, fmax(x, y), fmax(dx, dy), 0, !(x == 0 && y == 0))                                                          \
    F(fmin, fmin(x, y), fmin(dx, dy), 0, !(x == 0 && y == 0))                                                          \
    F(fmod, fmod(x, y), fmod(dx, dy), 0, 1)                                                                            \
    F(fract, fract(x, &p), fract_of(x), 0, 1)                                                                          \
    F(fract_floor, (fract(x, &p), p), floor(dx), 0, 1)                                                                 \
    F(frexp, frexp(x, &i), frexp(dx, &i), 0, 1)                                                                        \
    F(frexp_exponent, (frexp(x, &i), (float)i), (frexp(dx, &i), (double)i), 0, isfinite(x))                            \
    F(hypot, hypot(x, y), hypot(dx, dy), 4, 1)                                                                         \
    F(ilogb, (float)ilogb(x), (double)ilogb(dx), 0, isfinite(x) && x != 0)                                             \
    F(ldexp, ldexp(x, n), ldexp(dx, n), 0.5, 1)                                                                        \
    F(lgamma, lgamma(x), lgamma(dx), 64, lgamma_domain(dx))                                                            \
    F(lgamma_r_sign, (lgamma_r(x, &i), (float)i), lgamma_sign(dx), 0, isfinite(x) && (x > 0 || floorf(x) != x))        \
    F(log, log(x), log(dx), 3, 1)                                                                                      \
    F(log2, log2(x), log2(dx), 3, 1)                                                                                   \
    F(log10, log10(x), log10(dx), 3, 1)                                                                                \
    F(log1p, log1p(x), log1p(dx), 2, 1)                                                                                \
    F(logb, logb(x), logb(dx), 0, 1)                                                                                   \
    F(maxmag, maxmag(x, y), fabs(dx) > fabs(dy) ? dx : fabs(dy) > fabs(dx) ? dy : fmax(dx, dy), 0, !(x == 0 && y == 0))  \
    F(minmag, minmag(x, y), fabs(dx) < fabs(dy) ? dx : fabs(dy) < fabs(dx) ? dy : fmin(dx, dy), 0, !(x == 0 && y == 0))  \
    F(modf, modf(x, &p), modf(dx, &ip), 0, 1)                                                                          \
    F(modf_whole, (modf(x, &p), p), trunc(dx), 0, 1)                                                                   \
    F(nextafter, nextafter(x, y), (double)nextafterf(x, y), 0, 1)                                                      \
    F(pow, pow(x, y), pow(dx, dy), 16, 1)                                                                              \
    F(pown, pown(x, n), pow(dx, n), 16, 1)                                                                             \
    F(powr, powr(x, y), powr_of(dx, dy), 16, 1)                                                                        \
    F(remainder, remainder(x, y), remainder(dx, dy), 0, 1)                                                             \
    F(remquo, remquo(x, y, &i), remainder(dx, dy), 0, 1)                                                               \
    F(remquo_quotient, (remquo(x, y, &i), (float)(i & 7)), (remquo(dx, dy, &i), (double)(i & 7)), 0, isfinite(x) && !isnan(y) && y != 0 && 0 * x == 0 * y) \
    F(rint, rint(x), rint(dx), 0, 1)                                                                                   \
    F(rootn, rootn(x, n), rootn_of(dx, n), 16, n != 0)                                                                 \
    F(round, round(x), round(dx), 0, 1)                                                                                \
    F(rsqrt, rsqrt(x), 1.0L / sqrtl(dx), 2, 1)                                                                         \
    F(sin, sin(x), sin(dx), 4, 1)                                                                                      \
    F(sincos_sin, sincos(x, &p), sin(dx), 4, 1)                                                                        \
    F(sincos_cos, (sincos(x, &p), p), cos(dx), 4, 1)                                                                   \
    F(sinh, sinh(x), sinh(dx), 4, 1)                                                                                   \
    F(sinpi, sinpi(x), sin_pi(dx), 4, 1)                                                                               \
    F(sqrt, sqrt(x), sqrt(dx), 0.5, 1)                                                                                 \
    F(tan, tan(x), tan(dx), 5, 1)                                                                                      \
    F(tanh, tanh(x), tanh(dx), 5, 1)                                                                                   \
    F(tanpi, tanpi(x), tan_pi(dx), 6, 1)                                                                               \
    F(tgamma, tgamma(x), tgamma(dx), 16, !(x <= 0 && floorf(x) == x))                                                  \
    F(trunc, trunc(x), trunc(dx), 0, 1)                                                                                \
    F(half_cos, half_cos(x), cos(dx), 8192, fabsf(x) < 65536)                                                          \
    F(half_divide, half_divide(x, y), dx / dy, 8192, 1)                                                                \
    F(half_exp, half_exp(x), exp(dx), 8192, fabsf(x) < 87)                                                             \
    F(half_exp2, half_exp2(x), exp2(dx), 8192, fabsf(x) < 126)                                                         \
    F(half_exp10, half_exp10(x), exp10(dx), 8192, fabsf(x) < 37)                                                       \
    F(half_log, half_log(x), log(dx), 8192, normal(x))                                                                 \
    F(half_log2, half_log2(x), log2(dx), 8192, normal(x))                                                              \
    F(half_log10, half_log10(x), log10(dx), 8192, normal(x))                                                           \
    F(half_powr, half_powr(x, y), powr_of(dx, dy), 8192, 1)                                                            \
    F(half_recip, half_recip(x), 1 / dx, 8192, 1)                                                                      \
    F(half_rsqrt, half_rsqrt(x), 1 / sqrt(dx), 8192, 1)                                                                \
    F(half_sin, half_sin(x), sin(dx), 8192, fabsf(x) < 65536)                                                          \
    F(half_sqrt, half_sqrt(x), sqrt(dx), 8192, 1)                                                                      \
    F(half_tan, half_tan(x), tan(dx), 8192, fabsf(x) < 65536)                                                          \
    F(native_divide, native_divide(x, y), dx / dy, 0.5, 1)                                                             \
    F(native_recip, native_recip(x), 1 / dx, 0.5, 1)                                                                   \
    F(native_sqrt, native_sqrt(x), sqrt(dx), 0.5, 1)                                                                   \
    F(native_rsqrt, native_rsqrt(x), 1.0L / sqrtl(dx), 2, 1)                                                           \
    F(native_exp, native_exp(x), exp(dx), 96, fabsf(x) < 87)                                                           \
    F(native_exp2, native_exp2(x), exp2(dx), 4, fabsf(x) < 126 || isinf(x) || isnan(x) || x > 128)                     \
    F(native_exp10, native_exp10(x), exp10(dx), 128, fabsf(x) < 37)                                                    \
    F(native_log, native_log(x), log(dx), 8, normal(x) || x <= 0 || isnan(x))                                          \
    F(native_log2, native_log2(x), log2(dx), 8, normal(x) || x <= 0 || isnan(x))                                       \
    F(native_log10, native_log10(x), log10(dx), 8, normal(x) || x <= 0 || isnan(x))                                    \
    F(native_powr, native_powr(x, y), pow(dx, dy), 4096, normal(x) && normal(fabsf(y)) && fabs(dy * log2(dx)) < 126)   \
    F(native_sin, native_sin(x), sin(dx), 4, fabsf(x) < 3 && x != 0)                                                          \
    F(native_cos, native_cos(x), cos(dx), 4, fabsf(x) < 1.5f)                                                          \
    F(native_tan, native_tan(x), tan(dx), 5, fabsf(x) < 1.5f && x != 0)                                                          \
    F(degrees, degrees(x), dx * (180 / PI), 2, 1)                                                                      \
    F(radians, radians(x), dx * (PI / 180), 2, 1)                                                                      \
    F(sign, sign(x), dx > 0 ? 1 : dx < 0 ? -1 : isnan(dx) ? 0 : dx, 0, 1)                                              \
    F(step, step(x, y), dy < dx ? 0.0 : 1.0, 0, !isnan(x) && !isnan(y))
