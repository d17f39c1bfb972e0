/* The counters of every slice and channel, stack, host channel and wire: sums of the events and ticks that the outputs show (verif/core/perf/rows.h), read and cleared as the inputs say. */
#ifndef VERIF_MEMSIDE_COUNTERS_H
#define VERIF_MEMSIDE_COUNTERS_H
#include "verif/common/bench.h"
#include "memside_ports.h"
#include "perf_channel_ports.h"
#include "perf_home_ports.h"
#include "perf_slice_ports.h"
#include "perf_stack_ports.h"
#include "perf_wire_ports.h"
#include "verif/core/perf/reads.h"
#include "vl_perf.h"
#include "perf/perf_channel_rows.h"
#include "perf/perf_home_rows.h"
#include "perf/perf_slice_rows.h"
#include "perf/perf_stack_rows.h"
#include "perf/perf_wire_rows.h"

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

static const unit_t slice_unit = UNIT_OF(perf_slice, KIND_SLICE), channel_unit = UNIT_OF(perf_channel, KIND_CHANNEL),
                    stack_unit = UNIT_OF(perf_stack, KIND_STACK), home_unit = UNIT_OF(perf_home, KIND_HOME),
                    wire_unit = UNIT_OF(perf_wire, KIND_WIRE);
enum { DIRECTORIES = (int)HOME == (int)HOME_DIRECTORY };

#define NUMBER(k, name, block, help) N_##name = k,
enum { VL_CHANNEL_COUNTERS(NUMBER) };
#undef NUMBER

/* Kinds of units, how many there are, and how many counters each has; the last three only with directories. */
static const struct {
    unsigned kind, number, counters;
} counted[] = {{KIND_SLICE, SLICES, SLICE_COUNTERS},
               {KIND_CHANNEL, MEM_CHANNELS, CHANNEL_COUNTERS},
               {KIND_STACK, SMDS, STACK_COUNTERS},
               {KIND_HOME, HMDS, HOME_COUNTERS},
               {KIND_WIRE, 2 * WIRES, WIRE_COUNTERS}};

typedef struct {
    quotas_t quotas;
    sums_t slice[SLICES], channel[MEM_CHANNELS], stack[SMDS], home[HMDS], wire[2 * WIRES];
    reads_t reads[MEM_CHANNELS];
    /* unit, idx: selected at the last edge; latest: the counter of channel 0 that counted last, other than clocks and cycles */
    uint16_t unit;
    uint8_t idx, latest;
    uint64_t read; /* the selected counter before that edge */
} counters_t;

/* This cycle's output. */
static void counters_check(bench_t *b, const counters_t *c, const memside_out_t *o)
{
    BENCH_CHECK(b, o->perf_data == c->read, "counter %u of kind %u, unit %u is %" PRIu64 ", not %" PRIu64, c->idx,
                c->unit >> 8, c->unit & 255, o->perf_data, c->read);
}

#define SUMS(list, k, ...)                                                                                                        \
    do {                                                                                                                          \
        const perf_##list##_in_t in_ = {__VA_ARGS__};                                                                              \
        sums_edge(&c->list[k], &list##_unit, &in_, in->perf_clear, k, in->perf_unit, in->perf_idx);                                \
        c->read |= c->list[k].read;                                                                                               \
    } while (0)

/* Those that only directories have. */
static void counters_edge_coherent(counters_t *c, const memside_out_t *o, const memside_in_t *in)
{
    for (unsigned k = 0; k < SMDS; k++) {
        sums_span(&c->stack[k], in->maint_valid, (uint64_t)o->maint_done >> k & 1);
        SUMS(stack, k, .ev_l2c = o->ev_l2c[k], .ev_smd = o->ev_smd[k], .maint_valid = in->maint_valid);
    }
    for (unsigned k = 0; k < HMDS; k++)
        SUMS(home, k, .ev_hmd = o->ev_hmd[k], .ev_l2c = o->ev_l2c[(SMDS + k) % SLICES]);
    for (unsigned k = 0; k < 2 * WIRES; k++)
        SUMS(wire, k, .ev_link = o->ev_link[k]);
}

/* The edge after it. */
static void counters_edge(counters_t *c, const memside_out_t *o, const memside_in_t *in)
{
    const sums_t before = c->channel[0];
    c->unit = in->perf_unit, c->idx = in->perf_idx;
    c->read = 0;
    for (unsigned k = 0; k < SLICES; k++)
        SUMS(slice, k, .ev_l2 = o->ev_l2[k], .taken = (uint64_t)o->ev_req_taken >> k & 1,
             .blocked = (uint64_t)o->ev_req_blocked >> k & 1, .stalled = (uint64_t)o->ev_rsp_stalled >> k & 1,
             .ctl = in->ctl);
    for (unsigned k = 0; k < MEM_CHANNELS; k++) {
        perf_channel_in_t channel = {
            .ev_mem_sched = o->ev_sched[k], .ev_dram_ctrl = o->ev_dram[k], .ticks = o->pins[k].ticks};
        memcpy(channel.thresh, c->quotas.now, sizeof channel.thresh);
        if (DRAM_DETAIL)
            reads_edge(&c->reads[k], &c->channel[k].extra, &channel.ev_mem_sched);
        sums_edge(&c->channel[k], &channel_unit, &channel, in->perf_clear, k, in->perf_unit, in->perf_idx);
        c->read |= c->channel[k].read;
    }
    quotas_edge(&c->quotas, in);
    if (DIRECTORIES)
        counters_edge_coherent(c, o, in);
    for (unsigned k = 0; k < CHANNEL_COUNTERS; k++)
        if (k != N_dram_ticks && k != N_channel_cycles && c->channel[0].counter[k] > before.counter[k])
            c->latest = (uint8_t)k;
}
#endif
