/* Sums, extremes, scans and histograms. */
// run 64 32: words:4096 words:64 u32:4096
__kernel void strided_sum(__global const uint *in, __global uint *out, uint n)
{
    uint sum = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        sum += in[i];
    out[get_global_id(0)] = sum;
}
// run 64 32: words:4096 words:64 u32:64
__kernel void chunk_sum(__global const uint *in, __global uint *out, uint chunk)
{
    uint g = get_global_id(0), sum = 0;
    for (uint i = g * chunk; i < (g + 1) * chunk; i++)
        sum += in[i];
    out[g] = sum;
}
// run 64 32: words:4096 words:64 u32:64
__kernel void chunk_min(__global const uint *in, __global uint *out, uint chunk)
{
    uint g = get_global_id(0), least = ~0u;
    for (uint i = 0; i < chunk; i++)
        least = min(least, in[g * chunk + i]);
    out[g] = least;
}
// run 64 32: words:4096 words:64 u32:64
__kernel void arg_max(__global const uint *in, __global uint *out, uint chunk)
{
    uint g = get_global_id(0), best = 0, most = 0;
    for (uint i = 0; i < chunk; i++)
        if (in[i * 64 + g] > most) {
            most = in[i * 64 + g];
            best = i;
        }
    out[g] = best;
}
// run 64 32: words:4096 words:4096 u32:64
__kernel void scan_column(__global const uint *in, __global uint *out, uint n)
{
    uint g = get_global_id(0), sum = 0;
    for (uint i = 0; i < n; i++) {
        sum += in[i * n + g];
        out[i * n + g] = sum;
    }
}
// run 64 32: bytes:4096 words:1024 u32:64
__kernel void own_histogram(__global const uchar *in, __global uint *count, uint n)
{
    uint g = get_global_id(0);
    for (uint i = 0; i < n; i++)
        count[g * 16 + (in[g * n + i] >> 4)]++;
}
// run 64 32: floats:4096 floats:128 u32:64
__kernel void mean_and_variance(__global const float *in, __global float *out, uint n)
{
    uint g = get_global_id(0);
    float sum = 0, square = 0;
    for (uint i = 0; i < n; i++) {
        float v = in[i * n + g];
        sum += v;
        square += v * v;
    }
    out[2 * g] = sum / n;
    out[2 * g + 1] = square / n - sum * sum / n / n;
}
// run 64 32: words:4096 words:64 u32:64
__kernel void population(__global const uint *in, __global uint *out, uint n)
{
    uint g = get_global_id(0), bits = 0;
    for (uint i = 0; i < n; i++)
        bits += popcount(in[g * n + i]);
    out[g] = bits;
}
