#include <math.h>
#include <stdio.h>

#include "sw/workloads/wl.h"

#pragma STDC FP_CONTRACT OFF

static void run(wl *w, uint32_t size)
{
    const uint32_t M = size, N = size, K = size;
    const uint32_t side = wl_side(w) < 4 ? 4 : wl_side(w), tile = 4 * side;
    const float alpha = 1.5f, beta = -0.25f;
    float *A = wl_floats(w, (size_t)K * M, -1.0f, 1.0f), *B = wl_floats(w, (size_t)K * N, -1.0f, 1.0f);
    float *C = wl_floats(w, (size_t)M * N, -1.0f, 1.0f), *got = wl_host(w, (size_t)M * N, sizeof *got);
    char defines[32];
    snprintf(defines, sizeof defines, "-DSIDE=%u", side);

    wl_load(w, defines);
    vl_ptr dA = wl_upload(w, A, (size_t)K * M * 4), dB = wl_upload(w, B, (size_t)K * N * 4),
           dC = wl_upload(w, C, (size_t)M * N * 4);
    wl_launch(w, "sgemm_tiled", wl_range2((N + tile - 1) / tile * side, (M + tile - 1) / tile * side, side, side),
              WL_BUF(dA), WL_BUF(dB), WL_BUF(dC), WL_U32(M), WL_U32(N), WL_U32(K), WL_F32(alpha), WL_F32(beta));
    wl_read(w, got, dC, (size_t)M * N * 4);

    for (uint32_t m = 0; m < M; m++)
        for (uint32_t n = 0; n < N; n++) {
            float sum = 0.0f;
            for (uint32_t k = 0; k < K; k++)
                sum = fmaf(A[k * M + m], B[k * N + n], sum);
            C[m * N + n] = fmaf(alpha, sum, beta * C[m * N + n]);
        }
    wl_same_f32(w, "C", got, C, (size_t)M * N);
}

/* Three matrices of 48 x 48 fit a 32 KB cache: the size at which the issue rate is measured. */
const workload workload_sgemm_tiled = {
    "sgemm_tiled", "C = alpha A^T B + beta C, tiles in local memory, 4 x 4 a thread", run, {1, 48, 101}, 19};
