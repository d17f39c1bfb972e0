/* Bench of l2_tlb: ask_net with requests of several address spaces, ans_net that takes answers at random rates, l2_tlb_mshr that fills missed pages (and other leaves, of every size), shootdowns. Besides the
 * twin it is checked against the page as a program (page.h), the source of its coverage. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 120000
#include "verif/common/bench.h"
#include "verif/mmu/l2_tlb/page.h"
#include "verif/mmu/tlb/stimulus.h"

#define OF_BOTH(text) text ", 4 KB", text ", larger"
static const char *const cover[] = {"a hit of 4 KB",
                                    "a hit of 2 MB",
                                    "a hit of 1 GB",
                                    "a hit of 512 GB",
                                    "a hit of the oldest of a full set",
                                    "a hit of the oldest of all larger ones",
                                    "two ports hit in one set",
                                    "two ports hit one entry",
                                    "two ports hit entries of 4 KB and larger",
                                    "all ports hit",
                                    "an entry that does not serve a load",
                                    "an entry that does not serve a store",
                                    "an entry that does not serve a fetch",
                                    "a larger entry that does not serve a load",
                                    "a larger entry that does not serve a store",
                                    "a larger entry that does not serve a fetch",
                                    "a page of both sizes",
                                    "the smaller of both sizes does not serve, the larger would",
                                    "a page that is there for another address space",
                                    "a page that is there for another address space, global",
                                    "a larger page that is there for another address space, global",
                                    "a global leaf hit by its own address space",
                                    "fill over the same page",
                                    "larger fill over the same",
                                    "larger fill over two or more",
                                    "fill over a larger one of a larger page",
                                    "fill of a larger page over a smaller one",
                                    "fill of fewer rights over the same",
                                    "fill where there is room",
                                    "larger fill where there is room",
                                    "fill over the oldest",
                                    "larger fill over the oldest",
                                    "a page of two address spaces",
                                    "a page of two address spaces, one global",
                                    "a fill takes the place of what a look-up touches at this edge",
                                    "a fill takes the place of what the scan empties at this edge",
                                    FILLS_AND_INVALIDATIONS,
                                    "fill covered at the scan's last edge",
                                    "fill of a set that the scan has yet to reach, covered",
                                    "INV_ALL with entries of both kinds",
                                    OF_BOTH("INV_ASID takes some"),
                                    OF_BOTH("INV_ASID leaves others"),
                                    OF_BOTH("INV_ASID leaves global ones of its own"),
                                    "INV_ASID of nothing",
                                    "INV_ASID takes of the first set",
                                    "INV_ASID takes of the last set",
                                    OF_BOTH("INV_PAGE takes one"),
                                    OF_BOTH("INV_PAGE leaves others"),
                                    "INV_PAGE leaves the page of another address space",
                                    OF_BOTH("INV_PAGE takes a global one of another address space"),
                                    "INV_PAGE takes 2 MB by another page of it",
                                    "INV_PAGE takes 1 GB by another page of it",
                                    "INV_PAGE takes 512 GB by another page of it",
                                    "INV_PAGE takes both sizes",
                                    "INV_PAGE takes a page of two address spaces",
                                    "a request taken in the cycle of an invalidation",
                                    "the scan waits for its look-up",
                                    "a hit in flight at an invalidation that covers it",
                                    "a miss in flight at an invalidation of its address space",
                                    "a miss passes hits that wait",
                                    "a hit waits",
                                    "a queue full of hits",
                                    "a request a cycle for long",
                                    "requests wait for a scan",
                                    "an invalidation in the cycle of done",
                                    "a hit in the bypass cache, 4 KB",
                                    "a hit in the bypass cache, 2 MB",
                                    "a hit in the bypass cache, 1 GB",
                                    "a hit in the bypass cache, 512 GB",
                                    "a hit of the oldest of a full bypass cache",
                                    "two ports hit in the bypass cache",
                                    "one of the bypass cache does not serve a load",
                                    "one of the bypass cache does not serve a store",
                                    "one of the bypass cache does not serve a fetch",
                                    "a hit of a page that is in the bypass cache, too, 4 KB",
                                    "a hit of a page that is in the bypass cache, too, larger",
                                    "one that does not serve, and that of the bypass cache would, 4 KB",
                                    "one that does not serve, and that of the bypass cache would, larger",
                                    "fill when all warps may",
                                    "fill of the last warp with a token",
                                    "fill of the first warp without one",
                                    "fill of a warp that could not for another kernel",
                                    "fill of a warp that could for another kernel",
                                    "fill without a token over the same page",
                                    "larger fill without a token over the same",
                                    "bypass cache: fill where there is room",
                                    "bypass cache: fill over the oldest",
                                    "bypass cache: fill over the same",
                                    "bypass cache: fill over two or more",
                                    "bypass cache: fill over a larger one",
                                    "bypass cache: fill over a smaller one",
                                    "bypass cache: a page of two address spaces",
                                    "bypass cache: a fill takes the place of what a look-up touches at this edge",
                                    "bypass cache: a fill takes the place of what the scan empties at this edge",
                                    "bypass cache: fill in a scan",
                                    "fill of a page that is in the bypass cache, too",
                                    "larger fill of a page that is in the bypass cache, too",
                                    "INV_ALL takes of the bypass cache",
                                    "INV_ASID takes of the bypass cache",
                                    "INV_ASID leaves others in the bypass cache",
                                    "INV_ASID leaves global ones of its own in the bypass cache",
                                    "INV_PAGE takes of the bypass cache",
                                    "INV_PAGE leaves others in the bypass cache",
                                    "INV_PAGE takes a global one of another address space of the bypass cache",
                                    "a request while it is off",
                                    "off: a request a cycle for long",
                                    "a fill while it is off",
                                    "an invalidation while it is off",
                                    "a hit of what was kept before it was off",
                                    "idle again",
                                    "a look-up of kernel slot 0",
                                    "... of slot 1",
                                    "... of slot 2",
                                    "... of slot 3",
                                    "a hit of kernel slot 0",
                                    "... of slot 1",
                                    "... of slot 2",
                                    "... of slot 3",
                                    "a hit in the bypass cache of kernel slot 0",
                                    "... of slot 1",
                                    "... of slot 2",
                                    "... of slot 3"};
_Static_assert(sizeof cover / sizeof *cover == NOTES, "a name each");

enum { PAGES = 4 * L2_TLB_ENTRIES < 512 ? 4 * L2_TLB_ENTRIES : 512, RECENT = 32 };
typedef struct {
    page_t page;
    translate_req_t offer[L2_TLB_PORTS];
    bool offered[L2_TLB_PORTS];
    uint64_t pool[PAGES];
    uint16_t space[SPACES];
    struct {
        uint64_t vpn;
        uint16_t asid;
        uint8_t level;
    } recent[RECENT]; /* leaves filled lately, and pages missed lately, newest first */
    unsigned recents;
    bool busy; /* an invalidation is not done */
    bool on, rest;
    unsigned here; /* requests taken and neither answered nor missed */
    uint8_t owner[CORES];
    tokens_t tokens[KERNELS];
    /* style */
    unsigned rate[L2_TLB_PORTS], takes[L2_TLB_PORTS], fill, quiet, base, span, large, glob, fresh, one_space;
} env_t;

