/* Twin of rtl/mem/perf_slice.sv: performance counters of an L2 slice (docs/blocks/perf_slice.md; steps are the page's). */
#include "perf_slice_ports.h"
#include "sim_c/common/twin.h"
#include "sim_c/mem/event_bytes.h"
#include <stddef.h>

enum { BYTES = sizeof(ev_l2_t), NONE = BYTES };

/* The number of each counter by its name, and where its byte is. */
#define NUMBER(k, name, block, help) N_##name = k,
enum { VL_SLICE_COUNTERS(NUMBER) };
#define BYTE_l2(name) offsetof(ev_l2_t, name)
#define BYTE_req_net(name) NONE
#define BYTE_rsp_net(name) NONE
#define BYTE_perf_slice(name) NONE
#define BYTE(k, name, block, help) [k] = BYTE_##block(name),
static const uint8_t byte_of[SLICE_COUNTERS] = {VL_SLICE_COUNTERS(BYTE)};

struct perf_slice {
    uint64_t count[SLICE_COUNTERS];
    uint64_t rd_data;
    uint8_t low[BYTES + 1], ticks;
};

static event_bytes_t bytes_of(perf_slice_t *s)
{
    return (event_bytes_t){SLICE_COUNTERS, BYTES, byte_of, s->count, s->low, &s->ticks};
}

TWIN_STATE(perf_slice)

void perf_slice_out(const perf_slice_t *s, perf_slice_out_t *o)
{
    o->rd_data = s->rd_data;
}

/* Step 1: the events that are not a byte of `ev`. */
static void count_decoded(perf_slice_t *s, const perf_slice_in_t *in)
{
    s->count[N_l2_req_taken] += in->ev_taken;
    s->count[N_l2_req_blocked] += in->ev_blocked;
    s->count[N_l2_rsp_stalled] += in->ev_rsp_stalled;
    if (!in->ev.l2_access)
        return;
    s->count[N_l2_access_cls0 + in->ev.l2_cls]++;
    s->count[N_l2_hit_cls0 + in->ev.l2_cls] += in->ev.l2_hit;
    for (unsigned a = 0; a < APPS; a++) {
        if (in->ctl.sched.app_valid >> a & 1 && in->ctl.sched.app_asid[a] == in->ev.l2_asid) {
            s->count[N_l2_access_app0 + a]++;
            s->count[N_l2_hit_app0 + a] += in->ev.l2_hit;
        }
    }
}

void perf_slice_tick(perf_slice_t *s, const perf_slice_in_t *in)
{
    event_bytes_t e = bytes_of(s);
    s->rd_data = event_bytes_read(e, in->rd_idx); /* step 2 */
    if (in->clear) { /* step 3 */
        event_bytes_clear(e);
        return;
    }
    event_bytes_add(e, 0, &in->ev, BYTES);
    event_bytes_next(e);
    count_decoded(s, in);
}

/* Reading goes on. The composition knows when nothing is to be counted. */
bool perf_slice_idle(const perf_slice_t *s)
{
    (void)s;
    return false;
}
