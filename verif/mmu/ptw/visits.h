/* Visits: an entry changes between two walks for a page; or it stays, and a walk for another page reads a PTE at an address that differs in one bit from that of a kept one */
#ifndef VERIF_PTW_VISITS_H
#define VERIF_PTW_VISITS_H
#include "verif/mmu/ptw/cover.h"
#include "verif/mmu/ptw/env.h"
#include "verif/mmu/ptw/moves.h"

/* The signal of a change, beside the scopes of an invalidation: INV_ASID of another address space, another space from
 * now on, another one for a cycle. */
enum { TELL_OTHER = 3, TELL_SPACE, TELL_BLINK, TELLS };

/* The next step of a visit; no request comes in the cycle after the change, so that nothing else changes. */
enum {
    VISIT_NONE,
    VISIT_FIRST /* walk */,
    VISIT_CHANGE,
    VISIT_PAUSE,
    VISIT_SECOND /* walk */,
    VISIT_SEEN,
    VISIT_TWIN /* the walk for the other page (visit_twin) */,
    VISIT_END
};
enum { TWIN_LAST = 9 + VPN_W /* in the place of a bit: it is the pointer itself, at level 0 */ };

/* Any page, or one with the same index at the two highest levels or at all: a table that points to itself there is
 * read by one PTE at these levels, and there is a place for each pointer of the walk, even if there are few. */
static uint64_t visit_page(bench_t *b, env_t *e)
{
    const uint64_t index = e->tables.index[vl_below(&b->rng, SLOTS)], vpn = page(b, e);
    switch (vl_below(&b->rng, 8)) {
    case 0: return index << 27 | index << 18 | index << 9 | index;
    case 1:
    case 2: return index << 27 | index << 18 | vpn % (1 << 18);
    default: return vpn;
    }
}

/* Between two walks for a page an entry changes that the first has read. Pointers above level 0 may be kept, so
 * their change is signalled: by an invalidation of each scope, of another address space, or by another address space
 * which has the tables from now on, or for a cycle. Changes of other entries are not signalled. In each case the second
 * walk has to find the new entry. Or the entry stays as it is, other ones change, and a walk for another page follows
 * the second walk (visit_twin). */
static void visit_begin(bench_t *b, env_t *e)
{
    const bool told = vl_below(&b->rng, 3);
    const bool twin = told && WALK_POINTERS > 0 && e->policy.pointers && vl_below(&b->rng, 2);
    for (unsigned n = 0; n < 16; n++) {
        const uint64_t vpn = visit_page(b, e);
        const view_t v = scoreboard_view(&e->tables, e->root.ppn, vpn);
        const unsigned r = told ? vl_below(&b->rng, v.refs + 1) : v.refs - 1;
        if (v.n != 1 || r >= v.refs || (twin && v.ref[r].level < 2))
            continue;
        const uint64_t addr = v.ref[r].addr;
        const pte_t *pte = tables_at(&e->tables, addr);
        const bool points = pte && tables_points(pte->now), keeps = points && v.ref[r].level;
        /* First an entry that would be a pointer if it was valid or at another level. */
        if (!pte || pte->changed || keeps != told || (!told && n < 12 && pte->now & PTE_V && !points))
            continue;
        e->visit.step = VISIT_FIRST;
        e->visit.tell = told ? vl_below(&b->rng, TELLS) : TELLS;
        e->visit.level = v.ref[r].level;
        e->visit.twin = twin;
        e->visit.vpn = vpn;
        e->visit.addr = addr;
        return;
    }
}

/* A table that may be moved or filled anew: not this one, not the one above, none of level 3, for the roots stay where
 * they are, and none of the last ones. */
static unsigned twin_choose(bench_t *b, const env_t *e, unsigned m)
{
    unsigned k = m;
    while (k == m || e->tables.frame[k] == e->visit.addr / 4096)
        k = 4 + 4 * vl_below(&b->rng, 3) + vl_below(&b->rng, 3);
    return k;
}

/* The page that has this index at the level of the entry, and else those of the visit's page: at it there is now a
 * pointer to table k. */
static uint64_t twin_points(env_t *e, unsigned index, unsigned k)
{
    const unsigned up = 9 * e->visit.level;
    pte_t *pte = tables_at(&e->tables, (e->visit.addr & ~(uint64_t)4095) + index * 8u);
    *pte = (pte_t){.now = e->tables.frame[k] << 10 | PTE_V};
    return (e->visit.vpn & ~(511ull << up)) | (uint64_t)index << up;
}

/* Another page with a walk that reads a table at the same index, in a frame that differs in this bit from that of
 * table m. The visit's page itself without one. */
static uint64_t twin_table(bench_t *b, env_t *e, unsigned m, unsigned index, unsigned bit)
{
    const unsigned k = twin_choose(b, e, m);
    return tables_move(&e->tables, k, m, bit) ? twin_points(e, index, k) : e->visit.vpn;
}

/* Another page with a walk that reads the pointer in table m at level 0, where a kept one is of no use. */
static uint64_t twin_last(bench_t *b, env_t *e, unsigned m, unsigned index)
{
    tables_t *t = &e->tables;
    const unsigned k = twin_choose(b, e, m), s = vl_below(&b->rng, SLOTS), low = e->visit.vpn >> 9 & 511;
    t->pte[k][(int)t->slot[t->index[s]]] = (pte_t){.now = t->frame[m] << 10 | PTE_V};
    return twin_points(e, index, k) >> 18 << 18 | (uint64_t)t->index[s] << 9 | low;
}

