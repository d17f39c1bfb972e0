/* The areas of a space, page by page, and the host's mappings of them. Numbers in comments are those of docs/host-memory.md. */
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/space.h"
#include "sw/runtime/store.h"

/* ---- areas ---- */

/* The first area that ends beyond va. */
static size_t area_from(const vl_space *s, uint64_t va)
{
    size_t lo = 0, hi = s->n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (s->areas[mid].va + s->areas[mid].bytes <= va)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

vl_area *vl_area_of(const vl_space *s, uint64_t va)
{
    size_t i = area_from(s, va);
    return i < s->n && s->areas[i].va <= va ? &s->areas[i] : NULL;
}

vl_area *vl_area_behind(const vl_space *s, uint64_t va)
{
    size_t i = area_from(s, va);
    if (i < s->n && s->areas[i].va <= va)
        i++;
    return i < s->n ? &s->areas[i] : NULL;
}

vl_area *vl_area_before(const vl_space *s, uint64_t va)
{
    const size_t i = area_from(s, va);
    return i ? &s->areas[i - 1] : NULL;
}

vl_page *vl_space_page(vl_space *s, uint64_t va, const vl_area **area)
{
    vl_area *a = vl_area_of(s, va);
    if (area)
        *area = a;
    return a ? &a->pages[(va - a->va) / VL_PAGE] : NULL;
}

int vl_area_add(vl_space *s, uint64_t va, uint64_t bytes, bool host)
{
    if (s->n == s->room) {
        size_t room = s->room ? 2 * s->room : 16;
        vl_area *p = realloc(s->areas, room * sizeof *p);
        if (!p)
            return VL_ENOMEM;
        s->areas = p;
        s->room = room;
    }
    vl_page *pages = calloc(bytes / VL_PAGE, sizeof *pages);
    if (!pages)
        return VL_ENOMEM;
    for (uint64_t i = 0; i < bytes / VL_PAGE; i++)
        pages[i].slot = VL_NO_SLOT;
    size_t i = area_from(s, va);
    memmove(s->areas + i + 1, s->areas + i, (s->n - i) * sizeof *s->areas);
    s->areas[i] = (vl_area){.va = va, .bytes = bytes, .host = host, .pages = pages};
    s->n++;
    return 0;
}

void vl_area_drop(vl_space *s, vl_area *a)
{
    free(a->pages);
    free(a->pins);
    free(a->before);
    memmove(a, a + 1, (size_t)(s->areas + s->n - (a + 1)) * sizeof *a);
    s->n--;
}

/* ---- the host's view (A2, A4, D6) ---- */

uint64_t vl_space_home_offset(const vl_space *s, uint64_t va)
{
    uint64_t region = (uint64_t)(uintptr_t)s->region;
    return va - region < s->region_bytes ? va - region : s->region_bytes + (va - VL_IMAGE_BASE);
}

uint8_t *vl_space_home(vl_space *s, uint64_t va)
{
    return s->home + vl_space_home_offset(s, va);
}

int vl_space_show(vl_space *s, uint64_t va, const vl_page *p)
{
    if (va - (uint64_t)(uintptr_t)s->region >= s->region_bytes)
        return 0;
    return p->frame ? vl_show(vl_space_here(s, va), VL_PAGE, s->dev->memory.fd, p->frame, &s->dev->error)
                    : vl_show(vl_space_here(s, va), VL_PAGE, s->home_fd, vl_space_home_offset(s, va), &s->dev->error);
}

/* How many of n pages one mapping of the host's shows. */
static uint64_t run_of(const vl_page *p, uint64_t n)
{
    uint64_t k = 1;
    while (k < n && p[k].mapped == p->mapped && (p->frame ? p[k].frame == p->frame + k * VL_PAGE : !p[k].frame))
        k++;
    return k;
}

int vl_area_count(vl_space *s, vl_area *a)
{
    vl_memory_state *m = &s->dev->memory;
    uint64_t n = a->bytes / VL_PAGE, count = 0;
    for (uint64_t i = 0; a->host && !vl_space_demand(s) && i < n; i += run_of(&a->pages[i], n - i))
        count++;
    m->mappings += count - a->mappings;
    a->mappings = count;
    if (m->mappings <= m->most_mappings)
        return 0;
    return vl_fail(
        &s->dev->error, VL_ENOMEM,
        "the host cannot map %llu separate pieces of memory: raise its limit of mappings (sysctl vm.max_map_count)",
        (unsigned long long)m->mappings);
}

int vl_area_show(vl_space *s, const vl_area *a, uint64_t va, uint64_t bytes)
{
    if (!a->host)
        return 0;
    const vl_page *p = &a->pages[(va - a->va) / VL_PAGE];
    int e = 0;
    for (uint64_t i = 0, n; i < bytes / VL_PAGE && !e; i += n) {
        n = run_of(&p[i], bytes / VL_PAGE - i);
        uint8_t *at = vl_space_here(s, va + i * VL_PAGE);
        if (!p[i].mapped)
            e = vl_show(at, n * VL_PAGE, -1, 0, &s->dev->error);
        else if (p[i].frame)
            e = vl_show(at, n * VL_PAGE, s->dev->memory.fd, p[i].frame, &s->dev->error);
        else
            e = vl_show(at, n * VL_PAGE, s->home_fd, vl_space_home_offset(s, va + i * VL_PAGE), &s->dev->error);
    }
    return e;
}
