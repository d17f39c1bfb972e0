/* Changes of pages: reserve, map, unmap, protect; the pages of an image; copies. Numbers in comments are those of docs/host-memory.md. */
#include <string.h>

#include "sw/runtime/memory.h"
#include "sw/runtime/space.h"
#include "sw/runtime/store.h"

#define ALL_RIGHTS (VL_READ | VL_WRITE | VL_EXECUTE)

/* ---- mapping ---- */

/* Frames for pages that have none, in leaves of up to 512^most pages (F2). */
static int back(vl_space *s, vl_area *a, uint64_t va, uint64_t bytes, unsigned most)
{
    vl_device *d = s->dev;
    vl_page *p = &a->pages[(va - a->va) / VL_PAGE];
    for (uint64_t i = 0, n; i < bytes / VL_PAGE; i += n) {
        uint64_t frame = 0;
        bool zero = false;
        unsigned level = most;
        for (;; level--) {
            n = 1ull << 9 * level;
            if ((va + i * VL_PAGE) % (n * VL_PAGE) == 0 && n <= bytes / VL_PAGE - i
                && vl_space_frame(s, level, &frame, &zero))
                break;
            if (level == 0)
                return vl_fail(&d->error, VL_EDEVMEM, "no frame is left");
        }
        if (!zero)
            memset(d->memory.store.bytes + (frame - d->memory.store.base), 0, n * VL_PAGE);
        for (uint64_t k = 0; k < n; k++)
            p[i + k].frame = frame + k * VL_PAGE, p[i + k].level = (uint8_t)level;
    }
    return 0;
}

/* PTEs of pages in frames, all with the same rights: a call for each run of leaves that go on in memory. */
static int enter(vl_space *s, const vl_area *a, uint64_t va, uint64_t bytes)
{
    const vl_page *p = &a->pages[(va - a->va) / VL_PAGE];
    int e = 0;
    for (uint64_t i = 0, n; i < bytes / VL_PAGE && !e; i += n) {
        for (n = 1;
             i + n < bytes / VL_PAGE && p[i + n].frame == p[i].frame + n * VL_PAGE && p[i + n].level == p[i].level;
             n++) {
        }
        if (p[i].frame && p[i].rights)
            e = page_table_map(s->table, va + i * VL_PAGE, n * VL_PAGE, p[i].frame, p[i].level,
                               vl_page_flags(p[i].rights) | PT_A | PT_D);
    }
    return e;
}

int vl_space_unmap(vl_space *s, vl_area *a, uint64_t va, uint64_t bytes)
{
    vl_device *d = s->dev;
    vl_page *p = &a->pages[(va - a->va) / VL_PAGE];
    int e = page_table_unmap(s->table, va, bytes);
    if (e)
        return e;
    e = vl_shootdown(s, va, bytes);
    for (uint64_t i = 0; i < bytes / VL_PAGE; i++) {
        vl_pager_forget(&d->memory.pager, &p[i]);
        if (p[i].frame)
            vl_frames_give(&d->memory.frames, p[i].frame);
        p[i] = (vl_page){.slot = VL_NO_SLOT};
    }
    if (vl_space_demand(s) && !a->pins)
        vl_punch(s->home_fd, vl_space_home_offset(s, va), bytes);
    (void)vl_area_count(s, a); /* now there are fewer mappings */
    int f = vl_area_show(s, a, va, bytes);
    return e ? e : f;
}

/* `most`: level of the largest leaves. */
int vl_space_map(vl_space *s, vl_area *a, uint64_t va, uint64_t bytes, unsigned most, unsigned rights)
{
    vl_page *p = &a->pages[(va - a->va) / VL_PAGE];
    int e = vl_space_demand(s) ? 0 : back(s, a, va, bytes, most);
    for (uint64_t i = 0; i < bytes / VL_PAGE; i++)
        p[i].mapped = true, p[i].rights = (uint8_t)rights;
    if (!e)
        e = vl_area_count(s, a);
    if (!e && !vl_space_demand(s))
        e = enter(s, a, va, bytes);
    if (!e)
        e = vl_area_show(s, a, va, bytes);
    if (!e)
        return 0;
    vl_error why = s->dev->error;
    (void)vl_space_unmap(s, a, va, bytes);
    s->dev->error = why;
    return e;
}

/* The area of a range of whole pages that lies in one. */
static int pages_of(vl_space *s, uint64_t va, uint64_t bytes, uint64_t page, vl_area **a)
{
    vl_error *err = &s->dev->error;
    if (va % page || bytes % page || !bytes)
        return vl_fail(err, VL_EINVAL, "%#llx + %#llx: not whole pages of %llu bytes", (unsigned long long)va,
                       (unsigned long long)bytes, (unsigned long long)page);
    *a = vl_area_of(s, va);
    if (!*a || !(*a)->host || bytes > (*a)->va + (*a)->bytes - va)
        return vl_fail(err, VL_EACCESS, "%#llx + %#llx is not part of one buffer", (unsigned long long)va,
                       (unsigned long long)bytes);
    return 0;
}

