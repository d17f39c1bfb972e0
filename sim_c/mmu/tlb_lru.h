/* Shared by the TLB of a core's loads and stores (docs/blocks/tlb.md) and the shared L2 TLB (docs/blocks/l2_tlb.md): entries, true LRU by ages, the place
 * that a leaf goes to. A set, or the larger pages, are `n` entries with an age each: a permutation, 0 the youngest. */
#ifndef SIM_C_MMU_TLB_LRU_H
#define SIM_C_MMU_TLB_LRU_H
#include "sim_c/common/bits.h"
#include "vl_types.h"

#define NOWHERE UINT64_MAX /* vpn of an entry that is not valid: no page of any size is there */

typedef struct {
    uint64_t vpn, ppn;
    uint16_t asid;
    uint8_t level;
    bool glob, r, w, x;
} kept_t;

static inline kept_t keeps(uint64_t vpn, uint16_t asid, const leaf_t *l)
{
    return (kept_t){
        .vpn = vpn, .ppn = l->ppn, .asid = asid, .level = l->level, .glob = l->glob, .r = l->r, .w = l->w, .x = l->x};
}

static inline bool same_page(uint64_t a, uint64_t b, unsigned level)
{
    return !((a ^ b) >> 9 * level);
}

/* Does one of them hold the other's page? */
static inline bool overlap(const kept_t *a, const kept_t *b)
{
    return same_page(a->vpn, b->vpn, a->level > b->level ? a->level : b->level);
}

static inline void forget(kept_t *e, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        e[k].vpn = NOWHERE;
}

static inline void forget_asid(kept_t *e, unsigned n, uint16_t asid)
{
    for (unsigned k = 0; k < n; k++)
        if (e[k].asid == asid && !e[k].glob)
            e[k].vpn = NOWHERE;
}

/* Does an invalidation cover the entry? */
static inline bool covers(const inv_t *inv, const kept_t *e)
{
    const bool mine = e->asid == inv->asid;
    switch (inv->scope) {
    case INV_ALL: return true;
    case INV_ASID: return mine && !e->glob;
    default: return same_page(e->vpn, inv->vpn, e->level) && (e->glob || mine);
    }
}

static inline void reset_ages(uint8_t *age, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        age[k] = (uint8_t)k;
}

static inline void touch(uint8_t *age, unsigned n, unsigned k)
{
    uint8_t was = age[k];
    if (!was)
        return;
    for (unsigned j = 0; j < n; j++)
        age[j] += age[j] < was;
    age[k] = 0;
}

/* The valid ones of n entries that would answer for a page of an address space for which the leaf does; `any`: global ones answer in all of them. */
static inline uint64_t rivals(const kept_t *in, unsigned n, const kept_t *leaf, bool any)
{
    uint64_t which = 0;
    for (unsigned k = 0; k < n; k++)
        if (in[k].vpn != NOWHERE && overlap(&in[k], leaf)
            && (in[k].asid == leaf->asid || (any && (in[k].glob || leaf->glob))))
            which |= BIT(k);
    return which;
}

/* The set or the larger pages that a leaf goes to, and what becomes of them. */
typedef struct {
    kept_t leaf, *in;
    uint8_t *age;
    unsigned n, way;
    uint64_t same; /* entries of the same page, which the leaf replaces */
    bool evicts;
} fill_t;

/* The way: the lowest of those that it replaces, else the lowest that is not valid, else the oldest. */
static inline void choose_way(fill_t *f)
{
    unsigned invalid = f->n, oldest = 0;
    for (unsigned k = f->n; k-- > 0;) {
        if (f->in[k].vpn == NOWHERE)
            invalid = k;
        if (f->age[k] == f->n - 1)
            oldest = k;
    }
    f->evicts = !f->same && invalid == f->n;
    f->way = f->same ? (unsigned)__builtin_ctzll(f->same) : f->evicts ? oldest : invalid;
}

static inline void put_leaf(const fill_t *f)
{
    for EACH(k, f->same)
        f->in[k].vpn = NOWHERE;
    f->in[f->way] = f->leaf;
    touch(f->age, f->n, f->way);
}
#endif
