#include <stdio.h>

#include "sw/workloads/wl.h"

static int32_t max(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static void run(wl *w, uint32_t size)
{
    const uint32_t rows = size, cols = size + size / 5, pitch = cols + 1;
    const uint32_t side = wl_local(w) < 32 ? wl_local(w) : 32;
    const uint32_t tiles_y = (rows + side - 1) / side, tiles_x = (cols + side - 1) / side;
    const int32_t gap = 2;
    const size_t cells = (size_t)(rows + 1) * pitch;
    uint8_t *a = wl_host(w, rows, 1), *b = wl_host(w, cols, 1);
    int32_t *score = wl_host(w, cells, sizeof *score), *got = wl_host(w, cells, sizeof *got);
    char defines[32];
    for (uint32_t i = 0; i < rows; i++)
        a[i] = "ACGT"[wl_random(w) % 4];
    for (uint32_t i = 0; i < cols; i++)
        b[i] = "ACGT"[wl_random(w) % 4];
    for (uint32_t x = 0; x <= cols; x++)
        score[x] = -gap * (int32_t)x;
    for (uint32_t y = 0; y <= rows; y++)
        score[(size_t)y * pitch] = -gap * (int32_t)y;

    snprintf(defines, sizeof defines, "-DSIDE=%u", side);
    wl_load(w, defines);
    vl_ptr da = wl_upload(w, a, rows), db = wl_upload(w, b, cols), dscore = wl_upload(w, score, cells * sizeof *score);
    for (uint32_t diagonal = 0; diagonal < tiles_y + tiles_x - 1; diagonal++) {
        uint32_t first = diagonal < tiles_x ? 0 : diagonal - tiles_x + 1;
        uint32_t last = diagonal < tiles_y ? diagonal : tiles_y - 1;
        wl_launch(w, "nw_tiles", wl_range1((uint64_t)(last - first + 1) * side, side), WL_BUF(da), WL_BUF(db),
                  WL_BUF(dscore), WL_U32(rows), WL_U32(cols), WL_U32(diagonal), WL_U32(first), WL_I32(gap));
    }
    wl_read(w, got, dscore, cells * sizeof *got);

    for (uint32_t y = 1; y <= rows; y++)
        for (uint32_t x = 1; x <= cols; x++) {
            int32_t *cell = &score[(size_t)y * pitch + x];
            int32_t match = cell[-(ptrdiff_t)pitch - 1] + (a[y - 1] == b[x - 1] ? 3 : -1);
            *cell = max(match, max(cell[-(ptrdiff_t)pitch], cell[-1]) - gap);
        }
    wl_same_i32(w, "score", got, score, cells);
}

const workload workload_nw = {
    "nw", "Needleman-Wunsch alignment, a launch an anti-diagonal of tiles", run, {1, 53, 140}, 15};
