#include <math.h>

#include "sw/workloads/wl.h"

enum { EACH = 4 }; /* numbers of a generator */

/* TinyMT32 as RFC 8682 has it, over an array; the kernel has its four words in registers. */
static const uint32_t mat1 = 0x8f7011ee, mat2 = 0xfc78ff1f, tmat = 0x3793fdff;

static void step(uint32_t s[4])
{
    uint32_t x = (s[0] & 0x7fffffff) ^ s[1] ^ s[2], y = s[3];
    x ^= x << 1;
    y ^= (y >> 1) ^ x;
    s[0] = s[1];
    s[1] = s[2];
    s[2] = x ^ (y << 10);
    s[3] = y;
    if (y & 1) {
        s[1] ^= mat1;
        s[2] ^= mat2;
    }
}

static void start(uint32_t s[4], uint32_t seed)
{
    s[0] = seed, s[1] = mat1, s[2] = mat2, s[3] = tmat;
    for (uint32_t i = 1; i < 8; i++) {
        const uint32_t before = s[(i - 1) % 4];
        s[i % 4] ^= i + 1812433253 * (before ^ before >> 30);
    }
    for (int i = 0; i < 8; i++)
        step(s);
}

static uint32_t next(uint32_t s[4])
{
    step(s);
    const uint32_t t = s[0] + (s[2] >> 8);
    return s[3] ^ t ^ (t & 1 ? tmat : 0);
}

static void run(wl *w, uint32_t n)
{
    const double turn = 8.0 * atan(1.0);
    uint32_t *seed = wl_words(w, n, 0), s[4];
    float *got = wl_host(w, (size_t)n * EACH, sizeof *got);
    double *want = wl_host(w, (size_t)n * EACH, sizeof *want);

  /* The generator's own test: its first numbers with seed 1 (RFC 8682, 2.2). */
    static const uint32_t told[EACH] = {2545341989, 981918433, 3715302833, 2387538352};
    start(s, 1);
    for (int k = 0; k < EACH; k++)
        if (next(s) != told[k])
            wl_fail(w, "the host's generator is not TinyMT32");
    for (uint32_t i = 0; i < n; i++) {
        start(s, seed[i]);
        for (uint32_t k = 0; k < EACH; k += 2) {
            const double u = ((next(s) >> 8) + 1) * 0x1p-24, v = (next(s) >> 8) * 0x1p-24;
            const double radius = sqrt(-2.0 * log(u));
            want[i * EACH + k] = radius * cos(turn * v);
            want[i * EACH + k + 1] = radius * sin(turn * v);
        }
    }

    wl_load(w, NULL);
    vl_ptr dseed = wl_upload(w, seed, n * sizeof *seed), out = wl_buffer(w, (size_t)n * EACH * sizeof *got);
    wl_launch(w, "mersenne_twister", wl_range1(n, wl_local(w)), WL_BUF(dseed), WL_BUF(out), WL_U32(n));
    wl_read(w, got, out, (size_t)n * EACH * sizeof *got);

  /*
   * u and v are exact. The error is relative: 3 ulp of log, halved by the root, 4 of cospi or sinpi and one of the roundings are at most
   * 6.5 * 2^-23 < 1e-6. Absolute is only what the host leaves where cos and sin should be 0: 6 * 2^-52.
   */
    wl_near_f32(w, "number", got, want, (size_t)n * EACH, 1e-14, 1e-6);
}

const workload workload_mersenne_twister = {
    "mersenne_twister", "normal random numbers, a generator a thread", run, {1, 501, 5003}, 61};
