/* The directory of a coherent slice: the line and its state in each way, and the order of use (docs/blocks/l2c.md). */
#include "sim_c/coherence/l2c.h"
#include "sim_c/coherence/l2c_state.h"

void l2c_last_level(l2c_t *s)
{
    s->clearing = s->sets = LLC_SETS;
    s->bits = HOST_BITS;
}

int l2c_find_way(const l2c_t *s, unsigned set, line_key_t key)
{
    for (uint32_t v = s->held[set]; v; v &= v - 1)
        if (s->key[set * L2_WAYS + (unsigned)__builtin_ctz(v)] == key)
            return __builtin_ctz(v);
    return -1;
}

int l2c_victim_of(const l2c_t *s, unsigned set)
{
    uint32_t free = L2_WAYS == 32 ? ~0u : (1u << L2_WAYS % 32) - 1;
    for (uint64_t v = s->valid & ~s->done; v; v &= v - 1) {
        uint32_t way = s->mshr[__builtin_ctzll(v)].row - set * L2_WAYS;
        if (way < L2_WAYS)
            free &= ~(1u << way);
    }
    if (free & ~s->held[set])
        return __builtin_ctz(free & ~s->held[set]);
    return l2_lru_oldest(s->age + set * L2_WAYS, free);
}

void l2c_become(l2c_t *s, unsigned set, unsigned way, unsigned state, ev_l2c_t *ev)
{
    uint8_t *was = &s->state[set * L2_WAYS + way];
    if (*was == state)
        return;
    ev->l2_moved = true;
    ev->l2_from = *was;
    ev->l2_to = (uint8_t)state;
    *was = (uint8_t)state;
    s->held[set] = (s->held[set] & ~(1u << way)) | (uint32_t)(state != NMOESI_I) << way;
}
