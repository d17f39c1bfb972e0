#include <math.h>

#include "sw/workloads/wl.h"

static int32_t clamp(int32_t v, int32_t high)
{
    return v < 0 ? 0 : v > high ? high : v;
}

static void run(wl *w, uint32_t size)
{
    const int32_t width = (int32_t)size, height = width * 2 / 3 + 1, radius = 2, taps = 2 * radius + 1;
    const uint32_t side = wl_side(w);
    const size_t pixels = (size_t)width * (size_t)height, bytes = pixels * sizeof(float);
    float *in = wl_floats(w, pixels, 0.0f, 1.0f), *filter = wl_floats(w, (size_t)(taps * taps), -0.2f, 0.2f);
    float *want = wl_host(w, pixels, sizeof *want), *got = wl_host(w, pixels, sizeof *got);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            float sum = 0.0f;
            for (int32_t fy = 0; fy < taps; fy++)
                for (int32_t fx = 0; fx < taps; fx++)
                    sum = fmaf(in[clamp(y + fy - radius, height - 1) * width + clamp(x + fx - radius, width - 1)],
                               filter[fy * taps + fx], sum);
            want[y * width + x] = sum;
        }

    wl_load(w, NULL);
    vl_ptr din = wl_upload(w, in, bytes), dfilter = wl_upload(w, filter, (size_t)(taps * taps) * 4),
           out = wl_buffer(w, bytes);
    const size_t part = side + 2 * (size_t)radius;
    wl_launch(w, "conv2d", wl_range2(size, (uint64_t)height, side, side), WL_BUF(din), WL_BUF(out), WL_BUF(dfilter),
              WL_U32(width), WL_U32(height), WL_U32(radius), WL_LOC(part * part * sizeof(float)));
    wl_read(w, got, out, bytes);
    wl_same_f32(w, "out", got, want, pixels);
}

const workload workload_conv2d = {
    "conv2d", "5 x 5 convolution, the group's pixels in local memory", run, {1, 51, 123}, 14};
