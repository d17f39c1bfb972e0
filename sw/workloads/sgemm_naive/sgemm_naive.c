#include <math.h>

#include "sw/workloads/wl.h"

#pragma STDC FP_CONTRACT OFF

static void run(wl *w, uint32_t size)
{
    const bool vectors = wl_vectors(w);
    const uint32_t side = wl_side(w), whole = wl_whole(size, 4);
    const uint32_t M = vectors ? whole : size, N = vectors ? whole : size + 2, K = vectors ? whole : size + 5;
    const float alpha = 1.5f, beta = -0.25f;
    float *A = wl_floats(w, (size_t)M * K, -1.0f, 1.0f), *B = wl_floats(w, (size_t)K * N, -1.0f, 1.0f);
    float *C = wl_floats(w, (size_t)M * N, -1.0f, 1.0f), *got = wl_host(w, (size_t)M * N, sizeof *got);

    wl_load(w, NULL);
    vl_ptr dA = wl_upload(w, A, (size_t)M * K * 4), dB = wl_upload(w, B, (size_t)K * N * 4),
           dC = wl_upload(w, C, (size_t)M * N * 4);
    if (vectors)
        wl_launch(w, "sgemm_naive_vectors", wl_range2(N / 4, M / 4, side, side), WL_BUF(dA), WL_BUF(dB), WL_BUF(dC),
                  WL_U32(M), WL_U32(N / 4), WL_U32(K), WL_F32(alpha), WL_F32(beta));
    else
        wl_launch(w, "sgemm_naive", wl_range2(N, M, side, side), WL_BUF(dA), WL_BUF(dB), WL_BUF(dC), WL_U32(M),
                  WL_U32(N), WL_U32(K), WL_F32(alpha), WL_F32(beta));
    wl_read(w, got, dC, (size_t)M * N * 4);

    for (uint32_t m = 0; m < M; m++)
        for (uint32_t n = 0; n < N; n++) {
            float sum = 0.0f;
            for (uint32_t k = 0; k < K; k++)
                sum = fmaf(A[m * K + k], B[k * N + n], sum);
            C[m * N + n] = fmaf(alpha, sum, beta * C[m * N + n]);
        }
    wl_same_f32(w, "C", got, C, (size_t)M * N);
}

const workload workload_sgemm_naive = {
    "sgemm_naive", "C = alpha A B + beta C from global memory", run, {1, 37, 90}, 13};
