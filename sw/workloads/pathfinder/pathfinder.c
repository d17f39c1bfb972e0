#include "sw/workloads/wl.h"

/* The cost of each column of `to` after the last row, right from column `low` to `high` - 1. */
static int32_t *cost_on_host(wl *w, const int32_t *wall, uint32_t rows, uint32_t width, uint32_t low, uint32_t high)
{
    int32_t *cost = wl_host(w, width, sizeof *cost), *next = wl_host(w, width, sizeof *next);
    const uint32_t begin = low > rows ? low - rows : 0, end = width - high > rows ? high + rows : width;
    for (uint32_t x = begin; x < end; x++)
        cost[x] = wall[x];
    for (uint32_t r = 1; r < rows; r++) {
        for (uint32_t x = begin; x < end;
             x++) { /* after each row one column fewer is right at an end that lies within the grid */
            int32_t best = cost[x];
            if (x > begin && cost[x - 1] < best)
                best = cost[x - 1];
            if (x + 1 < end && cost[x + 1] < best)
                best = cost[x + 1];
            next[x] = best + wall[(size_t)r * width + x];
        }
        int32_t *swap = cost;
        cost = next;
        next = swap;
    }
    return cost;
}

/* The whole width; or, in much data, `size` columns of the grid, with the columns that they depend on. */
static void run(wl *w, uint32_t size)
{
    const bool much = wl_data(w) != 0;
    const uint32_t rows = much ? 100 : 23, width = much ? (uint32_t)(wl_data(w) / (4 * (rows + 2))) : size;
    const uint32_t window = size < width ? size : width, low = (width - window) / 2, high = low + window;
    const uint32_t local = wl_local(w), most = local / 4 < 20 || !much ? local / 4 : 20;
    int32_t *wall = wl_host(w, (size_t)rows * width, sizeof *wall), *got = wl_host(w, window, sizeof *got);
    for (size_t i = 0; i < (size_t)rows * width; i++)
        wall[i] = (int32_t)(wl_random(w) % 10);

    wl_load(w, NULL);
    vl_ptr dwall = wl_upload(w, wall, (size_t)rows * width * sizeof *wall);
    vl_ptr from = wl_upload(w, wall, width * sizeof *wall), to = wl_buffer(w, width * sizeof *wall);
    for (uint32_t row = 0, steps; row < rows - 1; row += steps) {
        steps = rows - 1 - row < most ? rows - 1 - row : most;
        /* the rows still to come look `later` columns aside */
        const uint32_t own = local - 2 * steps, later = rows - 1 - row - steps;
        const uint32_t first = low > later ? low - later : 0, last = width - high > later ? high + later : width;
        wl_launch(w, "pathfinder", wl_range1((uint64_t)((last - first + own - 1) / own) * local, local), WL_BUF(dwall),
                  WL_BUF(from), WL_BUF(to), WL_U32(width), WL_U32(first), WL_U32(row), WL_U32(steps),
                  WL_LOC(2 * local * sizeof *wall));
        vl_ptr swap = from;
        from = to;
        to = swap;
    }
    wl_read(w, got, from + low * sizeof *got, window * sizeof *got);
    wl_same_i32(w, "cost", got, cost_on_host(w, wall, rows, width, low, high) + low, window);
}

const workload workload_pathfinder = {
    "pathfinder", "cheapest way down a grid, several rows a launch", run, {1, 301, 2003}, 59};
