/* Runs under qemu-riscv64 in user mode: reads operands from standard input, and writes for each function of functions.h the results, eight bytes each. No C library. The
 * functions are the device library's, called by their OpenCL names; operators are the code generator's calls of double.c. */
#include "functions.h"

#define REAL double
#define LETTER "d"
#include "verif/sw/device-math/harness.h"

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

static operand_t in[MOST];
static result_t out[MOST];

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
    const long count = get(in, sizeof in) / (long)sizeof *in;
#define F(name, ...) put(out, run_##name(count) * (long)sizeof *out);
    FUNCTIONS(F)
    leave();
}
