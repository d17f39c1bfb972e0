/* Early requests: the frame of one comes in the next cycle, or it is dropped */
#ifndef VERIF_L1D_EARLY_H
#define VERIF_L1D_EARLY_H
#include "verif/cache/l1d/cover.h"
#include "verif/cache/l1d/env.h"
#include "verif/cache/l1d/program.h"

/* The frame of the early request of the last cycle comes, or its page was not found, or its look-up does not stand. */
static void frame(bench_t *b, env_t *e, const l1d_out_t *out, l1d_in_t *in)
{
    const bool stall = out->ev.l1d_stall_mem | out->ev.l1d_stall_mshr | out->ev.l1d_stall_merge | out->ev.l1d_stall_rsp
                       | out->ev.l1d_stall_store | out->ev.l1d_stall_atomic;
    in->early = e->early && vl_below(&b->rng, 4);
    if (!e->early)
        return;
    e->early = false;
    in->found.hit = vl_below(&b->rng, 4) != 0;
    BENCH_COVER(b, COV_EARLY_STALL, stall);
    if (!in->early || !in->found.hit) {
        BENCH_COVER(b, COV_EARLY_DROPPED, true);
        BENCH_COVER(b, COV_EARLY_DROPPED_STALL, stall);
        return;
    }
    in->found.ppn = e->early_req.line / PAGE_LINES;
    taken(b, e, &e->early_req, true);
}
#endif
