#include <stdlib.h>

#include "sw/workloads/wl.h"

enum { BITS = 4, DIGITS = 1 << BITS, EACH = 16, LEVELS = 16 }; /* keys of a thread; levels of sums */

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Exclusive sums of x[0], in place: every group its own, then the groups' totals in x[1] by the same way, then those are spread. */
static void scan(wl *w, const vl_ptr *x, uint32_t n, uint32_t local)
{
    const uint32_t groups = (n + 4 * local - 1) / (4 * local);
    const vl_range range = wl_range1((uint64_t)groups * local, local);
    wl_launch(w, "radix_scan", range, WL_BUF(x[0]), WL_BUF(x[1]), WL_U32(n), WL_LOC(2 * local * sizeof(uint32_t)));
    if (groups > 1) {
        scan(w, x + 1, groups, local);
        wl_launch(w, "radix_add", range, WL_BUF(x[0]), WL_BUF(x[1]), WL_U32(n));
    }
}

static void run(wl *w, uint32_t n)
{
    const uint32_t threads = (n + EACH - 1) / EACH, local = wl_local(w) < 64 ? wl_local(w) : 64;
    const size_t bytes = n * sizeof(uint32_t), counters = (size_t)DIGITS * local * sizeof(uint32_t);
    uint32_t *key = wl_words(w, n, 0), *got = wl_host(w, n, sizeof *got);
    for (uint32_t i = 0; i < n; i++)
        key[i] >>= i % 3 == 0 ? 20 : 0; /* many equal digits too */

    wl_load(w, NULL);
    vl_ptr from = wl_upload(w, key, bytes), to = wl_buffer(w, bytes), sums[LEVELS] = {0};
    uint32_t level = 0, left = DIGITS * threads;
    for (; left > 1; left = (left + 4 * local - 1) / (4 * local))
        sums[level++] = wl_buffer(w, left * sizeof(uint32_t));
    sums[level] = wl_buffer(w, sizeof(uint32_t));
    const vl_range range = wl_range1(threads, local);
    for (uint32_t shift = 0; shift < 32; shift += BITS) {
        wl_launch(w, "radix_count", range, WL_BUF(from), WL_BUF(sums[0]), WL_U32(n), WL_U32(threads), WL_U32(EACH),
                  WL_U32(shift), WL_LOC(counters));
        scan(w, sums, DIGITS * threads, local);
        wl_launch(w, "radix_place", range, WL_BUF(from), WL_BUF(to), WL_BUF(sums[0]), WL_U32(n), WL_U32(threads),
                  WL_U32(EACH), WL_U32(shift), WL_LOC(counters));
        const vl_ptr swap = from;
        from = to;
        to = swap;
    }
    wl_read(w, got, from, bytes);

    qsort(key, n, sizeof *key, ascending);
    wl_same_u32(w, "key", got, key, n);
}

const workload workload_radix_sort = {
    "radix_sort", "eight passes of four bits: counters a thread, sums, placing", run, {1, 777, 6000}, 70};
