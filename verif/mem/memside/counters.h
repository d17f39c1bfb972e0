/* The counters of every slice and channel: sums of the events and ticks that the outputs show (verif/mem/perf_sums.h), read and cleared as the inputs say. */
#ifndef VERIF_MEMSIDE_COUNTERS_H
#define VERIF_MEMSIDE_COUNTERS_H
#include "verif/common/bench.h"
#include "memside_ports.h"
#include "verif/mem/perf_sums.h"

typedef struct {
    slice_sums_t slice[SLICES];
    channel_sums_t channel[MEM_CHANNELS];
    uint8_t idx, latest; /* read at the last edge; one of channel 0 that counted last, but the clocks */
} counters_t;

/* This cycle's outputs. */
static void counters_check(bench_t *b, const counters_t *c, const memside_out_t *o)
{
    for (unsigned k = 0; k < SLICES; k++)
        BENCH_CHECK(b, o->slice_perf[k] == c->slice[k].read, "counter %u of slice %u is %" PRIu64 ", not %" PRIu64,
                    c->idx, k, o->slice_perf[k], c->slice[k].read);
    for (unsigned k = 0; k < MEM_CHANNELS; k++)
        BENCH_CHECK(b, o->channel_perf[k] == c->channel[k].read,
                    "counter %u of channel %u is %" PRIu64 ", not %" PRIu64, c->idx, k, o->channel_perf[k],
                    c->channel[k].read);
}

/* The edge after it. */
static void counters_edge(counters_t *c, const memside_out_t *o, const memside_in_t *in)
{
    const channel_sums_t before = c->channel[0];
    c->idx = in->perf_idx;
    for (unsigned k = 0; k < SLICES; k++)
        slice_sums(&c->slice[k], &(perf_slice_in_t){.ev = o->ev_l2[k],
                                                    .ev_taken = (uint64_t)o->ev_req_taken >> k & 1,
                                                    .ev_blocked = (uint64_t)o->ev_req_blocked >> k & 1,
                                                    .ev_rsp_stalled = (uint64_t)o->ev_rsp_stalled >> k & 1,
                                                    .ctl = in->ctl,
                                                    .clear = in->perf_clear,
                                                    .rd_idx = in->perf_idx});
    for (unsigned k = 0; k < MEM_CHANNELS; k++)
        channel_sums(&c->channel[k], &(perf_channel_in_t){.ev_sched = o->ev_sched[k],
                                                          .ev_dram = o->ev_dram[k],
                                                          .ticks = o->pins[k].ticks,
                                                          .clear = in->perf_clear,
                                                          .rd_idx = in->perf_idx});
    for (unsigned k = 0; k < CHANNEL_COUNTERS; k++)
        if (k != N_dram_ticks && c->channel[0].counter[k] > before.counter[k])
            c->latest = (uint8_t)k;
}
#endif
