/* Bench of tlb. Besides the twin it is held against a scoreboard (scoreboard.h) that keeps every fill and invalidation: what may be found, and what true LRU still has. Coverage is
 * the scoreboard's too, so nothing here knows how RTL or twin store anything. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 40000
#include "verif/common/bench.h"
#include "verif/mmu/tlb/scoreboard.h"
#include "verif/mmu/tlb/stimulus.h"

/* 0: only what may not be found is checked, whatever replacement and time (verif/mmu/scoreboards). */
#ifndef TLB_EXACT
#define TLB_EXACT 1
#endif

enum {
    COV_WAYS,
    COV_SUPERS,
    COV_PORTS_SET,
    COV_PORTS_ENTRY,
    COV_PORTS_ALL,
    COV_NONE,
    COV_DENY_LOAD,
    COV_DENY_STORE,
    COV_DENY_SUPER,
    COV_BOTH,
    COV_BOTH_DENY,
    COV_GLOB,
    COV_GLOB_SUPER,
    COV_OTHER,
    COV_GLOB_OVER,
    COV_OWN_OVER,
    COV_GLOB_OVER_SUPER,
    COV_OWN_OVER_SUPER,
    COV_HIT_LEVEL,
    COV_PORTS_LEVELS = COV_HIT_LEVEL + 4,
    COV_SAME1,
    COV_SAME2,
    COV_INVALID,
    COV_OLDEST,
    COV_SUPER_SAME1,
    COV_SUPER_SAME2,
    COV_SUPER_LARGER,
    COV_SUPER_SMALLER,
    COV_SUPER_INVALID,
    COV_SUPER_OLDEST,
    COV_FILL_INV,
    COV_FILL_FREE = COV_FILL_INV + 3,
    COV_FILL_INV_SUPER = COV_FILL_FREE + 2,
    COV_FILL_SCAN,
    COV_FILL_SCAN_FREE = COV_FILL_SCAN + 2,
    COV_FILL_TOUCHED = COV_FILL_SCAN_FREE + 2,
    COV_FILL_EMPTIED,
    COV_FILL_SCAN_LAST,
    COV_FILL_SCAN_AHEAD,
    COV_FILL_DONE,
    COV_ALL,
    COV_ASID_IN,
    COV_ASID_OUT,
    COV_ASID_GLOB,
    COV_ASID_SUPER,
    COV_ASID_SUPER_OUT,
    COV_ASID_GLOB_SUPER,
    COV_PAGE_IN,
    COV_PAGE_OUT,
    COV_PAGE_OTHER,
    COV_PAGE_GLOB,
    COV_PAGE_SUPER,
    COV_PAGE_SUPER_OUT = COV_PAGE_SUPER + 3,
    COV_PAGE_BOTH,
    COV_LOOK_INV,
    COV_SCAN_FIRST,
    COV_SCAN_LAST,
    COV_SCAN_EMPTY,
    COV_BACK,
    COV_BACK_ASID,
    COV_STOPPED,
    COV_FAULT,
    COV_FETCH,
    COV_FOREIGN,
    COV_REFILL,
    COV_SHRUNK,
    COV_DEPTH,
    COV_DEPTHS = COV_DEPTH + 4,
    COV_DEPTH_HOLE,
    COV_OUT,
    COV_OUT_OTHER,
    COV_OUT_TOUCHED,
    COV_TOUCH_EACH,
    COV_KEPT_EACH,
    COV_KEPT_SAME,
    COV_KEPT_NOT,
    COV_KEPT_SUPER,
    COV_KEPT_TOUCHED,
    COV_N
};
static const char *const cover[] = {"hits in each way",
                                    "hits in each place of the larger ones",
                                    "several ports in one set",
                                    "one entry from two ports",
                                    "all ports",
                                    "no port",
                                    "a load that its entry does not allow",
                                    "a store that its entry does not allow",
                                    "an access that its larger page does not allow",
                                    "a page of both sizes",
                                    "the smaller does not allow what the larger does",
                                    "a global entry of another address space",
                                    "a larger global entry of another address space",
                                    "a page that is there, of another address space",
                                    "a global fill over one that is not",
                                    "a fill over a global one",
                                    "a larger global fill over one that is not",
                                    "a larger fill over a global one",
                                    "hit of 4 KB",
                                    "hit of 2 MB",
                                    "hit of 1 GB",
                                    "hit of 512 GB",
                                    "hits of two sizes in one cycle",
                                    "fill over the same page",
                                    "fill over two",
                                    "fill of an invalid way",
                                    "fill over the oldest",
                                    "larger fill over the same",
                                    "larger fill over two or more",
                                    "fill over a larger one of a larger page",
                                    "fill of a larger page over a smaller one",
                                    "larger fill of an invalid place",
                                    "larger fill over the oldest",
                                    FILLS_AND_INVALIDATIONS,
                                    "a fill takes the way that a look-up touches at this edge",
                                    "a fill takes a way that the scan empties at this edge",
                                    "fill covered at the scan's last edge",
                                    "fill of a set that the scan has yet to reach, covered",
                                    "fill of the old address space in the cycle of done",
                                    "INV_ALL with entries of both kinds",
                                    "INV_ASID takes some",
                                    "INV_ASID leaves others",
                                    "INV_ASID leaves global ones of its own",
                                    "INV_ASID takes larger ones",
                                    "INV_ASID leaves larger ones",
                                    "INV_ASID leaves larger global ones of its own",
                                    "INV_PAGE takes one",
                                    "INV_PAGE leaves others of the set",
                                    "INV_PAGE leaves the page of another address space",
                                    "INV_PAGE takes a global one of another address space",
                                    "INV_PAGE takes 2 MB by another page of it",
                                    "INV_PAGE takes 1 GB by another page of it",
                                    "INV_PAGE takes 512 GB by another page of it",
                                    "INV_PAGE leaves larger ones",
                                    "INV_PAGE takes both sizes",
                                    "a look-up in the cycle of the inv that takes its entry",
                                    "scan takes of the first set",
                                    "scan takes of the last set",
                                    "INV_ASID of nothing",
                                    "inv in the cycle of done",
                                    "INV_ASID after INV_ASID, in the cycle of done",
                                    "look-ups wait for a scan",
                                    "a walk that ended in a fault",
                                    "a leaf for fetch alone",
                                    "fill of another address space than the core's",
                                    "a page found, taken back, and found again with another frame",
                                    "fill of a leaf with fewer rights over the same",
                                    "a touch of the youngest",
                                    "of the second",
                                    "of the third",
                                    "of a later one",
                                    "touches at two depths of one set",
                                    "a way that holds nothing is younger than the one touched",
                                    "a page that goes",
                                    "which another warp has touched than had filled it",
                                    "which another warp touches at this edge",
                                    "a touch of each entry",
                                    "each entry told to be taken by a fill",
                                    "told of a fill over the same page",
                                    "not told: a fill that is not kept",
                                    "not told: a larger fill",
                                    "told of an entry that a look-up touches at this edge"};
