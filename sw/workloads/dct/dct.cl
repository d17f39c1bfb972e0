/*
 * Discrete cosine transform of 8 x 8 blocks, a block a group: B X B^T with the basis B. A group has 8 threads a row and 1 to 8 rows; the product of
 * the basis and the block waits in local memory between the two multiplications.
 */
__kernel void dct(__global const float *in, __global float *out, __constant float *basis, uint width, __local float *part)
{
    uint x = get_local_id(0), first = get_local_id(1), rows = get_local_size(1);
    uint corner = get_group_id(1) * 8 * width + get_group_id(0) * 8;

    for (uint y = first; y < 8; y += rows) {
        float sum = 0.0f;
        for (uint k = 0; k < 8; k++)
            sum = fma(basis[y * 8 + k], in[corner + k * width + x], sum);
        part[y * 8 + x] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint y = first; y < 8; y += rows) {
        float sum = 0.0f;
        for (uint k = 0; k < 8; k++)
            sum = fma(part[y * 8 + k], basis[x * 8 + k], sum);
        out[corner + y * width + x] = sum;
    }
}
