/* Coverage of tlb, from its scoreboard. */
#ifndef VERIF_MMU_TLB_COVER_H
#define VERIF_MMU_TLB_COVER_H
#include "verif/mmu/tlb/cover_points.h"
#include "verif/mmu/tlb/env.h"

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

static void cover_random(bench_t *b, env_t *e, const fill_t *f, bool large)
{
    if (!f->evicts)
        return;
    BENCH_COVER(b, COV_AFTER_RANDOM, !f->random && e->drew);
    e->drew = f->random;
    if (!f->random)
        return;
    BENCH_COVER(b, COV_RANDOM + large, true);
    BENCH_COVER(b, COV_RANDOM_OLDEST + large, f->oldest);
    BENCH_COVER(b, COV_RANDOM_YOUNGEST + large, f->youngest);
    e->lots |= large ? 0 : 1u << f->place;
    BENCH_COVER(b, COV_RANDOM_EACH, e->lots == (1u << TLB_WAYS) - 1);
}

static void cover_fill(bench_t *b, env_t *e, const tlb_in_t *in, const fill_t *f, bool scan, unsigned scan_set,
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
    BENCH_COVER(b, large ? COV_SUPER_OLDEST : COV_OLDEST, f->evicts && !f->random);
    cover_random(b, e, f, large);
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

/* The entries of the same page at a fill, before it is performed. */
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
#endif
