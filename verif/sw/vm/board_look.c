/* A look at all tables as they stand in memory: the use of each frame must follow from its use before. */
#include "verif/sw/vm/board_state.h"

static void hold(uint64_t pa, enum use use, uint64_t asid, uint64_t va, uint64_t flags)
{
    frame *f = frame_of(pa);
    if (pa >= VL_SPAD_BASE && pa < VL_SPAD_BASE + VL_SPAD_MAX)
        WRONG("frame %#llx lies in the scratchpad's addresses", (ull)pa);
    if (f->look == b.look)
        WRONG("frame %#llx is used twice: %s %#llx of ASID %llu, %s %#llx of ASID %llu", (ull)pa,
              f->use == PAGE ? "page" : "table of", (ull)f->va, (ull)f->asid, use == PAGE ? "page" : "table of",
              (ull)va, (ull)asid);
    bool same = f->use == use && f->asid == asid && f->va == va, known = b.look == 1;
    if (!same && !known && b.running && f->use != WRITTEN)
        WRONG("frame %#llx becomes %s %#llx without having been written whole for it", (ull)pa,
              use == PAGE ? "page" : "table of", (ull)va);
    if (f->use == NOBODY || known)
        b.held[b.n_held++] = (pa - b.store.base) / VL_PAGE;
    if (use == PAGE) {
        uint64_t more = same ? flags & ~f->flags : flags;
        bool its = b.asking && asid == b.asked_asid && va == b.asked_va;
        if (!known && b.demand && b.running && more & (PT_V | PT_A) && !its)
            WRONG("page %#llx of ASID %llu gets flags %#llx, but %#llx of ASID %llu is asked for", (ull)va, (ull)asid,
                  (ull)more, (ull)b.asked_va, (ull)b.asked_asid);
        if (!known && b.demand && more & PT_D && (!its || b.asked != VL_ACCESS_STORE))
            WRONG("page %#llx of ASID %llu gets D without a store", (ull)va, (ull)asid);
        const last *was = same || known ? NULL : last_of(asid, va);
        if (was && was->hash != hash_of(pa))
            WRONG("page %#llx of ASID %llu comes back with other contents than it left with", (ull)va, (ull)asid);
        if (!same && !known && its && b.has_home && b.home != hash_of(pa))
            WRONG("page %#llx of ASID %llu comes in with other contents than the host sees", (ull)va, (ull)asid);
        b.saw.came += !same && !known;
        if (!same && !known && its)
            b.arrivals[f - b.frames] = (arrival){asid, va, ++b.n_arrivals};
        f->flags = (uint8_t)flags;
    }
    if (!same)
        f->stored = f->read = false;
    f->use = use, f->asid = asid, f->va = va, f->look = b.look;
}

static void look_at(uint64_t table, unsigned level, uint64_t asid, uint64_t va)
{
    hold(table, TABLE, asid, va, 0);
    const uint64_t *pte = (const uint64_t *)(const void *)memory(table);
    for (uint64_t i = 0; i < PT_ENTRIES; i++) {
        uint64_t x = pte[i], at = va + i * pt_page_bytes(level), pages = 1ull << 9 * level;
        if (!(x & PT_V))
            continue;
        if (level == 3 && i >= 256)
            at |= ~0ull << 48;
        if (!(x & RWX)) {
            if (level == 0 || x & (PT_A | PT_D | PT_U | PT_G))
                WRONG("the entry of %#llx, %#llx, is neither a pointer nor a leaf", (ull)at, (ull)x);
            look_at(pt_frame(x), level - 1, asid, at);
            continue;
        }
        if (level == 3 || (x & (PT_U | PT_G)) != PT_U || (x & (PT_R | PT_W)) == PT_W || x >> 46)
            WRONG("the leaf of %#llx is %#llx", (ull)at, (ull)x);
        for (uint64_t k = 0; k < pages; k++) {
            unsigned may = vl_page_flags(b.rights(b.user, asid, at + k * VL_PAGE)) & RWX;
            if (x & RWX & ~may)
                WRONG("page %#llx of ASID %llu has flags %#llx, its rights are %#x", (ull)(at + k * VL_PAGE), (ull)asid,
                      (ull)x, may);
            hold(pt_frame(x) + k * VL_PAGE, PAGE, asid, at + k * VL_PAGE, x & PT_FLAGS);
        }
        b.leaves += pages;
    }
}

void look(void)
{
    uint64_t n = b.n_held;
    b.look++;
    b.leaves = 0;
    b.saw.steps++;
    for (unsigned s = 0; s < b.n_spaces; s++)
        look_at(b.space_root[s] * VL_PAGE, 3, b.space_asid[s], 0);
    for (uint64_t i = 0; i < b.n_held; i++)
        b.leaves += b.frames[b.held[i]].use == HIDDEN;
    if (b.limit && b.leaves > b.limit)
        WRONG("%llu pages are in frames, the limit is %llu", (ull)b.leaves, (ull)b.limit);
    for (uint64_t i = 0; i < n; i++) { /* frames that are no longer found */
        frame *f = &b.frames[b.held[i]];
        if (f->look == b.look)
            continue;
        f->use = f->use == PAGE ? UNMAPPED : f->use == TABLE ? TABLE_GONE : f->use;
    }
}

void nothing_is_left_over(void)
{
    for (uint64_t i = 0; i < b.n_held; i++) {
        frame *f = &b.frames[b.held[i]];
        uint64_t pa = b.store.base + b.held[i] * VL_PAGE;
        if (f->use == WRITTEN)
            WRONG("frame %#llx was filled, but no page is mapped there", (ull)pa);
        if (f->use == UNMAPPED)
            WRONG("page %#llx of ASID %llu was unmapped without a shootdown", (ull)f->va, (ull)f->asid);
        if (f->use == GONE && f->stored && !f->read)
            WRONG("page %#llx of ASID %llu went, and what was stored there is lost", (ull)f->va, (ull)f->asid);
    }
}
