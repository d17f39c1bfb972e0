/* The size of a work-group where the program leaves it open: one that divides the global size, fills warps, and leaves a group for each core. */
#include "sw/opencl/vcl.h"

/* The largest divisor of n that is not above most. */
static size_t divisor(size_t n, size_t most)
{
    while (n % most)
        most--;
    return most;
}

void vcl_choose_local(cl_uint dims, const size_t *global, const uint32_t *required, size_t limit, size_t warp,
                      size_t *local)
{
    const size_t size[3] = {global[0], dims > 1 ? global[1] : 1, dims > 2 ? global[2] : 1};
    uint64_t best = 0;
    for (int i = 0; i < 3; i++)
        local[i] = required[i] ? required[i] : 1;
    if (required[0])
        return;
    for (size_t x = vcl_least(size[0], limit); x; x--)
        for (size_t y = vcl_least(size[1], limit / x); y; y--) {
            if (size[0] % x || size[1] % y)
                continue;
            const size_t z = divisor(size[2], vcl_least(size[2], limit / x / y)), threads = x * y * z;
            const size_t lanes = (threads + warp - 1) / warp * warp;
            /* threads, times the share of lanes that work */
            const uint64_t worth = (uint64_t)threads * threads * 1024 / lanes;
            /* among equals the one that is longest in x, so that neighbours are neighbours in memory */
            if (worth > best) {
                best = worth;
                local[0] = x;
                local[1] = y;
                local[2] = z;
            }
        }
}
