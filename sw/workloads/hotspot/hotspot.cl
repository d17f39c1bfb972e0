/* One time step of heat flow on a chip: each cell exchanges heat with its four neighbours and with the air, and dissipates power. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void hotspot_step(__global const float *power, __global const float *from, __global float *to, uint width,
                           uint height, float cx, float cy, float cz, float ambient)
{
    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    uint here = y * width + x;
    float t = from[here];
    float west = x > 0 ? from[here - 1] : t, east = x + 1 < width ? from[here + 1] : t;
    float north = y > 0 ? from[here - width] : t, south = y + 1 < height ? from[here + width] : t;
    float flow = power[here];
    flow = fma(cx, west + east - 2.0f * t, flow);
    flow = fma(cy, north + south - 2.0f * t, flow);
    flow = fma(cz, ambient - t, flow);
    to[here] = t + flow;
}
