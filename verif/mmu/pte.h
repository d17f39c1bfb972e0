/* The meaning of one PTE to a walk, by step 2 of docs/blocks/ptw.md: for the pages of ptw and walker as programs. Written from the page; nothing of the twins. */
#ifndef VERIF_MMU_PTE_H
#define VERIF_MMU_PTE_H
#include <stdbool.h>
#include <stdint.h>
#include "vl_types.h"

typedef struct {
    bool ends;
    uint8_t result; /* if the walk ends */
    leaf_t leaf;
    uint64_t table; /* if it does not end: frame of the next table */
} meaning_t;

/* A PTE that a read has brought at the last edge, and which read. */
typedef struct {
    bool valid;
    unsigned read;
    uint64_t pte;
} came_t;

static inline bool pte_outside(const window_t *m, uint64_t line)
{
    return line < m->base || line >= m->limit;
}

/* `glob`: of the pointers so far; G of this PTE is added to it. */
static inline meaning_t pte_means(uint64_t pte, unsigned level, bool *glob, const window_t *m)
{
    enum { V = 1, R = 2, W = 4, X = 8, U = 16, G = 32, A = 64, D = 128 };
    const uint64_t ppn = pte >> 10 & ((1ull << 44) - 1), pages = 1ull << 9 * level, lines = 4096 / LINE_BYTES;
    const bool pointer = !(pte & (R | X));
    *glob |= (pte & G) != 0;
    if (!(pte & V) || (pte & (R | W)) == W || pte >> 54 || ppn >> VPN_W)
        return (meaning_t){.ends = true, .result = WALK_PAGE};
    if (pointer)
        return pte & (D | A | U) || !level ? (meaning_t){.ends = true, .result = WALK_PAGE} : (meaning_t){.table = ppn};
    if (!(pte & U) || !(pte & A) || ppn % pages)
        return (meaning_t){.ends = true, .result = WALK_PAGE};
    const bool outside = pte_outside(m, ppn * lines) || pte_outside(m, (ppn + pages) * lines - 1);
    return (meaning_t){.ends = true,
                       .result = outside ? WALK_ACCESS : WALK_OK,
                       .leaf = {.ppn = ppn,
                                .level = (uint8_t)level,
                                .glob = *glob,
                                .r = (pte & R) != 0,
                                .w = (pte & W) && pte & D,
                                .x = (pte & X) != 0}};
}
#endif
