/* The host's operations on memory while a kernel runs: writes, reads and shootdowns, each checked. */
#include <stdlib.h>

#include "verif/sw/vm/board_state.h"

int host_write(void *self, uint64_t addr, const void *data, uint64_t bytes, vl_error *err)
{
    (void)self, (void)err;
    frame *f = frame_of(addr);
    uint64_t pa = addr & ~(VL_PAGE - 1);
    if (!b.running)
        WRONG("the host writes %#llx through the host port, but no kernel runs", (ull)addr);
    if (f->use == PAGE || f->use == UNMAPPED)
        WRONG("frame %#llx is written, but page %#llx of ASID %llu %s", (ull)pa, (ull)f->va, (ull)f->asid,
              f->use == PAGE ? "is mapped there" : "has not been shot down");
    if (f->use == TABLE_GONE)
        WRONG("frame %#llx is written, but a walker may still read the table of %#llx there", (ull)pa, (ull)f->va);
    if (f->use == WRITTEN)
        WRONG("frame %#llx is written twice before anything is there: a page that comes in has lost its frame",
              (ull)pa);
    if (f->use == HIDDEN || (f->use == GONE && f->stored && !f->read))
        WRONG("page %#llx of ASID %llu went, and what was stored there is lost", (ull)f->va, (ull)f->asid);
    for (unsigned i = 0; i < ENTRIES; i++)
        if (b.kept[i].valid && b.kept[i].pa == pa)
            WRONG("frame %#llx is written, but the machine still has page %#llx of ASID %llu there", (ull)pa,
                  (ull)b.kept[i].va, (ull)b.kept[i].asid);
    memcpy(memory(addr), data, bytes);
    if (f->use != TABLE) {
        if (bytes != VL_PAGE || addr != pa)
            WRONG("%llu bytes at %#llx are written, where there is no table", (ull)bytes, (ull)addr);
        b.saw.again += f->use == GONE;
        if (f->use == NOBODY)
            b.held[b.n_held++] = (pa - b.store.base) / VL_PAGE;
        f->use = WRITTEN;
    } else if (bytes % 8 || addr % 8) {
        WRONG("a part of an entry is written at %#llx", (ull)addr);
    }
    look();
    return 0;
}

int host_read(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err)
{
    (void)self, (void)err;
    frame *f = frame_of(addr);
    if (!b.running)
        WRONG("the host reads %#llx through the host port, but no kernel runs", (ull)addr);
    if (f->use == WRITTEN)
        WRONG("frame %#llx is read: a page goes that is just coming in", (ull)addr);
    if (f->use == PAGE || f->use == UNMAPPED)
        WRONG("page %#llx of ASID %llu is copied home, but it %s", (ull)f->va, (ull)f->asid,
              f->use == PAGE ? "is mapped" : "has not been shot down");
    if (f->use == HIDDEN)
        f->use = GONE;
    if (f->use != GONE || bytes != VL_PAGE || addr % VL_PAGE)
        WRONG("the host reads %llu bytes at %#llx, where no page went", (ull)bytes, (ull)addr);
    memcpy(data, memory(addr), bytes);
    f->read = true;
    b.saw.written++;
    return 0;
}

static bool concerns(vl_scope scope, uint64_t asid, uint64_t va, uint64_t its_asid, uint64_t its_va)
{
    return scope == VL_INV_ALL || (asid == its_asid && (scope == VL_INV_ASID || (va ^ its_va) < VL_PAGE));
}

int host_invalidate(void *self, vl_scope scope, uint16_t asid, uint64_t va, vl_error *err)
{
    (void)self, (void)err;
    for (unsigned i = 0; i < b.n_late;)
        if (concerns(scope, asid, va, b.late[i].asid, b.late[i].va))
            perform(i), b.saw.late++;
        else
            i++;
    for (unsigned i = 0; i < ENTRIES; i++)
        if (b.kept[i].valid && concerns(scope, asid, va, b.kept[i].asid, b.kept[i].va))
            b.kept[i].valid = false;
    for (uint64_t i = 0; b.running && i < b.n_held; i++) {
        frame *f = &b.frames[b.held[i]];
        uint64_t pa = b.store.base + b.held[i] * VL_PAGE;
        if (f->use == TABLE_GONE && (scope == VL_INV_ALL || f->asid == asid)) {
            f->use = NOBODY;
            b.held[i--] = b.held[--b.n_held];
        } else if (f->use == UNMAPPED && concerns(scope, asid, va, f->asid, f->va)) {
            f->use = GONE;
            f->read = false;
            b.saw.left++;
            first_out(f);
            last *x = last_of(f->asid, f->va);
            if (!x && b.n_lasts == b.room_lasts)
                b.lasts = realloc(b.lasts, (b.room_lasts = 2 * b.room_lasts + 64) * sizeof *x);
            if (!x)
                x = &b.lasts[b.n_lasts++];
            *x = (last){f->asid, f->va, hash_of(pa)};
        }
    }
    if (b.running)
        look();
    return 0;
}

int host_fill(void *self, uint64_t addr, uint8_t byte, uint64_t bytes, vl_error *err)
{
    (void)self, (void)addr, (void)byte, (void)bytes, (void)err;
    WRONG("the host fills memory through the host port");
    return VL_EINVAL;
}
