/* Changes of the host to page tables (tables.h) between two walks of ptw, beside that of an entry: a pointer leads to another table, a table moves to another frame, its entries to another index. */
#ifndef VERIF_PTW_MOVES_H
#define VERIF_PTW_MOVES_H
#include "verif/mmu/ptw/tables.h"

/* The host lets a pointer on this line point to another table. */
static bool tables_repoint(tables_t *t, struct vl_rng *rng, uint64_t line)
{
    const unsigned first = vl_below(rng, PTE_LINE);
    for (unsigned i = 0; i < PTE_LINE; i++) {
        pte_t *p = tables_at(t, line * LINE_BYTES + 8 * ((first + i) % PTE_LINE));
        if (!p || p->changed || !tables_points(p->now))
            continue;
        *p = (pte_t){.now = (p->now & 1023) | t->frame[vl_below(rng, TABLES)] << 10, .old = p->now, .changed = true};
        return true;
    }
    return false;
}

/* The host moves table k to the frame that differs in this bit from that of table m. False where another table is,
 * or no memory. */
static bool tables_move(tables_t *t, unsigned k, unsigned m, unsigned bit)
{
    const uint64_t was = t->frame[k], is = t->frame[m] ^ 1ull << bit;
    bool free = is * PAGE_LINES >= t->window.base && is * PAGE_LINES + PAGE_LINES <= t->window.limit;
    for (unsigned i = 0; i < TABLES; i++)
        free &= i == k || t->frame[i] != is;
    if (!free)
        return false;
    t->frame[k] = is;
    for (unsigned i = 0; i < TABLES; i++)
        for (unsigned s = 0; s < SLOTS; s++) {
            pte_t *p = &t->pte[i][s];
            if (tables_points(p->now) && p->now >> 10 == was)
                p->now = (p->now & 1023) | is << 10;
        }
    return true;
}

/* From now on the tables have entries at this index, instead of one of those at which no walk for this page reads.
 * False without one. */
static bool tables_reindex(tables_t *t, uint64_t vpn, unsigned index)
{
    unsigned s = SLOTS;
    bool used = true;
    while (used && s-- > ALWAYS) {
        used = false;
        for (unsigned l = 0; l < 4; l++)
            used |= t->index[s] == (vpn >> 9 * l & 511);
    }
    if (used)
        return false;
    t->slot[t->index[s]] = -1;
    t->index[s] = (uint16_t)index;
    for (unsigned k = 0; k < SLOTS; k++)
        t->slot[t->index[k]] = (int8_t)k;
    return true;
}
#endif
