/* Bytes of a line, and masks of them. */
#ifndef VERIF_COHERENCE_SMD_SCOREBOARD_BYTES_H
#define VERIF_COHERENCE_SMD_SCOREBOARD_BYTES_H
#include "smd_ports.h"
#include "sim_c/common/vl_bits.h"
#include "verif/coherence/grains.h"

typedef vl_bits_128 sb_mask_t;
typedef vl_bits_1024 sb_data_t;

static bool mask_none(sb_mask_t m)
{
    return !(m.w[0] | m.w[1]);
}
static bool mask_same(sb_mask_t a, sb_mask_t b)
{
    return a.w[0] == b.w[0] && a.w[1] == b.w[1];
}
static sb_mask_t mask_or(sb_mask_t a, sb_mask_t b)
{
    return (sb_mask_t){{a.w[0] | b.w[0], a.w[1] | b.w[1]}};
}
static sb_mask_t mask_without(sb_mask_t a, sb_mask_t b)
{
    return (sb_mask_t){{a.w[0] & ~b.w[0], a.w[1] & ~b.w[1]}};
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
