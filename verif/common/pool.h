/* Numbers of lines or pages for a bench of something that keeps them in sets, told apart by their lowest bits. */
#ifndef VELLUM_VERIF_POOL_H
#define VELLUM_VERIF_POOL_H

#include "sim_c/common/vl_bits.h"

/* `count` numbers of `bits` bits, by the bench's mode: one tag, or few, over many sets; many tags over one set, `at`; four tags to each of neighbouring sets; neighbours that differ in
 * one bit of the tag. What begins a row of them is a multiple of `row`. */
static inline void pool_numbers(struct vl_rng *r, unsigned mode, unsigned bits, unsigned sets, unsigned at,
                                uint64_t row, unsigned count, uint64_t *n)
{
    const unsigned set_bits = (unsigned)__builtin_ctz(sets);
    uint64_t lonely = vl_random_bits(r, bits);
    const uint64_t far = lonely & ~(row - 1);
    for (unsigned k = 0; k < count; k++) {
        switch (mode) {
        case 0: n[k] = far + k; break;
        case 1: n[k] = far + (uint64_t)k * sets + at; break;
        case 2: n[k] = far + (uint64_t)(k / 4) * sets + k % 4 % sets; break;
        default: n[k] = lonely ^= k ? 1ull << (set_bits + k % (bits - set_bits)) : 0; break;
        }
        n[k] &= (1ull << bits) - 1;
    }
}

/* Over how many of `count` numbers a bench goes for a while: some more than there are ways, very few, or all. */
static inline unsigned pool_span(struct vl_rng *r, unsigned ways, unsigned few, unsigned count)
{
    return vl_below(r, 4) ? 1 + vl_below(r, vl_below(r, 2) ? ways : few) : count;
}

#endif
