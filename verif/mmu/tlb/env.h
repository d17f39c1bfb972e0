/* Stimulus of the bench of tlb: pages, fills and their style. */
#ifndef VERIF_MMU_TLB_ENV_H
#define VERIF_MMU_TLB_ENV_H
#include "verif/common/bench.h"
#include "verif/mmu/tlb/scoreboard.h"
#include "verif/mmu/tlb/stimulus.h"

enum { PAGES = 4 * TLB_ENTRIES < 256 ? 4 * TLB_ENTRIES : 256, RECENT = 32 };
typedef struct {
    scoreboard_t scoreboard;
    answer_t want[TLB_PORTS];
    look_t look[TLB_PORTS];
    uint64_t page[PAGES];
    uint16_t space[SPACES];
    uint64_t recent[RECENT];
    uint8_t recent_level[RECENT];
    unsigned recents, asid;
    bool busy; /* an invalidation is not done */
    bool random, drew; /* the policy, and as of the last fill that put out an entry */
    uint32_t lots; /* ways that were the random one */
    inv_t last;
    uint32_t ways, supers[2];
    bool touched[TLB_ENTRIES], kept[TLB_ENTRIES]; /* each entry, once */
    /* style */
    unsigned busy_look, fill, quiet, base, span, large, glob, fresh, fault, ports, move, turn;
} env_t;

static void start(bench_t *b, env_t *e)
{
    pool_numbers(&b->rng, b->mode, VPN_W, SETS, 3 % SETS, 4 * PAGES, PAGES, e->page);
    some_spaces(&b->rng, e->space);
}

static void style(bench_t *b, env_t *e)
{
    e->busy_look = vl_below(&b->rng, 3) ? 256 : 20 + vl_below(&b->rng, 200);
    e->ports = vl_below(&b->rng, 3) ? 1 + vl_below(&b->rng, TLB_PORTS) : TLB_PORTS;
    e->fill = vl_below(&b->rng, 4) ? 4 + vl_below(&b->rng, 100) : 256;
    e->quiet = vl_below(&b->rng, 3) ? 200 : vl_below(&b->rng, 2) ? 2000 : 1 + vl_below(&b->rng, 12);
    e->span = pool_span(&b->rng, 2 * TLB_WAYS + 2, 3, PAGES);
    e->base = vl_below(&b->rng, PAGES);
    e->large = vl_below(&b->rng, 3) ? 40 : 30 + vl_below(&b->rng, 220);
    e->glob = vl_below(&b->rng, 3) ? 30 : 128;
    e->fresh = vl_below(&b->rng, 3) ? 20 : 160;
    e->fault = vl_below(&b->rng, 3) ? 10 : 100;
    e->move = 1 + vl_below(&b->rng, 200);
    e->turn = vl_below(&b->rng, 3) ? 1000 : 1 + vl_below(&b->rng, 8);
}

/* A page: of the pool, perhaps beside it at some distance, or of those filled lately, perhaps elsewhere in the same larger page. */
static uint64_t page(bench_t *b, env_t *e)
{
    uint64_t all = (1ull << VPN_W) - 1;
    if (e->recents && !vl_chance(&b->rng, e->fresh)) {
        unsigned k = vl_below(&b->rng, e->recents < 4 || vl_below(&b->rng, 2) ? e->recents : 4),
                 level = e->recent_level[k];
        return e->recent[k] ^ (level && vl_below(&b->rng, 2) ? vl_random_bits(&b->rng, 9 * level) : 0);
    }
    uint64_t vpn = e->page[(e->base + vl_below(&b->rng, e->span)) % PAGES];
    if (vl_below(&b->rng, 3) == 0)
        vpn ^= (uint64_t)vl_below(&b->rng, 4) << 9 * vl_below(&b->rng, 4);
    return vpn & all;
}

static void make_fill(bench_t *b, env_t *e, walked_t *w)
{
    uint64_t vpn = page(b, e);
    w->walk = (uint8_t)vl_below(&b->rng, TLB_MSHRS);
    w->warp = (uint8_t)(LOCALITY_ENTRIES == 0 ? 0 : vl_below(&b->rng, vl_below(&b->rng, 2) ? 2 : WARPS));
    w->result = vl_chance(&b->rng, e->fault) ? 1 + vl_below(&b->rng, 2) : WALK_OK;
    w->asid = e->space[vl_below(&b->rng, SPACES)];
    w->leaf.level = vl_chance(&b->rng, e->large) ? (uint8_t)(1 + vl_below(&b->rng, 3)) : 0;
    w->leaf.glob = vl_chance(&b->rng, e->glob);
    unsigned rights = vl_below(&b->rng, 8);
    w->leaf.r = rights != 0 && rights != 5;
    w->leaf.w = rights > 2;
    w->leaf.x = vl_below(&b->rng, 2) || rights == 0;
    if (w->leaf.level && vl_below(&b->rng, 2)) /* neighbours in the larger sizes */
        vpn ^= (uint64_t)vl_below(&b->rng, 8) << 9 * w->leaf.level;
    w->vpn = vpn & ((1ull << VPN_W) - 1);
    w->leaf.ppn = vl_random_bits(&b->rng, VPN_W) >> 9 * w->leaf.level << 9 * w->leaf.level;
    if (w->result == WALK_OK) {
        unsigned k = e->recents < RECENT ? e->recents++ : RECENT - 1;
        for (; k; k--)
            e->recent[k] = e->recent[k - 1], e->recent_level[k] = e->recent_level[k - 1];
        e->recent[0] = w->vpn;
        e->recent_level[0] = w->leaf.level;
    }
}
#endif
