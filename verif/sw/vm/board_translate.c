/* Translation: a translation that the board keeps stays until a shootdown removes it, and the host is asked for those missing in the tables. */
#include "verif/sw/vm/board_state.h"

/* The translation of the tables now; false: none. */
static bool walk(uint64_t root, uint64_t va, uint64_t *pa, uint64_t *flags)
{
    uint64_t table = root * VL_PAGE;
    for (unsigned level = 4; level-- > 0;) {
        uint64_t pte = ((const uint64_t *)(const void *)memory(table))[va / pt_page_bytes(level) % PT_ENTRIES];
        if (!(pte & PT_V))
            return false;
        table = pt_frame(pte);
        if (!(pte & RWX))
            continue;
        *pa = table + va % pt_page_bytes(level);
        *flags = pte & PT_FLAGS;
        return true;
    }
    return false;
}

static bool allows(uint64_t flags, vl_access access)
{
    unsigned need = access == VL_ACCESS_LOAD    ? PT_R | PT_A
                    : access == VL_ACCESS_STORE ? PT_W | PT_A | PT_D
                                                : PT_X | PT_A;
    return (flags & need) == need;
}

uint64_t root_of(uint64_t asid)
{
    for (unsigned s = 0; s < b.n_spaces; s++)
        if (b.space_asid[s] == asid)
            return b.space_root[s];
    WRONG("a translation of ASID %llu, which no space has, is left", (ull)asid);
    return 0;
}

void nothing_is_stale(const char *when)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        const translation *t = &b.kept[i];
        uint64_t pa, flags;
        if (t->valid && (!walk(root_of(t->asid), t->va, &pa, &flags) || pa != t->pa || t->flags & ~flags))
            WRONG("%s, the machine still has page %#llx of ASID %llu as it was: no shootdown", when, (ull)t->va,
                  (ull)t->asid);
    }
}

int ask(const vl_page_fault *f, uint64_t asid)
{
    b.asking = f != NULL;
    if (f)
        b.asked_asid = asid, b.asked_va = f->address & ~(VL_PAGE - 1), b.asked = f->access;
    /* A1: the host has it at the same address */
    b.has_home = f && b.asked_va >> 45 && b.rights(b.user, asid, b.asked_va);
    if (b.has_home)
        b.home = hash((const void *)(uintptr_t)b.asked_va);
    int e =
        f ? b.launch->page_fault(b.launch->memory_user, f, b.err) : b.launch->interrupt(b.launch->memory_user, b.err);
    look();
    nothing_is_stale(f ? "after a page fault" : "after an interrupt");
    nothing_is_left_over();
    b.asking = false;
    return e;
}

static bool may(uint64_t asid, uint64_t va, vl_access access)
{
    static const unsigned needs[] = {[VL_ACCESS_LOAD] = PT_R, [VL_ACCESS_STORE] = PT_W, [VL_ACCESS_FETCH] = PT_X};
    return b.demand && vl_page_flags(b.rights(b.user, asid, va)) & needs[access];
}

int translate(unsigned core, unsigned warp, uint64_t va, vl_access access, uint64_t *pa, bool *asked, vl_fault *fault)
{
    static const uint32_t causes[] = {[VL_ACCESS_LOAD] = VL_FAULT_LOAD_PAGE,
                                      [VL_ACCESS_STORE] = VL_FAULT_STORE_PAGE,
                                      [VL_ACCESS_FETCH] = VL_FAULT_FETCH_PAGE};
    uint64_t asid = b.asid[core], page = va & ~(VL_PAGE - 1), flags = 0, at = 0;
    translation *mine = NULL;
    for (unsigned i = 0; i < ENTRIES; i++)
        if (b.kept[i].valid && b.kept[i].asid == asid && b.kept[i].va == page)
            mine = &b.kept[i];
    if (mine && allows(mine->flags, access)) {
        *pa = mine->pa + va % VL_PAGE;
        return 0;
    }
    bool canonical = va >> 47 == 0 || va >> 47 == (1u << 17) - 1,
         there = canonical && walk(b.root[core], page, &at, &flags);
    if (there && allows(flags, access)) {
        if (!mine)
            mine = &b.kept[below(ENTRIES)];
        *mine = (translation){true, asid, page, at, (uint8_t)flags};
        *pa = at + va % VL_PAGE;
        return 0;
    }
    vl_page_fault f = {.cause = causes[access],
                       .access = access,
                       .address = va,
                       .pc = b.launch->entry,
                       .core = core,
                       .warp = warp,
                       .threads = 1};
    bool right = canonical && may(asid, va, access);
    int e = canonical ? ask(&f, asid) : VL_EFAULT;
    if (e && e != VL_EFAULT)
        return e;
    if ((e == 0) != right)
        WRONG("an access of kind %u to %#llx of ASID %llu is %s", access, (ull)va, (ull)asid,
              e ? "refused" : "not refused");
    *asked = true;
    if (e) {
        b.saw.refused++;
        *fault = (vl_fault){.cause = f.cause, .value = va, .pc = f.pc, .core = core, .warp = warp, .mask = 1};
        return e;
    }
    if (b.disturbed)
        return 0;
    if (!walk(b.root[core], page, &at, &flags) || !allows(flags, access))
        WRONG("the host has brought in page %#llx of ASID %llu, and it is not there", (ull)page, (ull)asid);
    f.warp = (warp + 1) % b.d->env.warps;
    if (below(8) == 0 && ask(&f, asid)) /* two at the same page */
        WRONG("the second fault at page %#llx of ASID %llu is refused", (ull)page, (ull)asid);
    return 0;
}
