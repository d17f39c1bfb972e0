/* Host side: `check make SEED COUNT` writes operands, `check judge SEED COUNT RESULTS [TABLE]` compares the device's results with double
 * precision, one line a function: the worst error in ulp and where. */
#include <stdint.h>

#include "verif/sw/device-math/functions.h"

typedef struct {
    float x, y, z;
    int32_t n;
} operand_t;

#define REAL float
enum { FRACTION = 23, LOWEST = -149, BEYOND = 128 };
#include "verif/sw/device-math/harness.h"

static uint32_t random32(void)
{
    return (uint32_t)(draw() >> 32);
}
static float from_bits(uint32_t b)
{
    float f;
    memcpy(&f, &b, 4);
    return f;
}

static const uint32_t corners[] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000,
                                   0x80800000, 0x3f800000, 0xbf800000, 0x3f7fffff, 0xbf7fffff, 0x3f800001, 0xbf800001,
                                   0x3f000000, 0xbf000000, 0x3effffff, 0x3f000001, 0x40000000, 0xc0000000, 0x40400000,
                                   0x40490fdb, 0x3fc90fdb, 0xbfc90fdb, 0x3f490fdb, 0x40c90fdb, 0x42b17218, 0xc2b17218,
                                   0xc2cff1b5, 0x42b00000, 0x43000000, 0xc3000000, 0xc3150000, 0x4b000000, 0x4b000001,
                                   0xcb000000, 0x4a800001, 0x4f000000, 0xcf000000, 0x5f000000, 0x7f000000, 0x7f7fffff,
                                   0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001};
enum { CORNERS = sizeof corners / sizeof *corners };

/* Any bit pattern; a moderate value; a value near 1; a multiple of pi/2; a small whole or half number. */
static float random_float(void)
{
    uint32_t r = random32(), s = random32();
    switch (s & 7) {
    case 0:
    case 1: return from_bits(r);
    case 2:
    case 3:
    case 4: return from_bits((r & 0x807fffff) | (uint32_t)(117 + (s >> 8) % 20) << 23);
    case 5: return from_bits((0x3f800000 + (r & 0xffff) - 0x8000) | (s << 16 & 0x80000000));
    case 6: return (float)((int)(s >> 8 & 0xffff) * 1.5707963267948966) * (s & 16 ? -1 : 1);
    default: return (float)((int)(r & 0x3ff) - 512) * 0.5f;
    }
}

static operand_t make(size_t k)
{
    operand_t o;
    if (k < CORNERS * CORNERS) {
        o.x = from_bits(corners[k / CORNERS]);
        o.y = from_bits(corners[k % CORNERS]);
        o.z = from_bits(corners[(k * 7 + k / CORNERS) % CORNERS]);
    } else {
        o.x = random_float();
        o.y = random_float();
        o.z = random32() & 1 ? random_float() : -(o.x * o.y); /* cancellation */
    }
    static const int32_t whole[] = {0,    1,   -1,   2,   -2,   3,    -3,    5,         127,
                                    -127, 149, -150, 278, -278, 1000, -1000, INT32_MAX, INT32_MIN};
    uint32_t r = random32();
    o.n = r & 1   ? whole[(r >> 8) % (sizeof whole / sizeof *whole)]
          : r & 2 ? (int32_t)((r >> 8) % 64) - 32
                  : (int32_t)random32();
    return o;
}

