/* Twin of rtl/coherence/perf_stack.sv: performance counters of a stacked memory (docs/blocks/perf_stack.md; steps are the page's). */
#include "sim_c/coherence/perf_stack.h"
#include "sim_c/coherence/moves.h"
#include "sim_c/common/twin.h"
#include "sim_c/mem/event_bytes.h"
#include <stddef.h>

enum { L2_SIZE = sizeof(ev_l2c_t), SMD_SIZE = sizeof(ev_smd_t), BYTES = L2_SIZE + SMD_SIZE, NONE = BYTES };

/* The number of each counter by its name, and where its byte is. */
#define NUMBER(k, name, block, help) N_##name = k,
enum { VL_STACK_COUNTERS(NUMBER) };
#define BYTE_l2c(name) offsetof(ev_l2c_t, name)
#define BYTE_smd(name) (L2_SIZE + offsetof(ev_smd_t, name))
#define BYTE_perf_stack(name) NONE
#define BYTE(k, name, block, help) [k] = BYTE_##block(name),
static const uint8_t byte_of[STACK_COUNTERS] = {VL_STACK_COUNTERS(BYTE)};

static const move_counters_t l2_moves = MOVES_OF_LINES(l2), smd_moves = MOVES_OF_BLOCKS(smd);
static const uint8_t of_probe[] = {
    [PROBE_READ] = N_smd_probe_read, [PROBE_WRITE] = N_smd_probe_write, [PROBE_CLEAN] = N_smd_probe_clean};

struct perf_stack {
    uint64_t count[STACK_COUNTERS];
    uint64_t rd_data;
    bool sync;
    uint8_t low[BYTES + 1], ticks;
};

static event_bytes_t bytes_of(perf_stack_t *s)
{
    return (event_bytes_t){STACK_COUNTERS, BYTES, byte_of, s->count, s->low, &s->ticks};
}

TWIN_STATE(perf_stack)

void perf_stack_out(const perf_stack_t *s, perf_stack_out_t *o)
{
    o->rd_data = s->rd_data;
}

/* Step 2: the events that are not a byte of theirs. */
static void count_decoded(perf_stack_t *s, const perf_stack_in_t *in, bool sync)
{
    s->count[N_l2c_upgrade] += in->ev_l2.l2_upgrade;
    s->count[N_l2c_probe] += in->ev_l2.l2_probe;
    s->count[N_smd_syncs] += in->maint_valid;
    s->count[N_smd_sync_cycles] += sync;
    if (in->ev_smd.smd_probe && in->ev_smd.smd_probe_kind < sizeof of_probe)
        s->count[of_probe[in->ev_smd.smd_probe_kind]]++;
    const unsigned line = in->ev_l2.l2_moved ? l2_moves[in->ev_l2.l2_from][in->ev_l2.l2_to] : 0,
                   block = in->ev_smd.smd_moved ? smd_moves[in->ev_smd.smd_from][in->ev_smd.smd_to] : 0;
    if (line)
        s->count[line - 1]++;
    if (block)
        s->count[block - 1]++;
}

void perf_stack_tick(perf_stack_t *s, const perf_stack_in_t *in)
{
    event_bytes_t e = bytes_of(s);
    const bool sync = in->maint_valid || s->sync; /* step 1 */
    s->sync = sync && !in->maint_done;
    s->rd_data = event_bytes_read(e, in->rd_idx); /* step 3 */
    if (in->clear) { /* step 4 */
        event_bytes_clear(e);
        return;
    }
    event_bytes_add(e, 0, &in->ev_l2, L2_SIZE);
    event_bytes_add(e, L2_SIZE, &in->ev_smd, SMD_SIZE);
    event_bytes_next(e);
    count_decoded(s, in, sync);
}

/* Reading goes on. The composition knows when nothing is to be counted. */
bool perf_stack_idle(const perf_stack_t *s)
{
    (void)s;
    return false;
}

bool perf_stack_syncs(const perf_stack_t *s)
{
    return s->sync;
}
