/* Cycles of instructions when nothing is in their way: of each kind (--speed), and of loads that hit in TLB and L1D (T3). */
#ifndef VERIF_CORE_MEMPATH_HITS_H
#define VERIF_CORE_MEMPATH_HITS_H
#include "verif/core/mempath/cycle.h"

/* Cycles of `count` instructions from the first operands to rest, without back-pressure; the memory answers after 10 cycles. */
static void speed(env_t *e, const char *name, unsigned op, uint64_t start, uint64_t stride, uint64_t step,
                  unsigned count)
{
    begin(e, 3);
    uint64_t first_ops = 0, first_req = 0, first_res = 0, t0 = e->cycle;
    unsigned sent = 0, beat = 0, done = 0;
    for (; e->cycle - t0 < 10000; tick(e)) {
        wire(e);
        e->li.lsu_res_ready = true;
        e->ci.mem_req_ready = true;
        e->credits -= e->lo.credit;
        if ((e->lo.l1d_req_valid || e->lo.spad_req_valid) && !first_req)
            first_req = e->cycle;
        if (e->lo.lsu_res_valid) {
            if (!first_res)
                first_res = e->cycle;
            done += e->lo.lsu_res.last;
        }
        if (e->co.mem_req_valid)
            mem_take(e, &e->co.mem_req);
        for (unsigned k = 0; k < PENDING && e->npending; k++)
            if (e->pending[k].used) {
                e->pending[k].due = 0;
            }
        mem_answer(e);
        if (sent < count && (beat || e->credits + BEATS <= IN_DEPTH)) {
            operands_t *o = &e->li.ops;
            memset(o, 0, sizeof *o);
            o->pipe = PIPE_LSU, o->op = op, o->warp = sent % WARPS, o->seq = sent, o->beat = beat, o->first = !beat,
            o->last = beat == BEATS - 1;
            o->mask = LANES < 64 ? (1ull << (LANES % 64)) - 1 : ~0ull;
            for (unsigned l = 0; l < LANES; l++)
                ((uint64_t *)o->rs1)[l] = start + sent * step + (beat * LANES + l) * stride;
            e->li.ops_valid = true;
            e->credits++;
            if (o->last && !first_ops)
                first_ops = e->cycle;
            beat = (beat + 1) % BEATS;
            sent += !beat;
        }
        if (sent == count && e->lo.idle && e->co.idle && !beat && !e->li.ops_valid)
            break;
    }
    printf("%-34s %2u instructions: %4" PRIu64 " cycles; last operands to request %" PRIu64 ", to result %" PRIu64
           " (%u results)\n",
           name, count, e->cycle - t0, first_req - first_ops, first_res ? first_res - first_ops : 0, done);
    end(e);
}

/* Cycles from the operands of the first of `count` loads, of one sector each, that hit in the L1D, to the last result. Translated, each page is its own
 * frame, and the TLB has it. */
static unsigned hits(env_t *e, bool sv48, unsigned count)
{
    begin(e, 3);
    e->li.root.sv48 = sv48;
    e->li.mode = TLB_UNDER_MISS; /* with a blocking TLB a look-up would wait for the one before */
    uint64_t from = 0;
    unsigned sent = 0, done = 0, beat = 0, looked = 0;
    look_t look[TLB_PORTS] = {0};
    for (; e->cycle < 2000 && done <= count; tick(e)) {
        e->li.found_valid = looked;
        for (unsigned p = 0; p < TLB_PORTS; p++)
            e->li.found[p] = (found_t){.hit = looked >> p & 1, .ppn = look[p].vpn};
        wire(e);
        looked = e->lo.look_valid;
        memcpy(look, e->lo.look, sizeof look);
        e->li.look_ready = e->li.lsu_res_ready = e->ci.mem_req_ready = true;
        e->credits -= e->lo.credit;
        done += e->lo.lsu_res_valid && e->lo.lsu_res.last;
        if (e->co.mem_req_valid)
            mem_take(e, &e->co.mem_req);
        mem_answer(e);
        if (sent > count || (sent && !done)
            || !(beat || e->credits + BEATS <= IN_DEPTH)) /* the first load fetches the line */
            continue;
        operands_t *o = &e->li.ops;
        *o = (operands_t){.pipe = PIPE_LSU,
                          .op = OP_LW,
                          .warp = sent % WARPS,
                          .seq = sent,
                          .beat = beat,
                          .first = !beat,
                          .last = beat == BEATS - 1,
                          .mask = LANES < 64 ? (1ull << (LANES % 64)) - 1 : ~0ull};
        for (unsigned l = 0; l < LANES; l++)
            ((uint64_t *)o->rs1)[l] = BASE + (beat * LANES + l) * 4;
        e->li.ops_valid = true;
        e->credits++;
        if (o->last && sent == 1)
            from = e->cycle;
        beat = (beat + 1) % BEATS;
        sent += !beat;
    }
    unsigned cycles = done > count ? (unsigned)(e->cycle - from) : 0;
    end(e);
    return cycles;
}

/* One cycle more than in Bare, whether one comes or many. */
static bool overlapped(env_t *e)
{
    static const unsigned counts[] = {1, 2, 2 * WARPS};
    bool ok = true;
    for (unsigned i = 0; i < 3; i++) {
        unsigned bare = hits(e, false, counts[i]), sv48 = hits(e, true, counts[i]);
        printf("%u loads that hit: %u cycles in Bare, %u translated\n", counts[i], bare, sv48);
        ok &= bare && sv48 == bare + 1;
    }
    return ok;
}
#endif