_Static_assert(sizeof cover / sizeof *cover == COV_N, "a name each");

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
    inv_t last;
    uint32_t ways, supers[2];
    bool touched[TLB_ENTRIES], kept[TLB_ENTRIES]; /* each entry, once */
    /* style */
    unsigned busy_look, fill, quiet, base, span, large, glob, fresh, fault, ports, move;
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

static void check_answers(bench_t *b, env_t *e, const tlb_out_t *out)
{
    for (unsigned p = 0; p < TLB_PORTS; p++) {
        const answer_t *a = &e->want[p];
        bool valid = out->found_valid >> p & 1;
        const found_t *f = &out->found[p];
        BENCH_CHECK(b, valid == a->asked, "port %u: %s", p, valid ? "an answer that nobody asked for" : "no answer");
        if (!valid || !a->asked)
            continue;
        BENCH_CHECK(b, f->hit || !f->ppn, "port %u: a miss with a frame", p);
        BENCH_CHECK(b, !f->hit || scoreboard_allows(a, f->ppn), "port %u: a hit that no leaf kept gives", p);
        for (unsigned q = 0; q < p; q++)
            BENCH_CHECK(b,
                        !(out->found_valid >> q & 1) || e->look[p].vpn != e->look[q].vpn
                            || e->look[p].store != e->look[q].store
                            || (f->hit == out->found[q].hit && f->ppn == out->found[q].ppn),
                        "ports %u and %u differ on one page", q, p);
        if (!TLB_EXACT)
            continue;
        BENCH_CHECK(b, f->hit || !a->hit, "port %u: a page that true LRU has is not found", p);
        BENCH_CHECK(b, !f->hit || a->hit, "port %u: a page that true LRU has put out is found", p);
        BENCH_CHECK(b, f->ppn == a->ppn, "port %u: the larger of two sizes is found", p);
    }
    if (!TLB_EXACT)
        return;
    vl_diff_t d;
    for (unsigned p = 0; p < TLB_PORTS; p++) {
        const answer_t *a = &e->want[p];
        BENCH_CHECK(b, (out->touch_valid >> p & 1) == a->touches, "port %u: a touch is %s", p,
                    a->touches ? "not told" : "told that was none");
        BENCH_CHECK(b, !a->touches || b->failed || !page_touch_t_diff(&out->touch[p], &a->touch, &d),
                    "port %u: touch: its %s is %s, and not %s", p, d.field, d.a, d.b);
    }
    const scoreboard_t *sb = &e->scoreboard;
    BENCH_CHECK(b, out->page_out_valid == sb->out_valid, "a page that goes is %s",
                sb->out_valid ? "not told" : "told, and none went");
    BENCH_CHECK(b, !sb->out_valid || b->failed || !page_out_t_diff(&out->page_out, &sb->out, &d),
                "the page that goes: its %s is %s, and not %s", d.field, d.a, d.b);
    BENCH_CHECK(b, out->kept_valid == sb->kept_valid, "an entry that a fill takes is %s",
                sb->kept_valid ? "not told" : "told, and none was");
    BENCH_CHECK(b, !sb->kept_valid || out->kept == sb->kept, "a fill takes entry %u, and %u is told", sb->kept,
                (unsigned)out->kept);
    BENCH_CHECK(b, !ev_tlb_t_diff(&out->ev, &e->scoreboard.ev, &d), "event %s: %s, by the scoreboard %s", d.field, d.a,
                d.b);
    BENCH_CHECK(b, out->look_ready == !e->scoreboard.scan, "look_ready is %u", out->look_ready);
    BENCH_CHECK(b, out->inv_done == e->scoreboard.done,
                out->inv_done ? "done that is not" : "an invalidation is not done in its time");
}

