/* Stimulus of the benches of either kind of L2 slice (l2, l2c). */
#ifndef VERIF_CACHE_L2_STIMULUS_H
#define VERIF_CACHE_L2_STIMULUS_H
#include "verif/common/halves.h"
#include "verif/cache/l2/requests.h"
#include "verif/common/bench.h"
#include "verif/common/places.h"
#include "verif/common/pool.h"

enum { SLICE_NUMBER_W = LINE_ADDR_W - CHANNEL_BITS - SUB_BITS }; /* of a slice's own number of a line */

static uint64_t line_of(unsigned slice, uint64_t number)
{
    uint64_t local = folded(number) * L2_SLICES + slice % L2_SLICES, ilv = (1ull << ILV_W) - 1;
    return ((local >> ILV_W) << (ILV_W + CHANNEL_BITS) | (uint64_t)(slice / L2_SLICES) << ILV_W | (local & ilv))
           & ((1ull << LINE_ADDR_W) - 1);
}

/* Bytes of a write: all, a half (two make a whole), random, one, none, all but one (often the first or last of a half). */
static line_be_t some_bytes(struct vl_rng *r, unsigned shape)
{
    line_be_t be = be_all();
    switch (shape == 3 ? vl_below(r, 6) : shape) {
    case 0: break;
    case 1: be = be_halves(2u >> vl_below(r, 2)); break;
    case 2: vl_random_wide(r, LINE_BYTES, be.w); break;
    case 3:
        be = (line_be_t){{0}};
        be.w[vl_below(r, BE_WORDS)] = 1ull << vl_below(r, 64);
        break;
    case 4: be = (line_be_t){{0}}; break;
    default: be.w[vl_below(r, BE_WORDS)] ^= 1ull << (vl_below(r, 2) ? vl_below(r, 64) : 63 * vl_below(r, 2)); break;
    }
    return be;
}

/* State of both benches about the slice: its number, the request that the networks offer, the home's answers on the way, maintenance. */
typedef struct {
    unsigned slice;
    bool offered;
    net_req_t req;
    unsigned flights; /* reads that the home has taken and not answered */
    bool release; /* answers that were held back now go, one a cycle */
    bool maint_busy;
    maint_t maint;
} asks_t;

/* Chooses one of `slices` slices, and the addresses of its lines. */
static unsigned some_lines(bench_t *b, unsigned slices, unsigned sets, uint64_t addr[SCOREBOARD_LINES])
{
    pool_numbers(&b->rng, b->mode, SLICE_NUMBER_W, sets, 3 % sets, 16 * sets * L2_WAYS, SCOREBOARD_LINES, addr);
    const unsigned slice = vl_below(&b->rng, slices);
    for (unsigned k = 0; k < SCOREBOARD_LINES; k++)
        addr[k] = line_of(slice, addr[k]);
    return slice;
}
#endif
