/* Bench of launch: kernels of every shape, workgroups offered and warps ended at random. */
#define BENCH_SEEDS 8
#include "verif/common/bench.h"
#include "launch_ports.h"
#include "verif/core/launch/page.h"

enum {
    COV_SLOTS,
    COV_WARPS,
    COV_ONE,
    COV_ALL,
    COV_PARTIAL,
    COV_X1,
    COV_THIN,
    COV_HALT,
    COV_RESTART,
    COV_DONE_XFER,
    COV_Y,
    COV_Z,
    COV_X,
    COV_ODD,
    COV_WAIT,
    COV_WAIT_BEHIND,
    COV_WAIT_MANY,
    COV_WAIT_HALT,
    COV_DONE_CHOICE,
    COV_N
};
static const char *const cover[] = {"slots exhausted",
                                    "warps exhausted",
                                    "group of one warp",
                                    "group of all warps",
                                    "partial last warp",
                                    "local size with x = 1",
                                    "local size below LANES",
                                    "halt while sending",
                                    "kernel_start with groups here",
                                    "warp_done in the cycle of a transfer",
                                    "local size 1xNx1",
                                    "local size 1x1xN",
                                    "local size Nx1x1",
                                    "three odd sizes",
                                    "a group waits for a warp",
                                    "and goes on while warps of an older one are here",
                                    "waits for more than one of its warps",
                                    "halt while it waits",
                                    "a warp ends in the cycle in which one is chosen"};
typedef struct {
    kernel_t k;
    bool offered, live[WARPS], halt;
    group_t group;
    unsigned slots_used, warps_used, until, quiet;
    bool waited; /* the group at work has waited for a warp */
    page_t page;
} env_t;

SCOREBOARD_START(env_t)

static void new_kernel(bench_t *b, env_t *e)
{
    kernel_t *k = &e->k;
    kernel_t_random(&b->rng, k);
    unsigned most = WARPS * THREADS, total;
    do { /* a shape that fits a core */
        for (unsigned d = 0; d < 3; d++)
            k->local_size[d] =
                (uint16_t)(1 + (vl_chance(&b->rng, 120) ? 0 : vl_below(&b->rng, vl_chance(&b->rng, 128) ? 5 : most)));
        if (vl_chance(&b->rng, 24))
            k->local_size[0] = (uint16_t)most, k->local_size[1] = k->local_size[2] = 1;
        total = (unsigned)k->local_size[0] * k->local_size[1] * k->local_size[2];
    } while (total > most);
    k->warps_per_group = (uint8_t)((total + THREADS - 1) / THREADS);
    unsigned rest = total % THREADS;
    k->last_mask = rest ? (1ull << rest) - 1 : ~0ull >> (64 - THREADS);
    k->slots = (uint8_t)(1 + vl_below(&b->rng, GROUPS));
    k->spad_bytes = 8 * vl_below(&b->rng, SPAD_BYTES / 8 / k->slots + 1);
    BENCH_COVER(b, COV_ONE, k->warps_per_group == 1);
    BENCH_COVER(b, COV_ALL, k->warps_per_group == WARPS);
    BENCH_COVER(b, COV_PARTIAL, rest != 0);
    BENCH_COVER(b, COV_X1, k->local_size[0] == 1 && total > 1);
    BENCH_COVER(b, COV_THIN, total < LANES);
    BENCH_COVER(b, COV_X, total > 1 && k->local_size[0] == total);
    BENCH_COVER(b, COV_Y, total > 1 && k->local_size[1] == total);
    BENCH_COVER(b, COV_Z, total > 1 && k->local_size[2] == total);
    BENCH_COVER(b, COV_ODD,
                k->local_size[0] > 1 && k->local_size[1] > 1
                    && k->local_size[0] & k->local_size[1] & k->local_size[2] & 1);
}

static void stimulate(bench_t *b, env_t *e, const launch_out_t *out, launch_in_t *in)
{
    if (b->cycle >= e->until) {
        in->kernel_start = true;
        BENCH_COVER(b, COV_RESTART, !out->idle);
        new_kernel(b, e);
        memset(e->live, 0, sizeof e->live);
        e->offered = e->halt = false;
        e->until = (unsigned)b->cycle + 200 + vl_below(&b->rng, 1200);
        in->kernel = e->k;
        return;
    }
    in->kernel = e->k;
    if (vl_chance(&b->rng, 2))
        kernel_t_random(&b->rng, &e->k); /* it is sampled at the start only */
    if (b->seed % 4 == 3 && vl_chance(&b->rng, 1))
        e->halt = true;
    in->halt = e->halt;
    BENCH_COVER(b, COV_HALT, e->halt && out->lids_valid);
    const page_t *p = &e->page;
    const bool waits = p->send && !p->have;
    unsigned older = 0, unused = 0;
    for (unsigned w = 0; w < WARPS; w++) {
        older += e->live[w] && p->slot_of[w] != p->slot;
        unused += !p->taken[w];
    }
    BENCH_COVER(b, COV_WAIT, waits);
    BENCH_COVER(b, COV_WAIT_BEHIND, out->start_valid && e->waited && older);
    BENCH_COVER(b, COV_WAIT_MANY, waits && p->idx + 1 < p->k.warps_per_group);
    BENCH_COVER(b, COV_WAIT_HALT, waits && e->halt);
    e->waited = p->send && (e->waited || waits);
    if (out->start_valid && !e->halt)
        e->live[out->start.warp] = true;
    if (out->group_ready && !e->offered && vl_chance(&b->rng, b->mode == 1 ? 30 : 200)) {
        e->offered = true;
        group_t_random(&b->rng, &e->group);
    }
    /* As the dispatcher does: a group is offered only after ready was seen, and stays until it is taken. */
    in->group_valid = e->offered;
    in->group = e->group;
    bool transfer = e->offered && out->group_ready;
    if (transfer)
        e->offered = false;
    unsigned n = 0, chosen = WARPS;
    for (unsigned w = 0; w < WARPS; w++)
        if (e->live[w] && !(out->start_valid && out->start.warp == w) && vl_below(&b->rng, ++n) == 0)
            chosen = w;
    unsigned rate = b->cycle / 512 % 2 ? 60 : 4;
    if (chosen < WARPS && vl_chance(&b->rng, b->mode == 2 ? 200 : rate)) {
        in->warp_done_valid = true;
        in->warp_done = (uint8_t)chosen;
        e->live[chosen] = false;
        BENCH_COVER(b, COV_DONE_XFER, transfer);
        BENCH_COVER(b, COV_DONE_CHOICE, waits && unused);
    }
    BENCH_COVER(b, COV_SLOTS, !out->group_ready && out->ev.warps_resident < WARPS && !out->idle);
    BENCH_COVER(b, COV_WARPS, out->ev.warps_resident == WARPS);
}

SCOREBOARD_DRIVE(launch, env_t, stimulate)
BENCH_MAIN(launch, env_t, start, drive, cover, COV_N)
