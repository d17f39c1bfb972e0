/* C = alpha A B + beta C, as sgemm_naive.cl, but 4 x 4 elements of C a thread: n4 are the columns of B and C in vectors of four. A row of B at a time: with the sixteen sums it fits the registers. */
#define STORE(row, sum) C[(row) * n4 + col] = fma((float4)(alpha), sum, beta * C[(row) * n4 + col]);

__kernel void sgemm_naive_vectors(__global const float *A, __global const float4 *B, __global float4 *C, uint rows, uint n4, uint depth,
                                  float alpha, float beta)
{
    uint col = get_global_id(0), row = 4 * get_global_id(1);
    if (col >= n4 || row >= rows)
        return;
    float4 sum0 = 0.0f, sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;
    __global const float *a = A + row * depth, *end = a + depth;
    __global const float4 *b = B + col;
#pragma unroll 1
    for (; a < end; a++, b += n4) {
        float4 v = *b;
        sum0 = fma((float4)(a[0]), v, sum0);
        sum1 = fma((float4)(a[depth]), v, sum1);
        sum2 = fma((float4)(a[2 * depth]), v, sum2);
        sum3 = fma((float4)(a[3 * depth]), v, sum3);
    }
    STORE(row, sum0)
    STORE(row + 1, sum1)
    STORE(row + 2, sum2)
    STORE(row + 3, sum3)
}
