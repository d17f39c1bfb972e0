/* Sets of the bytes of a line (line_be_t): words, two or one (line_bytes = 128 or 64). */
#ifndef VL_LINE_BE_H
#define VL_LINE_BE_H
#include "vl_types.h"

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

static inline void be_add(line_be_t *to, const line_be_t *more)
{
    for (unsigned w = 0; w < BE_WORDS; w++)
        to->w[w] |= more->w[w];
}
#endif