static const uint64_t ALL = (1ull << VPN_W) - 1;

static void start(bench_t *b, env_t *e)
{
    pool_numbers(&b->rng, b->mode, VPN_W, SETS, b->seed & 4 ? SETS - 1 : 0, 4 * PAGES, PAGES, e->pool);
    some_spaces(&b->rng, e->space);
    e->on = vl_below(&b->rng, 6) != 0;
    page_begin(&e->page);
}

static void style(bench_t *b, env_t *e)
{
    for (unsigned p = 0; p < L2_TLB_PORTS; p++) {
        e->rate[p] = vl_below(&b->rng, 3) ? 256 : vl_below(&b->rng, 3) ? 20 + vl_below(&b->rng, 200) : 0;
        e->takes[p] = vl_below(&b->rng, 3) ? 256 : vl_below(&b->rng, 2) ? 20 + vl_below(&b->rng, 230) : 4;
    }
    if (vl_below(&b->rng, 6) == 0) /* no requests */
        memset(e->rate, 0, sizeof e->rate);
    e->fill = vl_below(&b->rng, 4) ? 4 + vl_below(&b->rng, 100) : 256;
    e->quiet = vl_below(&b->rng, 3) ? 400 : vl_below(&b->rng, 2) ? 4000 : 1 + vl_below(&b->rng, 12);
    e->span = pool_span(&b->rng, 2 * L2_TLB_WAYS + 2, 3, PAGES);
    e->base = vl_below(&b->rng, PAGES);
    e->large = vl_below(&b->rng, 3) ? 40 : 30 + vl_below(&b->rng, 220);
    e->glob = vl_below(&b->rng, 3) ? 30 : 128;
    e->fresh = vl_below(&b->rng, 3) ? 20 : 160;
    e->one_space = vl_below(&b->rng, SPACES + 2);
    e->rest = vl_below(&b->rng, e->on ? 12 : 2) == 0; /* so that it can be turned on or off */
    for (unsigned c = 0; c < CORES; c++)
        e->owner[c] = (uint8_t)vl_below(&b->rng, KERNELS);
    for (unsigned k = 0; k < KERNELS; k++) {
        e->tokens[k].all = vl_below(&b->rng, 3) == 0;
        e->tokens[k].tokens = (uint8_t)(e->tokens[k].all ? 0 : 1 + near(&b->rng, WARPS - 1, NULL, 0));
    }
}

