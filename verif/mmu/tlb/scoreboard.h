/* The scoreboard of the TLB bench: every leaf that was filled and not invalidated, evicted or not. A hit must be one of them: of the requesting
 * address space, of the right size, with the page's frame by that size, allowing the access; anything else is a false or a stale translation under any
 * replacement. Beside that, which of them the replacement (T2) still has, true LRU or random: those must be found, and the others must not. */
#ifndef VERIF_TLB_SCOREBOARD_H
#define VERIF_TLB_SCOREBOARD_H
#include "tlb_ports.h"
#include "sim_c/common/vl_bits.h"

enum { SETS = TLB_ENTRIES / TLB_WAYS, SUPERS = SETS, SHELF = 192 };
typedef struct {
    bool there; /* not replaced by another one */
    bool glob, r, w;
    uint8_t level, place, filled, last; /* warps: of the miss, of the last touch */
    uint16_t asid;
    uint64_t vpn, ppn, used;
} kept_t;
typedef struct {
    unsigned n;
    kept_t e[SHELF];
    uint64_t used[TLB_WAYS]; /* of a set's ways, those that hold nothing among them */
} shelf_t;
typedef struct {
    shelf_t shelf[SETS + 1]; /* sets, and the larger pages */
    uint64_t time;
    unsigned
        random; /* the random number after the fills kept so far; 0 before the first of them, see scoreboard_random */
    bool scan, done;
    inv_t scan_inv;
    unsigned scan_set;
    ev_tlb_t ev;
    bool out_valid; /* page_out */
    page_out_t out;
    bool kept_valid; /* kept */
    unsigned kept;
} scoreboard_t;

/* The answer to a look-up. */
typedef struct {
    bool asked, hit;
    uint64_t ppn;
    const kept_t *small, *large; /* there, of this page */
    unsigned may; /* other hits that no fill or invalidation forbids */
    uint64_t may_ppn[2];
    bool touches; /* touch */
    page_touch_t touch;
} answer_t;

static unsigned scoreboard_set(uint64_t vpn)
{
    return (unsigned)(vpn % SETS);
}

static bool scoreboard_of(const kept_t *e, uint64_t asid)
{
    return e->glob || e->asid == asid;
}

/* Is b in the page of this size at a? */
static bool scoreboard_page(uint64_t a, uint64_t b, unsigned level)
{
    uint64_t pages = 1ull << 9 * level;
    return a / pages == b / pages;
}

static const kept_t *scoreboard_match(const shelf_t *s, uint64_t vpn, uint64_t asid, bool there)
{
    for (unsigned i = 0; i < s->n; i++)
        if (s->e[i].there == there && scoreboard_of(&s->e[i], asid) && scoreboard_page(s->e[i].vpn, vpn, s->e[i].level))
            return &s->e[i];
    return NULL;
}

static uint64_t scoreboard_frame(const kept_t *e, uint64_t vpn)
{
    uint64_t pages = 1ull << 9 * e->level;
    return e->ppn / pages * pages + vpn % pages;
}

/* How many ways of its set were used after this one; after reset way 0 counts as the last. */
static unsigned scoreboard_depth(const shelf_t *set, unsigned way)
{
    unsigned younger = 0;
    for (unsigned w = 0; w < TLB_WAYS; w++)
        younger += set->used[w] > set->used[way] || (!set->used[w] && !set->used[way] && w < way);
    return younger;
}

static answer_t scoreboard_look(const scoreboard_t *sb, const look_t *l, uint64_t asid)
{
    const shelf_t *set = &sb->shelf[scoreboard_set(l->vpn)], *supers = &sb->shelf[SUPERS];
    answer_t a = {.asked = true,
                  .small = scoreboard_match(set, l->vpn, asid, true),
                  .large = scoreboard_match(supers, l->vpn, asid, true)};
    const kept_t *e = a.small ? a.small : a.large;
    a.hit = e && (l->store ? e->w : e->r);
    a.ppn = a.hit ? scoreboard_frame(e, l->vpn) : 0;
    a.touches = (LOCALITY_ENTRIES != 0 || CPM_BITS != 0) && a.hit && a.small;
    if (a.touches) {
        const unsigned depth = scoreboard_depth(set, a.small->place);
        a.touch = (page_touch_t){.warp = l->warp, .depth = (uint8_t)(depth < 3 ? depth : 3)};
        a.touch.entry = (__typeof__(a.touch.entry))(scoreboard_set(l->vpn) * TLB_WAYS + a.small->place);
    }
    /* A shelf has at most one entry of this page: a fill replaces the old one. */
    for (unsigned k = 0; k < 2; k++) {
        const shelf_t *s = k ? supers : set;
        const kept_t *m = scoreboard_match(s, l->vpn, asid, true);
        m = m ? m : scoreboard_match(s, l->vpn, asid, false);
        if (m && (l->store ? m->w : m->r))
            a.may_ppn[a.may++] = scoreboard_frame(m, l->vpn);
    }
    return a;
}

