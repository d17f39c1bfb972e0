/* The counts of histogram.cl, 256 bytes a thread: sixteen vectors of sixteen, a group's size apart, so that a group's data lies together. The last vector may be behind the data in part. */
#define EACH 16

__kernel void histogram_vectors(__global const uint4 *in, __global uint *count, uint n, uint bins, __local uint *mine)
{
    uint lid = get_local_id(0), size = get_local_size(0), first = get_group_id(0) * size * EACH + lid;

    for (uint b = lid; b < bins; b += size)
        mine[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = first; i < first + size * EACH && 16 * i < n; i += size) {
        uint4 v = in[i];
        for (uint k = 0; k < 16 && 16 * i + k < n; k++) {
            atomic_inc(&mine[(v.x & 0xff) * bins >> 8]);
            v.x >>= 8;
            if (k % 4 == 3)
                v = v.yzwx;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = lid; b < bins; b += size)
        if (mine[b] > 0)
            atomic_add(&count[b], mine[b]);
}
