#include "sw/workloads/wl.h"

typedef struct {
  uint32_t first, degree;
} node_t;

typedef struct {
  uint32_t nodes, edges;
  node_t *node;
  uint32_t *edge;
  int32_t *level; /* of each node, -1: not reached */
} graph;

/* The state between two levels. */
typedef struct {
  uint8_t *frontier, *next, *visited;
  int32_t *cost;
} state;

/* Degrees from `least` to least + 6; node 0, the start, has 5 at least. */
static graph random_graph(wl *w, uint32_t nodes, uint32_t least)
{
  graph g = {.nodes = nodes, .node = wl_host(w, nodes, sizeof *g.node)};
  for (uint32_t v = 0; v < nodes; v++) {
    g.node[v].degree = least + (v == 0 ? 5 : wl_random(w) % 7);
    g.node[v].first = g.edges;
    g.edges += g.node[v].degree;
  }
  g.edge = wl_words(w, g.edges, nodes);

  g.level = wl_host(w, nodes, sizeof *g.level);
  uint32_t *queue = wl_host(w, nodes, sizeof *queue), head = 0, tail = 0;
  for (uint32_t v = 1; v < nodes; v++)
    g.level[v] = -1;
  queue[tail++] = 0;
  while (head < tail) {
    const uint32_t v = queue[head++];
    for (uint32_t e = g.node[v].first, end = e + g.node[v].degree; e < end; e++)
      if (g.level[g.edge[e]] < 0) {
        g.level[g.edge[e]] = g.level[v] + 1;
        queue[tail++] = g.edge[e];
      }
  }
  return g;
}

/* As it is when the nodes of `level` are the frontier. */
static state state_at(wl *w, const graph *g, int32_t level)
{
  state s = {wl_host(w, g->nodes, 1), wl_host(w, g->nodes, 1), wl_host(w, g->nodes, 1), wl_host(w, g->nodes, sizeof *s.cost)};
  for (uint32_t v = 0; v < g->nodes; v++) {
    s.frontier[v] = g->level[v] == level;
    s.visited[v] = g->level[v] >= 0 && g->level[v] <= level;
    s.cost[v] = s.visited[v] ? g->level[v] : -1;
  }
  return s;
}

/* What both kernels do when the threads `from` to `to` - 1 run. */
static void level_on_host(const graph *g, state *s, uint32_t from, uint32_t to)
{
  for (uint32_t v = from; v < to; v++)
    if (s->frontier[v]) {
      s->frontier[v] = 0;
      for (uint32_t e = g->node[v].first, end = e + g->node[v].degree; e < end; e++)
        if (!s->visited[g->edge[e]]) {
          s->cost[g->edge[e]] = s->cost[v] + 1;
          s->next[g->edge[e]] = 1;
        }
    }
  for (uint32_t v = from; v < to; v++)
    if (s->next[v]) {
      s->next[v] = 0;
      s->frontier[v] = s->visited[v] = 1;
    }
}

/* The level that finds the most nodes. */
static int32_t busiest_level(wl *w, const graph *g)
{
  uint32_t *count = wl_host(w, g->nodes, sizeof *count);
  int32_t widest = 0;
  for (uint32_t v = 0; v < g->nodes; v++)
    if (g->level[v] >= 0 && ++count[g->level[v]] > count[widest])
      widest = g->level[v];
  return widest > 0 ? widest - 1 : 0;
}

/* The whole search; or, in much data, the level that finds the most, for `size` nodes of the graph. */
static void run(wl *w, uint32_t size)
{
  /* Bytes a node in much data: eight of its own, six edges on average, three masks, its cost. */
  const bool much = wl_data(w) != 0;
  const uint32_t nodes = much ? (uint32_t)(wl_data(w) / (8 + 6 * 4 + 3 + 4)) : size;
  const uint32_t window = size < nodes ? size : nodes, from = much ? (nodes - window) / 2 : 0;
  const graph g = random_graph(w, nodes, much ? 3 : 0);
  state s = state_at(w, &g, much ? busiest_level(w, &g) : 0);

  wl_load(w, NULL);
  vl_ptr dnode = wl_upload(w, g.node, nodes * sizeof *g.node), dedge = wl_upload(w, g.edge, g.edges * sizeof *g.edge);
  vl_ptr dfrontier = wl_upload(w, s.frontier, nodes), dnext = wl_upload(w, s.next, nodes);
  vl_ptr dvisited = wl_upload(w, s.visited, nodes), dcost = wl_upload(w, s.cost, nodes * sizeof *s.cost);
  vl_ptr dmore = wl_buffer(w, sizeof(uint32_t));
  const vl_range range = wl_window(from, window, wl_local(w));
  uint32_t more;
  do {
    more = 0;
    wl_write(w, dmore, &more, sizeof more);
    wl_launch(w, "bfs_expand", range, WL_BUF(dnode), WL_BUF(dedge), WL_BUF(dfrontier), WL_BUF(dnext), WL_BUF(dvisited),
              WL_BUF(dcost), WL_U32(from + window));
    wl_launch(w, "bfs_advance", range, WL_BUF(dfrontier), WL_BUF(dnext), WL_BUF(dvisited), WL_BUF(dmore), WL_U32(from + window));
    wl_read(w, &more, dmore, sizeof more);
  } while (more && !much && wl_ok(w));

  uint8_t *got = wl_host(w, nodes, 1);
  int32_t *got_cost = wl_host(w, nodes, sizeof *got_cost);
  wl_read(w, got_cost, dcost, nodes * sizeof *got_cost);
  if (!much) {
    wl_same_i32(w, "cost", got_cost, g.level, nodes);
    return;
  }
  level_on_host(&g, &s, from, from + window);
  wl_same_i32(w, "cost", got_cost, s.cost, nodes);
  wl_read(w, got, dfrontier, nodes);
  wl_same_u8(w, "frontier", got, s.frontier, nodes);
  wl_read(w, got, dnext, nodes);
  wl_same_u8(w, "next", got, s.next, nodes);
  wl_read(w, got, dvisited, nodes);
  wl_same_u8(w, "visited", got, s.visited, nodes);
}

const workload workload_bfs = {"bfs", "breadth-first search by masks, two launches a level", run, {1, 509, 5003}, 101};