static int space_of(vl_device *d, vl_space **s)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    *s = d->space;
    return *s ? 0 : vl_fail(&d->error, VL_ENOTSUP, "the device's memory is bare: it has no pages");
}

int vl_map(vl_device *d, vl_ptr p, uint64_t bytes, uint64_t page_bytes, unsigned rights)
{
    vl_space *s;
    vl_area *a;
    int e = space_of(d, &s), level = vl_page_level(page_bytes ? page_bytes : VL_PAGE);
    if (e)
        return e;
    if (level < 0)
        return vl_fail(&d->error, VL_EINVAL, "pages of %llu bytes: there are 4 KB, 2 MB, 1 GB",
                       (unsigned long long)page_bytes);
    if (level && vl_space_demand(s))
        return vl_fail(&d->error, VL_ENOTSUP, "demand paging is by pages of 4 KB");
    if (rights & ~ALL_RIGHTS)
        return vl_fail(&d->error, VL_EINVAL, "rights %#x", rights);
    if ((e = pages_of(s, p, bytes, pt_page_bytes((unsigned)level), &a)))
        return e;
    for (uint64_t i = 0; i < bytes; i += VL_PAGE)
        if (a->pages[(p + i - a->va) / VL_PAGE].mapped)
            return vl_fail(&d->error, VL_EINVAL, "%#llx is mapped already", (unsigned long long)(p + i));
    return vl_record_error(d, vl_space_map(s, a, p, bytes, (unsigned)level, rights));
}

int vl_unmap(vl_device *d, vl_ptr p, uint64_t bytes)
{
    vl_space *s;
    vl_area *a;
    int e = space_of(d, &s);
    if (e || (e = pages_of(s, p, bytes, VL_PAGE, &a)))
        return e;
    return vl_record_error(d, vl_space_unmap(s, a, p, bytes));
}

int vl_protect(vl_device *d, vl_ptr p, uint64_t bytes, unsigned rights)
{
    vl_space *s;
    vl_area *a;
    int e = space_of(d, &s);
    if (e)
        return e;
    if (rights & ~ALL_RIGHTS)
        return vl_fail(&d->error, VL_EINVAL, "rights %#x", rights);
    if ((e = pages_of(s, p, bytes, VL_PAGE, &a)))
        return e;
    vl_page *page = &a->pages[(p - a->va) / VL_PAGE];
    for (uint64_t i = 0; i < bytes / VL_PAGE; i++)
        if (!page[i].mapped)
            return vl_fail(&d->error, VL_EACCESS, "%#llx is not mapped", (unsigned long long)(p + i * VL_PAGE));
    for (uint64_t i = 0, n; i < bytes / VL_PAGE && !e; i += n) {
        uint64_t va = p + i * VL_PAGE, pte = 0;
        unsigned level = 0;
        bool there = page_table_walk(s->table, va, &pte, &level);
        /* A larger leaf that is not cut stays one. */
        bool whole = there && va % pt_page_bytes(level) == 0 && bytes / VL_PAGE - i >= 1ull << 9 * level;
        n = whole ? 1ull << 9 * level : 1;
        for (uint64_t k = i; k < i + n; k++)
            page[k].rights = (uint8_t)rights;
        if (!page[i].frame)
            continue;
        if (!rights)
            e = page_table_unmap(s->table, va, n * VL_PAGE);
        else if (there)
            e = page_table_protect(s->table, va, n * VL_PAGE, vl_page_flags(rights) | (pte & (PT_A | PT_D)));
        else
            e = page_table_map(s->table, va, VL_PAGE, page[i].frame, 0, vl_page_flags(rights) | PT_A | PT_D);
    }
    int f = vl_shootdown(s, p, bytes);
    return vl_record_error(d, e ? e : f);
}

static int reserve(vl_device *d, uint64_t bytes, uint64_t page_bytes, uint64_t align, vl_ptr *out)
{
    vl_space *s;
    int e = space_of(d, &s);
    if (e)
        return e;
    if (!page_bytes)
        page_bytes = VL_PAGE;
    if (!out || !bytes || vl_page_level(page_bytes) < 0)
        return vl_fail(&d->error, VL_EINVAL, "%s",
                       !out     ? "null argument"
                       : !bytes ? "a buffer of 0 bytes"
                                : "there are pages of 4 KB, 2 MB, 1 GB");
    *out = 0;
    uint64_t va;
    if (bytes > s->region_bytes
        || vl_heap_take_aligned(&s->heap, vl_align(bytes, page_bytes), align > page_bytes ? align : page_bytes, &va))
        return vl_fail(&d->error, VL_EDEVMEM, "no room for a buffer of %llu bytes", (unsigned long long)bytes);
    if ((e = vl_area_add(s, va, vl_align(bytes, page_bytes), true))) {
        vl_heap_give(&s->heap, va);
        return vl_fail(&d->error, e, "out of memory");
    }
    *out = va;
    return 0;
}

