/* The key of a line, which a cache compares: the twin of vellum_pkg's line_key_t (docs/memory-map.md). With caches = physical it is the line address. */
#ifndef VL_LINE_KEY_H
#define VL_LINE_KEY_H
#include "vl_types.h"

typedef uint64_t line_key_t;
_Static_assert(KEY_W <= 64, "a key is a word");

static inline line_key_t key_of(uint64_t line, unsigned asid, unsigned space)
{
    const line_key_t more = (line_key_t)space << ASID_W | asid;
    return KEY_W == LINE_ADDR_W ? line : more << LINE_ADDR_W % 64 | line;
}

static inline uint64_t key_line(line_key_t key)
{
    return key & ((1ull << LINE_ADDR_W) - 1);
}
#endif
