/* A second twin with the same inputs, which passes dead time in leaps (memside_due, memside_skip). Its outputs must equal the first one's. */
#ifndef VERIF_MEMSIDE_LEAP_H
#define VERIF_MEMSIDE_LEAP_H
#include "sim_c/mem/memside.h"
#include "verif/common/bench.h"

static struct {
    memside_t *twin;
    uint64_t pending, most, longest; /* cycles to leap over, their limit, the longest leap */
    /* clocks of the first channel in these cycles, and of the last one, which may have other chips */
    uint64_t ticks, host_ticks;
    mem_ctl_t ctl;
    uint16_t perf_unit;
    uint8_t perf_idx;
    bool rested;
} leap;

static void leap_start(void)
{
    if (!leap.twin && !(leap.twin = malloc(memside_size())))
        abort();
    memside_reset(leap.twin);
    leap.pending = leap.longest = leap.ticks = leap.host_ticks = 0;
    memset(&leap.ctl, 0, sizeof leap.ctl);
}

static void leap_compare(bench_t *b, const memside_out_t *here)
{
    static memside_out_t there;
    vl_diff_t d = {0};
    memset(&there, 0, sizeof there);
    memside_out(leap.twin, &there);
    bool differ = memside_out_diff(here, &there, &d);
    BENCH_CHECK(b, !differ, "after a leap over %" PRIu64 " cycles %s is %s instead of %s", leap.pending, d.field, d.b,
                d.a);
}

/* With this cycle's outputs of the first one, and its inputs. */
static void leap_tick(bench_t *b, const memside_out_t *out, const memside_in_t *in)
{
    bool quiet = !in->req_valid && !in->rd_valid && !in->epoch && !in->maint_valid && !in->perf_clear
                 && in->perf_unit == leap.perf_unit && in->perf_idx == leap.perf_idx
                 && !memcmp(&in->ctl, &leap.ctl, sizeof leap.ctl);
    leap.ctl = in->ctl;
    leap.perf_unit = in->perf_unit, leap.perf_idx = in->perf_idx;
    leap.rested = memside_due(leap.twin) != 0;
    if (!leap.pending)
        leap.most = vl_random(&b->rng) >> vl_below(&b->rng, 60);
    if (quiet && leap.pending < memside_due(leap.twin) && leap.pending < leap.most) {
        leap.pending++;
        leap.ticks += out->pins[0].ticks;
        leap.host_ticks += out->pins[MEM_CHANNELS - 1].ticks;
        return;
    }
    if (leap.pending) {
        for (unsigned k = 0; k < DRAM_KINDS; k++) {
            uint64_t ticks = memside_ticks(leap.twin, k, leap.pending), shown = k ? leap.host_ticks : leap.ticks;
            BENCH_CHECK(b, ticks == shown, "%" PRIu64 " ticks in %" PRIu64 " cycles instead of %" PRIu64, ticks,
                        leap.pending, shown);
        }
        memside_skip(leap.twin, leap.pending);
        leap_compare(b, out);
        leap.longest = leap.pending > leap.longest ? leap.pending : leap.longest;
        leap.pending = leap.ticks = leap.host_ticks = 0;
    }
    memside_tick(leap.twin, in);
}
#endif
