/* State of the bench of ptw: the requester, memory, the styles of stimulus; and two functions that scenes, visits and the stimulus share: ask for a page, and forget
 * kept pointers */
#ifndef VERIF_PTW_ENV_H
#define VERIF_PTW_ENV_H
#include "verif/common/bench.h"
#include "verif/mmu/ptw/page.h"
#include "verif/mmu/ptw/scoreboard.h"
#include "verif/mmu/ptw/tables.h"

enum {
    ROOTS = 3,
    RECENT = 16,
    PATIENCE = 4000,
    SPREAD = 64,
    SCENES = 12,
    FLOODS = 4,
    FAIR = 64 /* leaders chosen by nearness before the oldest one leads */
};
typedef struct {
    bool valid;
    uint64_t due, order;
    line_data_t data;
    mem_rsp_t rsp;
    bool late;
    uint64_t line;
} flight_t;
typedef struct {
    page_t page;
    scoreboard_t scoreboard;
    tables_t tables;
    root_t root, roots[ROOTS];
    walk_policy_t policy;
    window_t window;
    bool asked[2]; /* in this cycle, with `req` */
    translate_req_t req[2];
    bool answered; /* the response of the cycle before was taken */
    unsigned last_id;
    uint64_t requests;
    uint32_t closed; /* in the cycle before, and still */
    uint64_t recent[RECENT];
    unsigned recents;
    flight_t flight[TLB_MSHRS];
    uint64_t sent, last_walked /* or all begun again */, in_a_row, stalled;
    bool release, drain, inv_busy, put_back /* by an invalidation in the cycle before */;
    bool out_held, out_drop; /* mem_req was shown in the cycle before and not taken; no walk needs it any more */
    mem_req_t out;
    ev_ptw_t ev; /* the events that the scoreboard counts */
    /* since all was idle */
    struct {
        uint64_t reads, saved, kept, need, addrs[SPREAD];
        int64_t left[4];
        uint8_t levels[SPREAD];
        unsigned distinct;
        bool vague, mixed;
    } period; /* left: references less reads and saved ones; mixed: a PTE at two levels */
    bool was_coalesced, was_naive;
    bool blinked;
    bool keeps, stale; /* pointers older than the walks under way may be kept; some differ from memory */
    /* an entry changes between two walks for a page (visit) */
    struct {
        unsigned step, tell, level;
        uint64_t vpn, addr;
        bool twin; /* a walk for another page follows; it reads a PTE one bit in address from the first pointer */
        unsigned bit;
        uint64_t then, kept;
    } visit;
    unsigned twins /* the bit that is next */;
    uint64_t walkers_seen;
    /* style */
    unsigned miss_rate[2], ready, latency, hold, merge, change, quiet, span[4], base[4], burst, burst_left, other;
    /* the scenes at the start */
    /* the events, by level */
    unsigned scene, scene_kind, scene_latency, scene_step, scene_reads, scene_sent[4], scene_saved[4];
    bool scene_fetch;
    unsigned flood, flood_walks; /* floods to come, this one among them; walks that ended in it */
    uint64_t flood_began;
} env_t;

static bool staged(const env_t *e)
{
    return e->scene || e->flood;
}

static uint64_t page(bench_t *b, env_t *e)
{
    if (e->recents && vl_chance(&b->rng, e->merge))
        return e->recent[vl_below(&b->rng, e->recents)];
    uint64_t vpn = 0;
    for (unsigned l = 0; l < 4; l++)
        vpn |= (uint64_t)e->tables.index[(e->base[l] + vl_below(&b->rng, e->span[l])) % SLOTS] << 9 * l;
    unsigned k = e->recents < RECENT ? e->recents++ : vl_below(&b->rng, RECENT);
    return e->recent[k] = vpn;
}

/* All that has been kept is forgotten. */
static void forgotten(env_t *e)
{
    tables_settle(&e->tables, false);
    e->keeps = WALK_POINTERS > 0 && e->policy.pointers;
}

/* Asks for this page, with an id that is not open: any, or for a scene the lowest, as tlb_mshr does. False without one. */
static bool ask(bench_t *b, env_t *e, unsigned p, uint64_t vpn)
{
    scoreboard_t *sb = &e->scoreboard;
    if (sb->walks + e->asked[!p] >= TLB_MSHRS)
        return false;
    unsigned k = staged(e) ? 0 : vl_below(&b->rng, TLB_MSHRS);
    while (sb->walk[k].valid || (e->asked[!p] && e->req[!p].id == k))
        k = (k + 1) % TLB_MSHRS;
    e->asked[p] = true;
    e->req[p] = (translate_req_t){.core = (uint8_t)vl_random_bits(&b->rng, CORE_W),
                                  .id = (uint8_t)k,
                                  .asid = e->root.asid,
                                  .vpn = vpn,
                                  .access = p ? ACC_FETCH : (uint8_t)vl_below(&b->rng, 2),
                                  .warp = (uint8_t)vl_random_bits(&b->rng, WARP_W)};
    return true;
}
#endif
