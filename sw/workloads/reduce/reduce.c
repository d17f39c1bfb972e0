#include <string.h>

#include "sw/workloads/wl.h"

static void fold_tree(float *tree, uint32_t local)
{
    for (uint32_t half = local / 2; half > 0; half /= 2)
        for (uint32_t t = 0; t < half; t++)
            tree[t] += tree[t + half];
}

/* What reduce_partial does, addition by addition, so that the sums must be the same to the last bit. */
static void fold(wl *w, float *out, const float *in, uint32_t n, uint32_t groups, uint32_t local)
{
    float *tree = wl_host(w, local, sizeof *tree);
    for (uint32_t g = 0; g < groups; g++) {
        for (uint32_t t = 0; t < local; t++) {
            tree[t] = 0.0f;
            for (uint32_t i = g * local + t; i < n; i += groups * local)
                tree[t] += in[i];
        }
        fold_tree(tree, local);
        out[g] = tree[0];
    }
}

/* The same of reduce_partial_vectors. */
static void fold_vectors(wl *w, float *out, const float *in, uint32_t groups, uint32_t local)
{
    float *tree = wl_host(w, local, sizeof *tree);
    for (uint32_t g = 0; g < groups; g++) {
        for (uint32_t t = 0; t < local; t++) {
            const float *a = in + 4 * (2 * g * local + t), *b = a + 4 * local;
            tree[t] = ((a[0] + b[0]) + (a[1] + b[1])) + ((a[2] + b[2]) + (a[3] + b[3]));
        }
        fold_tree(tree, local);
        out[g] = tree[0];
    }
}

static void run(wl *w, uint32_t n)
{
    const bool vectors = wl_vectors(w);
    const uint32_t local = wl_local(w), of_group = 8 * local; /* eight elements a thread */
    const uint32_t room = vectors ? wl_whole(n, of_group) : n;

  /* Floats in passes: each leaves one sum a group, until one is left. */
    float *x = wl_host(w, room, sizeof *x), got, *want = x;
    memcpy(x, wl_floats(w, n, -1.0f, 1.0f), n * sizeof *x);
    wl_load(w, NULL);
    vl_ptr in = wl_upload(w, x, room * sizeof *x);
    uint32_t left = n;
    do {
        const uint32_t groups = (left + of_group - 1) / of_group, sums = vectors ? wl_whole(groups, of_group) : groups;
        const vl_range range = wl_range1((uint64_t)groups * local, local);
        vl_ptr out = wl_buffer(w, sums * sizeof(float));
        float *sum = wl_host(w, sums, sizeof *sum);
        if (vectors) {
            wl_launch(w, "reduce_partial_vectors", range, WL_BUF(in), WL_BUF(out), WL_LOC(local * sizeof(float)));
            fold_vectors(w, sum, want, groups, local);
        } else {
            wl_launch(w, "reduce_partial", range, WL_BUF(in), WL_BUF(out), WL_U32(left), WL_LOC(local * sizeof(float)));
            fold(w, sum, want, left, groups, local);
        }
        left = groups;
        want = sum;
        in = out;
    } while (left > 1);
    wl_read(w, &got, in, sizeof got);
    wl_same_f32(w, "sum", &got, want, 1);

  /* Integers at once, the groups' sums by atomics: any order gives the same. */
    uint32_t *u = wl_host(w, room, sizeof *u), total, all = 0;
    memcpy(u, wl_words(w, n, 0), n * sizeof *u);
    for (uint32_t i = 0; i < n; i++)
        all += u[i];
    vl_ptr du = wl_upload(w, u, room * sizeof *u), dtotal = wl_buffer(w, sizeof total);
    const vl_range range = wl_range1((n + 7) / 8, local);
    if (vectors)
        wl_launch(w, "reduce_atomic_vectors", range, WL_BUF(du), WL_BUF(dtotal), WL_LOC(local * sizeof(uint32_t)));
    else
        wl_launch(w, "reduce_atomic", range, WL_BUF(du), WL_BUF(dtotal), WL_U32(n), WL_LOC(local * sizeof(uint32_t)));
    wl_read(w, &total, dtotal, sizeof total);
    wl_same_u32(w, "total", &total, &all, 1);
}

const workload workload_reduce = {
    "reduce", "sums, by a tree in local memory, passes or atomics", run, {1, 1003, 50021}, 403};
