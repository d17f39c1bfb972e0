/*
 * Control flow read back from machine code: which instructions can be reached, and where divergent paths meet again.
 *
 * Calls are passed over (their continuation is the next instruction) and the called function is one more entry. Everything else
 * is one graph of basic blocks for the whole text: the immediate post-dominator of a branch depends only on the blocks that can
 * be reached from it, so functions that share a tail need no special care.
 */
#ifndef VELLUM_FLOW_H
#define VELLUM_FLOW_H

#include "sw/runtime/vellum.h"

#define VL_NO_NODE UINT32_MAX

/* A directed graph: the successors of node i are succ[first[i]] .. succ[first[i + 1] - 1]. */
typedef struct vl_graph {
    uint32_t n;
    const uint32_t *first, *succ;
} vl_graph;

/* Immediate dominators (Lengauer and Tarjan). idom[root] = root; VL_NO_NODE for nodes that root does not reach. */
int vl_dominators(const vl_graph *g, uint32_t root, uint32_t *idom);

/* Loops around every node (Havlak's nesting forest); irreducible loops count by the entry that is found first. */
int vl_loop_depths(const vl_graph *g, uint32_t root, uint32_t *depth);

typedef struct vl_flow {
    vl_reconv *reconv; /* sorted by pc, malloced */
    size_t n_reconv;
    uint32_t instructions, branches;
} vl_flow;

/* `text` is n instructions from address base; entries outside of it are not allowed. VL_ENOMEM. */
int vl_flow_analyse(const uint32_t *text, uint64_t base, uint32_t n, const uint64_t *entries, size_t n_entries,
                    vl_flow *out);

/* Keeps of a list only the branches that `entry` leads to. VL_ENOMEM. */
int vl_flow_select(const uint32_t *text, uint64_t base, uint32_t n, uint64_t entry, vl_reconv *list, size_t *n_list);

#endif