/* Another page with a walk that reads the same table as the visit's, at an index that differs in this bit. */
static uint64_t twin_index(env_t *e, unsigned bit)
{
    const uint64_t then = e->visit.vpn ^ 1ull << (9 * e->visit.level - 9 + bit);
    const unsigned index = then >> (9 * e->visit.level - 9) & 511;
    return e->tables.slot[index] >= 0 || tables_reindex(&e->tables, e->visit.vpn, index) ? then : e->visit.vpn;
}

/* Another page with a walk that reads a leaf at an address one bit from that of the kept pointer: each bit in
 * turn, and between them the highest, which few runs can have. */
static void twin_beside(bench_t *b, env_t *e, unsigned m, unsigned index)
{
    const uint64_t leaf = PTE_V | PTE_R | PTE_U | PTE_A | PTE_D,
                   ppn = tables_page(&e->tables, &b->rng, e->visit.level - 1);
    for (unsigned n = 0; n < TWIN_LAST && e->visit.then == e->visit.vpn; n++) {
        const unsigned turn = e->twins++, bit = turn % 3 ? turn * 2 / 3 % TWIN_LAST : TWIN_LAST - 1 - turn / 3 % 9;
        e->visit.bit = bit;
        e->visit.then = bit < 9 ? twin_index(e, bit) : twin_table(b, e, m, index, bit - 9);
    }
    if (e->visit.then != e->visit.vpn)
        *tables_at(&e->tables, 8 * (e->visit.kept ^ 1ull << e->visit.bit)) = (pte_t){.now = leaf | ppn << 10};
}

/* A kept pointer is found by the whole address of its PTE, and where a pointer may be. The entry is one, and so is the
 * next that the visit's page reads: this is kept. There comes to be another page that a walk would find by it,
 * if it left a bit out of account, or took it at level 0. */
static void visit_twin(bench_t *b, env_t *e, const pte_t *pte)
{
    tables_t *t = &e->tables;
    const unsigned low = e->visit.vpn >> (9 * e->visit.level - 9) & 511, other = t->index[vl_below(&b->rng, SLOTS)];
    unsigned m = 0;
    while (m < TABLES && t->frame[m] != pte->now >> 10)
        m++;
    if (m == TABLES || t->slot[low] < 0 || !tables_points(t->pte[m][(int)t->slot[low]].now)
        || other == (e->visit.vpn >> 9 * e->visit.level & 511))
        return;
    e->visit.kept = t->frame[m] * 512 + low;
    e->visit.bit = TWIN_LAST;
    if (e->visit.level == 2 && vl_below(&b->rng, 4) == 0)
        e->visit.then = twin_last(b, e, m, other);
    else
        twin_beside(b, e, m, other);
}

/* The entry itself has another value: a pointer leads elsewhere, or to its own table. */
static void visit_other(bench_t *b, env_t *e, pte_t *pte)
{
    const unsigned tell = e->visit.tell, level = e->visit.level;
    const bool kept = page_shelf(&e->page, e->visit.addr / 8) < PLACES, told = tell < TELLS;
    const unsigned table = vl_below(&b->rng, TABLES);
    const uint64_t frame = vl_below(&b->rng, 3) ? e->tables.frame[table] : e->visit.addr / 4096;
    *pte = (pte_t){.old = pte->now, .changed = true};
    pte->now = told ? (pte->old & 1023) | frame << 10 : tables_pte(&e->tables, &b->rng, level);
    BENCH_COVER(b, COV_TOLD + tell, told && kept);
    BENCH_COVER(b, COV_MAPPED, !told && level && !(pte->old & PTE_V) && tables_points(pte->now));
    BENCH_COVER(b, COV_MAPPED_LAST, !told && !level && kept && pte->now & (PTE_R | PTE_X));
}

static void visit_change(bench_t *b, env_t *e)
{
    pte_t *pte = tables_at(&e->tables, e->visit.addr);
    e->visit.then = e->visit.vpn;
    if (pte->changed) /* somebody has been here */
        return;
    e->period.vague = true;
    if (e->visit.twin)
        visit_twin(b, e, pte);
    else
        visit_other(b, e, pte);
    if (e->visit.tell == TELL_SPACE) {
        e->root.asid ^= (uint16_t)(1u << vl_below(&b->rng, ASID_W));
        forgotten(e);
    }
}

/* All is at rest, and may have been so for a while: the next step of a visit. */
static unsigned visit_rested(bench_t *b, env_t *e)
{
    switch (e->visit.step) {
    case VISIT_CHANGE: visit_change(b, e); return VISIT_PAUSE;
    case VISIT_SEEN: return e->visit.then != e->visit.vpn ? VISIT_TWIN : VISIT_NONE;
    default: return vl_below(&b->rng, 16) ? VISIT_CHANGE : VISIT_NONE; /* mostly with the next bit at once */
    }
}

/* True in the cycle in which the entry changes. */
static bool visit(bench_t *b, env_t *e, const ptw_out_t *out)
{
    const unsigned step = e->visit.step;
    switch (step) {
    case VISIT_NONE:
        if (out->idle && !e->drain && e->hold < TLB_MSHRS && vl_below(&b->rng, 2))
            visit_begin(b, e);
        return false;
    case VISIT_TWIN:
        BENCH_COVER(b, COV_TWIN + e->visit.bit / 9, page_shelf(&e->page, e->visit.kept) < PLACES);
        /* fall through */
    case VISIT_FIRST:
    case VISIT_SECOND: ask(b, e, vl_below(&b->rng, 2), step == VISIT_TWIN ? e->visit.then : e->visit.vpn); break;
    case VISIT_PAUSE: break;
    default:
        if (!out->idle || vl_below(&b->rng, 2))
            return false;
        e->visit.step = visit_rested(b, e);
        return step == VISIT_CHANGE;
    }
    e->visit.step++;
    return false;
}
#endif
