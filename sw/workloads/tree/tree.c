#include "sw/workloads/wl.h"

/* As in the kernel. */
typedef struct node {
    struct node *child[2];
    uint32_t key, hits;
} node;

static node *side(const node *n, uint32_t key, wl_shared m)
{
    return wl_moved_back(n->child[key > n->key], m);
}

static void run(wl *w, uint32_t nodes)
{
    const uint32_t n = 2 * nodes + 3;
    wl_shared memory = wl_share(w, nodes * sizeof(node)), keys = wl_share(w, n * sizeof(uint32_t)),
              depth = wl_share(w, n * sizeof(uint32_t));
    if (!wl_ok(w))
        return;
    node *tree = memory.host;
    uint32_t *key = keys.host, *want = wl_host(w, n, sizeof *want), *hits = wl_host(w, nodes, sizeof *hits),
             *got = wl_host(w, nodes, sizeof *got);
    for (uint32_t i = 0; i < nodes; i++) { /* if the key is there already, the node stays without a pointer to it */
        uint32_t k = wl_random(w) % (4 * nodes);
        tree[i].key = k;
        node *at = tree, *below = i ? at : NULL;
        while (below && below->key != k)
            below = side(at = below, k, memory);
        if (i && !below)
            at->child[k > at->key] = wl_moved(&tree[i], memory);
    }
    for (uint32_t i = 0; i < n; i++) {
        key[i] = wl_random(w) % 2 ? tree[wl_random(w) % nodes].key : wl_random(w) % (4 * nodes);
        uint32_t steps = 1;
        const node *at = tree;
        for (; at && at->key != key[i]; at = side(at, key[i], memory))
            steps++;
        want[i] = at ? steps : 0;
        if (at)
            hits[at - tree]++;
    }

    wl_load(w, NULL);
    wl_to_device(w, memory);
    wl_to_device(w, keys);
    wl_launch(w, "look_up", wl_range1((n + 3) / 4, wl_local(w)), WL_BUF(memory.device), WL_BUF(keys.device),
              WL_BUF(depth.device), WL_U32(n));
    wl_to_host(w, depth);
    wl_to_host(w, memory);
    if (!wl_ok(w))
        return;
    wl_same_u32(w, "depth", depth.host, want, n);
    for (uint32_t i = 0; i < nodes; i++)
        got[i] = tree[i].hits;
    wl_same_u32(w, "hits", got, hits, nodes);
}

const workload workload_tree = {"tree", "a search tree of the host's pointers, looked up", run, {1, 500, 20011}, 200};
