#include <math.h>

#include "sw/workloads/wl.h"

/* The kernel's two products, multiplication by multiplication. */
static void transform(const float *in, float *out, const float *basis, uint32_t width)
{
    float part[64];
    for (uint32_t y = 0; y < 8; y++)
        for (uint32_t x = 0; x < 8; x++) {
            part[y * 8 + x] = 0.0f;
            for (uint32_t k = 0; k < 8; k++)
                part[y * 8 + x] = fmaf(basis[y * 8 + k], in[(size_t)k * width + x], part[y * 8 + x]);
        }
    for (uint32_t y = 0; y < 8; y++)
        for (uint32_t x = 0; x < 8; x++) {
            float sum = 0.0f;
            for (uint32_t k = 0; k < 8; k++)
                sum = fmaf(part[y * 8 + k], basis[x * 8 + k], sum);
            out[(size_t)y * width + x] = sum;
        }
}

static void run(wl *w, uint32_t size)
{
    const uint32_t blocks = (size + 7) / 8, width = 8 * blocks, local = wl_local(w);
    const uint32_t rows = local >= 64 ? 8 : local >= 8 ? local / 8 : 1;
    const size_t pixels = (size_t)width * width, bytes = pixels * sizeof(float);
    float *in = wl_floats(w, pixels, -128.0f, 128.0f), *basis = wl_host(w, 64, sizeof *basis);
    float *want = wl_host(w, pixels, sizeof *want), *got = wl_host(w, pixels, sizeof *got);
    const double eighth_turn = atan(1.0);
    for (int f = 0; f < 8; f++)
        for (int x = 0; x < 8; x++)
            basis[f * 8 + x] = (float)((f ? 0.5 : sqrt(0.125)) * cos((2 * x + 1) * f * eighth_turn / 4.0));
    for (size_t y = 0; y < width; y += 8)
        for (size_t x = 0; x < width; x += 8)
            transform(in + y * width + x, want + y * width + x, basis, width);

    wl_load(w, NULL);
    vl_ptr din = wl_upload(w, in, bytes), dbasis = wl_upload(w, basis, 64 * sizeof *basis), out = wl_buffer(w, bytes);
    wl_launch(w, "dct", wl_range2(width, (uint64_t)blocks * rows, 8, rows), WL_BUF(din), WL_BUF(out), WL_BUF(dbasis),
              WL_U32(width), WL_LOC(64 * sizeof(float)));
    wl_read(w, got, out, bytes);
    wl_same_f32(w, "out", got, want, pixels);
}

const workload workload_dct = {"dct", "cosine transform of 8 x 8 blocks", run, {1, 43, 128}, 16};
