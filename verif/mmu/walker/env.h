/* State of the bench of walker: its stimulus, and the walks under way. */
#ifndef VERIF_MMU_WALKER_ENV_H
#define VERIF_MMU_WALKER_ENV_H
#include "verif/common/bench.h"
#include "verif/mmu/walker/page.h"
#include "verif/mmu/walker/cover_points.h"

enum { RECENT = 16, SCENES = 4, FLOODS = 8, FLOOD_WALKS = 10 };
typedef struct {
    bool valid, late;
    uint64_t due, order, line;
    mem_rsp_t rsp;
} flight_t;
typedef struct {
    bool valid;
    uint64_t vpn;
    unsigned core;
    uint16_t asid;
} walk_t_;
typedef struct {
    page_t page;
    tables_t tables;
    window_t whole; /* of memory: the first value of tables.window */
    root_t space[KERNELS];
    window_t window[KERNELS];
    uint8_t owner[CORES];
    root_t root[CORES];
    walk_policy_t policy;
    walk_t_ walk[WALKS];
    unsigned walks;
    uint64_t recent[RECENT];
    unsigned recents;
    flight_t flight[WALKS];
    uint64_t sent, in_a_row, stalled;
    bool release, drain, was[2];
    /* style */
    unsigned rate[KERNELS], ready, latency, hold, merge, change, quiet, other, span[4], base[4];
    /* scenes at the start of a long run */
    unsigned scene, flood, step, reads, delay;
    uint64_t began;
    unsigned lone_reads;
} env_t;

static uint64_t vpn_of(const uint16_t *index)
{
    return index[0] | (uint64_t)index[1] << 9 | (uint64_t)index[2] << 18 | (uint64_t)index[3] << 27;
}

static bool staged(const env_t *e)
{
    return e->scene || e->flood;
}

static unsigned walks_of(const env_t *e, unsigned kernel)
{
    unsigned n = 0;
    for (unsigned w = 0; w < WALKS; w++)
        n += e->walk[w].valid && e->owner[e->walk[w].core] == kernel;
    return n;
}
#endif
