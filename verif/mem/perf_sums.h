/* The counters of the memory side as plain sums, one edge at a time: the lists of docs/blocks/perf_slice.md and perf_channel.md. */
#ifndef VERIF_MEM_PERF_SUMS_H
#define VERIF_MEM_PERF_SUMS_H
#include "perf_channel_ports.h"
#include "perf_slice_ports.h"
#include "vl_perf.h"
#include <string.h>

#define NUMBER(k, name, block, help) N_##name = k,
enum { VL_SLICE_COUNTERS(NUMBER) };
enum { VL_CHANNEL_COUNTERS(NUMBER) };
#undef NUMBER

typedef struct {
    uint64_t counter[SLICE_COUNTERS], read; /* read: the value before the edge */
} slice_sums_t;
typedef struct {
    uint64_t counter[CHANNEL_COUNTERS], read;
    uint64_t now; /* cycles since reset */
    struct {
        uint64_t at;
        unsigned cls, app;
    } asked[L2_SLICES][1 << HOME_ID_W];
} channel_sums_t;

static inline void slice_sums(slice_sums_t *s, const perf_slice_in_t *in)
{
    uint64_t *w = s->counter;
    s->read = in->rd_idx < SLICE_COUNTERS ? w[in->rd_idx] : 0;
    if (in->clear) {
        memset(w, 0, sizeof s->counter);
        return;
    }
#define ADD_l2(k, name) w[k] += in->ev.name;
#define ADD_req_net(k, name)
#define ADD_rsp_net(k, name)
#define ADD_perf_slice(k, name)
#define ADD(k, name, block, help) ADD_##block(k, name)
    VL_SLICE_COUNTERS(ADD)
#undef ADD
    w[N_l2_req_taken] += in->ev_taken;
    w[N_l2_req_blocked] += in->ev_blocked;
    w[N_l2_rsp_stalled] += in->ev_rsp_stalled;
    if (!in->ev.l2_access)
        return;
    static const unsigned access_cls[] = {N_l2_access_cls0, N_l2_access_cls1, N_l2_access_cls2, N_l2_access_cls3,
                                          N_l2_access_cls4, N_l2_access_cls5, N_l2_access_cls6, N_l2_access_cls7};
    static const unsigned hit_cls[] = {N_l2_hit_cls0, N_l2_hit_cls1, N_l2_hit_cls2, N_l2_hit_cls3,
                                       N_l2_hit_cls4, N_l2_hit_cls5, N_l2_hit_cls6, N_l2_hit_cls7};
    static const unsigned access_app[APPS] = {N_l2_access_app0, N_l2_access_app1, N_l2_access_app2, N_l2_access_app3};
    static const unsigned hit_app[APPS] = {N_l2_hit_app0, N_l2_hit_app1, N_l2_hit_app2, N_l2_hit_app3};
    w[access_cls[in->ev.l2_cls]]++;
    w[hit_cls[in->ev.l2_cls]] += in->ev.l2_hit;
    for (unsigned a = 0; a < APPS; a++) {
        if (in->ctl.sched.app_valid & 1u << a && in->ctl.sched.app_asid[a] == in->ev.l2_asid) {
            w[access_app[a]]++;
            w[hit_app[a]] += in->ev.l2_hit;
        }
    }
}

/* Steps 3 and 4 of perf_channel: a read's time is the difference of two cycles, of which a multiple of 2^14 does not show. */
static inline void channel_detail(channel_sums_t *s, const perf_channel_in_t *in)
{
    static const unsigned reads_cls[8] = {N_dram_reads_cls0, N_dram_reads_cls1, N_dram_reads_cls2, N_dram_reads_cls3,
                                          N_dram_reads_cls4},
                          time_cls[8] = {N_dram_time_cls0, N_dram_time_cls1, N_dram_time_cls2, N_dram_time_cls3,
                                         N_dram_time_cls4};
    static const unsigned reads_app[APPS] = {N_dram_reads_app0, N_dram_reads_app1, N_dram_reads_app2,
                                             N_dram_reads_app3},
                          time_app[APPS] = {N_dram_time_app0, N_dram_time_app1, N_dram_time_app2, N_dram_time_app3},
                          quota[APPS] = {N_quota_app0, N_quota_app1, N_quota_app2, N_quota_app3};
    const ev_mem_sched_t *ev = &in->ev_sched;
    uint64_t *w = s->counter;
    if (ev->read_done) {
        const unsigned slice = ev->read_done_id / (1u << HOME_ID_W), id = ev->read_done_id % (1u << HOME_ID_W);
        const unsigned cls = s->asked[slice][id].cls, app = s->asked[slice][id].app;
        uint64_t latency = (s->now - s->asked[slice][id].at) % 16384;
        if (latency > 8191)
            latency = 8191;
        if (reads_cls[cls])
            w[reads_cls[cls]] += 1, w[time_cls[cls]] += latency;
        for (unsigned a = 0; a < APPS; a++)
            if (app & 1u << a)
                w[reads_app[a]] += 1, w[time_app[a]] += latency;
    }
    for (unsigned a = 0; a < APPS; a++)
        w[quota[a]] += in->thresh[a];
    w[N_channel_cycles]++;
    for (unsigned k = 0; k < L2_SLICES; k++)
        if (ev->read_in & 1u << k) {
            const unsigned id = ev->read_id[k];
            s->asked[k][id].at = s->now, s->asked[k][id].cls = ev->read_cls[k], s->asked[k][id].app = ev->read_app[k];
        }
    s->now++;
}

static inline void channel_sums(channel_sums_t *s, const perf_channel_in_t *in)
{
    uint64_t *w = s->counter;
    s->read = in->rd_idx < CHANNEL_COUNTERS ? w[in->rd_idx] : 0;
    if (DRAM_DETAIL)
        channel_detail(s, in);
    if (in->clear) {
        memset(w, 0, sizeof s->counter);
        return;
    }
#define ADD_mem_sched(k, name) w[k] += in->ev_sched.name;
#define ADD_dram_ctrl(k, name) w[k] += in->ev_dram.name;
#define ADD_dram_pins(k, name) w[k] += in->ticks;
#define ADD_perf_channel(k, name)
#define ADD(k, name, block, help) ADD_##block(k, name)
    VL_CHANNEL_COUNTERS(ADD)
#undef ADD
}
#endif
