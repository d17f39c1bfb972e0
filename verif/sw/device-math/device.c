/* Runs under qemu-riscv64 in user mode: reads operands (x, y, z, n: four words each) from standard input, and writes for each function of
 * functions.h the results for all operands. No C library. The functions are the device library's, called by their OpenCL names. */
#include "functions.h"

#define REAL float
#define LETTER "f"
#include "verif/sw/device-math/harness.h"

typedef struct {
    float x, y, z;
    int n;
} operand_t;

// clang-format off
ONE(half_cos) ONE(half_exp) ONE(half_exp2) ONE(half_exp10) ONE(half_log) ONE(half_log2) ONE(half_log10) ONE(half_recip) ONE(half_rsqrt) ONE(half_sin)
ONE(half_sqrt) ONE(half_tan) ONE(native_cos) ONE(native_exp) ONE(native_exp2) ONE(native_exp10) ONE(native_log) ONE(native_log2) ONE(native_log10)
ONE(native_recip) ONE(native_rsqrt) ONE(native_sin) ONE(native_sqrt) ONE(native_tan) ONE(sign)
TWO(half_divide) TWO(half_powr) TWO(native_divide) TWO(native_powr) TWO(step)
static operand_t in[MOST];
static float out[MOST];
// clang-format on

#define F(name, expression, ...)                                                                                       \
    static __attribute__((noinline)) void run_##name(long count)                                                       \
    {                                                                                                                  \
        for (long k = 0; k < count; k++) {                                                                             \
            float x = in[k].x, y = in[k].y, z = in[k].z, p = 0;                                                        \
            int n = in[k].n, i = 0;                                                                                    \
            (void)x, (void)y, (void)z, (void)n, (void)i, (void)p;                                                      \
            out[k] = expression;                                                                                       \
        }                                                                                                              \
    }
FUNCTIONS(F)
#undef F

void _start(void)
{
    const long count = get(in, sizeof in) / (long)sizeof *in;
#define F(name, ...)                                                                                                   \
    run_##name(count);                                                                                                 \
    put(out, count * (long)sizeof *out);
    FUNCTIONS(F)
    leave();
}
