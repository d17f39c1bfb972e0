/* Stencils and images. */
// run 32,16 8,8: floats:2048 floats:2048 u32:64
__kernel void blur_row(__global const float *in, __global float *out, uint width)
{
    uint x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (uint k = 0; k < 9; k++)
        sum += in[y * width + x + k];
    out[y * width + x] = sum / 9.0f;
}
// run 32,16 8,8: floats:2048 floats:2048 u32:64 i32:3
__kernel void box(__global const float *in, __global float *out, uint width, int radius)
{
    uint x = get_global_id(0) + 8, y = get_global_id(1) + 8;
    float sum = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++)
            sum += in[(y + dy) * width + x + dx];
    out[y * width + x] = sum;
}
// run 64 32: floats:4096 floats:4096 u32:64
__kernel void columns(__global const float *in, __global float *out, uint n)
{
    uint x = get_global_id(0);
    for (uint y = 1; y < n - 1; y++)
        out[y * n + x] = 0.25f * in[(y - 1) * n + x] + 0.5f * in[y * n + x] + 0.25f * in[(y + 1) * n + x];
}
// run 62 31: floats:4096 floats:4096 u32:64
__kernel void laplace(__global const float *in, __global float *out, uint n)
{
    uint x = get_global_id(0) + 1;
    for (uint y = 1; y < n - 1; y++)
        out[y * n + x] = in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x] - 4.0f * in[y * n + x];
}
// run 32,8 8,8: floats:4096 floats:256 u32:16
__kernel void column_of_cube(__global const float *in, __global float *out, uint depth)
{
    uint x = get_global_id(0), y = get_global_id(1);
    float most = 0;
    for (uint z = 0; z < depth; z++)
        most = fmax(most, in[(z * 8 + y) * 32 + x]);
    out[y * 32 + x] = most;
}
// run 64 32: bytes:4096 words:64 u32:64
__kernel void integral_row(__global const uchar *in, __global uint *out, uint n)
{
    uint row = get_global_id(0), sum = 0;
    for (uint x = 0; x < n; x++)
        sum += in[row * n + x] * (x + 1);
    out[row] = sum;
}
