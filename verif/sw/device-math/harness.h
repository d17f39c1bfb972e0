/* Shared by device-math and device-double. The file that includes it defines REAL, the type of the tested functions, and LETTER, its letter in mangled names; and on the host FRACTION, LOWEST and
 * BEYOND: bits of a significand, exponents of the smallest subnormal and of the first power of two beyond the largest number. */
#ifdef __riscv

/* ---- under qemu-riscv64 in user mode, without a C library: operands from standard input, results to standard output ---- */

#define OVERLOAD __attribute__((overloadable))
#define ONE(name) REAL OVERLOAD name(REAL);
#define TWO(name) REAL OVERLOAD name(REAL, REAL);
// clang-format off
ONE(acos) ONE(acosh) ONE(acospi) ONE(asin) ONE(asinh) ONE(asinpi) ONE(atan) ONE(atanh) ONE(atanpi) ONE(cbrt) ONE(ceil) ONE(cos) ONE(cosh) ONE(cospi)
ONE(erf) ONE(erfc) ONE(exp) ONE(exp2) ONE(exp10) ONE(expm1) ONE(fabs) ONE(floor) ONE(lgamma) ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(logb)
ONE(rint) ONE(round) ONE(rsqrt) ONE(sin) ONE(sinh) ONE(sinpi) ONE(sqrt) ONE(tan) ONE(tanh) ONE(tanpi) ONE(tgamma) ONE(trunc) ONE(degrees) ONE(radians)
TWO(atan2) TWO(atan2pi) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(maxmag) TWO(minmag) TWO(nextafter) TWO(pow) TWO(powr) TWO(remainder)
REAL OVERLOAD fma(REAL, REAL, REAL);
// clang-format on
REAL OVERLOAD ldexp(REAL, int);
REAL OVERLOAD pown(REAL, int);
REAL OVERLOAD rootn(REAL, int);
int OVERLOAD ilogb(REAL);
/* The private address space is part of the OpenCL names, and C has no word for it. */
REAL frexp(REAL, int *) __asm__("_Z5frexp" LETTER "PU9CLprivatei");
REAL lgamma_r(REAL, int *) __asm__("_Z8lgamma_r" LETTER "PU9CLprivatei");
REAL remquo(REAL, REAL, int *) __asm__("_Z6remquo" LETTER LETTER "PU9CLprivatei");
REAL fract(REAL, REAL *) __asm__("_Z5fract" LETTER "PU9CLprivate" LETTER);
REAL modf(REAL, REAL *) __asm__("_Z4modf" LETTER "PU9CLprivate" LETTER);
REAL sincos(REAL, REAL *) __asm__("_Z6sincos" LETTER "PU9CLprivate" LETTER);

enum { MOST = 1 << 20 }; /* operands */

static long call(long number, long a, const void *b, long c)
{
    register long a0 __asm__("a0") = a, a1 __asm__("a1") = (long)b, a2 __asm__("a2") = c, a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}

static long get(void *data, long room)
{
    long bytes = 0;
    for (long n; bytes < room && (n = call(63, 0, (char *)data + bytes, room - bytes)) > 0;)
        bytes += n;
    return bytes;
}

static void put(const void *data, long bytes)
{
    const char *p = data;
    for (long n; bytes > 0; p += n, bytes -= n)
        if ((n = call(64, 1, p, bytes)) <= 0)
            call(93, 1, 0, 0);
}

static void leave(void)
{
    call(93, 0, 0, 0);
}

#else

/* ---- on the host: `check make SEED COUNT` writes operands, `check judge SEED COUNT RESULTS` reads the device's results ---- */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.141592653589793238462643383279502884L

static uint64_t state;
static uint64_t draw(void) /* its upper half is as random as can be */
{
    state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t v = (state ^ state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return (v ^ v >> 27) * UINT64_C(0x94d049bb133111eb);
}

static operand_t make(size_t k); /* the k-th operand */

/* What main begins with: the operands; *results is NULL where they are all that is asked for, and *status what main returns then. */
static operand_t *begin(int argc, char **argv, size_t *count, FILE **results, int *status)
{
    *results = NULL, *status = 2;
    if (argc < 4)
        return NULL;
    state = strtoull(argv[2], NULL, 0);
    *count = strtoul(argv[3], NULL, 0);
    operand_t *in = calloc(*count, sizeof *in);
    for (size_t k = 0; k < *count; k++)
        in[k] = make(k);
    if (!strcmp(argv[1], "make"))
        *status = fwrite(in, sizeof *in, *count, stdout) == *count ? 0 : 1;
    else if (argc > 4)
        *results = fopen(argv[4], "rb");
    return in;
}

static int lgamma_sign(double x)
{
    int s;
    (void)lgamma_r(x, &s);
    return s;
}
/* Near its zeros (1, 2, and on the negative axis) lgamma loses relative precision; the standard sets no limit. */
static int lgamma_domain(double x)
{
    return (x > 0 && fabs(x - 1) > 0.01 && fabs(x - 2) > 0.01) || isnan(x);
}

/* Error in units of the last place at the exact value; `same` where the result is the exact value's nearest. */
static double error_ulp(REAL got, long double exact, double same)
{
    if (isnan(exact))
        return isnan(got) ? 0 : INFINITY;
    if (isnan(got))
        return INFINITY;
    const REAL rounded = (REAL)exact;
    if (!memcmp(&got, &rounded, sizeof got))
        return same;
    if (rounded == 0 && got == 0)
        return signbit(rounded) == signbit(got) || exact != 0 ? 0 : INFINITY; /* an exact zero has its sign */
    if (isinf(exact))
        return INFINITY;
    const long double g = isinf(got) ? copysignl(ldexpl(1, BEYOND), got) : (long double)got;
    const int e = exact == 0 ? LOWEST : ilogbl(exact) - FRACTION;
    return (double)fabsl((g - exact) / ldexpl(1, e < LOWEST ? LOWEST : e));
}

#endif
