/* The directory of a slice: the line in each way, and the order of use (docs/blocks/l2.md). */
#include "sim_c/cache/l2_state.h"

int l2_find_way(const l2_t *s, unsigned set, line_key_t key)
{
    for (uint32_t v = s->dvalid[set]; v; v &= v - 1)
        if (s->key[set * L2_WAYS + (unsigned)__builtin_ctz(v)] == key)
            return __builtin_ctz(v);
    return -1;
}

int l2_victim_of(const l2_t *s, unsigned set)
{
    uint32_t all = L2_WAYS == 32 ? ~0u : (1u << L2_WAYS % 32) - 1, free = all & ~s->dvalid[set];
    if (free)
        return __builtin_ctz(free);
    free = all;
    for (uint64_t v = s->valid & ~s->byp; v; v &= v - 1) {
        uint32_t way = s->mshr[__builtin_ctzll(v)].row - set * L2_WAYS;
        if (way < L2_WAYS)
            free &= ~(1u << way);
    }
    return l2_lru_oldest(s->age + set * L2_WAYS, free);
}

bool l2_maint_step(l2_t *s, uint32_t *flush)
{
    unsigned set = s->s1_row / L2_WAYS;
    int way = (int)(s->s1_row % L2_WAYS);
    if (!l2_maint_all(&s->maint)) {
        if (slice_of(s->s1_line) != s->slice)
            return false;
        set = l2_set_of(l2_key_at(s->s1_line));
        way = l2_find_way(s, set, l2_key_at(s->s1_line));
    }
    if (way < 0 || !(s->dvalid[set] >> way & 1))
        return false;
    uint32_t bit = 1u << way, row = set * L2_WAYS + (unsigned)way;
    bool dirty = s->dirty[set] & bit;
    s->dirty[set] &= ~bit;
    if (l2_maint_inval(&s->maint))
        s->dvalid[set] &= ~bit;
    *flush = row;
    return dirty;
}
