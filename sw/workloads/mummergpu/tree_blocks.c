/* The order of the nodes in memory as in MUMmerGPU (Schatz and others 2007, figure 5): near the root nodes of the same depth lie
 * together, further down those of the same subtree, in blocks; its blocks are of 32 x 32 nodes, for texture caches, ours of a page. */
#include "sw/workloads/mummergpu/suffix_tree.h"

/* A page of 4 KB less one node: with powers of two the blocks' roots would all be in one channel of memory. */
enum { BLOCK = 127 };

typedef struct {
    const tree_node *from;
    tree_node *to;
    uint32_t *place; /* in `to`, of each of `from` */
    uint32_t count;
} mover;

static void move(mover *m, uint32_t node)
{
    m->to[m->count] = m->from[node];
    m->place[node] = m->count++;
}

void tree_blocks(tree_node *to, const tree_node *from, uint32_t nodes, uint32_t *place, uint32_t *roots)
{
    mover m = {.from = from, .to = to, .place = place};
    uint32_t known = 1;
    roots[0] = 0;
    for (uint32_t next = 0; next < known; next++) {
        const uint32_t first = m.count;
        move(&m, roots[next]);
        for (uint32_t n = first; n < m.count; n++)
            for (uint32_t letter = 0; letter < 4; letter++) {
                const uint32_t child = to[n].child[letter];
                if (child == 0)
                    continue;
                if (m.count - first < BLOCK)
                    move(&m, child);
                else
                    roots[known++] = child;
            }
    }
    /* The root is node 0 in both, so 0 goes on to mean none. */
    for (uint32_t n = 0; n < nodes; n++) {
        for (uint32_t letter = 0; letter < 4; letter++)
            to[n].child[letter] = place[to[n].child[letter]];
        to[n].suffix = place[to[n].suffix];
    }
}
