/* An atomic, as rtl/cache/l2_amo.sv performs it. */
#ifndef VL_L2_AMO_H
#define VL_L2_AMO_H
#include "vl_types.h"

typedef struct {
    uint64_t image, put; /* the answer and the value to store, each in both halves of the doubleword if it is a word */
    bool stores;
} l2_amo_t;
/* `dword`: the aligned doubleword at amo_off. `reserved`: its source has the reservation of an SC. */
l2_amo_t l2_amo_perform(const mem_req_t *r, uint64_t dword, bool reserved);

static inline void l2_amo_store(line_data_t *line, const mem_req_t *r, uint64_t put)
{
    uint64_t *to = &line->w[r->amo_off / 8];
    uint64_t m = r->amo_dword ? ~0ull : r->amo_off & 4 ? 0xffffffffull << 32 : 0xffffffffull;
    *to = (*to & ~m) | (put & m);
}

/* An atomic that has been performed, at an edge: it stores as soon as the write port of the data RAM is free (`may`), and leaves when it has also been answered. */
static inline bool l2_amo_leaves(const l2_amo_t *a, const mem_req_t *r, bool answered, bool may, bool *wrote,
                                 line_data_t *line)
{
    if (a->stores && !*wrote && may) {
        l2_amo_store(line, r, a->put);
        *wrote = true;
    }
    return answered && (!a->stores || *wrote);
}

/* The bytes of its operand, as bits of its half of the line's byte mask. */
static inline uint64_t l2_amo_bytes(const mem_req_t *r)
{
    return (r->amo_dword ? 0xffull : 0xfull) << r->amo_off % 64;
}
#endif
