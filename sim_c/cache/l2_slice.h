/* What every kind of L2 slice has (docs/blocks/l2.md, l2c.md): sizes, places of lines, the bytes of a line. */
#ifndef VL_L2_SLICE_H
#define VL_L2_SLICE_H
#include "sim_c/common/line_be.h"
#include "sim_c/common/line_key.h"
#include "sim_c/common/memory_map.h"
#include <string.h>

#define L2_ROWS (L2_BYTES / LINE_BYTES)
#define L2_SETS (L2_ROWS / L2_WAYS)
#define L2_QDEPTH (L2_LATENCY - 2)
enum {
    MAX_L2_ROWS = MAX_L2_BYTES / LINE_BYTES,
#ifdef AT_RUN_TIME
    L2_LEAST_WAYS = 1,
#else
    L2_LEAST_WAYS = L2_WAYS,
#endif
    MAX_L2_SETS = MAX_L2_ROWS / L2_LEAST_WAYS,
    MAX_L2_QDEPTH = MAX_L2_LATENCY - 2,
    L2_POOL = MAX_L2_QDEPTH + 3 + MAX_L2_TARGETS /* requests inside */
};
typedef uint16_t l2_pool_t; /* place in the pool of requests */
_Static_assert(MAX_L2_WAYS <= 32 && L2_MSHRS <= 64 && SOURCES <= 128, "masks");

/* Lines that are asked for are physical. */
static inline line_key_t l2_key_at(uint64_t line)
{
    return key_of(line, 0, SPACE_PHYSICAL);
}

static inline unsigned l2_set_of(line_key_t key)
{
    return (unsigned)number_of(key_line(key)) & (L2_SETS - 1);
}

/* The requests that wait for a line, a list for each MSHR, in the order in which they came. */
typedef struct {
    uint64_t waiting; /* lists that are not empty, a bit each */
    unsigned targets; /* target entries in use, over all lists */
    l2_pool_t first[L2_MSHRS], last[L2_MSHRS], next[L2_POOL];
} l2_lists_t;

static inline void l2_list_append(l2_lists_t *l, unsigned k, l2_pool_t slot)
{
    if (l->waiting >> k & 1)
        l->next[l->last[k]] = slot;
    else
        l->first[k] = slot;
    l->last[k] = slot;
    l->waiting |= 1ull << k;
    l->targets++;
}

static inline l2_pool_t l2_list_take(l2_lists_t *l, unsigned k)
{
    const l2_pool_t slot = l->first[k];
    if (slot == l->last[k])
        l->waiting &= ~(1ull << k);
    else
        l->first[k] = l->next[slot];
    l->targets--;
    return slot;
}
#endif
