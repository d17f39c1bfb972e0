/*
 * One level of a breadth-first search by masks: bfs_expand looks at the neighbours of the nodes of the frontier, bfs_advance makes
 * those that were found the new frontier. The neighbours of node v are edge[node[v].x] .. edge[node[v].x + node[v].y - 1]. Several
 * threads may reach a node at once; all write the same values, so the race is harmless.
 */
__kernel void bfs_expand(__global const uint2 *node, __global const uint *edge, __global uchar *frontier, __global uchar *next,
                         __global const uchar *visited, __global int *cost, uint end)
{
    uint v = get_global_id(0);
    if (v >= end || !frontier[v])
        return;
    frontier[v] = 0;
    uint2 mine = node[v];
    for (uint e = mine.x; e < mine.x + mine.y; e++) {
        uint to = edge[e];
        if (!visited[to]) {
            cost[to] = cost[v] + 1;
            next[to] = 1;
        }
    }
}

__kernel void bfs_advance(__global uchar *frontier, __global uchar *next, __global uchar *visited, __global uint *more, uint end)
{
    uint v = get_global_id(0);
    if (v >= end || !next[v])
        return;
    next[v] = 0;
    frontier[v] = 1;
    visited[v] = 1;
    *more = 1;
}
