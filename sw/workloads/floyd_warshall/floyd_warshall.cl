/* One round of Floyd and Warshall: paths may go by node k. Its row and column do not change in this round, since its way to itself is 0: threads need no order. */
__kernel void floyd_warshall(__global uint *distance, __global uint *via, uint n, uint k)
{
    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= n || y >= n)
        return;
    uint by_k = distance[y * n + k] + distance[k * n + x];
    if (by_k < distance[y * n + x]) {
        distance[y * n + x] = by_k;
        via[y * n + x] = k;
    }
}
