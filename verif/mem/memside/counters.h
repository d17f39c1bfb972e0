/* The counters of every slice and channel, stack, host channel and wire: sums of the events and ticks that the outputs show (verif/mem/perf_sums.h,
 * verif/coherence/perf_sums.h), read and cleared as the inputs say. Without directories the last three are 0. */
#ifndef VERIF_MEMSIDE_COUNTERS_H
#define VERIF_MEMSIDE_COUNTERS_H
#include "verif/common/bench.h"
#include "memside_ports.h"
#include "verif/coherence/perf_sums.h"
#include "verif/mem/perf_sums.h"

/* The quotas (docs/blocks/mem_quota.md): the result of equation 1 at the end of an epoch is there 46 cycles later. */
typedef struct {
    unsigned left; /* cycles until then; 0: nothing is computed */
    uint16_t next[APPS], now[APPS];
} quotas_t;

static void quotas_edge(quotas_t *q, const memside_in_t *in)
{
    if (!in->epoch) {
        if (q->left && !--q->left)
            memcpy(q->now, q->next, sizeof q->now);
        return;
    } /* an epoch cancels the computation */
    const sched_policy_t *policy = &in->ctl.sched;
    unsigned walks[APPS], all = 0, valid = 0;
    for (unsigned a = 0; a < APPS; a++) {
        walks[a] = policy->app_valid >> a & 1 ? in->ctl.con_ptw[a] * in->ctl.warps[a] : 0;
        all += walks[a];
        valid += policy->app_valid >> a & 1;
    }
    for (unsigned a = 0; a < APPS; a++) {
        const unsigned share = all ? walks[a] : policy->app_valid >> a & 1, of = all ? all : valid;
        const unsigned quota = of ? policy->thresh_max * share / of : 0;
        q->next[a] = (uint16_t)(!quota && share && policy->thresh_max ? 1 : quota);
    }
    q->left = 45;
}

typedef struct {
    quotas_t quotas;
    slice_sums_t slice[SLICES];
    channel_sums_t channel[MEM_CHANNELS];
    stack_sums_t stack[SMDS];
    home_sums_t home[HMDS];
    wire_sums_t wire[2 * WIRES];
    /* idx: read at the last edge; latest: the counter of channel 0 that counted last, other than clocks and cycles */
    uint8_t idx, latest;
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
    for (unsigned k = 0; k < SMDS; k++)
        BENCH_CHECK(b, o->stack_perf[k] == c->stack[k].read, "counter %u of stack %u is %" PRIu64 ", not %" PRIu64,
                    c->idx, k, o->stack_perf[k], c->stack[k].read);
    for (unsigned k = 0; k < HMDS; k++)
        BENCH_CHECK(b, o->home_perf[k] == c->home[k].read, "counter %u of home %u is %" PRIu64 ", not %" PRIu64, c->idx,
                    k, o->home_perf[k], c->home[k].read);
    for (unsigned k = 0; k < 2 * WIRES; k++)
        BENCH_CHECK(b, o->wire_perf[k] == c->wire[k].read, "counter %u of wire %u is %" PRIu64 ", not %" PRIu64, c->idx,
                    k, o->wire_perf[k], c->wire[k].read);
}

/* Those that only directories have. */
static void counters_edge_coherent(counters_t *c, const memside_out_t *o, const memside_in_t *in)
{
    for (unsigned k = 0; k < SMDS; k++)
        stack_sums(&c->stack[k], &(perf_stack_in_t){.ev_l2 = o->ev_l2c[k],
                                                    .ev_smd = o->ev_smd[k],
                                                    .maint_valid = in->maint_valid,
                                                    .maint_done = (uint64_t)o->maint_done >> k & 1,
                                                    .clear = in->perf_clear,
                                                    .rd_idx = in->perf_idx});
    for (unsigned k = 0; k < HMDS; k++)
        home_sums(&c->home[k], &(perf_home_in_t){.ev_hmd = o->ev_hmd[k],
                                                 .ev_l2 = o->ev_l2c[(SMDS + k) % SLICES],
                                                 .clear = in->perf_clear,
                                                 .rd_idx = in->perf_idx});
    for (unsigned k = 0; k < 2 * WIRES; k++)
        wire_sums(&c->wire[k], &(perf_wire_in_t){.ev = o->ev_link[k], .clear = in->perf_clear, .rd_idx = in->perf_idx});
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
    for (unsigned k = 0; k < MEM_CHANNELS; k++) {
        perf_channel_in_t channel = {.ev_sched = o->ev_sched[k],
                                     .ev_dram = o->ev_dram[k],
                                     .ticks = o->pins[k].ticks,
                                     .clear = in->perf_clear,
                                     .rd_idx = in->perf_idx};
        memcpy(channel.thresh, c->quotas.now, sizeof channel.thresh);
        channel_sums(&c->channel[k], &channel);
    }
    quotas_edge(&c->quotas, in);
    if ((int)HOME == (int)HOME_DIRECTORY)
        counters_edge_coherent(c, o, in);
    for (unsigned k = 0; k < CHANNEL_COUNTERS; k++)
        if (k != N_dram_ticks && k != N_channel_cycles && c->channel[0].counter[k] > before.counter[k])
            c->latest = (uint8_t)k;
}
#endif
