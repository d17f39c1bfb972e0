/* Lines that are awaited, and the requests that wait for them (docs/blocks/l2c.md). */
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

void l2c_append(l2c_t *s, unsigned k, l2c_pool_t slot)
{
    l2c_mshr_t *m = &s->mshr[k];
    if (s->waiting >> k & 1)
        s->next[m->last] = slot;
    else
        m->first = slot;
    m->last = slot;
    s->waiting |= 1ull << k;
    s->targets++;
}

l2c_pool_t l2c_first(l2c_t *s, unsigned k)
{
    l2c_mshr_t *m = &s->mshr[k];
    l2c_pool_t slot = m->first;
    if (slot == m->last)
        s->waiting &= ~(1ull << k);
    else
        m->first = s->next[slot];
    s->targets--;
    return slot;
}
