/* The suffix tree of a text of letters 0 to 3, as the kernel walks it. */
#ifndef SUFFIX_TREE_H
#define SUFFIX_TREE_H

#include <stdint.h>

typedef struct {
    uint32_t start, length; /* letters of the edge from the parent: text[start .. start + length - 1] */
    uint32_t child[4];      /* 0: none; node 0 is the root */
    uint32_t suffix;        /* the node of this one's letters without the first; of inner nodes */
    uint32_t depth;         /* letters from the root to the parent */
} tree_node;

/* Fills `node` (room for 2 * letters) and returns how many nodes there are. The text has no end mark: a suffix that begins another
 * has no leaf of its own. */
uint32_t suffix_tree(tree_node *node, const uint8_t *text, uint32_t letters);

/* The same tree in `to`, in blocks of neighbours (tree_blocks.c). `place` and `roots` have room for a number each node. */
void tree_blocks(tree_node *to, const tree_node *from, uint32_t nodes, uint32_t *place, uint32_t *roots);

#endif