static bool all_of(const bool *entries)
{
    unsigned n = 0;
    for (unsigned k = 0; k < TLB_ENTRIES; k++)
        n += entries[k];
    return n == TLB_ENTRIES;
}

static void cover_look(bench_t *b, env_t *e, const answer_t *a, const look_t *l, uint64_t asid)
{
    const kept_t *m = a->small ? a->small : a->large;
    BENCH_COVER(b, COV_DENY_LOAD, a->small && !a->hit && !l->store);
    BENCH_COVER(b, COV_DENY_STORE, a->small && !a->hit && l->store);
    BENCH_COVER(b, COV_DENY_SUPER, !a->small && a->large && !a->hit);
    BENCH_COVER(b, COV_BOTH, a->small && a->large && a->hit);
    BENCH_COVER(b, COV_BOTH_DENY, a->small && a->large && !a->hit && (l->store ? a->large->w : a->large->r));
    if (!m) {
        const shelf_t *s = &e->scoreboard.shelf[scoreboard_set(l->vpn)];
        for (unsigned i = 0; i < s->n; i++)
            BENCH_COVER(b, COV_OTHER, s->e[i].there && s->e[i].vpn == l->vpn);
        return;
    }
    if (!a->hit)
        return;
    if (a->small) {
        const shelf_t *s = &e->scoreboard.shelf[scoreboard_set(l->vpn)];
        unsigned younger = 0;
        for (unsigned i = 0; i < s->n; i++)
            younger += s->e[i].there && s->e[i].used > m->used;
        BENCH_COVER(b, COV_DEPTH + a->touch.depth, a->touches);
        BENCH_COVER(b, COV_DEPTH_HOLE, scoreboard_depth(s, m->place) > younger);
    }
    for (unsigned k = 1; k < 4; k++)
        BENCH_COVER(b, COV_DEPTH + k, k >= TLB_WAYS);
    for (unsigned k = COV_DEPTH; k <= COV_DEPTH_HOLE; k++)
        BENCH_COVER(b, k, LOCALITY_ENTRIES == 0 && CPM_BITS == 0);
    for (unsigned k = COV_OUT; k <= COV_OUT_TOUCHED; k++)
        BENCH_COVER(b, k, LOCALITY_ENTRIES == 0);
    BENCH_COVER(b, COV_TOUCH_EACH, LOCALITY_ENTRIES == 0 && CPM_BITS == 0);
    for (unsigned k = COV_KEPT_EACH; k <= COV_KEPT_TOUCHED; k++)
        BENCH_COVER(b, k, CPM_BITS == 0);
    if (a->touches) {
        e->touched[a->touch.entry] = true;
        BENCH_COVER(b, COV_TOUCH_EACH, all_of(e->touched));
    }
    BENCH_COVER(b, COV_DEPTHS, TLB_WAYS == 1);
    BENCH_COVER(b, COV_DEPTH_HOLE, TLB_WAYS == 1);
    BENCH_COVER(b, COV_GLOB, a->small && m->asid != asid);
    BENCH_COVER(b, COV_GLOB_SUPER, !a->small && m->asid != asid);
    BENCH_COVER(b, COV_HIT_LEVEL + m->level, true);
    if (a->small) {
        e->ways |= 1u << m->place;
        BENCH_COVER(b, COV_WAYS, e->ways == (1u << TLB_WAYS) - 1);
    } else {
        e->supers[m->place / 32] |= 1u << m->place % 32;
        BENCH_COVER(b, COV_SUPERS, (e->supers[0] | (uint64_t)e->supers[1] << 32) == ~0ull >> (64 - TLB_SUPER));
    }
}

