/* Classes of bytes, counted in local memory: a stream of reads, and 256 sums a group at its end. */
__kernel void histo(__global const uint *in, __global uint *count, uint each)
{
    __local uint bin[256];
    const uint l = get_local_id(0), n = get_local_size(0), base = get_group_id(0) * n * each;
    for (uint b = l; b < 256; b += n)
        bin[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < each; k++) {
        const uint v = in[base + k * n + l];
        atomic_add(&bin[v & 255], 1u);
        atomic_add(&bin[v >> 24], 1u);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = l; b < 256; b += n)
        atomic_add(&count[b], bin[b]);
}
