/* Twin of rtl/mem/perf_channel.sv: performance counters of a memory channel (docs/blocks/perf_channel.md; steps are the page's). */
#include "sim_c/common/twin.h"
#include "sim_c/mem/perf_channel.h"
#include "sim_c/mem/event_bytes.h"
#include <stddef.h>

enum {
    SCHED_BYTES = sizeof(ev_mem_sched_t),
    DRAM_BYTES = sizeof(ev_dram_ctrl_t),
    BYTES = SCHED_BYTES + DRAM_BYTES,
    NONE = BYTES
};

/* The number of each counter by its name, and where its byte is: a field of one byte is 0 or 1. */
#define NUMBER(k, name, block, help) N_##name = k,
enum { VL_CHANNEL_COUNTERS(NUMBER) };
#define BYTE_mem_sched(name) (sizeof((ev_mem_sched_t *)0)->name == 1 ? offsetof(ev_mem_sched_t, name) : NONE)
#define BYTE_dram_ctrl(name) (SCHED_BYTES + offsetof(ev_dram_ctrl_t, name))
#define BYTE_dram_pins(name) NONE
#define BYTE(k, name, block, help) [k] = BYTE_##block(name),
static const uint8_t byte_of[CHANNEL_COUNTERS] = {VL_CHANNEL_COUNTERS(BYTE)};

struct perf_channel {
    uint64_t count[CHANNEL_COUNTERS];
    uint64_t rd_data;
    uint8_t low[BYTES + 1], ticks;
};

static event_bytes_t bytes_of(perf_channel_t *s)
{
    return (event_bytes_t){CHANNEL_COUNTERS, BYTES, byte_of, s->count, s->low, &s->ticks};
}

TWIN_STATE(perf_channel)

void perf_channel_out(const perf_channel_t *s, perf_channel_out_t *o)
{
    o->rd_data = s->rd_data;
}

/* The events that are wider than a bit. */
static void count_wide(perf_channel_t *s, const ev_mem_sched_t *ev, uint64_t cycles, uint64_t ticks)
{
    s->count[N_occ_golden] += cycles * ev->occ_golden;
    s->count[N_occ_silver] += cycles * ev->occ_silver;
    s->count[N_occ_normal] += cycles * ev->occ_normal;
    s->count[N_occ_writes] += cycles * ev->occ_writes;
    s->count[N_dram_ticks] += ticks;
}

void perf_channel_tick(perf_channel_t *s, const perf_channel_in_t *in)
{
    event_bytes_t e = bytes_of(s);
    s->rd_data = event_bytes_read(e, in->rd_idx); /* step 1 */
    if (in->clear) { /* step 2 */
        event_bytes_clear(e);
        return;
    }
    event_bytes_add(e, 0, &in->ev_sched, SCHED_BYTES);
    event_bytes_add(e, SCHED_BYTES, &in->ev_dram, DRAM_BYTES);
    event_bytes_next(e);
    count_wide(s, &in->ev_sched, 1, in->ticks);
}

void perf_channel_skip(perf_channel_t *s, const perf_channel_in_t *in, uint64_t cycles, uint64_t ticks)
{
    uint8_t ev[NONE + 1] = {0};
    memcpy(ev, &in->ev_sched, SCHED_BYTES);
    memcpy(ev + SCHED_BYTES, &in->ev_dram, DRAM_BYTES);
    for (unsigned k = 0; k < CHANNEL_COUNTERS; k++)
        s->count[k] += (cycles - 1) * ev[byte_of[k]];
    count_wide(s, &in->ev_sched, cycles - 1, ticks - in->ticks);
    perf_channel_tick(s, in);
}

/* Counting never rests; the composition skips dead time with perf_channel_skip. */
bool perf_channel_idle(const perf_channel_t *s)
{
    (void)s;
    return false;
}
