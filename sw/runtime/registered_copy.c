/* Registered memory between the program and frames. Numbers in comments are those of docs/host-memory.md. */
#include <string.h>

#include "sw/runtime/memory.h"
#include "sw/runtime/space.h"
#include "sw/runtime/store.h"

/* ---- which bytes are registered ---- */

/* The first registration that ends beyond va. */
size_t vl_registration_from(const vl_space *s, uint64_t va)
{
    size_t lo = 0, hi = s->n_registered;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (s->registered[mid].addr + s->registered[mid].bytes <= va)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The next piece of [*at, end) that is registered, from *at on: its bytes, 0 at the end. */
uint64_t vl_registered_next(const vl_space *s, uint64_t *at, uint64_t end)
{
    const size_t i = vl_registration_from(s, *at);
    if (i == s->n_registered || s->registered[i].addr >= end)
        return 0;
    const vl_range_of *r = &s->registered[i];
    if (*at < r->addr)
        *at = r->addr;
    return (r->addr + r->bytes < end ? r->addr + r->bytes : end) - *at;
}

bool vl_registered_covers(const vl_space *s, uint64_t va, uint64_t bytes)
{
    for (uint64_t at = va, n; at < va + bytes; at += n) {
        const uint64_t from = at;
        n = vl_registered_next(s, &at, va + bytes);
        if (!n || at != from)
            return false;
    }
    return true;
}

/* ---- between a frame and the program's memory (R3) ---- */

static uint8_t *before_of(const vl_area *a, uint64_t va)
{
    return a->before + (va - a->va);
}

static int gone(vl_space *s, uint64_t va)
{
    return vl_fail(&s->dev->error, VL_EACCESS,
                   "registered memory at %#llx is not there any more: it was freed before vl_unregister",
                   (unsigned long long)va);
}

int vl_registered_in(vl_space *s, uint64_t va, uint64_t frame)
{
    const vl_area *a = vl_area_of(s, va);
    uint8_t page[VL_PAGE] = {0};
    for (uint64_t at = va, n; (n = vl_registered_next(s, &at, va + VL_PAGE)); at += n)
        if (vl_host_get(s->dev->memory.scratch, page + (at - va), at, n))
            return gone(s, at);
    memcpy(before_of(a, va), page, VL_PAGE);
    return vl_physical_write(s->dev, frame, page, VL_PAGE);
}

/* Runs of bytes that differ, of n bytes at va. */
static int put_changes(vl_space *s, uint64_t va, const uint8_t *now, uint8_t *was, uint64_t n)
{
    for (uint64_t i = 0, k; i < n; i += k) {
        for (k = 1; now[i] != was[i] && i + k < n && now[i + k] != was[i + k]; k++) {
        }
        if (now[i] == was[i])
            continue;
        if (vl_host_put(s->dev->memory.scratch, va + i, now + i, k))
            return gone(s, va + i);
        memcpy(was + i, now + i, k);
    }
    return 0;
}

int vl_registered_out(vl_space *s, uint64_t va, uint64_t frame)
{
    const vl_area *a = vl_area_of(s, va);
    uint8_t page[VL_PAGE], *was = before_of(a, va);
    int e = vl_physical_read(s->dev, frame, page, VL_PAGE);
    if (e || !memcmp(page, was, VL_PAGE))
        return e;
    for (uint64_t at = va, n; !e && (n = vl_registered_next(s, &at, va + VL_PAGE)); at += n)
        e = put_changes(s, at, page + (at - va), was + (at - va), n);
    return e;
}

/* All that is in frames. */
static int move_all(vl_space *s, int (*move)(vl_space *s, uint64_t va, uint64_t frame))
{
    int e = 0;
    for (size_t i = 0; i < s->n && s->n_registered; i++)
        for (uint64_t k = 0; s->areas[i].pins && k < s->areas[i].bytes / VL_PAGE; k++) {
            const vl_page *p = &s->areas[i].pages[k];
            const int f = p->frame ? move(s, s->areas[i].va + k * VL_PAGE, p->frame) : 0;
            e = e ? e : f;
        }
    return e;
}

int vl_registered_begin(vl_space *s)
{
    const int e = move_all(s, vl_registered_in);
    s->lent = !e;
    return e;
}

int vl_registered_end(vl_device *d)
{
    int e = 0;
    for (vl_space *s = d->memory.spaces; s; s = s->next) {
        const int f = s->lent ? move_all(s, vl_registered_out) : 0;
        s->lent = false;
        e = e ? e : f;
    }
    return e;
}

int vl_registered_copy(vl_space *s, uint64_t va, uint64_t bytes, const uint8_t *from, uint8_t *to, uint8_t byte)
{
    uint8_t same[VL_PAGE];
    memset(same, byte, sizeof same);
    if (to ? vl_host_get(s->dev->memory.scratch, to, va, bytes)
           : vl_host_put(s->dev->memory.scratch, va, from ? from : same, bytes))
        return gone(s, va);
    return 0;
}
