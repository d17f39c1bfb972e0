/* Counters of events: most of them are a byte of an event struct that is 0 or 1. All bytes are added up as they are, and go into the counters before
 * they can overflow. (Bytes that are no such event are added up too, and never used.) */
#ifndef SIM_C_MEM_EVENT_BYTES_H
#define SIM_C_MEM_EVENT_BYTES_H
#include "vl_perf.h"
#include <stdint.h>
#include <string.h>

enum { EVENT_BYTES_MOST = 255 };

/* Whose arrays they are. */
typedef struct {
    unsigned counters, bytes;
    const uint8_t *byte_of; /* of each counter; `bytes`: it is counted otherwise */
    uint64_t *count;
    uint8_t *low; /* sums that are not in `count` yet: bytes + 1 of them, of which the last stays 0 */
    uint8_t *ticks; /* ticks added up in `low` */
} event_bytes_t;

static inline uint64_t event_bytes_read(event_bytes_t e, unsigned k)
{
    return k < e.counters ? (e.count[k] + e.low[e.byte_of[k]]) & ((1ull << COUNTER_W) - 1) : 0;
}

static inline void event_bytes_clear(event_bytes_t e)
{
    memset(e.count, 0, e.counters * sizeof *e.count);
    memset(e.low, 0, e.bytes + 1);
    *e.ticks = 0;
}

/* The `n` bytes of a struct, the first of which is byte `from` of all. */
static inline void event_bytes_add(event_bytes_t e, unsigned from, const void *ev, unsigned n)
{
    const unsigned char *byte = ev;
    for (unsigned i = 0; i < n; i++)
        e.low[from + i] = (uint8_t)(e.low[from + i] + byte[i]);
}

/* All bytes of a cycle have been added. */
static inline void event_bytes_next(event_bytes_t e)
{
    if (++*e.ticks < EVENT_BYTES_MOST)
        return;
    for (unsigned k = 0; k < e.counters; k++)
        e.count[k] += e.low[e.byte_of[k]];
    memset(e.low, 0, e.bytes + 1);
    *e.ticks = 0;
}
#endif
