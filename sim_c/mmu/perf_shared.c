/* Twin of rtl/mmu/perf_shared.sv: performance counters of the shared translation (docs/blocks/perf_shared.md; steps are the page's). */
#include "sim_c/mmu/perf_shared.h"
#include "sim_c/common/twin.h"
#include "vl_perf.h"
#include <string.h>

struct perf_shared {
    uint64_t count[SHARED_COUNTERS]; /* cut to COUNTER_W bits when read */
    uint64_t rd_data;
    bool settled; /* the last edge counted nothing, and rd_data is up to date */
};

TWIN_STATE(perf_shared)

void perf_shared_out(const perf_shared_t *s, perf_shared_out_t *o)
{
    o->rd_data = s->rd_data;
}

static uint64_t counter(const perf_shared_t *s, unsigned k)
{
    return k < SHARED_COUNTERS ? s->count[k] & ((1ull << COUNTER_W) - 1) : 0;
}

static const ev_shared_t none;

/* Step 2, `cycles` times. A block that shows nothing is passed over. */
static void count(perf_shared_t *restrict s, const ev_shared_t *restrict ev, uint64_t cycles)
{
#define COUNT(k, name, block, help) \
    if (memcmp(&ev->block, &none.block, sizeof none.block)) \
        s->count[k] += cycles * ev->block.name;
    VL_SHARED_COUNTERS(COUNT)
#undef COUNT
}

void perf_shared_tick(perf_shared_t *s, const perf_shared_in_t *in)
{
    s->rd_data = counter(s, in->rd_idx); /* step 1 */
    if (in->clear) /* step 2 */
        memset(s->count, 0, sizeof s->count);
    else
        count(s, &in->ev, 1);
    s->settled = !memcmp(&in->ev, &none, sizeof none) && s->rd_data == counter(s, in->rd_idx);
}

void perf_shared_skip(perf_shared_t *s, const perf_shared_in_t *in, uint64_t cycles)
{
    count(s, &in->ev, cycles - 1);
    perf_shared_tick(s, in);
}

bool perf_shared_idle(const perf_shared_t *s)
{
    return s->settled;
}
