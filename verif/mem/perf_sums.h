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
    uint64_t counter[SLICE_COUNTERS], read; /* what is read: as it was before the edge */
} slice_sums_t;
typedef struct {
    uint64_t counter[CHANNEL_COUNTERS], read;
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

static inline void channel_sums(channel_sums_t *s, const perf_channel_in_t *in)
{
    uint64_t *w = s->counter;
    s->read = in->rd_idx < CHANNEL_COUNTERS ? w[in->rd_idx] : 0;
    if (in->clear) {
        memset(w, 0, sizeof s->counter);
        return;
    }
#define ADD_mem_sched(k, name) w[k] += in->ev_sched.name;
#define ADD_dram_ctrl(k, name) w[k] += in->ev_dram.name;
#define ADD_dram_pins(k, name) w[k] += in->ticks;
#define ADD(k, name, block, help) ADD_##block(k, name)
    VL_CHANNEL_COUNTERS(ADD)
#undef ADD
}
#endif
