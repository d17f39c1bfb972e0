/* Convolution with a small mask, every tap from global memory; taps beyond the image are left out. A thread a pixel, in one dimension. */
__kernel void simple_convolution(__global const uint *in, __global int *out, __constant float *mask, uint width, uint height, uint radius)
{
    int i = get_global_id(0), w = width, h = height, r = radius;
    if (i >= w * h)
        return;
    int x = i % w, y = i / w;
    int left = max(x - r, 0), right = min(x + r, w - 1), top = max(y - r, 0), bottom = min(y + r, h - 1);
    float sum = 0.0f;
    for (int v = top; v <= bottom; v++)
        for (int u = left; u <= right; u++)
            sum = fma((float)in[v * w + u], mask[(v - y + r) * (2 * r + 1) + u - x + r], sum);
    out[i] = (int)(sum + 0.5f);
}
