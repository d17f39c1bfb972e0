#include <math.h>

#include "sw/workloads/wl.h"

static void run(wl *w, uint32_t n)
{
    const float a = 1.7f;
    float *x = wl_floats(w, n, -10.0f, 10.0f), *y = wl_floats(w, n, -10.0f, 10.0f);
    float *got = wl_host(w, n, sizeof *got), *want = wl_host(w, n, sizeof *want);
    for (uint32_t i = 0; i < n; i++)
        want[i] = fmaf(a, x[i], y[i]);

    wl_load(w, NULL);
    vl_ptr dx = wl_upload(w, x, n * sizeof *x), dy = wl_upload(w, y, n * sizeof *y);
  /* About four elements a thread. */
    wl_launch(w, "saxpy", wl_range1((n + 3) / 4, wl_local(w)), WL_F32(a), WL_BUF(dx), WL_BUF(dy), WL_U32(n));
    wl_read(w, got, dy, n * sizeof *got);
    wl_same_f32(w, "y", got, want, n);
}

const workload workload_saxpy = {"saxpy", "y = a x + y, each thread several elements", run, {3, 1001, 60007}, 499};