int vl_reserve(vl_device *d, uint64_t bytes, uint64_t page_bytes, vl_ptr *out)
{
    return reserve(d, bytes, page_bytes, 0, out);
}

int vl_space_malloc(vl_space *s, uint64_t bytes, uint64_t align, uint64_t *va)
{
    vl_device *d = s->dev;
    uint64_t page = VL_PAGE;
    unsigned level = 0;
    for (; page * 512 <= bytes && page * 512 <= d->memory.options.page_bytes; level++)
        page *= 512;
    int e = reserve(d, bytes, page, align, va);
    if (e)
        return e;
    vl_area *a = vl_area_of(s, *va);
    if (!(e = vl_space_map(s, a, a->va, a->bytes, level, VL_READ | VL_WRITE)))
        return 0;
    if (e == VL_EDEVMEM)
        vl_fail(&d->error, e, "no room for a buffer of %llu bytes", (unsigned long long)bytes);
    vl_heap_give(&s->heap, *va);
    vl_area_drop(s, a);
    *va = 0;
    return vl_record_error(d, e);
}

int vl_space_release(vl_space *s, uint64_t va)
{
    vl_area *a = vl_area_of(s, va);
    if (!a || a->va != va || !a->host)
        return VL_EINVAL;
    int e = vl_space_unmap(s, a, a->va, a->bytes);
    if (e)
        return e;
    vl_heap_give(&s->heap, va);
    vl_area_drop(s, a);
    return 0;
}

void vl_space_empty(vl_space *s)
{
    while (s->n) {
        vl_area *a = &s->areas[s->n - 1];
        (void)vl_space_unmap(s, a, a->va, a->bytes);
        vl_area_drop(s, a);
    }
}

/* ---- the image (A3) ---- */

void vl_space_drop_image(vl_space *s)
{
    for (size_t i = 0; i < s->n;)
        if (s->areas[i].host || s->areas[i].pins)
            i++;
        else {
            (void)vl_space_unmap(s, &s->areas[i], s->areas[i].va, s->areas[i].bytes);
            vl_area_drop(s, &s->areas[i]);
        }
}

int vl_space_image(vl_space *s, uint64_t va, uint64_t bytes, unsigned rights)
{
    uint64_t low = va & ~(VL_PAGE - 1), high = vl_align(va + bytes, VL_PAGE);
    for (vl_page *p; low < high && (p = vl_space_page(s, low, NULL));
         low += VL_PAGE) { /* a page that already holds the end of the previous segment */
        p->rights |= (uint8_t)rights;
        if (p->frame) {
            int e = page_table_protect(s->table, low, VL_PAGE, vl_page_flags(p->rights) | PT_A | PT_D);
            if (e)
                return e;
        }
    }
    if (low == high)
        return 0;
    int e = vl_area_add(s, low, high - low, false);
    if (e)
        return vl_fail(&s->dev->error, e, "out of memory");
    vl_area *a = vl_area_of(s, low);
    if ((e = vl_space_map(s, a, low, high - low, 0, rights)))
        vl_area_drop(s, a);
    return e;
}

int vl_space_copy(vl_space *s, uint64_t va, uint64_t bytes, const uint8_t *from, uint8_t *to, uint8_t byte)
{
    vl_memory_state *m = &s->dev->memory;
    for (uint64_t at = va, left = bytes; left;) { /* all or nothing */
        const vl_area *a;
        const vl_page *p = vl_space_page(s, at, &a);
        uint64_t n = VL_PAGE - at % VL_PAGE;
        n = n < left ? n : left;
        if (!p || !p->mapped || (a->pins && !vl_registered_covers(s, at, n)))
            return vl_fail(&s->dev->error, VL_EACCESS, "%#llx + %#llx is outside of device memory",
                           (unsigned long long)va, (unsigned long long)bytes);
        at += n, left -= n;
    }
    while (bytes) {
        const vl_area *a;
        vl_page *p = vl_space_page(s, va, &a);
        uint64_t n = VL_PAGE - va % VL_PAGE;
        n = n < bytes ? n : bytes;
        if (a->pins) {
            const int e = vl_registered_copy(s, va, n, from, to, byte);
            if (e)
                return e;
            to = to ? to + n : NULL, from = from ? from + n : NULL;
            va += n, bytes -= n;
            continue;
        }
        uint8_t *at = p->frame ? m->store.bytes + (p->frame - m->store.base) + va % VL_PAGE : vl_space_home(s, va);
        if (to)
            memcpy(to, at, n), to += n;
        else if (from)
            memcpy(at, from, n), from += n;
        else
            memset(at, byte, n);
        va += n, bytes -= n;
    }
    return 0;
}
