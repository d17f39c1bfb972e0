#include "sw/workloads/wl.h"

static void run(wl *w, uint32_t nodes)
{
  /* A random graph, node degrees 0 to 6 (the start has 5): a few nodes cannot be reached. */
  uint32_t *first = wl_host(w, nodes + 1, sizeof *first);
  for (uint32_t v = 0; v < nodes; v++)
    first[v + 1] = first[v] + (v == 0 ? 5 : wl_random(w) % 7);
  const uint32_t edges = first[nodes];
  uint32_t *edge = wl_words(w, edges, nodes);

  int32_t *level = wl_host(w, nodes, sizeof *level), *got = wl_host(w, nodes, sizeof *got);
  uint32_t *queue = wl_host(w, nodes, sizeof *queue), head = 0, tail = 0;
  for (uint32_t v = 0; v < nodes; v++)
    got[v] = level[v] = v == 0 ? 0 : -1;
  queue[tail++] = 0;
  while (head < tail) {
    uint32_t v = queue[head++];
    for (uint32_t e = first[v]; e < first[v + 1]; e++)
      if (level[edge[e]] < 0) {
        level[edge[e]] = level[v] + 1;
        queue[tail++] = edge[e];
      }
  }

  wl_load(w, NULL);
  vl_ptr dfirst = wl_upload(w, first, (nodes + 1) * sizeof *first), dedge = wl_upload(w, edge, edges * sizeof *edge);
  vl_ptr dlevel = wl_upload(w, got, nodes * sizeof *got), dreached = wl_buffer(w, sizeof(uint32_t));
  uint32_t reached = 1;
  for (int32_t current = 0; reached && wl_ok(w); current++) {
    reached = 0;
    wl_write(w, dreached, &reached, sizeof reached);
    wl_launch(w, "bfs_level", wl_range1(nodes, wl_local(w)), WL_BUF(dfirst), WL_BUF(dedge), WL_BUF(dlevel), WL_I32(current),
              WL_BUF(dreached), WL_U32(nodes));
    wl_read(w, &reached, dreached, sizeof reached);
  }
  wl_read(w, got, dlevel, nodes * sizeof *got);
  wl_same_i32(w, "level", got, level, nodes);
}

const workload workload_bfs = {"bfs", "breadth-first search, a launch a level", run, {1, 509, 5003}, 101};
