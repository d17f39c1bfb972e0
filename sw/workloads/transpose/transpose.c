#include "sw/workloads/wl.h"

static void run(wl *w, uint32_t size)
{
    const bool vectors = wl_vectors(w);
    const uint32_t width = vectors ? wl_whole(size, 4) : size,
                   height = vectors ? wl_whole(size / 2 + 3, 4) : size / 2 + 3;
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
    if (vectors) {
        uint32_t square =
            wl_side(w); /* threads of a group each way; its tile has 4 * square rows of square + 1 vectors */
        while (64 * square * (square + 1) > vl_config_value(wl_device(w), "spad_bytes", 1) / 2)
            square /= 2;
        wl_launch(w, "transpose_vectors", wl_range2(width / 4, height / 4, square, square), WL_BUF(from), WL_BUF(to),
                  WL_U32(width / 4), WL_U32(height / 4), WL_LOC(64 * square * (square + 1)));
    } else {
        vl_range range = wl_range2(width, (height + side - 1) / side * rows, side, rows);
        wl_launch(w, "transpose", range, WL_BUF(from), WL_BUF(to), WL_U32(width), WL_U32(height),
                  WL_LOC(side * (side + 1) * sizeof(float)));
    }
    wl_read(w, got, to, bytes);
    wl_same_f32(w, "out", got, want, cells);
}

const workload workload_transpose = {"transpose", "matrix transposed through padded tiles", run, {1, 77, 301}, 21};
