/* Iterations of z = z^2 + c until |z| > 2: arithmetic, and a store a thread. */
__kernel void mandelbrot(__global uint *out, uint width, uint most)
{
    const uint i = get_global_id(0);
    const float cx = -2.0f + 2.5f * (float)(i % width) / (float)width;
    const float cy = -1.25f + 2.5f * (float)(i / width) / (float)width;
    float x = 0, y = 0;
    uint k = 0;
    while (k < most && x * x + y * y <= 4.0f) {
        const float t = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = t;
        k++;
    }
    out[i] = k;
}
