/*
 * C = alpha A^T B + beta C with A K x M, B K x N, C M x N, all row-major (BLAS would say transa = 'T': then the tiles of
 * A and B are read alike, rows along memory lines and local banks).
 *
 * A group of TX x TY threads makes a tile of C of TY*4 rows and TX*4 columns, each thread a 4 x 4 block in registers:
 * sixteen independent sums, so that a thread's fused multiply-adds never wait for each other. A thread's rows are
 * neighbours (every lane of a row reads the same word of A: a broadcast), its columns TX apart (lanes read neighbouring
 * words of B: no two lanes in one bank).
 */
#ifndef TX
#define TX 4
#endif
#ifndef TY
#define TY 2
#endif
#define DEPTH 16 /* rows of A and B a step */
#define THREADS (TX * TY)
#define TILE_M (TY * 4)
#define TILE_N (TX * 4)

__attribute__((reqd_work_group_size(TX, TY, 1)))
__kernel void sgemm_tiled(__global const float *A, __global const float *B, __global float *C, uint M, uint N, uint K,
                          float alpha, float beta)
{
    __local float tile_a[DEPTH * TILE_M], tile_b[DEPTH * TILE_N];
    uint tx = get_local_id(0), ty = get_local_id(1), t = ty * TX + tx;
    uint row0 = get_group_id(1) * TILE_M, col0 = get_group_id(0) * TILE_N;
    float c[4][4] = {{0.0f}};

    for (uint k0 = 0; k0 < K; k0 += DEPTH) {
        /* Past an edge of A or B the tile holds zeros, which add nothing. */
#pragma unroll
        for (uint e = t; e < DEPTH * TILE_M; e += THREADS) {
            uint k = k0 + e / TILE_M, row = row0 + e % TILE_M;
            tile_a[e] = k < K && row < M ? A[k * M + row] : 0.0f;
        }
#pragma unroll
        for (uint e = t; e < DEPTH * TILE_N; e += THREADS) {
            uint k = k0 + e / TILE_N, col = col0 + e % TILE_N;
            tile_b[e] = k < K && col < N ? B[k * N + col] : 0.0f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
        for (uint k = 0; k < DEPTH; k++) {
            float a[4], b[4];
#pragma unroll
            for (uint i = 0; i < 4; i++)
                a[i] = tile_a[k * TILE_M + ty * 4 + i];
#pragma unroll
            for (uint j = 0; j < 4; j++)
                b[j] = tile_b[k * TILE_N + tx + j * TX];
#pragma unroll
            for (uint i = 0; i < 4; i++)
#pragma unroll
                for (uint j = 0; j < 4; j++)
                    c[i][j] = fma(a[i], b[j], c[i][j]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

#pragma unroll
    for (uint i = 0; i < 4; i++)
#pragma unroll
        for (uint j = 0; j < 4; j++) {
            uint row = row0 + ty * 4 + i, col = col0 + tx + j * TX;
            if (row < M && col < N)
                C[row * N + col] = fma(alpha, c[i][j], beta * C[row * N + col]);
        }
}
