/* The table of an SMD: state, tag and owner bits of each place, and which groups of 64 places may have bytes that their home does not have (docs/blocks/smd.md). */
#include "sim_c/coherence/smd_state.h"

void smd_set(smd_t *s, smd_edge_t *e, uint32_t place, unsigned state)
{
    smd_entry_t *t = &s->table[place];
    if (t->state != state) {
        e->ev.smd_moved = true;
        e->ev.smd_from = t->state;
        e->ev.smd_to = (uint8_t)state;
        t->state = state;
    }
    if (smd_dirty(state))
        s->some[place / 64 / 64] |= 1ull << place / 64 % 64;
}

void smd_clear(smd_t *s, smd_edge_t *e, uint64_t line)
{
    uint32_t place = smd_place(line);
    smd_set(s, e, place, NMOESI_I);
    s->table[place].tag = smd_tag(line);
    s->table[place].owner = (smd_lines_t){0};
}

bool smd_gives(const smd_entry_t *t)
{
    static const smd_lines_t none;
    return smd_dirty(t->state) || memcmp(&t->owner, &none, sizeof none);
}

bool smd_some(const smd_t *s, uint32_t place)
{
    return s->some[place / 64 / 64] >> place / 64 % 64 & 1;
}

void smd_forget_some(smd_t *s, uint32_t place)
{
    s->some[place / 64 / 64] &= ~(1ull << place / 64 % 64);
}
