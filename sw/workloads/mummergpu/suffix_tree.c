/* Ukkonen (1995), On-line construction of suffix trees: time in proportion to the text. */
#include "sw/workloads/mummergpu/suffix_tree.h"

#define LEAF UINT32_MAX /* length of a leaf's edge while the text still grows */

typedef struct {
    tree_node *node;
    const uint8_t *text;
    uint32_t count;
    uint32_t at, edge,
        passed; /* the active point: `passed` letters down from node `at`, on the edge that begins as text[edge] */
    uint32_t pending;          /* an inner node that has no suffix link yet, 0: none */
} builder;

static uint32_t new_node(builder *b, uint32_t start, uint32_t length, uint32_t depth)
{
    b->node[b->count] = (tree_node){.start = start, .length = length, .depth = depth};
    return b->count++;
}

static uint32_t depth_of(const builder *b, uint32_t inner)
{
    return b->node[inner].depth + b->node[inner].length;
}

static void link_pending(builder *b, uint32_t to)
{
    if (b->pending)
        b->node[b->pending].suffix = to;
    b->pending = 0;
}

/* Cuts the edge to `child` after the letters passed, and hangs the leaf of the suffix that goes on with text[i] there. */
static void split(builder *b, uint32_t child, uint32_t i)
{
    tree_node *below = &b->node[child];
    const uint32_t middle = new_node(b, below->start, b->passed, below->depth);
    const uint32_t leaf = new_node(b, i, LEAF, depth_of(b, middle));
    b->node[b->at].child[b->text[b->edge]] = middle;
    below->start += b->passed;
    below->depth += b->passed;
    if (below->length != LEAF)
        below->length -= b->passed;
    b->node[middle].child[b->text[i]] = leaf;
    b->node[middle].child[b->text[below->start]] = child;
    link_pending(b, middle);
    b->pending = middle;
}

/* Adds text[i] to the suffixes that still have no leaf of their own, the longest first; returns how many are left. */
static uint32_t extend(builder *b, uint32_t i, uint32_t suffixes)
{
    b->pending = 0;
    while (suffixes > 0) {
        if (b->passed == 0)
            b->edge = i;
        const uint32_t child = b->node[b->at].child[b->text[b->edge]];
        if (child == 0) {
            const uint32_t leaf = new_node(b, i, LEAF, depth_of(b, b->at));
            b->node[b->at].child[b->text[b->edge]] = leaf;
            link_pending(b, b->at);
        } else {
            const tree_node *below = &b->node[child];
            if (b->passed >= below->length) { /* a whole edge (never a leaf's, which has no end yet) */
                b->edge += below->length;
                b->passed -= below->length;
                b->at = child;
                continue;
            }
            if (b->text[below->start + b->passed] == b->text[i]) {
                link_pending(b, b->at);
                b->passed++;
                return suffixes;
            }
            split(b, child, i);
        }
        suffixes--;
        if (b->at != 0) {
            b->at = b->node[b->at].suffix;
        } else if (b->passed > 0) {
            b->passed--;
            b->edge = i - suffixes + 1;
        }
    }
    return 0;
}

uint32_t suffix_tree(tree_node *node, const uint8_t *text, uint32_t letters)
{
    builder b = {.node = node, .text = text};
    new_node(&b, 0, 0, 0);
    for (uint32_t i = 0, suffixes = 0; i < letters; i++)
        suffixes = extend(&b, i, suffixes + 1);
    for (uint32_t n = 1; n < b.count; n++)
        if (node[n].length == LEAF)
            node[n].length = letters - node[n].start;
    return b.count;
}
