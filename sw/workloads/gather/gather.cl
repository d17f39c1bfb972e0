/* out[i] = table[index[i]]: no two threads' words share a line but by chance. */
__kernel void gather(__global const uint *table, __global const uint *index, __global uint *out, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = table[index[i]];
}
