/* Twin of rtl/coherence/perf_home.sv: performance counters of a host channel (docs/blocks/perf_home.md; steps are the page's). */
#include "perf_home_ports.h"
#include "sim_c/coherence/moves.h"
#include "sim_c/common/twin.h"
#include "sim_c/mem/event_bytes.h"
#include <stddef.h>

enum { BYTES = sizeof(ev_hmd_t), NONE = BYTES };

/* The number of each counter by its name, and where its byte is. */
#define NUMBER(k, name, block, help) N_##name = k,
enum { VL_HOME_COUNTERS(NUMBER) };
#define BYTE_hmd(name) offsetof(ev_hmd_t, name)
#define BYTE_perf_home(name) NONE
#define BYTE(k, name, block, help) [k] = BYTE_##block(name),
static const uint8_t byte_of[HOME_COUNTERS] = {VL_HOME_COUNTERS(BYTE)};

static const move_counters_t llc_moves = MOVES_OF_LINES(llc);

struct perf_home {
    uint64_t count[HOME_COUNTERS];
    uint64_t rd_data;
    uint8_t low[BYTES + 1], ticks;
};

static event_bytes_t bytes_of(perf_home_t *s)
{
    return (event_bytes_t){HOME_COUNTERS, BYTES, byte_of, s->count, s->low, &s->ticks};
}

TWIN_STATE(perf_home)

void perf_home_out(const perf_home_t *s, perf_home_out_t *o)
{
    o->rd_data = s->rd_data;
}

/* Step 1: grants, and the last-level cache. */
static void count_decoded(perf_home_t *s, const ev_hmd_t *hmd, const ev_l2c_t *llc)
{
    if (hmd->hmd_grant)
        switch (hmd->hmd_state) {
        case NMOESI_I: s->count[N_hmd_grant_i]++; break;
        case NMOESI_S: s->count[N_hmd_grant_s]++; break;
        case NMOESI_E: s->count[N_hmd_grant_e]++; break;
        case NMOESI_M: s->count[N_hmd_grant_m]++; break;
        default: break;
        }
    s->count[N_llc_upgrade] += llc->l2_upgrade;
    s->count[N_llc_own] += llc->l2_own;
    s->count[N_llc_n_read] += llc->l2_n_read;
    s->count[N_llc_probe] += llc->l2_probe;
    s->count[N_llc_probe_hit] += llc->l2_probe_hit;
    s->count[N_llc_probe_gives] += llc->l2_probe_gives;
    s->count[N_llc_stall_probe] += llc->l2_stall_probe;
    s->count[N_llc_stall_own] += llc->l2_stall_own;
    const unsigned line = llc->l2_moved ? llc_moves[llc->l2_from][llc->l2_to] : 0;
    if (line)
        s->count[line - 1]++;
}

void perf_home_tick(perf_home_t *s, const perf_home_in_t *in)
{
    event_bytes_t e = bytes_of(s);
    s->rd_data = event_bytes_read(e, in->rd_idx); /* step 2 */
    if (in->clear) { /* step 3 */
        event_bytes_clear(e);
        return;
    }
    event_bytes_add(e, 0, &in->ev_hmd, BYTES);
    event_bytes_next(e);
    count_decoded(s, &in->ev_hmd, &in->ev_l2);
}

/* Reading goes on. The composition knows when nothing is to be counted. */
bool perf_home_idle(const perf_home_t *s)
{
    (void)s;
    return false;
}
