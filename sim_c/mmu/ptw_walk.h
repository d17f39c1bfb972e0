/* What ptw of a core and the shared walker have in common: one walk, the checks of its PTEs, the order of walks and the choice of the
 * next one. Twin of rtl/mmu/ptw_walk.sv, ptw_pte.sv, ptw_age.sv and ptw_pick.sv; step numbers are those of docs/blocks/ptw.md. Sets of walks are bits of a word. */
#ifndef SIM_C_MMU_PTW_WALK_H
#define SIM_C_MMU_PTW_WALK_H
#include "sim_c/common/bits.h"
#include "vl_types.h"

enum {
    PTE_V = 1,
    PTE_R = 2,
    PTE_W = 4,
    PTE_X = 8,
    PTE_U = 16,
    PTE_G = 32,
    PTE_A = 64,
    PTE_D = 128,
    PTES = LINE_BYTES / 8 /* of a line */,
    TURNS = 64 /* leaders, of which one is the oldest */,
    NO_WALK = 64
};

typedef struct {
    uint64_t vpn, at; /* at: address of the next PTE, in doublewords */
    uint64_t order; /* a number that grows from walk to walk */
    leaf_t leaf;
    uint8_t level, result;
    bool glob;
} going_t;

/* The walk that reads its PTE next. */
typedef struct {
    bool valid, near;
    uint8_t k, level;
    uint64_t at;
} lead_t;

static inline uint64_t pte_at(uint64_t table, uint64_t vpn, unsigned level)
{
    return table << 9 | (vpn >> 9 * level & 511);
}

static inline void begin(going_t *m, const root_t *root)
{
    m->level = 3;
    m->at = pte_at(root->ppn, m->vpn, 3);
    m->glob = false;
}

static inline bool inside(const window_t *w, uint64_t line)
{
    return line >= w->base && line < w->limit;
}

static inline void finish(going_t *m, uint8_t result, leaf_t leaf)
{
    m->result = result;
    m->leaf = leaf;
}

/* Step 2, of one walk: true if it ends with this PTE. */
static inline bool advance(going_t *m, uint64_t pte, const window_t *window)
{
    const uint64_t ppn = pte >> 10 & (BIT(VPN_W) - 1), pages = BIT(9 * m->level);
    const bool leaf = pte & (PTE_R | PTE_X);
    bool bad = !(pte & PTE_V) || (pte & PTE_W && !(pte & PTE_R)) || pte >> (10 + VPN_W);
    if (leaf)
        bad |= !(pte & PTE_U) || !(pte & PTE_A) || ppn & (pages - 1);
    else
        bad |= pte & (PTE_D | PTE_A | PTE_U) || m->level == 0;
    if (bad) {
        finish(m, WALK_PAGE, (leaf_t){0});
        return true;
    }
    m->glob |= (pte & PTE_G) != 0;
    if (leaf) {
        bool ok = inside(window, ppn << PAGE_LINE_W) && inside(window, ((ppn + pages) << PAGE_LINE_W) - 1);
        finish(m, ok ? WALK_OK : WALK_ACCESS,
               (leaf_t){.ppn = ppn,
                        .level = m->level,
                        .glob = m->glob,
                        .r = pte & PTE_R,
                        .w = pte & PTE_W && pte & PTE_D,
                        .x = pte & PTE_X});
        return true;
    }
    m->level--;
    m->at = pte_at(ppn, m->vpn, m->level);
    return false;
}

/* Step 3.1: its PTE lies outside of memory. */
static inline void finish_outside(going_t *m)
{
    finish(m, WALK_ACCESS, (leaf_t){.r = true, .w = true, .x = true});
}

static inline uint64_t oldest(const going_t *walk, uint64_t set)
{
    uint64_t first = (uint64_t)__builtin_ctzll(set);
    for EACH(k, set)
        if (walk[k].order < walk[first].order)
            first = k;
    return first;
}

/* Those with their PTE at this address. */
static inline uint64_t same_pte(const going_t *walk, uint64_t set, uint64_t at)
{
    uint64_t same = 0;
    for EACH(k, set)
        if (walk[k].at == at)
            same |= BIT(k);
    return same;
}

/* Is a walk's PTE on the line of the last leader, at its level? */
static inline bool near(const going_t *m, const lead_t *last)
{
    return m->at / PTES == last->at / PTES && m->level == last->level;
}

/* Does a go before b? Levels from the root down, a line at a time, then by age. */
static inline bool before(const going_t *a, const going_t *b, const lead_t *last)
{
    if (a->level != b->level)
        return a->level > b->level;
    if (near(a, last) != near(b, last))
        return near(a, last);
    return a->order < b->order;
}

/* Step 3, the next leader of a coalescing walker among some walks, of which there is one at least. */
static inline uint64_t pick(const going_t *walk, uint64_t set, const lead_t *last)
{
    uint64_t best = (uint64_t)__builtin_ctzll(set);
    for EACH(k, set & (set - 1))
        if (before(&walk[k], &walk[best], last))
            best = k;
    return best;
}
#endif
