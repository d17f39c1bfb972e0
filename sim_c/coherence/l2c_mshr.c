/* Lines that have been requested (docs/blocks/l2c.md); the requests that wait for them are in lists of l2_slice.h. */
#include "sim_c/coherence/l2c_state.h"

int l2c_awaited(const l2c_t *s, line_key_t key)
{
    for (uint64_t v = s->valid & ~s->done; v; v &= v - 1)
        if (s->mshr[__builtin_ctzll(v)].key == key)
            return __builtin_ctzll(v);
    return -1;
}

int l2c_new_mshr(const l2c_t *s)
{
    uint64_t free = ~s->valid & (L2_MSHRS == 64 ? ~0ull : (1ull << L2_MSHRS % 64) - 1);
    return free ? __builtin_ctzll(free) : -1;
}

l2_pool_t l2c_new_slot(l2c_t *s)
{
    unsigned h = 0;
    while (!~s->used[h])
        h++;
    const unsigned at = (unsigned)__builtin_ctzll(~s->used[h]);
    s->used[h] |= 1ull << at;
    return (l2_pool_t)(64 * h + at);
}
