/* Graphs and sparse matrices: rows in compressed form. */
// run 128 32: rows:128:1024 below:1024:128 floats:1024 floats:128 floats:128
__kernel void spmv(__global const uint *row, __global const uint *col, __global const float *value, __global const float *x, __global float *y)
{
    uint r = get_global_id(0);
    float sum = 0;
    for (uint i = row[r]; i < row[r + 1]; i++)
        sum += value[i] * x[col[i]];
    y[r] = sum;
}
// run 128 32: below:1024:128 floats:1024 floats:128 floats:128 u32:8
__kernel void spmv_ell(__global const uint *col, __global const float *value, __global const float *x, __global float *y, uint width)
{
    uint r = get_global_id(0);
    float sum = 0;
    for (uint i = 0; i < width; i++)
        sum += value[i * 128 + r] * x[col[i * 128 + r]];
    y[r] = sum;
}
// run 64 32: words:4096 words:4096 u32:64 u32:7
__kernel void floyd_row(__global const uint *in, __global uint *out, uint n, uint via)
{
    uint y = get_global_id(0), to = in[y * n + via] >> 4;
    for (uint x = 0; x < n; x++)
        out[y * n + x] = min(in[y * n + x], to + (in[via * n + x] >> 4));
}
// run 128 32: rows:128:1024 below:1024:128 words:128 words:128
__kernel void smallest_neighbour(__global const uint *row, __global const uint *edge, __global const uint *label, __global uint *out)
{
    uint v = get_global_id(0), least = label[v];
    for (uint e = row[v]; e < row[v + 1]; e++)
        least = min(least, label[edge[e]]);
    out[v] = least;
}
// run 64 32: words:128 words:64 u32:64
__kernel void common_neighbours(__global const uint *bits, __global uint *out, uint n)
{
    uint v = get_global_id(0), count = 0;
    for (uint w = 0; w < n; w++)
        count += popcount(bits[2 * v] & bits[2 * w]) + popcount(bits[2 * v + 1] & bits[2 * w + 1]);
    out[v] = count;
}
