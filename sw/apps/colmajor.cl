/* A matrix turned over without a tile: reads along memory, writes a row's pitch apart. */
__kernel void colmajor(__global const uint *in, __global uint *out, uint columns, uint rows)
{
    const uint i = get_global_id(0), c = i % columns, r = i / columns;
    if (r < rows)
        out[(ulong)c * rows + r] = in[i];
}
