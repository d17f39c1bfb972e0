#include <math.h>

#include "sw/workloads/wl.h"

/* Squares are below 2^24, so exact as floats; the root is rounded correctly. */
static void filter(const uint8_t *in, uint8_t *out, int32_t width, int32_t height)
{
    static const int32_t slope[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
    for (int32_t y = 1; y < height - 1; y++)
        for (int32_t x = 1; x < width - 1; x++)
            for (int32_t c = 0; c < 4; c++) {
                int32_t gx = 0, gy = 0;
                for (int32_t dy = 0; dy < 3; dy++)
                    for (int32_t dx = 0; dx < 3; dx++) {
                        const int32_t p = in[((y + dy - 1) * width + x + dx - 1) * 4 + c];
                        gx += slope[dy][dx] * p;
                        gy += slope[dx][dy] * p;
                    }
                const float half = sqrtf((float)(gx * gx + gy * gy)) * 0.5f;
                out[(y * width + x) * 4 + c] = half < 255.0f ? (uint8_t)half : 255;
            }
}

static void run(wl *w, uint32_t size)
{
    const uint32_t width = size, height = size < 4 ? 1 : size * 3 / 4;
    const size_t bytes = (size_t)width * height * 4;
    uint8_t *in = wl_host(w, bytes, 1), *edges = wl_host(w, bytes, 1), *want = wl_host(w, bytes, 1),
            *got = wl_host(w, bytes, 1);
    for (size_t i = 0; i < bytes; i++)
        in[i] = wl_random(w) >> (i % 8 < 4 ? 25 : 26); /* darker in every second pixel: few results are 255 */

  /* Twice: the edges, and the edges of those. */
    wl_load(w, NULL);
    vl_ptr a = wl_upload(w, in, bytes), b = wl_buffer(w, bytes);
    const vl_range range = wl_range2(width, height, wl_local(w), 1);
    wl_launch(w, "sobel", range, WL_BUF(a), WL_BUF(b), WL_U32(width), WL_U32(height));
    wl_launch(w, "sobel", range, WL_BUF(b), WL_BUF(a), WL_U32(width), WL_U32(height));

    filter(in, edges, (int32_t)width, (int32_t)height);
    filter(edges, want, (int32_t)width, (int32_t)height);
    wl_read(w, got, b, bytes);
    wl_same_u8(w, "edges", got, edges, bytes);
    wl_read(w, got, a, bytes);
    wl_same_u8(w, "out", got, want, bytes);
}

const workload workload_sobel = {"sobel", "Sobel's filter, twice, four bytes a pixel", run, {1, 29, 64}, 12};
