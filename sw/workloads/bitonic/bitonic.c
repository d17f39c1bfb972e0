#include <stdlib.h>

#include "sw/workloads/wl.h"

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void run(wl *w, uint32_t n)
{
    const uint32_t local = wl_local(w);
    uint32_t padded = 2 * local; /* a power of two, and at least one group's keys */
    while (padded < n)
        padded *= 2;
    uint32_t *key = wl_words(w, padded, 0), *got = wl_host(w, padded, sizeof *got);
    for (uint32_t i = 0; i < padded; i++)
        key[i] =
            i < n ? key[i] >> (i % 3 == 0 ? 20 : 0) : UINT32_MAX; /* many equal keys too; the filling goes to the end */

    wl_load(w, NULL);
    vl_ptr d = wl_upload(w, key, padded * sizeof *key);
    const vl_range range = wl_range1(padded / 2, local);
    const wl_arg part = WL_LOC(2 * local * sizeof *key);
    wl_launch(w, "bitonic_local", range, WL_BUF(d), WL_U32(2), WL_U32(2 * local), part);
    for (uint32_t size = 4 * local; size <= padded; size *= 2) {
        for (uint32_t stride = size / 2; stride > local; stride /= 2)
            wl_launch(w, "bitonic_step", range, WL_BUF(d), WL_U32(size), WL_U32(stride));
        wl_launch(w, "bitonic_local", range, WL_BUF(d), WL_U32(size), WL_U32(size), part);
    }
    wl_read(w, got, d, padded * sizeof *got);

    qsort(key, n, sizeof *key, ascending);
    wl_same_u32(w, "key", got, key, n);
}

const workload workload_bitonic = {"bitonic", "bitonic sort, short strides in local memory", run, {1, 777, 6000}, 75};
