/* Physical memory as a space sees it: bytes, the frames of its page tables, and shootdowns. Numbers in comments are those of docs/host-memory.md. */
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/memory.h"
#include "sw/runtime/space.h"

/* ---- physical memory (S3, P2) ---- */

int vl_physical_write(vl_device *d, uint64_t addr, const void *from, uint64_t bytes)
{
    if (d->memory.running)
        return d->ops->write(d->self, addr, from, bytes, &d->error);
    memcpy(d->memory.store.bytes + (addr - d->memory.store.base), from, bytes);
    return 0;
}

int vl_physical_read(vl_device *d, uint64_t addr, void *to, uint64_t bytes)
{
    if (d->memory.running)
        return d->ops->read(d->self, addr, to, bytes, &d->error);
    memcpy(to, d->memory.store.bytes + (addr - d->memory.store.base), bytes);
    return 0;
}

bool vl_space_frame(vl_space *s, unsigned level, uint64_t *addr, bool *zero)
{
    vl_frames *f = &s->dev->memory.frames;
    return s->channels ? level == 0 && vl_frames_take_of(f, s->channels, addr, zero)
                       : vl_frames_take(f, level, addr, zero);
}

/* ---- what page tables live in (P3) ---- */

int vl_table_take(void *space, uint64_t *ppn)
{
    vl_space *s = space;
    vl_device *d = s->dev;
    uint64_t addr;
    if (s->n_retired + s->tables == s->room_retired) { /* room for all, so that giving one back cannot fail */
        const size_t room = s->room_retired ? 2 * s->room_retired : 16;
        uint64_t *p = realloc(s->retired, room * sizeof *p);
        if (!p)
            return vl_fail(&d->error, VL_ENOMEM, "out of memory");
        s->retired = p;
        s->room_retired = room;
    }
    if (!vl_space_frame(space, 0, &addr, NULL))
        return vl_fail(&d->error, VL_EDEVMEM, "no frame is left for a page table");
    *ppn = addr / VL_PAGE;
    s->tables++;
    return 0;
}

void vl_table_give(void *space, uint64_t ppn)
{
    vl_space *s = space;
    s->tables--;
    if (s->dev->memory.running) { /* a walker may still read the table: it is freed at the next shootdown */
        s->retired[s->n_retired++] = ppn;
        return;
    }
    /* The next kernel begins with a shootdown, so no translation of the space is left when another space gets its ASID. */
    s->dev->memory.stale = true;
    vl_frames_give(&s->dev->memory.frames, ppn * VL_PAGE);
}

int vl_table_write(void *space, uint64_t addr, const uint64_t *pte, unsigned n)
{
    return vl_physical_write(((vl_space *)space)->dev, addr, pte, 8ull * n);
}

void vl_tables_free(vl_space *s)
{
    while (s->n_retired)
        vl_frames_give(&s->dev->memory.frames, s->retired[--s->n_retired] * VL_PAGE);
}

static int invalidate(vl_device *d, vl_scope scope, uint16_t asid, uint64_t va)
{
    d->memory.stale |= !d->memory.running; /* the next kernel begins with a shootdown of everything */
    if (!d->memory.running)
        return 0;
    d->memory.pager.counts.shootdowns++;
    return d->ops->invalidate(d->self, scope, asid, va, &d->error);
}

int vl_shootdown(vl_space *s, uint64_t va, uint64_t bytes)
{
    int e = invalidate(s->dev, bytes == VL_PAGE ? VL_INV_PAGE : VL_INV_ASID, s->asid, va);
    if (!e)
        vl_tables_free(s);
    return e;
}

int vl_shootdown_all(vl_device *d)
{
    int e = invalidate(d, VL_INV_ALL, 0, 0);
    for (vl_space *s = d->memory.spaces; s && !e; s = s->next)
        vl_tables_free(s);
    return e;
}
