/* In flight: instructions and rows of lsu */
#ifndef VERIF_COMPACTOR_FLIGHT_H
#define VERIF_COMPACTOR_FLIGHT_H
#include "verif/core/compactor/env.h"

enum { MOST_IN_FLIGHT = 127 };

/* A burst begins now and then with a warp of a compacted group that runs: the count comes to a power of two, or to the largest that the page allows. */
static void burst(bench_t *b, env_t *e)
{
    if (b->cycles < 1000 || b->mode == 2)
        return;
    const int w = (int)vl_below(&b->rng, WARPS);
    if (e->burst.on) {
        const warp_env_t *v = &e->warp[e->burst.warp];
        e->burst.grows = e->burst.grows && v->fly < e->burst.most && v->state == GOES;
        e->burst.on = b->cycle < e->burst.until && v->state != FREE;
        BENCH_COVER(b, COV_FLIES_MOST, v->state == STANDING && v->fly == MOST_IN_FLIGHT);
    } else if (e->warp[w].state == GOES && !e->group[e->warp[w].slot].frozen && vl_chance(&b->rng, 1)) {
        const unsigned n = 2 + vl_below(&b->rng, 6);
        e->burst.on = e->burst.grows = true;
        e->burst.warp = w;
        e->burst.most = n == 7 ? MOST_IN_FLIGHT : 1 << n;
        e->burst.until = b->cycle + 2 * (unsigned)e->burst.most + 120;
    }
}

/* Instructions begin and end, rows of lsu come and go. */
static void fly(bench_t *b, env_t *e, compactor_in_t *in)
{
    burst(b, e);
    const bool grows = e->burst.on && e->burst.grows;
    const int w = grows ? e->burst.warp : (int)vl_below(&b->rng, WARPS), k = (int)vl_below(&b->rng, WARPS);
    warp_env_t *v = &e->warp[w];
    int begun = 0; /* threads of k that begin at this edge; those that end have begun before */
    const bool starting = in->start_valid && in->start.warp == w, meeting = in->meet_valid && in->meet.warp == w;
    if ((v->state == PLAIN || v->state == GOES) && !starting && !meeting
        && vl_chance(&b->rng, grows          ? 240
                              : b->mode == 2 ? 20
                                             : 80)) {
        in->issue_valid = true;
        issued_t_random(&b->rng, &in->issue);
        in->issue.warp = (uint8_t)w;
        in->issue.first = vl_chance(&b->rng, 128);
        in->issue.pipe = (__typeof__(in->issue.pipe))vl_below(&b->rng, PIPE_CTL + 1);
        if (vl_chance(&b->rng, 100))
            in->issue.instr = (in->issue.instr & ~127u) | 0x23;
        const bool counts = in->issue.first && in->issue.pipe != PIPE_ALU && in->issue.pipe != PIPE_CTL
                            && (in->issue.instr & 127) != 0x23;
        if (counts && v->fly >= (e->burst.on && w == e->burst.warp ? e->burst.most : 40))
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
        if (counts && (e->warp[k].fly == begun || (e->burst.on && k == e->burst.warp)))
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