static void cover_ports(bench_t *b, const env_t *e)
{
    unsigned n = 0;
    for (unsigned p = 0; p < TLB_PORTS; p++) {
        const answer_t *x = &e->want[p];
        n += x->asked;
        for (unsigned q = 0; q < p; q++) {
            const answer_t *y = &e->want[q];
            if (!x->asked || !y->asked)
                continue;
            BENCH_COVER(b, COV_PORTS_SET,
                        x->hit && y->hit && x->small && y->small && x->small != y->small
                            && scoreboard_set(e->look[p].vpn) == scoreboard_set(e->look[q].vpn));
            BENCH_COVER(b, COV_DEPTHS,
                        x->touches && y->touches && x->touch.depth != y->touch.depth
                            && scoreboard_set(e->look[p].vpn) == scoreboard_set(e->look[q].vpn));
            BENCH_COVER(b, COV_PORTS_ENTRY,
                        x->hit && y->hit && x->small == y->small && (x->small || x->large == y->large));
            BENCH_COVER(b, COV_PORTS_LEVELS, x->hit && y->hit && !x->small != !y->small);
        }
    }
    /* With one port there are no two. */
    BENCH_COVER(b, COV_PORTS_SET, TLB_PORTS == 1);
    BENCH_COVER(b, COV_PORTS_ENTRY, TLB_PORTS == 1);
    BENCH_COVER(b, COV_DEPTHS, TLB_PORTS == 1);
    BENCH_COVER(b, COV_PORTS_LEVELS, TLB_PORTS == 1);
    BENCH_COVER(b, COV_PORTS_ALL, n == TLB_PORTS);
    BENCH_COVER(b, COV_NONE, !n);
}