static bool scoreboard_allows(const answer_t *a, uint64_t ppn)
{
    for (unsigned i = 0; i < a->may; i++)
        if (a->may_ppn[i] == ppn)
            return true;
    return false;
}

static void scoreboard_touch(scoreboard_t *sb, const answer_t *a, const look_t *l)
{
    kept_t *e = (kept_t *)(a->small ? a->small : a->large);
    if (a->hit) {
        e->used = ++sb->time;
        e->last = l->warp;
        if (a->small)
            sb->shelf[scoreboard_set(l->vpn)].used[e->place] = e->used;
    }
    sb->ev.tlb_lookups++;
    sb->ev.tlb_hits += a->hit;
    sb->ev.tlb_hits_super += a->hit && !a->small;
    sb->ev.tlb_misses += !a->hit;
    sb->ev.tlb_denied += e && !a->hit;
}

static bool scoreboard_covers(const inv_t *v, const kept_t *e)
{
    if (v->scope == INV_ALL)
        return true;
    if (v->scope == INV_ASID)
        return !e->glob && e->asid == v->asid;
    return scoreboard_of(e, v->asid) && scoreboard_page(v->vpn, e->vpn, e->level);
}

/* Removes the entries that an invalidation covers; returns their number. */
static unsigned scoreboard_forget(shelf_t *s, const inv_t *v)
{
    unsigned gone = 0, n = 0;
    for (unsigned i = 0; i < s->n; i++)
        if (scoreboard_covers(v, &s->e[i]))
            gone += s->e[i].there;
        else
            s->e[n++] = s->e[i];
    s->n = n;
    return gone;
}

static void scoreboard_scan(scoreboard_t *sb)
{
    if (!sb->scan)
        return;
    bool page = sb->scan_inv.scope == INV_PAGE;
    scoreboard_forget(&sb->shelf[SUPERS], &sb->scan_inv);
    scoreboard_forget(&sb->shelf[page ? scoreboard_set(sb->scan_inv.vpn) : sb->scan_set], &sb->scan_inv);
    if (page || ++sb->scan_set == SETS)
        sb->scan = false, sb->done = true;
}

static void scoreboard_inv(scoreboard_t *sb, const inv_t *v)
{
    sb->ev.tlb_invs++;
    if (v->scope != INV_ALL) {
        sb->scan = true;
        sb->scan_set = 0;
        sb->scan_inv = *v;
        return;
    }
    for (unsigned s = 0; s <= SETS; s++)
        scoreboard_forget(&sb->shelf[s], v);
    sb->done = true;
}

/* The effect of a fill, chosen before the edge. */
typedef struct {
    bool kept, covered, evicts, glob_over_own, own_over_glob, random, oldest, youngest;
    unsigned same, place;
    kept_t e;
    page_out_t out; /* evicts, one of 4 KB */
    bool other; /* the evicted entry was last used by another warp than that of the miss that filled it */
} fill_t;

static bool scoreboard_same(const kept_t *o, const kept_t *e)
{
    return (o->glob || e->glob || o->asid == e->asid)
           && scoreboard_page(o->vpn, e->vpn, o->level > e->level ? o->level : e->level);
}

static shelf_t *scoreboard_shelf(scoreboard_t *sb, const kept_t *e)
{
    return &sb->shelf[e->level ? (unsigned)SUPERS : scoreboard_set(e->vpn)];
}

/* The random number. It is 1 after reset and never 0, so the 0 of a cleared scoreboard can stand for reset. */
static unsigned scoreboard_random(const scoreboard_t *sb)
{
    return sb->random ? sb->random : 1;
}

/* Where one bit of the random number gets in a step, from this move on. At each of the three moves it stays and also goes up by so many places; a copy that
 * leaves the 16 bits is lost, and two that meet cancel. */
