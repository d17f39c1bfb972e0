/* Twin of rtl/coherence/perf_wire.sv: performance counters of a wire of a link (docs/blocks/perf_wire.md; steps are the page's). */
#include "perf_wire_ports.h"
#include "sim_c/common/twin.h"
#include "vl_perf.h"
#include <string.h>

#define BARE_FLITS (1 + (LINE_BYTES + LINK_BYTES - 1) / LINK_BYTES) /* of a line without a mask */

/* The number of each counter by its name. */
#define NUMBER(k, name, block, help) N_##name = k,
enum { VL_WIRE_COUNTERS(NUMBER) };

struct perf_wire {
    uint64_t count[WIRE_COUNTERS];
    uint64_t rd_data;
};

TWIN_STATE(perf_wire)

void perf_wire_out(const perf_wire_t *s, perf_wire_out_t *o)
{
    o->rd_data = s->rd_data;
}

static void count_line(perf_wire_t *s, unsigned lines, unsigned their_flits, unsigned flits)
{
    s->count[lines]++;
    s->count[their_flits] += flits;
    s->count[N_link_mask_flits] += flits - BARE_FLITS;
}

/* Step 1. */
static void count_message(perf_wire_t *s, unsigned kind, unsigned flits)
{
    const bool line = flits > 1;
    switch (kind) {
    case LINK_DATA:
        if (line)
            count_line(s, N_link_lines, N_link_line_flits, flits);
        else
            s->count[N_link_grants]++;
        break;
    case LINK_ACK:
        if (line)
            count_line(s, N_link_merges, N_link_merge_flits, flits);
        else
            s->count[N_link_acks]++;
        break;
    case LINK_PROBE: s->count[N_link_probes]++; break;
    default: s->count[N_link_requests]++; break;
    }
}

void perf_wire_tick(perf_wire_t *s, const perf_wire_in_t *in)
{
    s->rd_data = in->rd_idx < WIRE_COUNTERS ? s->count[in->rd_idx] & ((1ull << COUNTER_W) - 1) : 0; /* step 2 */
    if (in->clear) { /* step 3 */
        memset(s->count, 0, sizeof s->count);
        return;
    }
    s->count[N_link_busy] += in->ev.link_busy;
    s->count[N_link_blocked] += in->ev.link_blocked;
    if (in->ev.link_sent)
        count_message(s, in->ev.link_kind, in->ev.link_flits);
}

/* Reading goes on. The composition knows when nothing is to be counted. */
bool perf_wire_idle(const perf_wire_t *s)
{
    (void)s;
    return false;
}