/* Before it is performed. */
static void cover_inv(bench_t *b, const env_t *e, const inv_t *v)
{
    const scoreboard_t *sb = &e->scoreboard;
    bool in[2] = {0}, out[2] = {0}, glob[2] = {0}, first = false, last = false, other = false, global = false,
         neighbour = false;
    for (unsigned s = 0; s <= SETS; s++)
        for (unsigned i = 0; i < sb->shelf[s].n; i++) {
            const kept_t *k = &sb->shelf[s].e[i];
            if (!k->there)
                continue;
            bool c = scoreboard_covers(v, k), large = s == SUPERS;
            in[large] |= c;
            out[large] |= !c;
            glob[large] |= !c && k->glob && k->asid == v->asid;
            first |= c && s == 0;
            last |= c && s == SETS - 1;
            if (v->scope != INV_PAGE)
                continue;
            other |= !c && !large && k->vpn == v->vpn;
            neighbour |= !c && !large && scoreboard_set(k->vpn) == scoreboard_set(v->vpn);
            global |= c && k->asid != v->asid;
            BENCH_COVER(b, COV_PAGE_SUPER + k->level - 1, large && c && k->vpn != v->vpn);
        }
    if (v->scope == INV_ALL) {
        BENCH_COVER(b, COV_ALL, in[0] && in[1]);
    } else if (v->scope == INV_ASID) {
        static const int point[] = {COV_ASID_IN,        COV_ASID_OUT,        COV_ASID_GLOB,  COV_ASID_SUPER,
                                    COV_ASID_SUPER_OUT, COV_ASID_GLOB_SUPER, COV_SCAN_FIRST, COV_SCAN_LAST};
        const bool seen[] = {in[0], out[0], glob[0], in[1], out[1], glob[1], first, last};
        for (unsigned k = 0; k < sizeof seen; k++)
            BENCH_COVER(b, point[k], seen[k]);
        BENCH_COVER(b, COV_SCAN_EMPTY, !in[0] && !in[1]);
    } else {
        BENCH_COVER(b, COV_PAGE_IN, in[0]);
        BENCH_COVER(b, COV_PAGE_OUT, neighbour);
        BENCH_COVER(b, COV_PAGE_OTHER, other);
        BENCH_COVER(b, COV_PAGE_GLOB, global);
        BENCH_COVER(b, COV_PAGE_SUPER_OUT, out[1]);
        BENCH_COVER(b, COV_PAGE_BOTH, in[0] && in[1]);
    }
    for (unsigned p = 0; p < TLB_PORTS; p++) {
        const answer_t *a = &e->want[p];
        BENCH_COVER(b, COV_LOOK_INV, a->asked && a->hit && scoreboard_covers(v, a->small ? a->small : a->large));
    }
}

