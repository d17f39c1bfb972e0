/*
 * Inclusive prefix sum. scan_block scans one group's elements (Hillis-Steele between two halves of local memory: one
 * barrier a step) and leaves the group's total; the host scans the totals the same way, and scan_add spreads them.
 */
__kernel void scan_block(__global const uint *in, __global uint *out, __global uint *totals, uint n, __local uint *two)
{
    uint i = get_global_id(0), lid = get_local_id(0), size = get_local_size(0);
    __local uint *from = two, *to = two + size;
    uint sum = i < n ? in[i] : 0;

    from[lid] = sum;
    for (uint distance = 1; distance < size; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid >= distance)
            sum += from[lid - distance];
        to[lid] = sum;
        __local uint *swap = from;
        from = to;
        to = swap;
    }
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
