#include "sw/workloads/wl.h"

/* The table has sixteen words for each one gathered: larger than any cache when n is large. */
static void run(wl *w, uint32_t n)
{
    uint32_t words = n < 1u << 24 ? 16 * n : n;
    uint32_t *table = wl_words(w, words, 0), *index = wl_words(w, n, words);
    uint32_t *got = wl_host(w, n, sizeof *got), *want = wl_host(w, n, sizeof *want);
    for (uint32_t i = 0; i < n; i++)
        want[i] = table[index[i]];

    wl_load(w, NULL);
    vl_ptr dt = wl_upload(w, table, words * sizeof *table), di = wl_upload(w, index, n * sizeof *index);
    vl_ptr out = wl_buffer(w, n * sizeof *got);
    wl_launch(w, "gather", wl_range1((n + 3) / 4, wl_local(w)), WL_BUF(dt), WL_BUF(di), WL_BUF(out), WL_U32(n));
    wl_read(w, got, out, n * sizeof *got);
    wl_same_u32(w, "out", got, want, n);
}

const workload workload_gather = {"gather", "out[i] = table[index[i]], indices at random", run, {1, 1000, 20011}, 401};
