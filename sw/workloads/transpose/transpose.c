#include "sw/workloads/wl.h"

static void run(wl *w, uint32_t size)
{
    const uint32_t width = size, height = size / 2 + 3;
  /* A tile four times as high as the group has rows. */
    const uint32_t side = 2 * wl_side(w), rows = side / 4;
    const size_t cells = (size_t)width * height, bytes = cells * sizeof(float);
    float *in = wl_floats(w, cells, -1.0f, 1.0f), *want = wl_host(w, cells, sizeof *want),
          *got = wl_host(w, cells, sizeof *got);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            want[(size_t)x * height + y] = in[(size_t)y * width + x];

    wl_load(w, NULL);
    vl_ptr from = wl_upload(w, in, bytes), to = wl_buffer(w, bytes);
    vl_range range = wl_range2(width, (height + side - 1) / side * rows, side, rows);
    wl_launch(w, "transpose", range, WL_BUF(from), WL_BUF(to), WL_U32(width), WL_U32(height),
              WL_LOC(side * (side + 1) * sizeof(float)));
    wl_read(w, got, to, bytes);
    wl_same_f32(w, "out", got, want, cells);
}

const workload workload_transpose = {"transpose", "matrix transposed through padded tiles", run, {1, 77, 301}, 21};
