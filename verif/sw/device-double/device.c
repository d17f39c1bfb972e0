/* Runs under qemu-riscv64 in user mode: reads operands from standard input, and writes for each function of functions.h the results, eight bytes each. No C library. The
 * functions are the device library's, called by their OpenCL names; operators are the code generator's calls of double.c. */
#include "functions.h"

#define OVERLOAD __attribute__((overloadable))
#define ONE(name) double OVERLOAD name(double);
#define TWO(name) double OVERLOAD name(double, double);
// clang-format off
ONE(acos) ONE(acosh) ONE(acospi) ONE(asin) ONE(asinh) ONE(asinpi) ONE(atan) ONE(atanh) ONE(atanpi) ONE(cbrt) ONE(ceil) ONE(cos) ONE(cosh) ONE(cospi)
ONE(erf) ONE(erfc) ONE(exp) ONE(exp2) ONE(exp10) ONE(expm1) ONE(fabs) ONE(floor) ONE(lgamma) ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(logb)
ONE(rint) ONE(round) ONE(rsqrt) ONE(sin) ONE(sinh) ONE(sinpi) ONE(sqrt) ONE(tan) ONE(tanh) ONE(tanpi) ONE(tgamma) ONE(trunc) ONE(degrees) ONE(radians)
TWO(atan2) TWO(atan2pi) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(maxmag) TWO(minmag) TWO(nextafter) TWO(pow) TWO(powr) TWO(remainder)
    // clang-format on
    double OVERLOAD fma(double, double, double);
double OVERLOAD ldexp(double, int);
double OVERLOAD pown(double, int);
double OVERLOAD rootn(double, int);
int OVERLOAD ilogb(double);
/* The private address space is part of the OpenCL names, and C has no word for it. */
double frexp(double, int *) __asm__("_Z5frexpdPU9CLprivatei");
double lgamma_r(double, int *) __asm__("_Z8lgamma_rdPU9CLprivatei");
double remquo(double, double, int *) __asm__("_Z6remquoddPU9CLprivatei");
double fract(double, double *) __asm__("_Z5fractdPU9CLprivated");
double modf(double, double *) __asm__("_Z4modfdPU9CLprivated");
double sincos(double, double *) __asm__("_Z6sincosdPU9CLprivated");
long vl_double_to_signed(double, int, int);
unsigned long vl_double_to_unsigned(double, int, int);
double vl_double_of_signed(long, int);
double vl_double_of_unsigned(unsigned long, int);
float vl_double_to_float(double, int);
unsigned short vl_double_to_half(double, int);

typedef struct {
    double x, y, z;
    long l;
    float s;
    int n;
} operand_t;

typedef union {
    double d;
    float f;
    long l;
    unsigned long u;
} result_t;

enum { MOST = 1 << 20 };
static operand_t in[MOST];
static result_t out[MOST];

static long call(long number, long a, const void *b, long c)
{
    register long a0 __asm__("a0") = a, a1 __asm__("a1") = (long)b, a2 __asm__("a2") = c, a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}

static void put(const void *data, long bytes)
{
    const char *p = data;
    for (long n; bytes > 0; p += n, bytes -= n)
        if ((n = call(64, 1, p, bytes)) <= 0)
            call(93, 1, 0, 0);
}

#define F(name, kind, expression, host, ulp, every, domain)                                                            \
    static __attribute__((noinline)) long run_##name(long count)                                                       \
    {                                                                                                                  \
        long results = 0;                                                                                              \
        for (long k = 0; k < count; k += every) {                                                                      \
            double x = in[k].x, y = in[k].y, z = in[k].z, p = 0;                                                       \
            long l = in[k].l;                                                                                          \
            unsigned long u = (unsigned long)l;                                                                        \
            float s = in[k].s;                                                                                         \
            int n = in[k].n, i = 0;                                                                                    \
            (void)x, (void)y, (void)z, (void)n, (void)i, (void)p, (void)l, (void)u, (void)s;                           \
            out[results].l = 0;                                                                                        \
            out[results++].kind = expression;                                                                          \
        }                                                                                                              \
        return results;                                                                                                \
    }
FUNCTIONS(F)
#undef F

void _start(void)
{
    long bytes = 0;
    for (long n; bytes < (long)sizeof in && (n = call(63, 0, (char *)in + bytes, (long)sizeof in - bytes)) > 0;)
        bytes += n;
    long count = bytes / (long)sizeof *in;
#define F(name, ...) put(out, run_##name(count) * (long)sizeof *out);
    FUNCTIONS(F)
    call(93, 0, 0, 0);
}
