/* Double precision under test: name, the kind of the result (d double, f float, l long, u unsigned long), the expression of the device program, the exact value on the host,
 * the limit in ulp, every how many operands it is asked, and a domain where the standard leaves the rest open.
 * x, y, z are doubles, n an int, l a long, u an unsigned long, s a float. A limit of 0 means bit for bit against the host's own IEEE double (a NaN is a NaN).
 * Other limits are those of OpenCL 1.2, table 7.4, and the reference is long double, with 11 bits more.
 *
 * F(name, kind, device expression, host expression, ulp, every, domain) */
#define ARITHMETIC(F)                                                                                                  \
    F(add, d, x + y, x + y, 0, 1, 1)                                                                                   \
    F(subtract, d, x - y, x - y, 0, 1, 1)                                                                              \
    F(multiply, d, x * y, x * y, 0, 1, 1)                                                                              \
    F(divide, d, x / y, x / y, 0, 1, 1)                                                                                \
    F(square_root, d, sqrt(x), sqrt(x), 0, 1, 1)                                                                       \
    F(fused, d, fma(x, y, z), fma(x, y, z), 0, 1, 1)                                                                   \
    F(fused_near, d, fma(x, y, -(x * y)), fma(x, y, -(x * y)), 0, 1, 1)                                                \
    F(add_near, d, x + -nextafter(x, y), x - nextafter(x, y), 0, 1, 1)                                                 \
    F(equal, l, x == y, x == y, 0, 1, 1)                                                                               \
    F(unequal, l, x != y, x != y, 0, 1, 1)                                                                             \
    F(less, l, x < y, x < y, 0, 1, 1)                                                                                  \
    F(less_equal, l, x <= y, x <= y, 0, 1, 1)                                                                          \
    F(greater, l, x > y, x > y, 0, 1, 1)                                                                               \
    F(greater_equal, l, x >= y, x >= y, 0, 1, 1)                                                                       \
    F(unordered, l, __builtin_isunordered(x, y), isnan(x) || isnan(y), 0, 1, 1)                                        \
    F(of_int, d, (double)n, (double)n, 0, 1, 1)                                                                        \
    F(of_uint, d, (double)(unsigned)n, (double)(unsigned)n, 0, 1, 1)                                                   \
    F(of_long, d, (double)l, (double)l, 0, 1, 1)                                                                       \
    F(of_ulong, d, (double)u, (double)u, 0, 1, 1)                                                                      \
    F(of_float, d, (double)s, (double)s, 0, 1, 1)                                                                      \
    F(to_float, f, (float)x, (float)x, 0, 1, 1)                                                                        \
    F(to_int, l, (int)x, clamp(trunc(x), -0x1p31L, 0x1p31L - 1), 0, 1, 1)                                              \
    F(to_uint, u, (unsigned)x, clamp(trunc(x), 0, 0x1p32L - 1), 0, 1, 1)                                               \
    F(to_long, l, (long)x, clamp(trunc(x), -0x1p63L, 0x1p63L - 1), 0, 1, 1)                                            \
    F(to_ulong, u, (unsigned long)x, clamp_unsigned(trunc(x)), 0, 1, 1)                                                \
    F(to_long_rte, l, vl_double_to_signed(x, 0, 64), clamp(rint(x), -0x1p63L, 0x1p63L - 1), 0, 1, 1)                   \
    F(to_long_rtp, l, vl_double_to_signed(x, 2, 64), clamp(ceil(x), -0x1p63L, 0x1p63L - 1), 0, 1, 1)                   \
    F(to_long_rtn, l, vl_double_to_signed(x, 3, 64), clamp(floor(x), -0x1p63L, 0x1p63L - 1), 0, 1, 1)                  \
    F(to_char_rte, l, vl_double_to_signed(x, 0, 8), clamp(rint(x), -128, 127), 0, 1, 1)                                \
    F(to_ulong_rte, u, vl_double_to_unsigned(x, 0, 64), clamp_unsigned(rint(x)), 0, 1, 1)                              \
    F(to_ushort_rtp, u, vl_double_to_unsigned(x, 2, 16), clamp(ceil(x), 0, 65535), 0, 1, 1)                            \
    F(of_long_rtz, d, vl_double_of_signed(l, 1), ROUNDED(FE_TOWARDZERO, (double)l), 0, 1, 1)                           \
    F(of_long_rtp, d, vl_double_of_signed(l, 2), ROUNDED(FE_UPWARD, (double)l), 0, 1, l != 0)                          \
    F(of_long_rtn, d, vl_double_of_signed(l, 3), ROUNDED(FE_DOWNWARD, (double)l), 0, 1, l != 0)                        \
    F(of_ulong_rtz, d, vl_double_of_unsigned(u, 1), ROUNDED(FE_TOWARDZERO, (double)u), 0, 1, 1)                        \
    F(of_ulong_rtp, d, vl_double_of_unsigned(u, 2), ROUNDED(FE_UPWARD, (double)u), 0, 1, 1)                            \
    F(to_float_rtz, f, vl_double_to_float(x, 1), ROUNDED(FE_TOWARDZERO, (float)x), 0, 1, 1)                            \
    F(to_float_rtp, f, vl_double_to_float(x, 2), ROUNDED(FE_UPWARD, (float)x), 0, 1, 1)                                \
    F(to_float_rtn, f, vl_double_to_float(x, 3), ROUNDED(FE_DOWNWARD, (float)x), 0, 1, 1)                              \
    F(to_half_rte, u, vl_double_to_half(x, 0), half_of(x, 0), 0, 1, 1)                                                 \
    F(to_half_rtz, u, vl_double_to_half(x, 1), half_of(x, 1), 0, 1, 1)                                                 \
    F(to_half_rtp, u, vl_double_to_half(x, 2), half_of(x, 2), 0, 1, 1)                                                 \
    F(to_half_rtn, u, vl_double_to_half(x, 3), half_of(x, 3), 0, 1, 1)                                                 \
    F(ceiling, d, ceil(x), ceil(x), 0, 1, 1)                                                                           \
    F(floored, d, floor(x), floor(x), 0, 1, 1)                                                                         \
    F(truncated, d, trunc(x), trunc(x), 0, 1, 1)                                                                       \
    F(nearest, d, rint(x), rint(x), 0, 1, 1)                                                                           \
    F(rounded, d, round(x), round(x), 0, 1, 1)                                                                         \
    F(absolute, d, fabs(x), fabs(x), 0, 1, 1)                                                                          \
    F(signed_as, d, copysign(x, y), copysign(x, y), 0, 1, !isnan(x))                                                   \
    F(least, d, fmin(x, y), fmin(x, y), 0, 1, !(x == 0 && y == 0))                                                     \
    F(most, d, fmax(x, y), fmax(x, y), 0, 1, !(x == 0 && y == 0))                                                      \
    F(difference, d, fdim(x, y), fdim(x, y), 0, 1, 1)                                                                  \
    F(next, d, nextafter(x, y), nextafter(x, y), 0, 1, 1)                                                              \
    F(scaled, d, ldexp(x, n), ldexp(x, n), 0, 1, 1)                                                                    \
    F(log_b, d, logb(x), logb(x), 0, 1, 1)                                                                             \
    F(ilog_b, l, ilogb(x), ilogb(x), 0, 1, isfinite(x) && x != 0)                                                      \
    F(modulo, d, fmod(x, y), fmod(x, y), 0, 3, 1)                                                                      \
    F(rest, d, remainder(x, y), rest_of(x, y), 0, 3, 1)                                                                \
    F(rest_quotient, l, (remquo(x, y, &i), i & 7), (remquo(x, y, &i), i & 7), 0, 3, isfinite(x) && !isnan(y) && y != 0 && (isfinite(y) || 1)) \
    F(split, d, frexp(x, &i), frexp(x, &i), 0, 1, 1)                                                                   \
    F(split_exponent, l, (frexp(x, &i), i), (frexp(x, &i), i), 0, 1, isfinite(x))                                      \
    F(fraction, d, fract(x, &p), fract_of(x), 0, 1, 1)                                                                 \
    F(fraction_floor, d, (fract(x, &p), p), floor(x), 0, 1, 1)                                                         \
    F(parts, d, modf(x, &p), modf(x, &p), 0, 1, 1)                                                                     \
    F(parts_whole, d, (modf(x, &p), p), trunc(x), 0, 1, 1)                                                             \
    F(greater_magnitude, d, maxmag(x, y), fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y), 0, 1, !(x == 0 && y == 0)) \
    F(lesser_magnitude, d, minmag(x, y), fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y), 0, 1, !(x == 0 && y == 0))

