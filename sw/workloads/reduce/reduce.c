#include "sw/workloads/wl.h"

/* What reduce_partial does, addition by addition, so that the sums must be the same to the last bit. */
static uint32_t fold(wl *w, float *out, const float *in, uint32_t n, uint32_t groups, uint32_t local)
{
    float *tree = wl_host(w, local, sizeof *tree);
    for (uint32_t g = 0; g < groups; g++) {
        for (uint32_t t = 0; t < local; t++) {
            tree[t] = 0.0f;
            for (uint32_t i = g * local + t; i < n; i += groups * local)
                tree[t] += in[i];
        }
        for (uint32_t half = local / 2; half > 0; half /= 2)
            for (uint32_t t = 0; t < half; t++)
                tree[t] += tree[t + half];
        out[g] = tree[0];
    }
    return groups;
}

static void run(wl *w, uint32_t n)
{
    const uint32_t local = wl_local(w);

  /* Floats in passes: each leaves one sum a group, until one is left. */
    float *x = wl_floats(w, n, -1.0f, 1.0f), got, *want = x;
    wl_load(w, NULL);
    vl_ptr in = wl_upload(w, x, n * sizeof *x);
    uint32_t left = n;
    do {
        uint32_t groups = (left + 8 * local - 1) / (8 * local); /* eight elements a thread */
        vl_ptr out = wl_buffer(w, groups * sizeof(float));
        wl_launch(w, "reduce_partial", wl_range1((uint64_t)groups * local, local), WL_BUF(in), WL_BUF(out),
                  WL_U32(left), WL_LOC(local * sizeof(float)));
        float *sums = wl_host(w, groups, sizeof *sums);
        left = fold(w, sums, want, left, groups, local);
        want = sums;
        in = out;
    } while (left > 1);
    wl_read(w, &got, in, sizeof got);
    wl_same_f32(w, "sum", &got, want, 1);

  /* Integers at once, the groups' sums by atomics: any order gives the same. */
    uint32_t *u = wl_words(w, n, 0), total, all = 0;
    for (uint32_t i = 0; i < n; i++)
        all += u[i];
    vl_ptr du = wl_upload(w, u, n * sizeof *u), dtotal = wl_buffer(w, sizeof total);
    wl_launch(w, "reduce_atomic", wl_range1((n + 7) / 8, local), WL_BUF(du), WL_BUF(dtotal), WL_U32(n),
              WL_LOC(local * sizeof(uint32_t)));
    wl_read(w, &total, dtotal, sizeof total);
    wl_same_u32(w, "total", &total, &all, 1);
}

const workload workload_reduce = {
    "reduce", "sums, by a tree in local memory, passes or atomics", run, {1, 1003, 50021}, 403};
