/* What the scoreboards of l2 and memside know of atomics: the datum in a line's bytes, and what a store-conditional meets. */
#ifndef VERIF_COMMON_ATOMICS_H
#define VERIF_COMMON_ATOMICS_H
#include <stdint.h>

/* Why a store-conditional did what it did; a name each, for coverage. */
enum { SC_OK, SC_NEVER, SC_HART, SC_LINE, SC_USED, SC_BROKEN, SC_CORE, SC_N };
#define SC_NAMES                                                                                            \
    "SC succeeds", "SC without an LR", "SC of another hart", "SC of another line", "SC after an SC",        \
        "SC after the line was written", "SC that its core makes fail"

static inline uint64_t datum_get(const uint8_t *p, unsigned size)
{
    uint64_t v = 0;
    for (unsigned i = size; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}
#endif
