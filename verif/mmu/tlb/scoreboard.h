/* The judge of the TLB bench: every leaf that was filled and not taken back, whoever may have been put out for it since. A hit must be one of them: of the address
 * space that asks, of the right size, with the frame that its size makes of the page, allowing the access; anything else is a false or a stale translation, whatever
 * the replacement. Beside that, which of them true LRU (T2) still has: those must be found, and the others must not. */
#ifndef VERIF_TLB_JUDGE_H
#define VERIF_TLB_JUDGE_H
#include "tlb_ports.h"
#include "sim_c/common/vl_bits.h"

enum { SETS = TLB_ENTRIES / TLB_WAYS, SUPERS = SETS, SHELF = 192 };
typedef struct {
    bool there; /* not put out for another one */
    bool glob, r, w;
    uint8_t level, place;
    uint16_t asid;
    uint64_t vpn, ppn, used;
} kept_t;
typedef struct {
    unsigned n;
    kept_t e[SHELF];
} shelf_t;
typedef struct {
    shelf_t shelf[SETS + 1]; /* sets, and the larger pages */
    uint64_t time;
    bool scan, done;
    inv_t scan_inv;
    unsigned scan_set;
    ev_tlb_t ev;
} judge_t;

/* What a look-up is answered. */
typedef struct {
    bool asked, hit;
    uint64_t ppn;
    const kept_t *small, *large; /* there, of this page */
    unsigned may; /* other hits that no fill or invalidation forbids */
    uint64_t may_ppn[2];
} answer_t;

static unsigned judge_set(uint64_t vpn)
{
    return (unsigned)(vpn % SETS);
}

static bool judge_of(const kept_t *e, uint64_t asid)
{
    return e->glob || e->asid == asid;
}

/* Is b in the page of this size at a? */
static bool judge_page(uint64_t a, uint64_t b, unsigned level)
{
    uint64_t pages = 1ull << 9 * level;
    return a / pages == b / pages;
}

static const kept_t *judge_match(const shelf_t *s, uint64_t vpn, uint64_t asid, bool there)
{
    for (unsigned i = 0; i < s->n; i++)
        if (s->e[i].there == there && judge_of(&s->e[i], asid) && judge_page(s->e[i].vpn, vpn, s->e[i].level))
            return &s->e[i];
    return NULL;
}

static uint64_t judge_frame(const kept_t *e, uint64_t vpn)
{
    uint64_t pages = 1ull << 9 * e->level;
    return e->ppn / pages * pages + vpn % pages;
}

static answer_t judge_look(const judge_t *j, const look_t *l, uint64_t asid)
{
    const shelf_t *set = &j->shelf[judge_set(l->vpn)], *supers = &j->shelf[SUPERS];
    answer_t a = {
        .asked = true, .small = judge_match(set, l->vpn, asid, true), .large = judge_match(supers, l->vpn, asid, true)};
    const kept_t *e = a.small ? a.small : a.large;
    a.hit = e && (l->store ? e->w : e->r);
    a.ppn = a.hit ? judge_frame(e, l->vpn) : 0;
    /* What is kept of this page is never two of one shelf: a fill takes the place of what was. */
    for (unsigned k = 0; k < 2; k++) {
        const shelf_t *s = k ? supers : set;
        const kept_t *m = judge_match(s, l->vpn, asid, true);
        m = m ? m : judge_match(s, l->vpn, asid, false);
        if (m && (l->store ? m->w : m->r))
            a.may_ppn[a.may++] = judge_frame(m, l->vpn);
    }
    return a;
}

static bool judge_allows(const answer_t *a, uint64_t ppn)
{
    for (unsigned i = 0; i < a->may; i++)
        if (a->may_ppn[i] == ppn)
            return true;
    return false;
}

static void judge_touch(judge_t *j, const answer_t *a)
{
    kept_t *e = (kept_t *)(a->small ? a->small : a->large);
    if (a->hit)
        e->used = ++j->time;
    j->ev.tlb_lookups++;
    j->ev.tlb_hits += a->hit;
    j->ev.tlb_hits_super += a->hit && !a->small;
    j->ev.tlb_misses += !a->hit;
    j->ev.tlb_denied += e && !a->hit;
}

