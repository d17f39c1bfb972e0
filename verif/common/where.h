/* Where a line lies, for scoreboards: docs/memory-side.md taken apart digit by digit, with divisions instead of shifts and masks. It shares nothing with RTL or twin. */
#ifndef VERIF_WHERE_H
#define VERIF_WHERE_H
#include "vl_types.h"

typedef struct {
    unsigned channel;
    unsigned slice;      /* of all slices */
    uint64_t in_channel; /* number of the line in its channel: local_line */
    uint64_t in_slice;   /* number of the line in its slice */
} where_t;

static inline where_t where_is(uint64_t line)
{
    const uint64_t run = INTERLEAVE_BYTES / LINE_BYTES; /* lines of a channel's run */
    where_t w;
    w.channel = (unsigned)(line / run % CHANNELS);
    w.in_channel = line / (run * CHANNELS) * run + line % run;
    w.slice = w.channel * L2_SLICES + (unsigned)(w.in_channel % L2_SLICES);
    w.in_slice = w.in_channel / L2_SLICES;
    return w;
}
#endif
