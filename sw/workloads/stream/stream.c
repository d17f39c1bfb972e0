#include "sw/workloads/wl.h"

enum { SCALE = 3 };

static uint64_t *random_words(wl *w, uint32_t n)
{
    return (uint64_t *)(void *)wl_words(w, 2 * (size_t)n, 0);
}

static void same(wl *w, const char *what, const uint64_t *got, const uint64_t *want, uint64_t n)
{
    wl_same_u32(w, what, (const uint32_t *)(const void *)got, (const uint32_t *)(const void *)want, 2 * n);
}

/* Three launches: read, copy, triad. As many threads as the machine holds, and no more than there are elements. */
static void run(wl *w, uint32_t n)
{
    uint64_t all = (uint64_t)vl_config_value(wl_device(w), "cores", 1) * wl_core_threads(w);
    vl_range range = wl_range1(all < n ? all : n, wl_local(w));
    uint64_t threads = range.global[0], bytes = n * sizeof(uint64_t);
    uint64_t *a = random_words(w, n), *b = random_words(w, n), *triad = wl_host(w, n, 8),
             *sums = wl_host(w, threads, 8);
    uint64_t *got = wl_host(w, n > threads ? n : threads, 8);
    for (uint32_t i = 0; i < n; i++) {
        sums[i % threads] ^= a[i];
        triad[i] = a[i] + SCALE * b[i];
    }
    wl_load(w, NULL);
    vl_ptr da = wl_upload(w, a, bytes), db = wl_upload(w, b, bytes), dc = wl_buffer(w, bytes),
           ds = wl_buffer(w, threads * 8);

    wl_launch(w, "stream_read", range, WL_BUF(da), WL_BUF(ds), WL_U32(n));
    wl_read(w, got, ds, threads * 8);
    same(w, "sums", got, sums, threads);
    wl_launch(w, "stream_copy", range, WL_BUF(da), WL_BUF(dc), WL_U32(n));
    wl_read(w, got, dc, bytes);
    same(w, "copy", got, a, n);
    wl_launch(w, "stream_triad", range, WL_BUF(da), WL_BUF(db), WL_BUF(dc), (wl_arg){WL_VALUE, 8, SCALE}, WL_U32(n));
    wl_read(w, got, dc, bytes);
    same(w, "triad", got, triad, n);
}

const workload workload_stream = {"stream", "read, c = a, c = a + s b: memory's bandwidth", run, {1, 1000, 20011}, 401};
