/* Grains of masks (docs/umh.md, Masks of four bytes), byte by byte: the scoreboards' own. */
#ifndef VERIF_COHERENCE_GRAINS_H
#define VERIF_COHERENCE_GRAINS_H
#include "sim_c/common/line_be.h"
#include "verif/common/bench.h"

enum { GRAINS = LINE_BYTES / MASK_GRAIN };

/* Some byte is in both. */
static inline bool be_meets(const line_be_t *a, const line_be_t *b)
{
    for (unsigned w = 0; w < BE_WORDS; w++)
        if (a->w[w] & b->w[w])
            return true;
    return false;
}

/* How many bytes of a grain there are. */
static inline unsigned grain_bytes(const line_be_t *be, unsigned grain)
{
    unsigned n = 0;
    for (unsigned i = 0; i < MASK_GRAIN; i++)
        n += be_has(be, grain * MASK_GRAIN + i);
    return n;
}

/* Is this byte in a grain of which there is one? */
static inline bool grain_touched(const line_be_t *be, unsigned byte)
{
    return grain_bytes(be, byte / MASK_GRAIN);
}

static inline bool be_partial(const line_be_t *be)
{
    bool part = false;
    for (unsigned g = 0; g < GRAINS; g++)
        part |= grain_bytes(be, g) % MASK_GRAIN != 0;
    return part;
}

/* The bit of a mask for this byte: bits in the order of bytes of memory, as wide as a mask is. */
static inline bool mask_has(const line_mask_t *mask, unsigned byte)
{
    return ((const uint8_t *)mask)[byte / MASK_GRAIN / 8] >> byte / MASK_GRAIN % 8 & 1;
}

static inline bool mask_any(const line_mask_t *mask)
{
    static const line_mask_t none;
    return memcmp(mask, &none, sizeof none);
}

/* The bytes of a mask's grains, and the mask of the grains of bytes. */
static inline line_be_t be_of_mask(const line_mask_t *mask)
{
    line_be_t be = {{0}};
    for (unsigned i = 0; i < LINE_BYTES; i++)
        be.w[i / 64] |= (uint64_t)mask_has(mask, i) << i % 64;
    return be;
}

static inline line_mask_t mask_of_be(const line_be_t *be)
{
    line_mask_t mask = {0};
    for (unsigned g = 0; g < GRAINS; g++)
        if (grain_bytes(be, g))
            ((uint8_t *)&mask)[g / 8] |= (uint8_t)(1u << g % 8);
    return mask;
}

/* Bytes as a slice gives them: of whole grains. */
static inline line_be_t whole_grains(line_be_t be)
{
    const line_mask_t mask = mask_of_be(&be);
    return be_of_mask(&mask);
}

/* Bytes of a store: these, or (with more than a byte a grain) those of their grains, one grain, a part of one, beside others or not. Few grains, so that they meet again. */
static inline line_be_t some_grains(struct vl_rng *r, line_be_t be)
{
    if (MASK_GRAIN == 1)
        return be;
    const unsigned how = vl_below(r, 6), at = vl_below(r, 4) * (GRAINS / 4 + 1) % GRAINS * MASK_GRAIN;
    const uint64_t all = (1ull << MASK_GRAIN) - 1,
                   some = vl_below(r, 2) ? vl_below(r, 2) ? 3 : 12 : 1 + vl_below(r, 14);
    if (how == 0)
        return be;
    be = how == 1 || how == 2 ? whole_grains(be) : (line_be_t){{0}};
    if (how != 1)
        be.w[at / 64] = (be.w[at / 64] & ~(all << at % 64)) | (how == 3 ? all : some) << at % 64;
    return be;
}
#endif
