/* Twin of rtl/mem/perf_channel.sv: performance counters of a memory channel (docs/blocks/perf_channel.md; steps are the page's). */
#include "sim_c/common/twin.h"
#include "sim_c/mem/perf_channel.h"
#include "sim_c/mem/event_bytes.h"
#include <stddef.h>

enum {
    SCHED_BYTES = offsetof(ev_mem_sched_t, occ_golden), /* the events behind it are not single bits */
    DRAM_BYTES = sizeof(ev_dram_ctrl_t),
    BYTES = SCHED_BYTES + DRAM_BYTES,
    NONE = BYTES
};

/* The number of each counter by its name, and where its byte is: a field of one byte is 0 or 1. */
#define NUMBER(k, name, block, help) N_##name = k,
enum { VL_CHANNEL_COUNTERS(NUMBER) };
#define BYTE_mem_sched(name) (offsetof(ev_mem_sched_t, name) < SCHED_BYTES ? offsetof(ev_mem_sched_t, name) : NONE)
#define BYTE_dram_ctrl(name) (SCHED_BYTES + offsetof(ev_dram_ctrl_t, name))
#define BYTE_dram_pins(name) NONE
#define BYTE_perf_channel(name) NONE
#define BYTE(k, name, block, help) [k] = BYTE_##block(name),
static const uint8_t byte_of[CHANNEL_COUNTERS] = {VL_CHANNEL_COUNTERS(BYTE)};

enum { CLASSES = 5, LONGEST = 8191, TIME_MASK = (1 << 14) - 1, IDS = L2_SLICES << HOME_ID_W };

/* A read that was taken. */
typedef struct {
    uint16_t stamp;
    uint8_t cls, app;
} kept_t;

struct perf_channel {
    uint64_t count[CHANNEL_COUNTERS];
    uint64_t rd_data;
    /* cycles that `count` does not contain yet for channel_cycles and quotas; in them the quotas were `thresh` */
    uint64_t cycles;
    uint16_t thresh[APPS];
    uint16_t now;
    kept_t kept[IDS];
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

/* Step 3: cycles of the present quotas. */
static void settle(perf_channel_t *s)
{
    s->count[N_channel_cycles] += s->cycles;
    for (unsigned a = 0; a < APPS; a++)
        s->count[N_quota_app0 + a] += s->cycles * s->thresh[a];
    s->cycles = 0;
}

static void count_quotas(perf_channel_t *s, const uint16_t thresh[APPS], uint64_t cycles)
{
    if (memcmp(s->thresh, thresh, sizeof s->thresh)) {
        settle(s);
        memcpy(s->thresh, thresh, sizeof s->thresh);
    }
    s->cycles += cycles;
}

/* Step 3: a read is answered. */
static void read_done(perf_channel_t *s, const ev_mem_sched_t *ev)
{
    const kept_t *k = &s->kept[ev->read_done_id];
    unsigned latency = (unsigned)(s->now - k->stamp) & TIME_MASK;
    latency = latency > LONGEST ? LONGEST : latency;
    if (k->cls < CLASSES) {
        s->count[N_dram_reads_cls0 + k->cls]++;
        s->count[N_dram_time_cls0 + k->cls] += latency;
    }
    for (unsigned v = k->app; v; v &= v - 1) {
        s->count[N_dram_reads_app0 + __builtin_ctz(v)]++;
        s->count[N_dram_time_app0 + __builtin_ctz(v)] += latency;
    }
}

/* Step 4. */
static void reads_in(perf_channel_t *s, const ev_mem_sched_t *ev)
{
    for (unsigned v = ev->read_in; v; v &= v - 1) {
        const unsigned slice = (unsigned)__builtin_ctz(v);
        s->kept[slice << HOME_ID_W | ev->read_id[slice]] = (kept_t){s->now, ev->read_cls[slice], ev->read_app[slice]};
    }
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
    if (s->cycles && in->rd_idx >= N_quota_app0)
        settle(s);
    s->rd_data = event_bytes_read(e, in->rd_idx); /* step 1 */
    if (DRAM_DETAIL) {
        count_quotas(s, in->thresh, 1);
        if (in->ev_sched.read_done)
            read_done(s, &in->ev_sched);
        reads_in(s, &in->ev_sched);
        s->now = (s->now + 1) & TIME_MASK;
    }
    if (in->clear) { /* step 2 */
        event_bytes_clear(e);
        s->cycles = 0;
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
    if (DRAM_DETAIL) {
        count_quotas(s, in->thresh, cycles - 1);
        s->now = (uint16_t)(s->now + cycles - 1) & TIME_MASK;
    }
    perf_channel_tick(s, in);
}

/* Counting never rests; the composition skips dead time with perf_channel_skip. */
bool perf_channel_idle(const perf_channel_t *s)
{
    (void)s;
    return false;
}
