/*
 * Exact matches of many queries in a genome, by the genome's suffix tree. A thread takes a query and finds, for each place in it,
 * the longest match that begins there: down the tree letter by letter, then to the next place over the suffix link, from which
 * whole edges are passed without comparing (they are known to match). Matches shorter than `shortest` are not reported.
 */
typedef struct {
    uint start, length; /* letters of the edge from the parent: genome[start .. start + length - 1] */
    uint child[4];      /* 0: none (the root is no node's child) */
    uint suffix;        /* the node of this one's letters without the first; of inner nodes */
    uint depth;         /* letters from the root to the parent */
} node;

typedef struct {
    uint length, place; /* in the genome */
} match;

__kernel void mummergpu(__global const node *tree, __global const uchar *genome, __global const uchar *letters,
                        __global const uint *query, __global match *found, uint shortest, uint queries)
{
    uint q = get_global_id(0);
    if (q >= queries)
        return;
    uint first = query[q], end = query[q + 1];
    uint at = 0, depth = 0;             /* an inner node, and the letters from the root to it */
    uint next = 0, below = 0, edge = 0; /* a child of it (0: none yet): letters passed of the edge there, and its length */
    for (uint from = first; from + shortest <= end; from++) {
        /* No way out of the middle of the loop: threads that part in it meet again at the next letter. */
        uint to = from + depth + below;
        bool goes_on = to < end;
        while (goes_on) {
            uint letter = letters[to];
            if (below < edge) {
                goes_on = genome[tree[next].start + below] == letter;
            } else {
                uint here = next ? next : at, child = tree[here].child[letter];
                goes_on = child != 0;
                depth = goes_on ? depth + edge : depth;
                at = goes_on ? here : at;
                edge = goes_on ? tree[child].length : edge;
                below = goes_on ? 0 : below;
                next = goes_on ? child : next;
            }
            below += goes_on;
            to += goes_on;
            goes_on &= to < end;
        }
        match m = {0, 0};
        if (to - from >= shortest) {
            m.length = to - from;
            m.place = next ? tree[next].start - depth : tree[at].start - tree[at].depth;
        }
        found[from] = m;

        /* The same letters without the first: over the suffix link, then down again, a node a step. */
        uint left = at || !below ? below : below - 1;
        depth = at ? depth - 1 : 0;
        at = tree[at].suffix;
        next = below = edge = 0;
        while (left) {
            at = next ? next : at;
            depth += edge;
            next = tree[at].child[letters[from + 1 + depth]];
            edge = tree[next].length;
            below = min(left, edge);
            left -= below;
        }
    }
}
