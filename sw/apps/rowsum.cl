/* Sums of rows, a row for `side` threads: a warp reads as many pages as it has rows, and comes back to each. */
__kernel void rowsum(__global const uint *matrix, __global uint *sum, uint pitch, uint side, uint columns)
{
    const uint i = get_global_id(0), row = i / side;
    uint s = 0;
    for (uint c = i % side; c < columns; c += side)
        s += matrix[(ulong)row * pitch + c];
    sum[i] = s;
}
