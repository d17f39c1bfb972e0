/*
 * Cheapest path down a grid: cost[r + 1][x] = wall[r + 1][x] + the least of cost[r][x - 1 .. x + 1]. A launch advances `steps`
 * rows, from column `first` on. Each group works on its columns and `steps` more to either side, so that it need not ask its
 * neighbours; after each row one column fewer at either end is still right, and the columns left at the end are the group's own.
 */
__kernel void pathfinder(__global const int *wall, __global const int *from, __global int *to, uint width, uint first,
                         uint row, uint steps, __local int *two)
{
    int lid = get_local_id(0), size = get_local_size(0);
    int own = size - 2 * (int)steps;
    int x = (int)first + (int)get_group_id(0) * own - (int)steps + lid;
    bool inside = x >= 0 && x < (int)width;
    __local int *now = two, *next = two + size;
    int cost = inside ? from[x] : INT_MAX;

    now[lid] = cost;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 0; step < (int)steps; step++) {
        if (inside && lid > step && lid < size - 1 - step) {
            int best = min(cost, min(now[lid - 1], now[lid + 1]));
            cost = best + wall[(row + step + 1) * width + x];
        }
        next[lid] = cost;
        barrier(CLK_LOCAL_MEM_FENCE);
        __local int *swap = now;
        now = next;
        next = swap;
    }
    if (inside && lid >= (int)steps && lid < size - (int)steps)
        to[x] = cost;
}
