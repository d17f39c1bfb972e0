/* Twin of rtl/mmu/ptw_pointers.sv: the pointers to page tables that a core's walker keeps (docs/blocks/ptw.md, 2 Keeping, 3.3 and 5). Entries are known by the address of
 * their PTE, in doublewords, and replaced in turn. With WALK_POINTERS = 0 nothing of it is ever called. */
#ifndef SIM_C_MMU_PTW_POINTERS_H
#define SIM_C_MMU_PTW_POINTERS_H
#include "sim_c/common/bits.h"
#include "sim_c/mmu/ptw_walk.h"
#include "vl_types.h"

enum { POINTER_PLACES = MAX_WALK_POINTERS ? MAX_WALK_POINTERS : 1, NO_POINTER = POINTER_PLACES };

typedef struct {
    uint64_t valid; /* a bit an entry */
    uint8_t next; /* the entry that is replaced next */
    uint16_t space; /* root.asid of the last edge */
    struct {
        uint64_t at, pte;
    } entry[POINTER_PLACES];
} pointers_t;

static inline unsigned pointer_find(const pointers_t *p, uint64_t at)
{
    for EACH(e, p->valid)
        if (p->entry[e].at == at)
            return (unsigned)e;
    return NO_POINTER;
}

/* V alone of all flags, except G and the bits that software may use. */
static inline bool is_pointer(uint64_t pte)
{
    return (pte & (PTE_V | PTE_R | PTE_W | PTE_X | PTE_U | PTE_A | PTE_D)) == PTE_V && !(pte >> (10 + VPN_W));
}

/* 2: the PTE that a read of `at` returned. */
static inline void pointer_keep(pointers_t *p, uint64_t at, uint64_t pte)
{
    unsigned e = pointer_find(p, at);
    if (e == NO_POINTER) {
        e = p->next;
        p->next = (uint8_t)(e + 1 == WALK_POINTERS ? 0 : e + 1);
        p->valid |= BIT(e);
        p->entry[e].at = at;
    }
    p->entry[e].pte = pte & ((BIT(VPN_W) - 1) << 10 | PTE_G | PTE_V);
}
#endif
