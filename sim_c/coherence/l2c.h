/* Functions for the composition, beside the ports of l2c. */
#ifndef SIM_C_COHERENCE_L2C_H
#define SIM_C_COHERENCE_L2C_H
#include "l2c_ports.h"

/* After reset, before anything else: the slice is one of the host's last-level cache. */
void l2c_last_level(l2c_t *s);

/* True when ticks change nothing, and show the same stalls, until a valid comes in or a ready for a valid output. */
bool l2c_waits(const l2c_t *s);

/* What both kinds of slice do, for the counters of a slice. */
static inline ev_l2_t l2_events(const ev_l2c_t *ev)
{
    return (ev_l2_t){.l2_access = ev->l2_access,
                     .l2_hit = ev->l2_hit,
                     .l2_merge = ev->l2_merge,
                     .l2_atomic = ev->l2_atomic,
                     .l2_evict = ev->l2_evict,
                     .l2_cls = ev->l2_cls,
                     .l2_asid = ev->l2_asid,
                     .l2_read = ev->l2_read,
                     .l2_write = ev->l2_write,
                     .l2_fill = ev->l2_fill,
                     .l2_replay = ev->l2_replay,
                     .l2_stall_pipe = ev->l2_stall_pipe,
                     .l2_stall_mshr = ev->l2_stall_mshr,
                     .l2_stall_way = ev->l2_stall_way};
}
#endif
