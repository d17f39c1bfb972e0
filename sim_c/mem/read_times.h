/* Twin of rtl/mem/read_times.sv, a leaf of a channel's counters (docs/blocks/perf.md, Times of reads; steps are the page's). */
#ifndef SIM_C_MEM_READ_TIMES_H
#define SIM_C_MEM_READ_TIMES_H
#include "vl_types.h"

enum { LONGEST = 8191, TIME_MASK = (1 << 14) - 1, READS = L2_SLICES << HOME_ID_W };

typedef struct {
    uint16_t now;
    struct {
        uint16_t stamp;
        uint8_t cls, app;
    } kept[READS];
} read_times_t;

/* Step 1: the event of this cycle. */
static inline ev_read_times_t read_times_event(const read_times_t *s, const ev_mem_sched_t *ev)
{
    if (!ev->read_done)
        return (ev_read_times_t){.done = false};
    const unsigned id = ev->read_done_id, latency = (unsigned)(s->now - s->kept[id].stamp) & TIME_MASK;
    return (ev_read_times_t){.done = true,
                             .cls = s->kept[id].cls,
                             .app = s->kept[id].app,
                             .latency = latency > LONGEST ? LONGEST : (uint16_t)latency};
}

/* Cycles without a read. */
static inline void read_times_pass(read_times_t *s, uint64_t cycles)
{
    s->now = (uint16_t)(s->now + cycles) & TIME_MASK;
}

/* Step 2. */
static inline void read_times_edge(read_times_t *s, const ev_mem_sched_t *ev)
{
    for (unsigned v = ev->read_in; v; v &= v - 1) {
        const unsigned slice = (unsigned)__builtin_ctz(v), id = slice << HOME_ID_W | ev->read_id[slice];
        s->kept[id].stamp = s->now, s->kept[id].cls = ev->read_cls[slice], s->kept[id].app = ev->read_app[slice];
    }
    read_times_pass(s, 1);
}
#endif
