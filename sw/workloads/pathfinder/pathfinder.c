#include "sw/workloads/wl.h"

static void run(wl *w, uint32_t width)
{
  const uint32_t rows = 23, local = wl_local(w), most = local / 4;
  int32_t *wall = wl_host(w, (size_t)rows * width, sizeof *wall);
  int32_t *cost = wl_host(w, width, sizeof *cost), *next = wl_host(w, width, sizeof *next), *got = wl_host(w, width, sizeof *got);
  for (size_t i = 0; i < (size_t)rows * width; i++)
    wall[i] = (int32_t)(wl_random(w) % 10);

  wl_load(w, NULL);
  vl_ptr dwall = wl_upload(w, wall, (size_t)rows * width * sizeof *wall);
  vl_ptr from = wl_upload(w, wall, width * sizeof *wall), to = wl_buffer(w, width * sizeof *wall);
  for (uint32_t row = 0, steps; row < rows - 1; row += steps) {
    steps = rows - 1 - row < most ? rows - 1 - row : most;
    uint32_t own = local - 2 * steps, groups = (width + own - 1) / own;
    wl_launch(w, "pathfinder", wl_range1((uint64_t)groups * local, local), WL_BUF(dwall), WL_BUF(from), WL_BUF(to), WL_U32(width),
              WL_U32(row), WL_U32(steps), WL_LOC(2 * local * sizeof *wall));
    vl_ptr swap = from;
    from = to;
    to = swap;
  }
  wl_read(w, got, from, width * sizeof *got);

  for (uint32_t x = 0; x < width; x++)
    cost[x] = wall[x];
  for (uint32_t r = 1; r < rows; r++) {
    for (uint32_t x = 0; x < width; x++) {
      int32_t best = cost[x];
      if (x > 0 && cost[x - 1] < best)
        best = cost[x - 1];
      if (x + 1 < width && cost[x + 1] < best)
        best = cost[x + 1];
      next[x] = best + wall[(size_t)r * width + x];
    }
    int32_t *swap = cost;
    cost = next;
    next = swap;
  }
  wl_same_i32(w, "cost", got, cost, width);
}

const workload workload_pathfinder = {"pathfinder", "cheapest way down a grid, several rows a launch", run, {1, 301, 2003}, 59};