/* References that the C library lacks or has otherwise. */
static double sin_pi(double x)
{
    return isinf(x) ? NAN
                    : copysign((double)sinl(PI * (long double)remainder(x, 2)),
                               fmod(x, 1) == 0 ? x : sinl(PI * (long double)remainder(x, 2)))
                          * (fmod(x, 1) == 0 ? 0 : 1);
}
static double cos_pi(double x)
{
    return isinf(x) ? NAN : fmod(fabs(x), 1) == 0.5 ? 0.0 : (double)cosl(PI * (long double)remainder(x, 2));
}
static double tan_pi(double x)
{
    if (isinf(x) || isnan(x))
        return NAN;
    double r = remainder(x, 1); /* in [-1/2, 1/2] */
    if (r == 0) /* zeros take their sign from which multiple it is */
        return fmod(fabs(x), 2) == 0 ? copysign(0.0, x) : copysign(0.0, -x);
    if (fabs(r) == 0.5) {
        double m = fmod(x, 2);
        return m == 0.5 || m == -1.5 ? INFINITY : -INFINITY;
    }
    return (double)tanl(PI * (long double)r);
}
static double fract_of(float x)
{
    return isinf(x)   ? copysign(0.0, x)
           : isnan(x) ? NAN
           : x == 0   ? x
                      : (double)fminf((float)((double)x - floor(x)), 0x1.fffffep-1f);
}
static double powr_of(double x, double y)
{
    if (isnan(x) || isnan(y) || x < 0)
        return NAN;
    if ((x == 0 && y == 0) || (isinf(x) && y == 0) || (x == 1 && isinf(y)))
        return NAN;
    if (x == 0)
        return y < 0 ? INFINITY : 0.0;
    return pow(x, y);
}
static double rootn_of(double x, int n)
{
    if (x < 0 && !(n & 1))
        return NAN;
    if (x == 0)
        return n < 0 ? (n & 1 ? copysign(INFINITY, x) : INFINITY) : n & 1 ? x : 0.0;
    return copysign((double)powl(fabs(x), 1.0L / n), x);
}
/* The exact sum rounded to odd in long double arithmetic is more than float needs; fmaf of the host is exact by definition. */
static double fma_exact(float x, float y, float z)
{
    return (double)fmaf(x, y, z);
}
static int normal(float x)
{
    return x >= 0x1p-126f && x <= 0x1.fffffep127f;
}

int main(int argc, char **argv)
{
    size_t count;
    FILE *f;
    int status;
    const operand_t *in = begin(argc, argv, &count, &f, &status);
    if (!f)
        return status;
    float *got = calloc(count, sizeof *got);
    int passed = 0, failed = 0, i;
    double ip;
    (void)i, (void)ip;
    /* a limit of 0 or 0.5 means the correctly rounded value: any difference is an error */
#define F(name, device, expression, limit, domain)                                                                     \
    {                                                                                                                  \
        double worst = 0;                                                                                              \
        size_t at = 0, judged = 0, bad = 0;                                                                            \
        if (fread(got, sizeof *got, count, f) != count) {                                                        \
            printf("FAILED %s: no results\n", #name);                                                                  \
            failed++;                                                                                                  \
        } else {                                                                                                       \
            for (size_t k = 0; k < count; k++) {                                                                       \
                float x = in[k].x, y = in[k].y, z = in[k].z;                                                           \
                int n = in[k].n;                                                                                       \
                double dx = x, dy = y;                                                                                 \
                (void)dx, (void)z, (void)n, (void)dy;                                                                            \
                if (!(domain))                                                                                         \
                    continue;                                                                                          \
                judged++;                                                                                              \
                double e = error_ulp(got[k], expression, 0);                                                              \
                if (limit < 1 ? e > 0 : e > limit)                                                                     \
                    bad++;                                                                                             \
                if (e > worst)                                                                                         \
                    worst = e, at = k;                                                                                 \
            }                                                                                                          \
            int ok = bad == 0 && judged > count / 100;                                                                 \
            printf("%s %-16s worst %10.3f ulp, limit %g, %zu judged, %zu bad", ok ? "ok    " : "FAILED", #name, worst, (double)limit, judged, bad); \
            if (!ok) {                                                                                                 \
                float x = in[at].x, y = in[at].y, z = in[at].z;                                                        \
                int n = in[at].n;                                                                                      \
                double dx = x, dy = y;                                                                                 \
                (void)dx, (void)z, (void)n, (void)dy;                                                                            \
                printf(": x %a y %a z %a n %d got %a exact %a", (double)x, (double)y, (double)z, n, (double)got[at], (double)(expression)); \
            }                                                                                                          \
            putchar('\n');                                                                                             \
            passed += ok;                                                                                              \
            failed += !ok;                                                                                             \
        }                                                                                                              \
    }
    FUNCTIONS(F)
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
