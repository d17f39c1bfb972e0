/* Which page may go for the one that is asked for: shares of kernels that run at once (D8), and the order of evict=fifo (D5). */
#include "verif/sw/vm/board_state.h"

/* 0: its arrival was not seen. */
static uint64_t arrival_of(const frame *f)
{
    const arrival *a = &b.arrivals[f - b.frames];
    return a->asid == f->asid && a->va == f->va ? a->n : 0;
}

static bool in_frame(const frame *f)
{
    return f->use == PAGE || f->use == HIDDEN;
}

/* Pages of an address space in frames, with the one that has just gone. */
static uint64_t pages_of(uint64_t asid, const frame *gone)
{
    uint64_t n = gone->asid == asid;
    for (uint64_t i = 0; i < b.n_held; i++)
        n += in_frame(&b.frames[b.held[i]]) && b.frames[b.held[i]].asid == asid;
    return n;
}

/* D8: may a page of this address space go for the one that is asked for? */
static bool may_go(uint64_t asid, const frame *gone)
{
    if (!b.share)
        return true;
    if (pages_of(b.asked_asid, gone) >= b.share)
        return asid == b.asked_asid;
    bool works = false;
    for (unsigned c = 0; c < CORES; c++)
        works |= b.at_work[c] == asid;
    return !works || pages_of(asid, gone) > b.share;
}

void first_out(const frame *f)
{
    const uint64_t n = arrival_of(f);
    if (b.disturbed || !b.asking)
        return;
    const bool may = may_go(f->asid, f);
    for (uint64_t i = 0; i < b.n_held; i++) {
        const frame *other = &b.frames[b.held[i]];
        if (!in_frame(other) || (may && !may_go(other->asid, f)))
            continue;
        if (!may && may_go(other->asid, f))
            WRONG("page %#llx of ASID %llu goes for one of ASID %llu, but shares of %llu frames are for a page of "
                  "ASID %llu to go",
                  (ull)f->va, (ull)f->asid, (ull)b.asked_asid, (ull)b.share, (ull)other->asid);
        if (b.fifo && arrival_of(other) < n)
            WRONG("page %#llx of ASID %llu goes, but %#llx of ASID %llu came before it", (ull)f->va, (ull)f->asid,
                  (ull)other->va, (ull)other->asid);
    }
}
