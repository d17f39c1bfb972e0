/* 2D convolution with a (2 radius + 1)^2 filter; beyond the edges the image repeats its border. The group's part of the image, with its rim, is staged in local memory. */
__kernel void conv2d(__global const float *in, __global float *out, __constant float *filter, uint width, uint height,
                     uint radius, __local float *part)
{
    int lx = get_local_size(0), ly = get_local_size(1);
    int tx = get_local_id(0), ty = get_local_id(1);
    int x0 = (int)get_group_id(0) * lx - (int)radius, y0 = (int)get_group_id(1) * ly - (int)radius;
    int pw = lx + 2 * (int)radius, ph = ly + 2 * (int)radius;

    for (int y = ty; y < ph; y += ly)
        for (int x = tx; x < pw; x += lx)
            part[y * pw + x] = in[clamp(y0 + y, 0, (int)height - 1) * (int)width + clamp(x0 + x, 0, (int)width - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);

    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int fy = 0; fy <= 2 * (int)radius; fy++)
        for (int fx = 0; fx <= 2 * (int)radius; fx++)
            sum = fma(part[(ty + fy) * pw + tx + fx], *filter++, sum);
    out[y * width + x] = sum;
}