static uint16_t space(bench_t *b, const env_t *e)
{
    return e->space[e->one_space < SPACES && vl_below(&b->rng, 8) ? e->one_space : vl_below(&b->rng, SPACES)];
}

/* A page and its address space: of the pool, perhaps at some distance from it, or of those filled or missed lately, perhaps elsewhere in the same larger page or of another address space. */
static uint64_t page(bench_t *b, const env_t *e, uint16_t *asid)
{
    *asid = space(b, e);
    if (e->recents && !vl_chance(&b->rng, e->fresh)) {
        unsigned k = vl_below(&b->rng, e->recents < 4 || vl_below(&b->rng, 2) ? e->recents : 4),
                 level = e->recent[k].level;
        if (vl_below(&b->rng, 6))
            *asid = e->recent[k].asid;
        return e->recent[k].vpn ^ (level && vl_below(&b->rng, 2) ? vl_random_bits(&b->rng, 9 * level) : 0);
    }
    uint64_t vpn = e->pool[(e->base + vl_below(&b->rng, e->span)) % PAGES];
    if (vl_below(&b->rng, 4) == 0)
        vpn ^= (uint64_t)vl_below(&b->rng, 4) << 9 * vl_below(&b->rng, 4);
    return vpn & ALL;
}

static void remember(env_t *e, uint64_t vpn, uint16_t asid, uint8_t level)
{
    memmove(e->recent + 1, e->recent, (RECENT - 1) * sizeof *e->recent);
    e->recent[0].vpn = vpn;
    e->recent[0].asid = asid;
    e->recent[0].level = level;
    e->recents += e->recents < RECENT;
}

static void make_fill(bench_t *b, env_t *e, l2_fill_t *f)
{
    leaf_t *l = &f->leaf;
    f->vpn = page(b, e, &f->asid);
    f->core = (uint8_t)vl_below(&b->rng, CORES);
    f->warp = (uint8_t)vl_below(&b->rng, WARPS);
    if (vl_below(&b->rng, 4) == 0) /* one of the two warps at the limit */
        f->warp = (uint8_t)((e->tokens[e->owner[f->core]].tokens + WARPS - vl_below(&b->rng, 2)) % WARPS);
    l->level = vl_chance(&b->rng, e->large) ? (uint8_t)(1 + vl_below(&b->rng, 3)) : 0;
    l->glob = vl_chance(&b->rng, e->glob);
    const unsigned rights = vl_below(&b->rng, 8);
    l->r = rights != 0 && rights != 5;
    l->w = rights > 2;
    l->x = vl_below(&b->rng, 2) || !l->r;
    if (l->level && vl_below(&b->rng, 2)) /* neighbours in the larger sizes */
        f->vpn = (f->vpn ^ (uint64_t)vl_below(&b->rng, 8) << 9 * l->level) & ALL;
    l->ppn = vl_random_bits(&b->rng, VPN_W) >> 9 * l->level << 9 * l->level;
    remember(e, f->vpn, f->asid, l->level);
}

