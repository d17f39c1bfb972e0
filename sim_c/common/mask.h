/* Masks: which bytes a cache has and its home has not, a bit for each grain of MASK_GRAIN bytes (docs/umh.md, Masks of four bytes; rtl/common/vellum_pkg.sv).
 * With a byte a grain a mask is a set of bytes, and nothing here costs anything. */
#ifndef VL_MASK_H
#define VL_MASK_H
#include "vl_types.h"

static inline bool bytes_none(const vl_bits_128 *be)
{
    return !(be->w[0] | be->w[1]);
}

#if MASK_W == LINE_BYTES
/* The grains of bytes. */
static inline line_mask_t mask_of(const vl_bits_128 *be)
{
    return *be;
}

/* The bytes of grains. */
static inline vl_bits_128 mask_bytes(const line_mask_t *mask)
{
    return *mask;
}

/* Some grain has a byte, and lacks one. */
static inline bool mask_partial(const vl_bits_128 *be)
{
    (void)be;
    return false;
}

static inline bool mask_none(const line_mask_t *mask)
{
    return bytes_none(mask);
}

static inline void mask_add(line_mask_t *to, const line_mask_t *mask)
{
    to->w[0] |= mask->w[0];
    to->w[1] |= mask->w[1];
}

/* The marks of these grains are written. */
static inline void mask_put(line_mask_t *to, const line_mask_t *grains, const line_mask_t *marks)
{
    for (unsigned w = 0; w < 2; w++)
        to->w[w] = (to->w[w] & ~grains->w[w]) | (marks->w[w] & grains->w[w]);
}
#else
_Static_assert(MASK_GRAIN == 4 && MASK_W == 32, "a grain is a byte or a word");

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

static inline line_mask_t mask_of(const vl_bits_128 *be)
{
    return mask_of_half(be->w[0]) | mask_of_half(be->w[1]) << 16;
}

static inline vl_bits_128 mask_bytes(const line_mask_t *mask)
{
    return (vl_bits_128){{mask_half_bytes(*mask), mask_half_bytes(*mask >> 16)}};
}

static inline bool mask_partial(const vl_bits_128 *be)
{
    const line_mask_t mask = mask_of(be);
    const vl_bits_128 all = mask_bytes(&mask);
    return all.w[0] != be->w[0] || all.w[1] != be->w[1];
}

static inline bool mask_none(const line_mask_t *mask)
{
    return !*mask;
}

static inline void mask_add(line_mask_t *to, const line_mask_t *mask)
{
    *to |= *mask;
}

static inline void mask_put(line_mask_t *to, const line_mask_t *grains, const line_mask_t *marks)
{
    *to = (*to & ~*grains) | (*marks & *grains);
}
#endif

/* The grains of bytes are added. */
static inline void mask_mark(line_mask_t *mask, const vl_bits_128 *be)
{
    const line_mask_t grains = mask_of(be);
    mask_add(mask, &grains);
}
#endif
