/* Which L2 slice has a line: the twin of memside_pkg's slice_of (docs/memory-side.md). */
#ifndef VL_SLICE_OF_H
#define VL_SLICE_OF_H
#include "vl_types.h"

/* The channel's own number of a line: the line address without the channel bits. */
static inline uint64_t local_line(uint64_t line)
{
    return line >> (ILV_W + CHANNEL_BITS) << ILV_W | (line & ((1ull << ILV_W) - 1));
}

static inline unsigned slice_of(uint64_t line)
{
    unsigned channel = (unsigned)(line >> ILV_W) & (CHANNELS - 1);
    return channel << SUB_BITS | ((unsigned)local_line(line) & (L2_SLICES - 1));
}
#endif
