#include <math.h>

#include "sw/workloads/wl.h"

#pragma STDC FP_CONTRACT OFF

static const float cx = 0.11f, cy = 0.13f, cz = 0.0125f, ambient = 80.0f;

static void step(const float *power, const float *from, float *to, uint32_t width, uint32_t height)
{
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            uint32_t here = y * width + x;
            float t = from[here];
            float west = x > 0 ? from[here - 1] : t, east = x + 1 < width ? from[here + 1] : t;
            float north = y > 0 ? from[here - width] : t, south = y + 1 < height ? from[here + width] : t;
            float flow = fmaf(cx, west + east - 2.0f * t, power[here]);
            flow = fmaf(cy, north + south - 2.0f * t, flow);
            flow = fmaf(cz, ambient - t, flow);
            to[here] = t + flow;
        }
}

static void run(wl *w, uint32_t size)
{
    const uint32_t width = size, height = size * 3 / 4 + 1, side = wl_side(w), steps = 3;
    const size_t cells = (size_t)width * height, bytes = cells * sizeof(float);
    float *power = wl_floats(w, cells, 0.0f, 2.0f), *from = wl_floats(w, cells, 60.0f, 90.0f);
    float *to = wl_host(w, cells, sizeof *to), *got = wl_host(w, cells, sizeof *got);

    wl_load(w, NULL);
    vl_ptr dpower = wl_upload(w, power, bytes), dfrom = wl_upload(w, from, bytes), dto = wl_buffer(w, bytes);
    for (uint32_t i = 0; i < steps; i++) {
        wl_launch(w, "hotspot_step", wl_range2(width, height, side, side), WL_BUF(dpower), WL_BUF(dfrom), WL_BUF(dto),
                  WL_U32(width), WL_U32(height), WL_F32(cx), WL_F32(cy), WL_F32(cz), WL_F32(ambient));
        step(power, from, to, width, height);
        vl_ptr dswap = dfrom;
        dfrom = dto;
        dto = dswap;
        float *swap = from;
        from = to;
        to = swap;
    }
    wl_read(w, got, dfrom, bytes);
    wl_same_f32(w, "temperature", got, from, cells);
}

const workload workload_hotspot = {"hotspot", "heat on a chip, five-point stencil in time", run, {1, 61, 150}, 17};
