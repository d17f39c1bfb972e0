/* What is in flight: instructions and rows of lsu */
#ifndef VERIF_COMPACTOR_FLIGHT_H
#define VERIF_COMPACTOR_FLIGHT_H
#include "verif/core/compactor/env.h"

/* Instructions begin and end, rows of lsu come and go. */
static void fly(bench_t *b, env_t *e, compactor_in_t *in)
{
    const int w = (int)vl_below(&b->rng, WARPS), k = (int)vl_below(&b->rng, WARPS);
    warp_env_t *v = &e->warp[w];
    int begun = 0; /* threads of k that begin at this edge; those that end have begun before */
    const bool starting = in->start_valid && in->start.warp == w, meeting = in->meet_valid && in->meet.warp == w;
    if ((v->state == PLAIN || v->state == GOES) && !starting && !meeting
        && vl_chance(&b->rng, b->mode == 2 ? 20 : 80)) {
        in->issue_valid = true;
        issued_t_random(&b->rng, &in->issue);
        in->issue.warp = (uint8_t)w;
        in->issue.first = vl_chance(&b->rng, 128);
        in->issue.pipe = (__typeof__(in->issue.pipe))vl_below(&b->rng, PIPE_CTL + 1);
        if (vl_chance(&b->rng, 100))
            in->issue.instr = (in->issue.instr & ~127u) | 0x23;
        const bool counts = in->issue.first && in->issue.pipe != PIPE_ALU && in->issue.pipe != PIPE_CTL
                            && (in->issue.instr & 127) != 0x23;
        if (counts && v->fly > 40)
            in->issue.first = false;
        else
            v->fly += counts, begun = k == w && counts;
        v->last_issue = b->cycle;
    }
    if (vl_chance(&b->rng, 200)) {
        in->wb_valid = true;
        wb_t_random(&b->rng, &in->wb);
        in->wb.res.warp = (uint8_t)k;
        in->wb.pipe = (__typeof__(in->wb.pipe))vl_below(&b->rng, PIPE_CTL);
        const bool counts = in->wb.res.last && in->wb.pipe != PIPE_ALU;
        if (counts && e->warp[k].fly == begun)
            in->wb.pipe = PIPE_ALU;
        else
            e->warp[k].fly -= counts;
    }
    uint64_t rows = 0;
    for (int n = 0; n < WARPS; n++) {
        warp_env_t *x = &e->warp[n];
        const bool may = (x->state == GOES || x->state == PLAIN) && !(in->meet_valid && in->meet.warp == n);
        if (x->row)
            x->row = !vl_chance(&b->rng, 60);
        else
            x->row = may && b->seed % 4 && vl_chance(&b->rng, 10);
        rows |= (uint64_t)x->row << n;
    }
    in->rows = (__typeof__(in->rows))rows;
}
#endif
