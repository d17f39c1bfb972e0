/*
 * One level of a breadth-first search over a graph in CSR form: the neighbours of node v are edge[first[v]] ..
 * edge[first[v + 1] - 1]. Several threads may reach a node at once; all write the same level, so the race is harmless.
 */
__kernel void bfs_level(__global const uint *first, __global const uint *edge, __global int *level, int current,
                        __global uint *reached, uint nodes)
{
    uint v = get_global_id(0);
    if (v >= nodes || level[v] != current)
        return;
    uint found = 0;
    for (uint e = first[v], end = first[v + 1]; e < end; e++) {
        uint to = edge[e];
        if (level[to] < 0) {
            level[to] = current + 1;
            found = 1;
        }
    }
    if (found)
        *reached = 1;
}
