/* Halves of a line's bytes: two stores of a half each make a whole. */
#ifndef VERIF_COMMON_HALVES_H
#define VERIF_COMMON_HALVES_H
#include "sim_c/common/line_be.h"

/* Bit 0: the lower half; bit 1: the upper one. */
static inline line_be_t be_halves(unsigned which)
{
    line_be_t be = {{0}};
    for (unsigned i = 0; i < LINE_BYTES; i++)
        be.w[i / 64] |= (uint64_t)(which >> i / (LINE_BYTES / 2) & 1) << i % 64;
    return be;
}
#endif
