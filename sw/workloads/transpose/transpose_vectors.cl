/*
 * The transposition of transpose.cl, 4 x 4 elements a thread. Width and height are in vectors of four; a group of side x side threads has a tile of 4 side rows in local memory, with a
 * vector more a row, so that a column spreads over the banks.
 */
__kernel void transpose_vectors(__global const float4 *in, __global float4 *out, uint width4, uint height4, __local float4 *tile)
{
    uint side = get_local_size(0), pitch = side + 1;
    uint tx = get_local_id(0), ty = get_local_id(1);
    uint x0 = get_group_id(0) * side, y0 = get_group_id(1) * side;

    if (x0 + tx < width4 && y0 + ty < height4)
        for (uint k = 0; k < 4; k++)
            tile[(4 * ty + k) * pitch + tx] = in[(4 * (y0 + ty) + k) * width4 + x0 + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (y0 + tx < height4 && x0 + ty < width4) {
        float4 a = tile[4 * tx * pitch + ty], b = tile[(4 * tx + 1) * pitch + ty], c = tile[(4 * tx + 2) * pitch + ty], d = tile[(4 * tx + 3) * pitch + ty];
        __global float4 *to = out + 4 * (x0 + ty) * height4 + y0 + tx;
        to[0] = (float4)(a.x, b.x, c.x, d.x);
        to[height4] = (float4)(a.y, b.y, c.y, d.y);
        to[2 * height4] = (float4)(a.z, b.z, c.z, d.z);
        to[3 * height4] = (float4)(a.w, b.w, c.w, d.w);
    }
}