static void cover_fill(bench_t *b, const env_t *e, const tlb_in_t *in, const fill_t *f, bool scan, unsigned scan_set,
                       bool last_edge, const tlb_out_t *out)
{
    const walked_t *w = &in->fill;
    const scoreboard_t *sb = &e->scoreboard;
    bool large = w->leaf.level, keep = f->kept || f->covered;
    BENCH_COVER(b, COV_FAULT, w->result != WALK_OK && (w->leaf.r || w->leaf.w));
    BENCH_COVER(b, COV_FETCH, w->result == WALK_OK && !w->leaf.r && !w->leaf.w);
    BENCH_COVER(b, COV_FOREIGN, f->kept && w->asid != in->asid && !w->leaf.glob);
    BENCH_COVER(b, large ? COV_SUPER_SAME1 : COV_SAME1, f->same == 1);
    BENCH_COVER(b, large ? COV_SUPER_SAME2 : COV_SAME2, f->same > 1);
    BENCH_COVER(b, large ? COV_SUPER_INVALID : COV_INVALID, f->kept && !f->same && !f->evicts);
    BENCH_COVER(b, large ? COV_SUPER_OLDEST : COV_OLDEST, f->evicts);
    BENCH_COVER(b, COV_OUT, f->evicts && !large);
    BENCH_COVER(b, COV_KEPT_SAME, f->kept && !large && f->same);
    BENCH_COVER(b, COV_KEPT_NOT, !f->kept && !large);
    BENCH_COVER(b, COV_KEPT_SUPER, f->kept && large);
    BENCH_COVER(b, COV_OUT_OTHER, f->evicts && !large && f->other);
    BENCH_COVER(b, large ? COV_GLOB_OVER_SUPER : COV_GLOB_OVER, f->glob_over_own);
    BENCH_COVER(b, large ? COV_OWN_OVER_SUPER : COV_OWN_OVER, f->own_over_glob);
    BENCH_COVER(b, COV_FILL_INV + in->inv.scope, in->inv_valid && f->covered);
    BENCH_COVER(b, in->inv.scope == INV_ASID ? COV_FILL_FREE : COV_FILL_FREE + 1, in->inv_valid && f->kept);
    BENCH_COVER(b, COV_FILL_INV_SUPER,
                in->inv_valid && in->inv.scope == INV_PAGE && f->covered && large && in->inv.vpn != w->vpn);
    BENCH_COVER(b, COV_FILL_SCAN + (sb->scan_inv.scope == INV_PAGE), scan && f->covered);
    BENCH_COVER(b, COV_FILL_SCAN_FREE + (sb->scan_inv.scope == INV_PAGE), scan && f->kept);
    const shelf_t *s = &sb->shelf[large ? (unsigned)SUPERS : scoreboard_set(w->vpn)];
    for (unsigned i = 0; f->evicts && i < s->n; i++) {
        const kept_t *k = &s->e[i];
        if (!k->there || k->place != f->place)
            continue;
        for (unsigned p = 0; p < TLB_PORTS; p++)
            BENCH_COVER(b, COV_OUT_TOUCHED,
                        !large && e->want[p].hit && e->want[p].small == k && e->look[p].warp != k->last);
        for (unsigned p = 0; p < TLB_PORTS; p++)
            BENCH_COVER(b, COV_FILL_TOUCHED,
                        e->want[p].hit && (e->want[p].small ? e->want[p].small : e->want[p].large) == k);
        BENCH_COVER(b, COV_FILL_EMPTIED,
                    scan && scoreboard_covers(&sb->scan_inv, k)
                        && (large || sb->scan_inv.scope == INV_PAGE || scan_set == scoreboard_set(w->vpn)));
    }
    BENCH_COVER(b, COV_FILL_SCAN_LAST, scan && last_edge && f->covered);
    BENCH_COVER(b, COV_FILL_SCAN_AHEAD,
                scan && f->covered && !large && sb->scan_inv.scope == INV_ASID && scoreboard_set(w->vpn) > scan_set);
    BENCH_COVER(b, COV_FILL_SCAN_AHEAD, SETS == 1);
    BENCH_COVER(b, COV_FILL_DONE, out->inv_done && e->last.scope == INV_ASID && keep && w->asid == e->last.asid);
}

/* What a fill finds of the same page, before it is performed. */
static void cover_same(bench_t *b, const env_t *e, const walked_t *w)
{
    const shelf_t *s = &e->scoreboard.shelf[w->leaf.level ? (unsigned)SUPERS : scoreboard_set(w->vpn)];
    for (unsigned i = 0; i < s->n; i++) {
        const kept_t *k = &s->e[i];
        if (!k->there || k->asid != w->asid
            || !scoreboard_page(k->vpn, w->vpn, k->level > w->leaf.level ? k->level : w->leaf.level))
            continue;
        BENCH_COVER(b, COV_SUPER_LARGER, k->level > w->leaf.level);
        BENCH_COVER(b, COV_SUPER_SMALLER, k->level < w->leaf.level);
        BENCH_COVER(b, COV_SHRUNK, k->w && !w->leaf.w && w->leaf.r);
    }
}

