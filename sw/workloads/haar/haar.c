#include "sw/workloads/wl.h"

/* One level: n values become n / 2 averages, in place, and as many differences behind them. */
static void level(float *x, float *out, uint32_t n)
{
    const float scale = 0.70710678f;
    for (uint32_t i = 0; i < n / 2; i++) {
        const float a = x[2 * i], b = x[2 * i + 1];
        x[i] = (a + b) * scale;
        out[n / 2 + i] = (a - b) * scale;
    }
}

static void run(wl *w, uint32_t size)
{
    uint32_t n = 2;
    while (n < size)
        n *= 2;
    const size_t bytes = n * sizeof(float);
    float *x = wl_floats(w, n, -1.0f, 1.0f), *want = wl_host(w, n, sizeof *want), *got = wl_host(w, n, sizeof *got);

    wl_load(w, NULL);
    vl_ptr in = wl_upload(w, x, bytes), out = wl_buffer(w, bytes);
    for (uint32_t now = n; now > 1;) {
        const uint32_t local = now / 2 < wl_local(w) ? now / 2 : wl_local(w), groups = now / 2 / local;
        vl_ptr left = groups == 1 ? out : wl_buffer(w, groups * sizeof(float));
        wl_launch(w, "haar", wl_range1(now / 2, local), WL_BUF(in), WL_BUF(left), WL_BUF(out), WL_U32(now),
                  WL_LOC(2 * local * sizeof(float)));
        in = left;
        now = groups;
    }
    wl_read(w, got, out, bytes);

    for (uint32_t now = n; now > 1; now /= 2)
        level(x, want, now);
    want[0] = x[0];
    wl_same_f32(w, "out", got, want, n);
}

const workload workload_haar = {"haar", "one-dimensional wavelet, levels in local memory", run, {1, 1000, 30000}, 250};
