/* The kernel `probe`, as adverse as the seam allows: one instruction needs all its pages at once, and accesses that the space does not allow are tried between. */
#include "verif/sw/vm/board_state.h"

static int maybe_interrupt(void)
{
    if (!b.launch->interrupt || b.until-- > 0)
        return 0;
    b.until = below(b.launch->interrupt_every / 50 + 1);
    return ask(NULL, 0);
}

/* All accesses of one instruction: their pages must be mapped at the same time. */
static int together(unsigned core, unsigned warp, const uint64_t *va, const vl_access *access, unsigned n, uint64_t *pa,
                    vl_fault *fault)
{
    bool asked = true;
    for (unsigned round = 0; asked; round++) {
        asked = false;
        if (round > (b.disturbed ? ROUNDS_DISTURBED : ROUNDS))
            WRONG("an instruction of %u accesses never has all its pages", n);
        int e = maybe_interrupt();
        for (unsigned i = 0; i < n && !e; i++)
            e = translate(core, warp, va[i], access[i], &pa[i], &asked, fault);
        if (e)
            return e;
    }
    return 0;
}

int load_words(unsigned core, uint64_t va, uint32_t *to, unsigned n, vl_fault *fault)
{
    uint64_t pa;
    vl_access load_it = VL_ACCESS_LOAD;
    for (unsigned i = 0; i < n; i++) {
        int e = together(core, 0, &(uint64_t){va + 4 * i}, &load_it, 1, &pa, fault);
        if (e)
            return e;
        to[i] = load(core, va + 4 * i, pa);
    }
    return 0;
}

int warp_of(unsigned core, unsigned warp, uint64_t list, unsigned first, unsigned n, vl_fault *fault)
{
    probe q[WARP];
    uint64_t va[WARP], pa[WARP];
    vl_access access[WARP];
    int e = 0;
    for (unsigned i = 0; i < n && !e; i++)
        e = load_words(core, list + (first + i) * sizeof *q, (uint32_t *)(void *)&q[i], sizeof *q / 4, fault);
    uint64_t entry = b.launch->entry;
    if (!e)
        e = together(core, warp, &entry, &(vl_access){VL_ACCESS_FETCH}, 1, pa, fault);
    for (unsigned i = 0; i < n && !e; i++)
        va[i] = q[i].address, access[i] = q[i].kind == LOAD ? VL_ACCESS_LOAD : VL_ACCESS_STORE;
    if (!e)
        e = together(core, warp, va, access, n, pa, fault);
    for (unsigned i = 0; i < n && !e; i++) {
        if (q[i].kind == STORE) {
            store(core, va[i], pa[i], q[i].value);
            continue;
        }
        uint32_t was = load(core, va[i], pa[i]);
        if (q[i].kind == ADD)
            store(core, va[i], pa[i], was + q[i].value);
        q[i].value = was;
    }
    vl_access store_it = VL_ACCESS_STORE;
    for (unsigned i = 0; i < n && !e; i++) {
        uint64_t to = list + (first + i) * sizeof *q + offsetof(probe, value), at;
        if (q[i].kind != STORE && !(e = together(core, warp, &to, &store_it, 1, &at, fault)))
            store(core, to, at, q[i].value);
    }
    return e;
}

int pry(unsigned core, uint64_t near)
{
    uint64_t va = below(4) ? (near & ~(VL_PAGE - 1)) + below(64) * VL_PAGE - 32 * VL_PAGE : below(1ull << 47);
    vl_access access = (vl_access)below(3);
    if (vl_page_flags(b.rights(b.user, b.asid[core], va))
        & (access == VL_ACCESS_LOAD    ? PT_R
           : access == VL_ACCESS_STORE ? PT_W
                                       : PT_X))
        return 0;
    vl_fault f;
    uint64_t pa;
    bool asked = false;
    int e = translate(core, (unsigned)below(4), va & ~3ull, access, &pa, &asked, &f);
    if (!e)
        WRONG("an access of kind %u to %#llx of ASID %llu is let through", access, (ull)va, (ull)b.asid[core]);
    return e == VL_EFAULT ? 0 : e;
}
