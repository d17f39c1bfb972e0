#include "sw/workloads/wl.h"

static void run(wl *w, uint32_t n)
{
    const uint32_t bins = 61, each = wl_vectors(w) ? 256 : 16; /* bytes of a thread */
    uint8_t *in = wl_host(w, wl_whole(n, 16), 1);
    uint32_t *want = wl_host(w, bins, sizeof *want), *got = wl_host(w, bins, sizeof *got);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t r = wl_random(w);
        in[i] = (r & 0xff) * (r >> 8 & 0xff) >> 8; /* small values more often: lanes collide */
        want[in[i] * bins >> 8]++;
    }

    wl_load(w, NULL);
    vl_ptr din = wl_upload(w, in, wl_vectors(w) ? wl_whole(n, 16) : n), count = wl_buffer(w, bins * sizeof *got);
    wl_launch(w, wl_vectors(w) ? "histogram_vectors" : "histogram", wl_range1((n + each - 1) / each, wl_local(w)),
              WL_BUF(din), WL_BUF(count), WL_U32(n), WL_U32(bins), WL_LOC(bins * sizeof *got));
    wl_read(w, got, count, bins * sizeof *got);
    wl_same_u32(w, "count", got, want, bins);
}

const workload workload_histogram = {
    "histogram", "byte classes by local and global atomics", run, {1, 1009, 50023}, 307};
