/* Shared by the benches of the TLBs (tlb, l2_tlb): address spaces of their stimulus, coverage of fills beside invalidations. */
#ifndef VERIF_MMU_TLB_STIMULUS_H
#define VERIF_MMU_TLB_STIMULUS_H
#include "verif/common/pool.h"

enum { SPACES = 3 };

/* Two that differ in one bit, and one that differs in many. */
static void some_spaces(struct vl_rng *r, uint16_t space[SPACES])
{
    space[0] = (uint16_t)vl_random_bits(r, ASID_W);
    space[1] = (uint16_t)(space[0] ^ 1u << vl_below(r, ASID_W));
    space[2] = (uint16_t)~space[0];
}

/* clang-format off */
#define FILLS_AND_INVALIDATIONS \
    "fill with INV_ALL", \
    "fill with an INV_ASID that covers it", \
    "fill with an INV_PAGE that covers it", \
    "fill with an INV_ASID that does not cover it", \
    "fill with an INV_PAGE that does not cover it", \
    "larger fill with an INV_PAGE of another page of it", \
    "fill in the scan of an INV_ASID, covered", \
    "fill in the scan of an INV_PAGE, covered", \
    "fill in the scan of an INV_ASID, not covered", \
    "fill in the scan of an INV_PAGE, not covered"
/* clang-format on */
#endif
