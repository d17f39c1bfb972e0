#include <stdlib.h>
#include <string.h>

#include "sw/runtime/internal.h"

enum { LEAST_ZONE = 1 << 12, MOST_ZONE = 1 << 20 };

void vl_heap_init(vl_heap *h, uint64_t base, uint64_t limit)
{
    *h = (vl_heap){.base = base, .limit = limit, .touched = base};
}

void vl_heap_done(vl_heap *h)
{
    free(h->used);
}

/* The first range at or after an address. */
static size_t range_from(const vl_heap *h, uint64_t addr)
{
    size_t lo = 0, hi = h->n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (h->used[mid].addr < addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

int vl_heap_take(vl_heap *h, uint64_t bytes, uint64_t align, uint64_t *addr)
{
    if (bytes == 0)
        return VL_EINVAL;
    if (bytes > h->limit - h->base)
        return VL_EDEVMEM;
    const uint64_t whole = vl_align(bytes, VL_LINE), wide = whole < LEAST_ZONE  ? LEAST_ZONE
                                                            : whole < MOST_ZONE ? whole
                                                                                : MOST_ZONE;
    const uint64_t zones[] = {h->zones ? wide : 0, h->zones ? VL_LINE : 0,
                              0}; /* a narrower one where there is no room */
    int e = VL_EDEVMEM;
    for (unsigned i = 0; i < 3 && e == VL_EDEVMEM; i++)
        e = vl_heap_take_aligned(h, whole + zones[i], align, addr);
    if (!e)
        h->used[range_from(h, *addr)].asked = bytes;
    return e;
}

int vl_heap_take_aligned(vl_heap *h, uint64_t bytes, uint64_t align, uint64_t *addr)
{
    uint64_t at = vl_align(h->base, align);
    size_t i = 0;
    for (; i < h->n && (h->used[i].addr < at || h->used[i].addr - at < bytes); i++)
        at = vl_align(h->used[i].addr + h->used[i].bytes, align);
    if (at > h->limit || h->limit - at < bytes)
        return VL_EDEVMEM;
    if (h->n == h->room) {
        size_t room = h->room ? 2 * h->room : 16;
        void *p = realloc(h->used, room * sizeof *h->used);
        if (!p)
            return VL_ENOMEM;
        h->used = p;
        h->room = room;
    }
    memmove(h->used + i + 1, h->used + i, (h->n - i) * sizeof *h->used);
    h->used[i] = (vl_range_of){.addr = at, .bytes = bytes, .asked = bytes};
    h->n++;
    *addr = at;
    return 0;
}

bool vl_heap_has(const vl_heap *h, uint64_t addr)
{
    size_t i = range_from(h, addr + 1);
    return i && addr - h->used[i - 1].addr < h->used[i - 1].bytes;
}

int vl_heap_give(vl_heap *h, uint64_t addr)
{
    size_t lo = range_from(h, addr);
    if (lo == h->n || h->used[lo].addr != addr)
        return VL_EINVAL;
    memmove(h->used + lo, h->used + lo + 1, (h->n - lo - 1) * sizeof *h->used);
    h->n--;
    return 0;
}