static void drive(bench_t *b, env_t *e, const tlb_out_t *out, tlb_in_t *in)
{
    static uint64_t taken; /* the page of the last INV_PAGE that took one of 4 KB, and its frame */
    static uint64_t taken_ppn;
    if (!b->cycle)
        taken = ~0ull;
    if (b->cycle)
        check_answers(b, e, out);
    if (b->cycle % 256 == 0)
        style(b, e);
    tlb_in_random(&b->rng, in);
    scoreboard_t *sb = &e->scoreboard;
    if (vl_below(&b->rng, e->move) == 0)
        e->asid = vl_below(&b->rng, SPACES);
    in->asid = e->space[e->asid];

    /* Look-ups. */
    in->look_valid = 0;
    bool wanted = vl_chance(&b->rng, e->busy_look);
    BENCH_COVER(b, COV_STOPPED, wanted && !out->look_ready);
    const uint8_t warp = (uint8_t)vl_below(&b->rng, vl_below(&b->rng, 2) ? 2 : WARPS);
    for (unsigned p = 0; p < TLB_PORTS; p++) {
        in->look[p] = (look_t){.vpn = page(b, e), .store = vl_below(&b->rng, 2), .warp = warp};
        if (p && vl_below(&b->rng, 6) == 0)
            in->look[p] = in->look[vl_below(&b->rng, p)];
        e->look[p] = in->look[p];
        e->want[p] = (answer_t){0};
        if (!wanted || !vl_chance(&b->rng, 256 * e->ports / TLB_PORTS))
            continue;
        in->look_valid |= 1u << p;
        if (!out->look_ready) /* not taken */
            continue;
        e->want[p] = scoreboard_look(sb, &in->look[p], in->asid);
        cover_look(b, e, &e->want[p], &in->look[p], in->asid);
        BENCH_COVER(b, COV_REFILL, e->want[p].hit && in->look[p].vpn == taken && e->want[p].ppn != taken_ppn);
    }
    cover_ports(b, e);

    /* An invalidation. */
    if (out->inv_done)
        e->busy = false;
    in->inv_valid = !e->busy && vl_below(&b->rng, e->quiet) == 0;
    if (in->inv_valid) {
        unsigned k = vl_below(&b->rng, 16);
        in->inv = (inv_t){.scope = k == 0  ? INV_ALL
                                   : k < 5 ? INV_ASID
                                           : INV_PAGE,
                          .asid = e->space[vl_below(&b->rng, SPACES)],
                          .vpn = page(b, e)};
        BENCH_COVER(b, COV_BACK, out->inv_done);
        BENCH_COVER(b, COV_BACK_ASID, out->inv_done && in->inv.scope == INV_ASID && e->last.scope == INV_ASID);
    }
    in->fill_valid = vl_chance(&b->rng, e->fill);
    if (in->fill_valid) {
        make_fill(b, e, &in->fill);
        if (in->inv_valid && vl_below(&b->rng, 2)) /* the very page that goes */
            in->fill.asid = in->inv.asid, in->fill.vpn = vl_below(&b->rng, 2) ? in->inv.vpn : in->fill.vpn;
        if (sb->scan && vl_below(&b->rng, 2))
            in->fill.asid = sb->scan_inv.asid;
    }

    /* The edge. */
    bool scan = sb->scan, last_edge = sb->scan_inv.scope == INV_PAGE || sb->scan_set == SETS - 1;
    unsigned scan_set = sb->scan_set;
    fill_t f = {0};
    if (in->fill_valid) {
        cover_same(b, e, &in->fill);
        f = scoreboard_choose(sb, &in->fill, in->inv_valid ? &in->inv : NULL);
        cover_fill(b, e, in, &f, scan, scan_set, last_edge, out);
        const unsigned at = scoreboard_set(in->fill.vpn) * TLB_WAYS + f.place;
        if (f.kept && !in->fill.leaf.level) {
            e->kept[at] = true;
            BENCH_COVER(b, COV_KEPT_EACH, all_of(e->kept));
            for (unsigned p = 0; p < TLB_PORTS; p++)
                BENCH_COVER(b, COV_KEPT_TOUCHED, e->want[p].touches && e->want[p].touch.entry == at);
        }
    }
    sb->ev = (ev_tlb_t){0};
    sb->done = sb->out_valid = sb->kept_valid = false;
    for (unsigned p = 0; p < TLB_PORTS; p++)
        if (e->want[p].asked)
            scoreboard_touch(sb, &e->want[p], &in->look[p]);
    if (in->inv_valid) {
        const kept_t *k = scoreboard_match(&sb->shelf[scoreboard_set(in->inv.vpn)], in->inv.vpn, in->inv.asid, true);
        if (in->inv.scope == INV_PAGE && k)
            taken = k->vpn, taken_ppn = k->ppn;
        cover_inv(b, e, &in->inv);
        e->last = in->inv;
        e->busy = true;
    }
    scoreboard_scan(sb);
    if (in->inv_valid)
        scoreboard_inv(sb, &in->inv);
    scoreboard_fill(sb, &f);
}

BENCH_MAIN(tlb, env_t, start, drive, cover, COV_N)
