/* Twin of rtl/core/perf.sv: performance counters (docs/blocks/perf.md). */
#include "perf_ports.h"
#include "sim_c/common/twin.h"
#include "sim_c/core/perf.h"
#include "vl_perf.h"
#include <string.h>

#define COUNTER_MASK ((1ull << COUNTER_W) - 1)

struct perf {
    uint64_t count[COUNTERS]; /* cut to COUNTER_W bits when read */
    uint64_t rd_data;
};

TWIN_STATE(perf)

void perf_out(const perf_t *s, perf_out_t *o)
{
    o->rd_data = s->rd_data;
}

/* Most blocks show nothing in most cycles: their counters are passed over. */
void perf_count(perf_t *restrict s, const ev_core_t *restrict ev, uint64_t cycles)
{
    static const ev_core_t none;
#define COUNT(k, name, block, help) \
    if (memcmp(&ev->block, &none.block, sizeof none.block)) \
        s->count[k] += cycles * ev->block.name;
    VL_COUNTERS(COUNT)
#undef COUNT
}

static uint64_t counter(const perf_t *s, unsigned k)
{
    return k < COUNTERS ? s->count[k] & COUNTER_MASK : 0;
}

uint64_t perf_step(const perf_in_t *in)
{
    switch (in->rd_idx) {
#define EACH(k, name, block, help) case k: return in->ev.block.name;
        VL_COUNTERS(EACH)
#undef EACH
    default: return 0;
    }
}

void perf_peek(const perf_t *s, const perf_in_t *in, uint64_t cycles, perf_out_t *o)
{
    o->rd_data = (counter(s, in->rd_idx) + cycles * perf_step(in)) & COUNTER_MASK;
}

void perf_tick(perf_t *s, const perf_in_t *in)
{
    s->rd_data = counter(s, in->rd_idx); /* step 2 */
    if (in->clear)                       /* step 3 */
        memset(s->count, 0, sizeof s->count);
    else
        perf_count(s, &in->ev, 1);
}

/* Counting never rests; the composition skips dead time with perf_count. */
bool perf_idle(const perf_t *s)
{
    (void)s;
    return false;
}