static bool judge_covers(const inv_t *v, const kept_t *e)
{
    if (v->scope == INV_ALL)
        return true;
    if (v->scope == INV_ASID)
        return !e->glob && e->asid == v->asid;
    return judge_of(e, v->asid) && judge_page(v->vpn, e->vpn, e->level);
}

/* Takes away what an invalidation covers; returns how many were there. */
static unsigned judge_forget(shelf_t *s, const inv_t *v)
{
    unsigned gone = 0, n = 0;
    for (unsigned i = 0; i < s->n; i++)
        if (judge_covers(v, &s->e[i]))
            gone += s->e[i].there;
        else
            s->e[n++] = s->e[i];
    s->n = n;
    return gone;
}

static void judge_scan(judge_t *j)
{
    if (!j->scan)
        return;
    bool page = j->scan_inv.scope == INV_PAGE;
    judge_forget(&j->shelf[SUPERS], &j->scan_inv);
    judge_forget(&j->shelf[page ? judge_set(j->scan_inv.vpn) : j->scan_set], &j->scan_inv);
    if (page || ++j->scan_set == SETS)
        j->scan = false, j->done = true;
}

static void judge_inv(judge_t *j, const inv_t *v)
{
    j->ev.tlb_invs++;
    if (v->scope != INV_ALL) {
        j->scan = true;
        j->scan_set = 0;
        j->scan_inv = *v;
        return;
    }
    for (unsigned s = 0; s <= SETS; s++)
        judge_forget(&j->shelf[s], v);
    j->done = true;
}

/* What a fill does, chosen before the edge. */
typedef struct {
    bool kept, covered, evicts, glob_over_own, own_over_glob;
    unsigned same, place;
    kept_t e;
} fill_t;

static bool judge_same(const kept_t *o, const kept_t *e)
{
    return (o->glob || e->glob || o->asid == e->asid)
           && judge_page(o->vpn, e->vpn, o->level > e->level ? o->level : e->level);
}

static shelf_t *judge_shelf(judge_t *j, const kept_t *e)
{
    return &j->shelf[e->level ? (unsigned)SUPERS : judge_set(e->vpn)];
}

/* `inv` of the same edge, or NULL. */
static fill_t judge_choose(judge_t *j, const walked_t *w, const inv_t *inv)
{
    fill_t f = {.e = {.there = true,
                      .glob = w->leaf.glob,
                      .r = w->leaf.r,
                      .w = w->leaf.w,
                      .level = w->leaf.level,
                      .asid = w->asid,
                      .vpn = w->vpn,
                      .ppn = w->leaf.ppn}};
    if (w->result != WALK_OK || (!f.e.r && !f.e.w))
        return f;
    f.covered = (inv && judge_covers(inv, &f.e)) || (j->scan && judge_covers(&j->scan_inv, &f.e));
    if (f.covered)
        return f;
    f.kept = true;
    const shelf_t *t = judge_shelf(j, &f.e);
    const kept_t *oldest = NULL;
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
        if (!judge_same(o, &f.e))
            continue;
        f.same++;
        f.glob_over_own |= f.e.glob && !o->glob;
        f.own_over_glob |= !f.e.glob && o->glob;
        f.place = o->place < f.place ? o->place : f.place;
    }
    if (f.place < places)
        return f;
    f.evicts = here == places;
    f.place = f.evicts ? oldest->place : (unsigned)__builtin_ctzll(~taken);
    return f;
}

static void judge_fill(judge_t *j, const fill_t *f)
{
    if (!f->kept)
        return;
    shelf_t *t = judge_shelf(j, &f->e);
    unsigned n = 0;
    for (unsigned i = 0; i < t->n; i++)
        if (!judge_same(&t->e[i], &f->e)) {
            t->e[n] = t->e[i];
            t->e[n].there &= t->e[n].place != f->place;
            n++;
        }
    t->n = n;
    if (t->n == SHELF) /* forget one of those put out: they may not be found anyway */
        for (unsigned i = 0; i < t->n; i++)
            if (!t->e[i].there) {
                t->e[i] = t->e[--t->n];
                break;
            }
    t->e[t->n] = f->e;
    t->e[t->n].place = (uint8_t)f->place;
    t->e[t->n++].used = ++j->time;
    j->ev.tlb_fills++;
    j->ev.tlb_evicts += f->evicts;
}
#endif
