#include "sw/workloads/wl.h"

static void run(wl *w, uint32_t n)
{
    const uint32_t none = 0x3fffffff; /* no edge; two of them do not wrap */
    const uint32_t side = wl_side(w);
    const size_t cells = (size_t)n * n, bytes = cells * sizeof(uint32_t);
    uint32_t *distance = wl_words(w, cells, 200), *via = wl_host(w, cells, sizeof *via);
    uint32_t *got = wl_host(w, cells, sizeof *got), *got_via = wl_host(w, cells, sizeof *got_via);
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++) {
            const size_t at = (size_t)y * n + x;
            distance[at] = x == y ? 0 : wl_random(w) % 4 ? distance[at] + 1 : none;
            via[at] = y;
        }

    wl_load(w, NULL);
    vl_ptr ddistance = wl_upload(w, distance, bytes), dvia = wl_upload(w, via, bytes);
    for (uint32_t k = 0; k < n; k++)
        wl_launch(w, "floyd_warshall", wl_range2(n, n, side, side), WL_BUF(ddistance), WL_BUF(dvia), WL_U32(n),
                  WL_U32(k));
    wl_read(w, got, ddistance, bytes);
    wl_read(w, got_via, dvia, bytes);

    for (size_t k = 0; k < n; k++)
        for (size_t y = 0; y < n; y++)
            for (size_t x = 0; x < n; x++) {
                const uint32_t by_k = distance[y * n + k] + distance[k * n + x];
                if (by_k < distance[y * n + x]) {
                    distance[y * n + x] = by_k;
                    via[y * n + x] = (uint32_t)k;
                }
            }
    wl_same_u32(w, "distance", got, distance, cells);
    wl_same_u32(w, "via", got_via, via, cells);
}

const workload workload_floyd_warshall = {
    "floyd_warshall", "shortest paths of all pairs, a launch a node", run, {1, 21, 40}, 9};
