/* C = alpha A B + beta C with A M x K, B K x N, all row-major: one element of C a thread, straight from global memory. */
__kernel void sgemm_naive(__global const float *A, __global const float *B, __global float *C, uint M, uint N, uint K,
                          float alpha, float beta)
{
    uint col = get_global_id(0), row = get_global_id(1);
    if (col >= N || row >= M)
        return;
    float sum = 0.0f;
    for (uint k = 0; k < K; k++)
        sum = fma(A[row * K + k], B[k * N + col], sum);
    C[row * N + col] = fma(alpha, sum, beta * C[row * N + col]);
}
