/* The state of the board, and what all its parts ask of it: chance, memory, frames, the contents of pages. */
#include "verif/sw/vm/board_state.h"

struct board b;

uint64_t below(uint64_t n)
{
    return rng_u64(&b.r) % n;
}

uint8_t *memory(uint64_t pa)
{
    if (pa < b.store.base || pa >= b.store.limit)
        WRONG("physical address %#llx is outside of the memory", (ull)pa);
    return b.store.bytes + (pa - b.store.base);
}

frame *frame_of(uint64_t pa)
{
    (void)memory(pa);
    return &b.frames[(pa - b.store.base) / VL_PAGE];
}

uint64_t hash(const void *page)
{
    const uint64_t *p = page;
    uint64_t h = 1;
    for (unsigned i = 0; i < VL_PAGE / 8; i++)
        h = (h ^ p[i]) * 0x100000001b3ull, h ^= h >> 29;
    return h;
}

uint64_t hash_of(uint64_t pa)
{
    return hash(memory(pa & ~(VL_PAGE - 1)));
}

last *last_of(uint64_t asid, uint64_t va)
{
    for (uint64_t i = 0; i < b.n_lasts; i++)
        if (b.lasts[i].asid == asid && b.lasts[i].va == va)
            return &b.lasts[i];
    return NULL;
}
