/*
 * Inclusive prefix sum. scan_block scans one group's elements (group_scan.h) and leaves the group's total; the host scans the totals the same way, and scan_add spreads them.
 */
#include "group_scan.h"

__kernel void scan_block(__global const uint *in, __global uint *out, __global uint *totals, uint n, __local uint *two)
{
    uint i = get_global_id(0), lid = get_local_id(0), size = get_local_size(0);
    __local uint *from = two, *to = two + size;
    uint sum = i < n ? in[i] : 0;

    GROUP_SCAN(from, to, lid, size, sum);
    if (i < n)
        out[i] = sum;
    if (lid == size - 1)
        totals[get_group_id(0)] = sum;
}

__kernel void scan_add(__global uint *out, __global const uint *totals, uint n)
{
    uint i = get_global_id(0), group = get_group_id(0);
    if (group > 0 && i < n)
        out[i] += totals[group - 1];
}
