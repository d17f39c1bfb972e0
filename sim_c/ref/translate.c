/* Address translation, in the order of the privileged specification ("Virtual Address Translation Process"). */
#include "sim_c/ref/translate.h"

enum {
    PAGE = 4096,
    PTE_BYTES = 8,
    VA_BITS = 48,
    V = 1 << 0,
    R = 1 << 1,
    W = 1 << 2,
    X = 1 << 3,
    U = 1 << 4,
    G = 1 << 5,
    A = 1 << 6,
    D = 1 << 7,
};
#define PPN_BITS 36 /* of physical addresses of 48 bits; bits 53:46 of a PTE would make them wider */
#define RESERVED (~0ull << (10 + PPN_BITS))

static bool in_window(const ref_space *space, uint64_t addr, uint64_t bytes)
{
    return addr >= space->base && addr < space->limit && space->limit - addr >= bytes;
}

ref_translation ref_translate(const ref_space *space, uint64_t va, ref_use use, ref_read_pte *read_pte, void *user)
{
    ref_translation t = {.verdict = REF_PAGE_FAULT};

    /* The address must be canonical: bits 63:48 as bit 47. */
    uint64_t above = va >> (VA_BITS - 1);
    if (above != 0 && above != ~0ull >> (VA_BITS - 1))
        return t;

    uint64_t table = space->root * PAGE, pte, size; /* size: of the page that a leaf at this level maps */
    unsigned level = REF_LEVELS - 1;
    for (;; level--) {
        /* 1. The PTE of this level. Its table may lie where there is no memory. */
        size = (uint64_t)PAGE << 9 * level;
        uint64_t addr = table + va / size % 512 * PTE_BYTES;
        if (!in_window(space, addr, PTE_BYTES)) {
            t.verdict = REF_ACCESS_FAULT;
            return t;
        }
        pte = read_pte(user, addr);
        t.read[t.reads].addr = addr;
        t.read[t.reads++].value = pte;

        /* 2. Not valid, or an encoding that is reserved. */
        if (!(pte & V) || (!(pte & R) && (pte & W)) || (pte & RESERVED))
            return t;
        t.global |= (pte & G) != 0;

        /* 3. A leaf ends the walk; a pointer has neither D, A nor U and is not at the last level. */
        if (pte & (R | X))
            break;
        if ((pte & (D | A | U)) || level == 0)
            return t;
        table = (pte >> 10) * PAGE;
    }

    /* 4. Do the rights permit this use? */
    static const uint64_t needs[] = {[REF_USE_LOAD] = R, [REF_USE_STORE] = W, [REF_USE_FETCH] = X};
    if (!(pte & U))
        return t;
    if (!(pte & needs[use]))
        return t;
    uint64_t frame = (pte >> 10) * PAGE;
    if (frame % size) /* a misaligned superpage */
        return t;
    if (!(pte & A) || (use == REF_USE_STORE && !(pte & D))) /* Svade: software sets them */
        return t;

    /* 5. All of the page must be memory. */
    if (!in_window(space, frame, size)) {
        t.verdict = REF_ACCESS_FAULT;
        return t;
    }
    t.verdict = REF_TRANSLATED;
    t.pa = frame + va % size;
    t.level = level;
    return t;
}
