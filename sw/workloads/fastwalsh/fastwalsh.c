#include "sw/workloads/wl.h"

static void run(wl *w, uint32_t size)
{
    uint32_t n = 2;
    while (n < size)
        n *= 2;
    float *x = wl_floats(w, n, -1.0f, 1.0f), *got = wl_host(w, n, sizeof *got);

    wl_load(w, NULL);
    vl_ptr d = wl_upload(w, x, n * sizeof *x);
    for (uint32_t stride = 1; stride < n; stride *= 2)
        wl_launch(w, "fastwalsh", wl_range1(n / 2, wl_local(w)), WL_BUF(d), WL_U32(stride), WL_U32(n / 2));
    wl_read(w, got, d, n * sizeof *got);

    for (uint32_t stride = 1; stride < n; stride *= 2)
        for (uint32_t block = 0; block < n; block += 2 * stride)
            for (uint32_t i = block; i < block + stride; i++) {
                const float a = x[i], b = x[i + stride];
                x[i] = a + b;
                x[i + stride] = a - b;
            }
    wl_same_f32(w, "x", got, x, n);
}

const workload workload_fastwalsh = {
    "fastwalsh", "Walsh transform in place, a launch a stride", run, {1, 500, 4000}, 60};
