/* Sets of the bytes of a line (line_be_t): words, two or one (line_bytes = 128 or 64). */
#ifndef VL_LINE_BE_H
#define VL_LINE_BE_H
#include "vl_types.h"
#include <string.h>

enum { BE_WORDS = LINE_BYTES / 64 };

static inline line_be_t be_all(void)
{
    line_be_t all;
    for (unsigned w = 0; w < BE_WORDS; w++)
        all.w[w] = ~0ull;
    return all;
}

static inline bool be_none(const line_be_t *be)
{
    uint64_t some = 0;
    for (unsigned w = 0; w < BE_WORDS; w++)
        some |= be->w[w];
    return !some;
}

static inline bool be_whole(const line_be_t *be)
{
    uint64_t every = ~0ull;
    for (unsigned w = 0; w < BE_WORDS; w++)
        every &= be->w[w];
    return !~every;
}

static inline bool be_has(const line_be_t *be, unsigned byte)
{
    return be->w[byte / 64] >> byte % 64 & 1;
}

/* a has a byte that b has not. */
static inline bool be_beyond(const line_be_t *a, const line_be_t *b)
{
    uint64_t some = 0;
    for (unsigned w = 0; w < BE_WORDS; w++)
        some |= a->w[w] & ~b->w[w];
    return some;
}

static inline void be_add(line_be_t *to, const line_be_t *more)
{
    for (unsigned w = 0; w < BE_WORDS; w++)
        to->w[w] |= more->w[w];
}

/* Bits 0..7 as the bytes of a word. */
static inline uint64_t be_word(unsigned bits)
{
    uint64_t one = (bits & 0xff) * 0x0101010101010101ull & 0x8040201008040201ull;
    return ((one + 0x7f7f7f7f7f7f7f7full) >> 7 & 0x0101010101010101ull) * 255;
}

/* The bytes of `be` (each bit inverted by `invert`) go from one line to another. */
static inline void be_put(line_data_t *to, const line_data_t *from, const line_be_t *be, uint64_t invert)
{
    for (unsigned h = 0; h < BE_WORDS; h++) {
        uint64_t b = be->w[h] ^ invert;
        if (!~b) {
            memcpy(to->w + 8 * h, from->w + 8 * h, 64);
            continue;
        }
        for (unsigned w = 8 * h; b; w++, b >>= 8) {
            uint64_t m = be_word((unsigned)b);
            to->w[w] = (to->w[w] & ~m) | (from->w[w] & m);
        }
    }
}
#endif
