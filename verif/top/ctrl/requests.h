/* Which registers are read and written: at every address, and at the edges of kernels and maintenance */
#ifndef VERIF_CTRL_REQUESTS_H
#define VERIF_CTRL_REQUESTS_H
#include "verif/top/ctrl/env.h"

static uint64_t command(bench_t *b)
{
    unsigned r = vl_below(&b->rng, 16);
    const uint64_t both = reg_cmd_put((reg_cmd_t){.start = true, .stop = true});
    return (vl_random(&b->rng) & ~both)
           | reg_cmd_put((reg_cmd_t){.start = r < 10 || (r >= 13 && r < 15), .stop = r >= 10 && r < 15});
}

static void new_request(bench_t *b, env_t *e)
{
    static const uint8_t favourites[] = {R_CMD,   R_CMD,   R_STATUS, R_PERF_SEL, R_PERF_DATA,
                                         R_EPOCH, R_MAINT, R_MAINT,  R_CORES,    R_CORES};
    unsigned slot = vl_below(&b->rng, KERNELS + 1) % KERNELS;
    unsigned reg = vl_chance(&b->rng, 100) ? favourites[vl_below(&b->rng, sizeof favourites)] : vl_below(&b->rng, REGS);
    if (vl_chance(&b->rng, 20))
        reg = REGS + vl_below(&b->rng, 0x60);
    e->holding = true;
    e->req.write = vl_chance(&b->rng, 128);
    /* At the edge of a kernel's end, of a pulse, of the last answer. */
    for (unsigned k = 0; k < KERNELS; k++)
        if (e->kernel[k].running && !e->kernel[k].stop && e->kernel[k].settle == 7 && vl_chance(&b->rng, 128))
            reg = R_CMD, e->req.write = true, slot = k;
    if (e->pulse == b->cycle + 1 && e->period > 1 && vl_chance(&b->rng, 128))
        reg = R_EPOCH, e->req.write = true;
    else if (e->pending && vl_chance(&b->rng, 32))
        reg = R_MAINT, e->req.write = true;
    /* CMD, CORES and the other kernel registers of each slot; those of the machine in slot 0's range, but now and then */
    if (reg >= REGS || !known[reg].of_kernel)
        slot = vl_chance(&b->rng, 240) ? 0 : vl_below(&b->rng, 16);
    e->req.addr = (uint16_t)(REG_KERNEL_STRIDE * slot + 8 * reg + (vl_chance(&b->rng, 16) ? vl_below(&b->rng, 8) : 0));
    e->req.data = vl_random(&b->rng);
    if (reg == R_CMD)
        e->req.data = command(b);
    if (reg == R_EPOCH && vl_chance(&b->rng, 230))
        e->req.data = (e->req.data & ~kept(reg)) | vl_below(&b->rng, vl_chance(&b->rng, 128) ? 6 : 900);
    if (vl_chance(&b->rng, 2))
        e->req.addr = (uint16_t)vl_random(&b->rng);
}
#endif
