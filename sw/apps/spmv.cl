/* Sparse matrix times vector, in blocks of `side` x `side` in ELLPACK order: values along memory, the vector's words wherever the columns of blocks say. */
__kernel void spmv(__global const uint *column, __global const uint *value, __global const uint *x, __global uint *y, uint rows,
                   uint side, uint width, uint words)
{
    const uint i = get_global_id(0);
    uint sum = 0;
    for (uint k = 0; k < width; k++) {
        const uint c = column[k * (rows / side) + i / side] * side;
        for (uint j = 0; j < side; j += 4)
            sum += value[(k * side + j) / 4 * rows + i] * x[(c + (i + j) % side) & (words - 1)];
    }
    y[i] = sum;
}
