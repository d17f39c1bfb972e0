/* Counts bytes in `bins` equal classes: atomics on the group's own counters in local memory, then one global atomic a class. */
__kernel void histogram(__global const uchar *in, __global uint *count, uint n, uint bins, __local uint *mine)
{
    uint lid = get_local_id(0), size = get_local_size(0);

    for (uint b = lid; b < bins; b += size)
        mine[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&mine[in[i] * bins >> 8]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = lid; b < bins; b += size)
        if (mine[b] > 0)
            atomic_add(&count[b], mine[b]);
}
