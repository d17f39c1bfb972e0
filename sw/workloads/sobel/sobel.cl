/* Sobel's filter of an image of four bytes a pixel, each for itself: half the length of the gradient; 0 at the border. */
__kernel void sobel(__global const uchar4 *in, __global uchar4 *out, uint width, uint height)
{
    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    uint i = y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
        out[i] = (uchar4)(0);
        return;
    }
    int4 north_west = convert_int4(in[i - width - 1]), north = convert_int4(in[i - width]), north_east = convert_int4(in[i - width + 1]);
    int4 west = convert_int4(in[i - 1]), east = convert_int4(in[i + 1]);
    int4 south_west = convert_int4(in[i + width - 1]), south = convert_int4(in[i + width]), south_east = convert_int4(in[i + width + 1]);
    int4 gx = north_east + 2 * east + south_east - north_west - 2 * west - south_west;
    int4 gy = south_west + 2 * south + south_east - north_west - 2 * north - north_east;
    out[i] = convert_uchar4_sat(sqrt(convert_float4(gx * gx + gy * gy)) * 0.5f);
}