static unsigned scoreboard_spread(int bit, unsigned move)
{
    static const int up[] = {7, -9, 8};
    if (bit < 0 || bit > 15)
        return 0;
    if (move == 3)
        return 1u << bit;
    return scoreboard_spread(bit, move + 1) ^ scoreboard_spread(bit + up[move], move + 1);
}

/* The next random number: a step is linear, so what its bits give one by one is added without carry. */
static unsigned scoreboard_step(unsigned random)
{
    unsigned next = 0;
    for (int bit = 0; bit < 16; bit++)
        if (random >> bit & 1)
            next ^= scoreboard_spread(bit, 0);
    return next;
}

/* `inv` of the same edge, or NULL. */
static fill_t scoreboard_choose(scoreboard_t *sb, const walked_t *w, const inv_t *inv, bool random)
{
    fill_t f = {.e = {.there = true,
                      .glob = w->leaf.glob,
                      .r = w->leaf.r,
                      .w = w->leaf.w,
                      .level = w->leaf.level,
                      .filled = w->warp,
                      .last = w->warp,
                      .asid = w->asid,
                      .vpn = w->vpn,
                      .ppn = w->leaf.ppn}};
    if (w->result != WALK_OK || (!f.e.r && !f.e.w))
        return f;
    f.covered = (inv && scoreboard_covers(inv, &f.e)) || (sb->scan && scoreboard_covers(&sb->scan_inv, &f.e));
    if (f.covered)
        return f;
    f.kept = true;
    const shelf_t *t = scoreboard_shelf(sb, &f.e);
    const kept_t *oldest = NULL, *youngest = NULL;
    unsigned places = f.e.level ? TLB_SUPER : TLB_WAYS, here = 0;
    uint64_t taken = 0;
    f.place = places;
    for (unsigned i = 0; i < t->n; i++) {
        const kept_t *o = &t->e[i];
        if (!o->there)
            continue;
        here++;
        taken |= 1ull << o->place;
        oldest = !oldest || o->used < oldest->used ? o : oldest;
        youngest = !youngest || o->used > youngest->used ? o : youngest;
        if (!scoreboard_same(o, &f.e))
            continue;
        f.same++;
        f.glob_over_own |= f.e.glob && !o->glob;
        f.own_over_glob |= !f.e.glob && o->glob;
        f.place = o->place < f.place ? o->place : f.place;
    }
    if (f.place < places)
        return f;
    f.evicts = here == places;
    if (!f.evicts) {
        f.place = (unsigned)__builtin_ctzll(~taken);
        return f;
    }
    /* All places are taken, so just one entry has the number that is drawn. */
    const unsigned drawn = scoreboard_random(sb) * places / 65536;
    const kept_t *victim = oldest;
    for (unsigned i = 0; random && i < t->n; i++)
        if (t->e[i].there && t->e[i].place == drawn)
            victim = &t->e[i];
    f.place = victim->place;
    f.random = random, f.oldest = victim == oldest, f.youngest = victim == youngest;
    f.out = (page_out_t){.of = victim->last, .vpn = victim->vpn}, f.other = victim->last != victim->filled;
    return f;
}

static void scoreboard_fill(scoreboard_t *sb, const fill_t *f)
{
    if (!f->kept)
        return;
    sb->random = scoreboard_step(scoreboard_random(sb)); /* whatever it replaces, of either size, under either policy */
    shelf_t *t = scoreboard_shelf(sb, &f->e);
    unsigned n = 0;
    for (unsigned i = 0; i < t->n; i++)
        if (!scoreboard_same(&t->e[i], &f->e)) {
            t->e[n] = t->e[i];
            t->e[n].there &= t->e[n].place != f->place;
            n++;
        }
    t->n = n;
    if (t->n == SHELF) /* drop one of the replaced entries: they need not be found */
        for (unsigned i = 0; i < t->n; i++)
            if (!t->e[i].there) {
                t->e[i] = t->e[--t->n];
                break;
            }
    t->e[t->n] = f->e;
    t->e[t->n].place = (uint8_t)f->place;
    t->e[t->n++].used = ++sb->time;
    if (!f->e.level)
        t->used[f->place] = sb->time;
    sb->out_valid = LOCALITY_ENTRIES != 0 && f->evicts && !f->e.level;
    sb->out = f->out;
    sb->kept_valid = CPM_BITS != 0 && !f->e.level;
    sb->kept = scoreboard_set(f->e.vpn) * TLB_WAYS + f->place;
    sb->ev.tlb_fills++;
    sb->ev.tlb_evicts += f->evicts;
}
#endif
