/*
 * Transposes through a square tile of local memory, so that reads and writes both run along memory lines. A group has
 * side x (side / rows) threads; the tile's rows are one word longer than its side, so that a column spreads over the banks.
 */
__kernel void transpose(__global const float *in, __global float *out, uint width, uint height, __local float *tile)
{
    uint side = get_local_size(0), rows = get_local_size(1), pitch = side + 1;
    uint tx = get_local_id(0), ty = get_local_id(1);
    uint x0 = get_group_id(0) * side, y0 = get_group_id(1) * side;

    for (uint r = ty; r < side; r += rows)
        if (x0 + tx < width && y0 + r < height)
            tile[r * pitch + tx] = in[(y0 + r) * width + x0 + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = ty; r < side; r += rows)
        if (y0 + tx < height && x0 + r < width)
            out[(x0 + r) * height + y0 + tx] = tile[tx * pitch + r];
}
