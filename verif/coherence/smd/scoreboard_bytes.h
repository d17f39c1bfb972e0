/* Bytes of a line, and masks of them. */
#ifndef VERIF_COHERENCE_SMD_SCOREBOARD_BYTES_H
#define VERIF_COHERENCE_SMD_SCOREBOARD_BYTES_H
#include "smd_ports.h"
#include "sim_c/common/vl_bits.h"
#include "verif/coherence/grains.h"

typedef line_be_t sb_mask_t;
typedef line_data_t sb_data_t;

static bool mask_none(sb_mask_t m)
{
    return be_none(&m);
}
static bool mask_same(sb_mask_t a, sb_mask_t b)
{
    return !memcmp(&a, &b, sizeof a);
}
static sb_mask_t mask_or(sb_mask_t a, sb_mask_t b)
{
    be_add(&a, &b);
    return a;
}
static sb_mask_t mask_without(sb_mask_t a, sb_mask_t b)
{
    for (unsigned w = 0; w < BE_WORDS; w++)
        a.w[w] &= ~b.w[w];
    return a;
}
static bool mask_within(sb_mask_t a, sb_mask_t b)
{
    return mask_none(mask_without(a, b));
}

/* Bytes of `from` where m has a 1. */
static void bytes_put(sb_data_t *to, const sb_data_t *from, sb_mask_t m)
{
    for (unsigned i = 0; i < LINE_BYTES / 8; i++) {
        uint64_t bits = m.w[i / 8] >> i % 8 * 8 & 255, wide = 0;
        for (unsigned k = 0; bits && k < 8; k++)
            wide |= (bits >> k & 1) * 255ull << 8 * k;
        to->w[i] = (to->w[i] & ~wide) | (from->w[i] & wide);
    }
}
static bool bytes_same(const sb_data_t *a, const sb_data_t *b, sb_mask_t m)
{
    sb_data_t x = {{0}}, y = {{0}};
    bytes_put(&x, a, m);
    bytes_put(&y, b, m);
    return !memcmp(&x, &y, sizeof x);
}
#endif
