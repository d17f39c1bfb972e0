/* Stores are performed late: when a shootdown or a load asks for it, when there is no room for more, or at some time. */
#include "verif/sw/vm/board_state.h"

void perform(unsigned i)
{
    const late_store *s = &b.late[i];
    frame *f = frame_of(s->pa);
    if (b.running && f->use != PAGE && f->use != UNMAPPED)
        WRONG("a store to %#llx of ASID %llu is performed in a frame that is no page any more", (ull)s->va,
              (ull)s->asid);
    memcpy(memory(s->pa), &s->value, 4);
    f->stored = true;
    memmove(&b.late[i], &b.late[i + 1], (--b.n_late - i) * sizeof *s);
}

static void perform_page(uint64_t asid, uint64_t va)
{
    for (unsigned i = 0; i < b.n_late;)
        if (b.late[i].asid == asid && (b.late[i].va ^ va) < VL_PAGE)
            perform(i);
        else
            i++;
}

uint32_t load(unsigned core, uint64_t va, uint64_t pa)
{
    uint32_t v;
    perform_page(b.asid[core], va);
    memcpy(&v, memory(pa), 4);
    return v;
}

void store(unsigned core, uint64_t va, uint64_t pa, uint32_t value)
{
    if (b.n_late == LATE)
        perform(0);
    b.late[b.n_late++] = (late_store){b.asid[core], va, pa, value};
}
