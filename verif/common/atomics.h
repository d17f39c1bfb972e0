/* Atomics for benches: the datum in a line's bytes, its value after an atomic, and the cases of a store-conditional. */
#ifndef VERIF_COMMON_ATOMICS_H
#define VERIF_COMMON_ATOMICS_H
#include <stdbool.h>
#include <stdint.h>
#include "vl_types.h"

/* The cause of a store-conditional's result; a name each, for coverage. */
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

/* The value after an atomic on `size` bytes, from `m` in memory and the operand v; SWAP, CAS and SC leave v. The caller decides whether it stores at all. */
static inline uint64_t amo_value(unsigned amo, unsigned size, uint64_t m, uint64_t v)
{
    const unsigned up = 64 - 8 * size; /* so that a word compares as a doubleword does */
    const bool less = (int64_t)(m << up) < (int64_t)(v << up), below = m << up < v << up;
    switch (amo) {
    case AMO_ADD: v += m; break;
    case AMO_XOR: v ^= m; break;
    case AMO_AND: v &= m; break;
    case AMO_OR: v |= m; break;
    case AMO_MIN: v = less ? m : v; break;
    case AMO_MAX: v = less ? v : m; break;
    case AMO_MINU: v = below ? m : v; break;
    case AMO_MAXU: v = below ? v : m; break;
    default: break;
    }
    return v & ~0ull >> up;
}
#endif
