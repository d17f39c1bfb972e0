#include <math.h>

#include "sw/workloads/wl.h"

static void run(wl *w, uint32_t size)
{
    const int32_t n = (int32_t)size, radius = 1, taps = 2 * radius + 1;
    const size_t pixels = (size_t)n * size, bytes = pixels * sizeof(uint32_t);
    uint32_t *in = wl_words(w, pixels, 256);
    float *mask = wl_floats(w, (size_t)(taps * taps), -0.2f, 0.6f);
    int32_t *want = wl_host(w, pixels, sizeof *want), *got = wl_host(w, pixels, sizeof *got);
    for (int32_t y = 0; y < n; y++)
        for (int32_t x = 0; x < n; x++) {
            float sum = 0.0f;
            for (int32_t dy = -radius; dy <= radius; dy++)
                for (int32_t dx = -radius; dx <= radius; dx++)
                    if (y + dy >= 0 && y + dy < n && x + dx >= 0 && x + dx < n)
                        sum = fmaf((float)in[(y + dy) * n + x + dx], mask[(dy + radius) * taps + dx + radius], sum);
            want[y * n + x] = (int32_t)(sum + 0.5f);
        }

    wl_load(w, NULL);
    vl_ptr din = wl_upload(w, in, bytes), dmask = wl_upload(w, mask, (size_t)(taps * taps) * 4),
           out = wl_buffer(w, bytes);
    wl_launch(w, "simple_convolution", wl_range1(pixels, wl_local(w)), WL_BUF(din), WL_BUF(out), WL_BUF(dmask),
              WL_U32(n), WL_U32(n), WL_U32(radius));
    wl_read(w, got, out, bytes);
    wl_same_i32(w, "out", got, want, pixels);
}

const workload workload_simple_convolution = {
    "simple_convolution", "3 x 3 convolution, every tap from global memory", run, {1, 29, 71}, 13};
