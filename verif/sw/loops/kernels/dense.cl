/* Dense linear algebra and signal processing, as people write it. A `run` line: global size, local size, arguments (corpus.py). */
// run 32,32 8,8: floats:1024 floats:1024 floats:1024 u32:32
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, uint n)
{
    uint x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (uint k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
// run 128 32: floats:8192 floats:64 floats:128 i32:64
__kernel void matvec(__global const float *a, __global const float *x, __global float *y, int n)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[row * n + i] * x[i];
    y[row] = sum;
}
// run 64 32: floats:4096 floats:64 floats:64 u32:64
__kernel void matvec_transposed(__global const float *a, __global const float *x, __global float *y, uint n)
{
    uint col = get_global_id(0);
    float sum = 0;
    for (uint i = 0; i < n; i++)
        sum += a[i * n + col] * x[i];
    y[col] = sum;
}
// run 256 64: floats:288 floats:24 floats:256 u32:24
__kernel void fir(__global const float *in, __constant float *taps, __global float *out, uint n)
{
    uint i = get_global_id(0);
    float sum = 0;
    for (uint t = 0; t < n; t++)
        sum += in[i + t] * taps[t];
    out[i] = sum;
}
// run 64 32: floats:64 floats:64 floats:64 u32:64
__kernel void autocorrelation(__global const float *in, __global float *out, __global float *power, uint n)
{
    uint lag = get_global_id(0);
    float sum = 0, p = 0;
    for (uint i = lag; i < n; i++)
        sum += in[i] * in[i - lag];
    for (uint i = 0; i < n; i++)
        p += in[i] * in[i];
    out[lag] = sum;
    power[lag] = p;
}
// run 64 32: floats:64 floats:64 floats:64 floats:64 u32:64
__kernel void dft_like(__global const float *re, __global const float *c, __global float *x, __global float *y, uint n)
{
    uint k = get_global_id(0);
    float a = 0, b = 0;
    for (uint i = 0; i < n; i++) {
        uint at = i * k % n;
        a += re[i] * c[at];
        b -= re[i] * c[n - 1 - at];
    }
    x[k] = a;
    y[k] = b;
}
// run 64 32: floats:4096 floats:64 floats:4096 u32:64 u32:20
__kernel void eliminate(__global float *a, __global const float *factor, __global float *out, uint n, uint pivot)
{
    uint row = get_global_id(0);
    float f = factor[row];
    for (uint k = pivot; k < n; k++)
        out[row * n + k] = a[row * n + k] - f * a[pivot * n + k];
}
// run 128 32: floats:128 floats:16 floats:128
__kernel void polynomial(__global const float *x, __constant float *c, __global float *y)
{
    uint i = get_global_id(0);
    float v = x[i], sum = c[15];
    for (int k = 14; k >= 0; k--)
        sum = sum * v + c[k];
    y[i] = sum;
}
// run 64 32: floats:192 floats:192 floats:64 u32:64
__kernel void nbody(__global const float *x, __global float *force, __global const float *mass, uint n)
{
    uint i = get_global_id(0);
    float px = x[3 * i], py = x[3 * i + 1], pz = x[3 * i + 2], fx = 0, fy = 0, fz = 0;
    for (uint j = 0; j < n; j++) {
        float dx = x[3 * j] - px, dy = x[3 * j + 1] - py, dz = x[3 * j + 2] - pz;
        float d = dx * dx + dy * dy + dz * dz + 0.01f;
        float s = mass[j] / (d * d);
        fx += dx * s;
        fy += dy * s;
        fz += dz * s;
    }
    force[3 * i] = fx;
    force[3 * i + 1] = fy;
    force[3 * i + 2] = fz;
}
// run 128 32: floats:128 floats:32 floats:128 u32:32
__kernel void nearest(__global const float *point, __global const float *centre, __global float *out, uint n)
{
    uint p = get_global_id(0);
    float least = 1e30f;
    for (uint c = 0; c < n; c++) {
        float d = fabs(point[p] - centre[c]);
        least = fmin(least, d);
    }
    out[p] = least;
}
