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

static state new_state(wl *w, uint32_t nodes)
{
    return (state){wl_host(w, nodes, 1), wl_host(w, nodes, 1), wl_host(w, nodes, 1),
                   wl_host(w, nodes, sizeof(int32_t))};
}

/* As it is when the nodes of `level` are the frontier. */
static void set_level(const graph *g, state *s, int32_t level)
{
    for (uint32_t v = 0; v < g->nodes; v++) {
        s->frontier[v] = g->level[v] == level;
        s->next[v] = 0;
        s->visited[v] = g->level[v] >= 0 && g->level[v] <= level;
        s->cost[v] = s->visited[v] ? g->level[v] : -1;
    }
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

/* The level with the most nodes. */
static int32_t widest_level(wl *w, const graph *g)
{
    uint32_t *count = wl_host(w, g->nodes, sizeof *count);
    int32_t widest = 0;
    for (uint32_t v = 0; v < g->nodes; v++)
        if (g->level[v] >= 0 && ++count[g->level[v]] > count[widest])
            widest = g->level[v];
    return widest;
}

typedef struct {
    vl_ptr node, edge, frontier, next, visited, cost, more;
    uint32_t from, to; /* the threads that run */
} on_device;

/* One level on the device; whether it has found a node. */
static bool run_level(wl *w, const on_device *d)
{
    const vl_range range = wl_window(d->from, d->to - d->from, wl_local(w));
    uint32_t more = 0;
    wl_write(w, d->more, &more, sizeof more);
    wl_launch(w, "bfs_expand", range, WL_BUF(d->node), WL_BUF(d->edge), WL_BUF(d->frontier), WL_BUF(d->next),
              WL_BUF(d->visited), WL_BUF(d->cost), WL_U32(d->to));
    wl_launch(w, "bfs_advance", range, WL_BUF(d->frontier), WL_BUF(d->next), WL_BUF(d->visited), WL_BUF(d->more),
              WL_U32(d->to));
    wl_read(w, &more, d->more, sizeof more);
    return more != 0;
}

static void write_state(wl *w, const on_device *d, const state *s, uint32_t nodes)
{
    wl_write(w, d->frontier, s->frontier, nodes);
    wl_write(w, d->next, s->next, nodes);
    wl_write(w, d->visited, s->visited, nodes);
    wl_write(w, d->cost, s->cost, nodes * sizeof *s->cost);
}

static void check_state(wl *w, const on_device *d, const state *s, uint32_t nodes)
{
    state got = new_state(w, nodes);
    wl_read(w, got.cost, d->cost, nodes * sizeof *got.cost);
    wl_read(w, got.frontier, d->frontier, nodes);
    wl_read(w, got.next, d->next, nodes);
    wl_read(w, got.visited, d->visited, nodes);
    wl_same_i32(w, "cost", got.cost, s->cost, nodes);
    wl_same_u8(w, "frontier", got.frontier, s->frontier, nodes);
    wl_same_u8(w, "next", got.next, s->next, nodes);
    wl_same_u8(w, "visited", got.visited, s->visited, nodes);
}

/* The whole search; or, in much data, the level before the widest and the widest, for `size` nodes of the graph. */
static void run(wl *w, uint32_t size)
{
  /* Bytes a node in much data: eight of its own, six edges on average, three masks, its cost. */
    const bool much = wl_data(w) != 0;
    const uint32_t nodes = much ? (uint32_t)(wl_data(w) / (8 + 6 * 4 + 3 + 4)) : size;
    const uint32_t window = size < nodes ? size : nodes, from = much ? (nodes - window) / 2 : 0;
    const graph g = random_graph(w, nodes, much ? 3 : 0);
    state s = new_state(w, nodes);

    wl_load(w, NULL);
    const on_device d = {wl_upload(w, g.node, nodes * sizeof *g.node),
                         wl_upload(w, g.edge, g.edges * sizeof *g.edge),
                         wl_buffer(w, nodes),
                         wl_buffer(w, nodes),
                         wl_buffer(w, nodes),
                         wl_buffer(w, nodes * sizeof *s.cost),
                         wl_buffer(w, sizeof(uint32_t)),
                         from,
                         from + window};
    if (much) {
        const int32_t widest = widest_level(w, &g);
        for (int32_t level = widest > 0 ? widest - 1 : 0; level <= widest; level++) {
            set_level(&g, &s, level);
            write_state(w, &d, &s, nodes);
            run_level(w, &d);
            level_on_host(&g, &s, from, from + window);
            check_state(w, &d, &s, nodes);
        }
        return;
    }
    set_level(&g, &s, 0);
    write_state(w, &d, &s, nodes);
    while (wl_ok(w) && run_level(w, &d))
        ;
    int32_t *got = wl_host(w, nodes, sizeof *got);
    wl_read(w, got, d.cost, nodes * sizeof *got);
    wl_same_i32(w, "cost", got, g.level, nodes);
}

const workload workload_bfs = {"bfs", "breadth-first search by masks, two launches a level", run, {1, 509, 5003}, 101};
