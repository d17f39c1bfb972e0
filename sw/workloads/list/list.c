#include "sw/workloads/wl.h"

/* As in the kernel. */
typedef struct node {
    struct node *next;
    uint32_t value, mark;
} node;

/* Nodes of all lists lie in one buffer in random order. Where host and device share addresses the lists have plain pointers; where
 * they do not, pointers to device addresses, at a constant distance. */
static void run(wl *w, uint32_t nodes)
{
    const uint32_t lists = nodes / 40 + 1;
    wl_shared memory = wl_share(w, nodes * sizeof(node)), first = wl_share(w, lists * sizeof(node *)),
              sum = wl_share(w, lists * sizeof(uint32_t));
    if (!wl_ok(w))
        return;
    node *node_at = memory.host, **heads = first.host;
    uint32_t *order = wl_host(w, nodes, sizeof *order), *want = wl_host(w, lists, sizeof *want),
             *length = wl_host(w, lists, sizeof *length);
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t k = wl_random(w) % (i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    for (uint32_t i = 0; i < nodes; i++) { /* each goes before the first of a list of its choice */
        node *n = &node_at[order[i]];
        uint32_t list = wl_random(w) % lists;
        *n = (node){.next = heads[list], .value = wl_random(w)};
        heads[list] = wl_moved(n, memory);
        want[list] += n->value;
        length[list]++;
    }

    wl_load(w, NULL);
    wl_to_device(w, memory);
    wl_to_device(w, first);
    wl_launch(w, "walk", wl_range1(lists, wl_local(w)), WL_BUF(first.device), WL_BUF(sum.device), WL_U32(lists));
    wl_launch(w, "reverse", wl_range1(lists, wl_local(w)), WL_BUF(first.device), WL_U32(lists));
    wl_to_host(w, sum);
    wl_to_host(w, first);
    wl_to_host(w, memory);
    if (!wl_ok(w))
        return;
    wl_same_u32(w, "sum", sum.host, want, lists);
    for (uint32_t list = 0; list < lists && wl_ok(w); list++) { /* from the end now: the marks go down to 1 */
        uint32_t left = length[list];
        node *n = wl_moved_back(heads[list], memory);
        for (; n && left && n->mark == left; n = wl_moved_back(n->next, memory))
            left--;
        if (n || left)
            wl_fail(w, "list %u of %u nodes is not reversed: %u left", list, length[list], left);
    }
}

const workload workload_list = {
    "list", "linked lists of the host's pointers, walked and reversed", run, {1, 700, 20001}, 300};