#define LIBRARY(F)                                                                                                     \
    F(acos, d, acos(x), acosl(x), 4, 8, 1)                                                                             \
    F(acosh, d, acosh(x), acoshl(x), 4, 8, 1)                                                                          \
    F(acospi, d, acospi(x), acosl(x) / PI, 5, 8, 1)                                                                    \
    F(asin, d, asin(x), asinl(x), 4, 8, 1)                                                                             \
    F(asinh, d, asinh(x), asinhl(x), 4, 8, 1)                                                                          \
    F(asinpi, d, asinpi(x), asinl(x) / PI, 5, 8, 1)                                                                    \
    F(atan, d, atan(x), atanl(x), 5, 8, 1)                                                                             \
    F(atan2, d, atan2(x, y), atan2l(x, y), 6, 8, 1)                                                                    \
    F(atanh, d, atanh(x), atanhl(x), 5, 8, 1)                                                                          \
    F(atanpi, d, atanpi(x), atanl(x) / PI, 5, 8, 1)                                                                    \
    F(atan2pi, d, atan2pi(x, y), atan2l(x, y) / PI, 6, 8, 1)                                                           \
    F(cbrt, d, cbrt(x), cbrtl(x), 2, 8, 1)                                                                             \
    F(cos, d, cos(x), cosl(x), 4, 8, 1)                                                                                \
    F(cosh, d, cosh(x), coshl(x), 4, 8, 1)                                                                             \
    F(cospi, d, cospi(x), cos_pi(x), 4, 8, 1)                                                                          \
    F(erfc, d, erfc(x), erfcl(x), 16, 8, 1)                                                                            \
    F(erf, d, erf(x), erfl(x), 16, 8, 1)                                                                               \
    F(exp, d, exp(x), expl(x), 3, 8, 1)                                                                                \
    F(exp2, d, exp2(x), exp2l(x), 3, 8, 1)                                                                             \
    F(exp10, d, exp10(x), exp10l(x), 3, 8, 1)                                                                          \
    F(expm1, d, expm1(x), expm1l(x), 3, 8, 1)                                                                          \
    F(hypot, d, hypot(x, y), hypotl(x, y), 4, 8, 1)                                                                    \
    F(lgamma, d, lgamma(x), lgammal(x), 64, 8, lgamma_domain(x))                                                       \
    F(lgamma_r_sign, l, (lgamma_r(x, &i), i), lgamma_sign(x), 0, 8, isfinite(x) && (x > 0 || floor(x) != x))           \
    F(log, d, log(x), logl(x), 3, 8, 1)                                                                                \
    F(log2, d, log2(x), log2l(x), 3, 8, 1)                                                                             \
    F(log10, d, log10(x), log10l(x), 3, 8, 1)                                                                          \
    F(log1p, d, log1p(x), log1pl(x), 2, 8, 1)                                                                          \
    F(pow, d, pow(x, y), pow_of(x, y), 16, 8, 1)                                                                       \
    F(pown, d, pown(x, n), pown_of(x, n), 16, 8, 1)                                                                    \
    F(powr, d, powr(x, y), powr_of(x, y), 16, 8, 1)                                                                    \
    F(rootn, d, rootn(x, n), rootn_of(x, n), 16, 8, n != 0)                                                            \
    F(rsqrt, d, rsqrt(x), 1 / sqrtl(x), 2, 8, 1)                                                                       \
    F(sin, d, sin(x), sinl(x), 4, 8, 1)                                                                                \
    F(sincos_sin, d, sincos(x, &p), sinl(x), 4, 8, 1)                                                                  \
    F(sincos_cos, d, (sincos(x, &p), p), cosl(x), 4, 8, 1)                                                             \
    F(sinh, d, sinh(x), sinhl(x), 4, 8, 1)                                                                             \
    F(sinpi, d, sinpi(x), sin_pi(x), 4, 8, 1)                                                                          \
    F(tan, d, tan(x), tanl(x), 5, 8, 1)                                                                                \
    F(tanh, d, tanh(x), tanhl(x), 5, 8, 1)                                                                             \
    F(tanpi, d, tanpi(x), tan_pi(x), 6, 8, 1)                                                                          \
    F(tgamma, d, tgamma(x), tgammal(x), 16, 8, !(x <= 0 && floor(x) == x))                                             \
    F(degrees, d, degrees(x), (long double)x * (180 / PI), 2, 1, 1)                                                    \
    F(radians, d, radians(x), (long double)x * (PI / 180), 2, 1, 1)
#ifdef ARITHMETIC_ALONE
#define FUNCTIONS(F) ARITHMETIC(F)
#else
#define FUNCTIONS(F) ARITHMETIC(F) LIBRARY(F)
#endif
