/* Masks: which bytes a cache has and its home has not, a bit for each grain of MASK_GRAIN bytes (docs/umh.md, Masks of four bytes; rtl/common/vellum_pkg.sv).
 * With a byte a grain a mask is a set of bytes, and nothing here costs anything. */
#ifndef VL_MASK_H
#define VL_MASK_H
#include "sim_c/common/line_be.h"
#include <string.h>

#if MASK_W >= 64 /* a bit a byte */
_Static_assert(MASK_GRAIN == 1, "a grain is a byte or a word");

/* The grains of bytes. */
static inline line_mask_t mask_of(const line_be_t *be)
{
    return *be;
}

/* The bytes of grains. */
static inline line_be_t mask_bytes(const line_mask_t *mask)
{
    return *mask;
}

/* Some grain has a byte, and lacks one. */
static inline bool mask_partial(const line_be_t *be)
{
    (void)be;
    return false;
}

static inline bool mask_none(const line_mask_t *mask)
{
    return be_none(mask);
}

static inline void mask_add(line_mask_t *to, const line_mask_t *mask)
{
    be_add(to, mask);
}

/* The marks of these grains are written. */
static inline void mask_put(line_mask_t *to, const line_mask_t *grains, const line_mask_t *marks)
{
    for (unsigned w = 0; w < BE_WORDS; w++)
        to->w[w] = (to->w[w] & ~grains->w[w]) | (marks->w[w] & grains->w[w]);
}
#else
_Static_assert(MASK_GRAIN == 4, "a grain is a byte or a word");

/* Bit g: some of bits 4g to 4g + 3. */
static inline uint32_t mask_of_half(uint64_t b)
{
    b |= b >> 1;
    b |= b >> 2;
    b &= 0x1111111111111111;
    b = (b | b >> 3) & 0x0303030303030303;
    b = (b | b >> 6) & 0x000f000f000f000f;
    b = (b | b >> 12) & 0x000000ff000000ff;
    return (uint32_t)(b | b >> 24) & 0xffff;
}

/* Bits 4g to 4g + 3: bit g of 16. */
static inline uint64_t mask_half_bytes(uint32_t mask)
{
    uint64_t b = mask & 0xffff;
    b = (b | b << 24) & 0x000000ff000000ff;
    b = (b | b << 12) & 0x000f000f000f000f;
    b = (b | b << 6) & 0x0303030303030303;
    b = (b | b << 3) & 0x1111111111111111;
    return 15 * b;
}

static inline line_mask_t mask_of(const line_be_t *be)
{
    line_mask_t mask = 0;
    for (unsigned w = 0; w < BE_WORDS; w++)
        mask = (line_mask_t)(mask | mask_of_half(be->w[w]) << 16 * w);
    return mask;
}

static inline line_be_t mask_bytes(const line_mask_t *mask)
{
    line_be_t be;
    for (unsigned w = 0; w < BE_WORDS; w++)
        be.w[w] = mask_half_bytes((uint32_t)*mask >> 16 * w);
    return be;
}

static inline bool mask_partial(const line_be_t *be)
{
    const line_mask_t mask = mask_of(be);
    const line_be_t all = mask_bytes(&mask);
    return memcmp(&all, be, sizeof all) != 0;
}

static inline bool mask_none(const line_mask_t *mask)
{
    return !*mask;
}

static inline void mask_add(line_mask_t *to, const line_mask_t *mask)
{
    *to = (line_mask_t)(*to | *mask);
}

static inline void mask_put(line_mask_t *to, const line_mask_t *grains, const line_mask_t *marks)
{
    *to = (line_mask_t)((*to & ~*grains) | (*marks & *grains));
}
#endif

/* The grains of bytes are added. */
static inline void mask_mark(line_mask_t *mask, const line_be_t *be)
{
    const line_mask_t grains = mask_of(be);
    mask_add(mask, &grains);
}
#endif
