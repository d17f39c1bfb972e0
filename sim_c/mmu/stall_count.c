/* Twin of rtl/mmu/stall_count.sv: ConPTW and WarpsStalled of each application (docs/blocks/stall_count.md). Step numbers are the page's. */
#include "stall_count_ports.h"
#include "sim_c/common/twin.h"
#include <string.h>

enum { MOST = 63, NONE = -1 };

struct stall_count {
    uint8_t con[APPS], warps[APPS], con_last[APPS], warps_last[APPS];
    mem_ctl_t ctl;
    bool epoch;
    bool settled; /* every edge does the same until an input is active */
};

TWIN_STATE(stall_count)

void stall_count_out(const stall_count_t *s, stall_count_out_t *o)
{
    o->ctl = s->ctl;
    o->epoch = s->epoch;
}

/* The application that an address space is counted for. */
static int app_of(const sched_policy_t *apps, uint16_t asid)
{
    for (int a = 0; a < (int)APPS; a++)
        if (apps->app_valid >> a & 1 && apps->app_asid[a] == asid)
            return a;
    return NONE;
}

/* Step 1, walks: of each slot by the root of its lowest core. */
static void count_walks(stall_count_t *s, const stall_count_in_t *in)
{
    unsigned sum[APPS] = {0};
    for (unsigned k = 0; k < KERNELS; k++) {
        unsigned c = 0;
        if (!in->walks[k])
            continue;
        while (c < CORES && in->owner[c] != k)
            c++;
        const int a = c < CORES ? app_of(&in->ctl.sched, in->root[c].asid) : NONE;
        if (a != NONE)
            sum[a] += in->walks[k];
    }
    for (unsigned a = 0; a < APPS; a++) {
        const uint8_t now = (uint8_t)(sum[a] < MOST ? sum[a] : MOST);
        if (s->con[a] < now)
            s->con[a] = now;
    }
}

/* Step 1, misses that have ended. */
static void count_warps(stall_count_t *s, const stall_count_in_t *in)
{
    for (unsigned c = 0; c < CORES; c++) {
        if (!((uint64_t)in->stalled_valid >> c & 1))
            continue;
        const int a = app_of(&in->ctl.sched, in->stalled[c].asid);
        if (a != NONE && s->warps[a] < in->stalled[c].warps)
            s->warps[a] = in->stalled[c].warps;
    }
}

void stall_count_tick(stall_count_t *s, const stall_count_in_t *in)
{
    count_walks(s, in);
    if (in->stalled_valid)
        count_warps(s, in);
    if (in->epoch) { /* step 2 */
        memcpy(s->con_last, s->con, sizeof s->con);
        memcpy(s->warps_last, s->warps, sizeof s->warps);
        memset(s->con, 0, sizeof s->con);
        memset(s->warps, 0, sizeof s->warps);
    }
    s->ctl = in->ctl; /* step 3 */
    if (in->ctl.inputs == INPUTS_COUNTED) {
        memcpy(s->ctl.con_ptw, s->con_last, sizeof s->con_last);
        memcpy(s->ctl.warps, s->warps_last, sizeof s->warps_last);
    }
    s->epoch = in->epoch;
    s->settled = !in->epoch;
}

bool stall_count_idle(const stall_count_t *s)
{
    return s->settled;
}