static void stimulate(bench_t *b, env_t *e, const l2_tlb_out_t *out, l2_tlb_in_t *in)
{
    if (b->cycle % 256 == 0)
        style(b, e);
    l2_tlb_in_random(&b->rng, in);
    in->req_valid = in->ans_ready = 0;
    if (e->rest && !e->here) {
        bool offered = false;
        for (unsigned p = 0; p < L2_TLB_PORTS; p++)
            offered |= e->offered[p];
        e->on ^= !offered;
        e->rest = offered;
    }
    in->on = e->on;
    memcpy(in->owner, e->owner, sizeof in->owner);
    memcpy(in->tokens, e->tokens, sizeof in->tokens);
    for (unsigned p = 0; p < L2_TLB_PORTS; p++) {
        if (!e->offered[p] && !e->rest && vl_chance(&b->rng, e->rate[p])) {
            translate_req_t *r = &e->offer[p];
            translate_req_t_random(&b->rng, r);
            r->core = (uint8_t)vl_below(&b->rng, CORES);
            r->vpn = page(b, e, &r->asid);
            r->access = (uint8_t)vl_below(&b->rng, 3);
            if (p && e->offered[p - 1] && vl_below(&b->rng, 4) == 0)
                r->vpn = e->offer[p - 1].vpn, r->asid = e->offer[p - 1].asid;
            e->offered[p] = true;
        }
        in->req[p] = e->offer[p];
        in->req_valid |= (uint8_t)(e->offered[p] << p);
        in->ans_ready |= (uint8_t)(vl_chance(&b->rng, e->takes[p]) << p);
        e->here += e->offered[p] && out->req_ready >> p & 1;
        e->here -= (out->miss_valid >> p & 1) + (out->ans_valid & in->ans_ready) / (1u << p) % 2;
        e->offered[p] &= !(out->req_ready >> p & 1);
        if (out->miss_valid >> p & 1 && vl_below(&b->rng, 4) == 0)
            remember(e, out->miss[p].vpn, out->miss[p].asid, 0);
    }
    if (out->inv_done)
        e->busy = false;
    in->inv_valid = !e->busy && vl_below(&b->rng, e->quiet) == 0;
    if (in->inv_valid) {
        const unsigned k = vl_below(&b->rng, 16);
        in->inv.scope = k == 0 ? INV_ALL : k < 5 ? INV_ASID : INV_PAGE;
        in->inv.vpn = page(b, e, &in->inv.asid);
        e->busy = true;
    }
    in->fill_valid = vl_chance(&b->rng, e->fill);
    if (in->fill_valid) {
        make_fill(b, e, &in->fill);
        if (in->inv_valid && vl_below(&b->rng, 2)) { /* the very page that goes */
            in->fill.asid = in->inv.asid;
            in->fill.vpn = vl_below(&b->rng, 2) ? in->inv.vpn : in->fill.vpn;
        }
        if (e->page.scanning && vl_below(&b->rng, 2)) {
            in->fill.asid = e->page.scan.asid;
            in->fill.vpn = vl_below(&b->rng, 4) ? in->fill.vpn : e->page.scan.vpn;
        }
    }
}

static void expect(bench_t *b, page_t *page, const l2_tlb_in_t *in)
{
    page_expect(page, in);
    for (unsigned k = 0; k < NOTES; k++)
        BENCH_COVER(b, k, page->did[k]);
    /* One port gives no pairs of ports, one set no fill ahead, one larger leaf no pairs of leaves. */
    for (unsigned k = NOTE_PORTS_SET; k <= NOTE_PORTS_LEVELS; k++)
        BENCH_COVER(b, k, L2_TLB_PORTS == 1);
    BENCH_COVER(b, NOTE_FILL_AHEAD, SETS == 1);
    BENCH_COVER(b, NOTE_SAME_SUPERS, L2_TLB_SUPER == 1);
    BENCH_COVER(b, NOTE_BYPASS_SAMES, L2_TLB_BYPASS == 1);
    BENCH_COVER(b, NOTE_PORTS_BYPASS, L2_TLB_PORTS == 1 || L2_TLB_BYPASS == 1);
    BENCH_COVER(b, NOTE_MAY_FOR_OTHER, KERNELS == 1);
    BENCH_COVER(b, NOTE_MAY_NOT_FOR_OTHER, KERNELS == 1);
    for (unsigned k = NOTE_SLOT_LOOKS; k < NOTES; k++)
        BENCH_COVER(b, k, (k - NOTE_SLOT_LOOKS) % 4 >= KERNELS);
}

SCOREBOARD_DRIVE_COVERED(l2_tlb, env_t, stimulate, expect)
BENCH_MAIN(l2_tlb, env_t, start, drive, cover, NOTES)
