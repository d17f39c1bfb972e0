/*
 * C = alpha A^T B + beta C with A K x M, B K x N, C M x N, all row-major (BLAS would say transa = 'T': then the tiles of
 * A and B are read alike, rows along memory lines and local banks).
 *
 * A group of SIDE x SIDE threads makes a tile of C four times as wide and high, each thread a 4 x 4 block in registers:
 * sixteen independent sums, so that a thread's fused multiply-adds never wait for each other. A thread's rows are
 * neighbours (every lane of a row reads the same word of A: a broadcast), its columns SIDE apart (lanes read neighbouring
 * words of B: no two lanes in one bank).
 *
 * The sums take half of the registers, so everything else is kept scarce: one array for both tiles, one count of the
 * columns left. A value that does not fit lives in the thread's stack, a line of its own for each lane.
 */
#ifndef SIDE
#define SIDE 4 /* a power of two, 4 or more */
#endif
#define DEPTH 16 /* rows of A and B a step */
#define TILE (4 * SIDE)
#define THREADS (SIDE * SIDE)
#define STEP (THREADS / TILE) /* rows the group fetches at once */

/* One thread's share of a tile, four words at a time: first the loads, then the stores, so that a thread waits once. */
#define FETCH(to, from, pitch)                                                                                                  \
    for (int r = 0; r < DEPTH / STEP; r += 4) {                                                                                 \
        float v[4];                                                                                                             \
        for (int i = 0; i < 4; i++, (from) += (pitch))                                                                          \
            v[i] = *(from);                                                                                                     \
        for (int i = 0; i < 4; i++)                                                                                             \
            (to)[(r + i) * THREADS] = v[i];                                                                                     \
    }

__attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
__kernel void sgemm_tiled(__global const float *A, __global const float *B, __global float *C, uint M, uint N, uint K,
                          float alpha, float beta)
{
    __local float tile[2 * DEPTH * TILE]; /* of A, of B */
    uint tx = get_local_id(0), ty = get_local_id(1), t = ty * SIDE + tx;
    uint row0 = get_group_id(1) * TILE, col0 = get_group_id(0) * TILE;
    float c[4][4] = {{0.0f}};

    /* Where this thread fetches. Past the last row or column of C it fetches the last one again: those sums are not kept. */
    __global const float *from_a = A + t / TILE * M + min(row0 + t % TILE, M - 1);
    __global const float *from_b = B + t / TILE * N + min(col0 + t % TILE, N - 1);
    __local float *to_a = tile + t;
    size_t pitch_a = (size_t)M * STEP, pitch_b = (size_t)N * STEP;

    for (int left = K; left > 0; left -= DEPTH) {
        if (left >= DEPTH) {
#pragma unroll
            FETCH(to_a, from_a, pitch_a)
#pragma unroll
            FETCH(to_a + DEPTH * TILE, from_b, pitch_b)
        } else { /* the last few rows; zeros beyond add nothing */
            int k = t / TILE;
#pragma unroll 1
            for (int r = 0; r < DEPTH / STEP; r++, k += STEP) {
                to_a[r * THREADS] = k < left ? *from_a : 0.0f;
                to_a[r * THREADS + DEPTH * TILE] = k < left ? *from_b : 0.0f;
                from_a += pitch_a;
                from_b += pitch_b;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        __local const float *a = tile + ty * 4, *b = tile + DEPTH * TILE + tx;
        for (uint k = 0; k < DEPTH; k += 4) {
#pragma unroll
            for (uint u = 0; u < 4; u++, a += TILE, b += TILE)
#pragma unroll
                for (uint i = 0; i < 4; i++)
#pragma unroll
                    for (uint j = 0; j < 4; j++)
                        c[i][j] = fma(a[i], b[j * SIDE], c[i][j]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    uint row = row0 + ty * 4, col = col0 + tx;
    __global float *to = C + row * N + col;
    if (row0 + TILE <= M && col0 + TILE <= N) { /* inside: four loads at once */
#pragma unroll
        for (uint i = 0; i < 4; i++, to += N) {
            float old[4]; /* step by step over the row: neighbours do not wait for each other */
#pragma unroll
            for (uint j = 0; j < 4; j++)
                old[j] = to[j * SIDE];
#pragma unroll
            for (uint j = 0; j < 4; j++)
                old[j] = beta * old[j];
#pragma unroll
            for (uint j = 0; j < 4; j++)
                old[j] = fma(alpha, c[i][j], old[j]);
#pragma unroll
            for (uint j = 0; j < 4; j++)
                to[j * SIDE] = old[j];
        }
    } else {
#pragma unroll
        for (uint i = 0; i < 4; i++, to += N)
#pragma unroll
            for (uint j = 0; j < 4; j++)
                if (row + i < M && col + j * SIDE < N)
                    to[j * SIDE] = fma(alpha, c[i][j], beta * to[j * SIDE]);
    }
}
