#include "sw/workloads/wl.h"

/* Scans `n` elements: every group its own, then the groups' totals by the same way, then those are spread. */
static void scan(wl *w, vl_ptr in, vl_ptr out, uint32_t n)
{
    const uint32_t local = wl_local(w), groups = (n + local - 1) / local;
    vl_ptr totals = wl_buffer(w, groups * sizeof(uint32_t));
    wl_launch(w, "scan_block", wl_range1(n, local), WL_BUF(in), WL_BUF(out), WL_BUF(totals), WL_U32(n),
              WL_LOC(2 * local * sizeof(uint32_t)));
    if (groups > 1) {
        vl_ptr sums = wl_buffer(w, groups * sizeof(uint32_t));
        scan(w, totals, sums, groups);
        wl_launch(w, "scan_add", wl_range1(n, local), WL_BUF(out), WL_BUF(sums), WL_U32(n));
    }
}

static void run(wl *w, uint32_t n)
{
    uint32_t *x = wl_words(w, n, 0), *got = wl_host(w, n, sizeof *got), *want = wl_host(w, n, sizeof *want);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        want[i] = sum += x[i];

    wl_load(w, NULL);
    vl_ptr in = wl_upload(w, x, n * sizeof *x), out = wl_buffer(w, n * sizeof *got);
    scan(w, in, out, n);
    wl_read(w, got, out, n * sizeof *got);
    wl_same_u32(w, "sum", got, want, n);
}

const workload workload_scan = {
    "scan", "inclusive prefix sum, blocks and then their totals", run, {1, 1001, 20011}, 301};
