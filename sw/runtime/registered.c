/* Host memory that the program already has, at its own addresses on the device. Numbers in comments are those of docs/host-memory.md. */
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/memory.h"
#include "sw/runtime/space.h"
#include "sw/runtime/store.h"

/* ---- pages (R2) ---- */

/* Each page of a range loses a registration; those that have none left go. */
static int unpin(vl_space *s, uint64_t low, uint64_t high)
{
    int e = 0;
    for (uint64_t at = low; at < high; at += VL_PAGE) {
        vl_area *a = vl_area_of(s, at);
        uint16_t *pins = &a->pins[(at - a->va) / VL_PAGE];
        if (--*pins)
            continue;
        const int f = vl_space_unmap(s, a, at, VL_PAGE);
        e = e ? e : f;
        if (!--a->pinned)
            vl_area_drop(s, a);
    }
    return e;
}

/* The area of va, made if needed: to `high` at most, or to the next one. */
static int area_at(vl_space *s, uint64_t va, uint64_t high, vl_area **a)
{
    if ((*a = vl_area_of(s, va)))
        return 0;
    const vl_area *next = vl_area_behind(s, va);
    const uint64_t bytes = (next && next->va < high ? next->va : high) - va;
    int e = vl_area_add(s, va, bytes, false);
    if (e)
        return e;
    *a = vl_area_of(s, va);
    (*a)->pins = calloc(bytes / VL_PAGE, sizeof *(*a)->pins);
    (*a)->before = calloc(1, bytes);
    if ((*a)->pins && (*a)->before)
        return 0;
    vl_area_drop(s, *a);
    return VL_ENOMEM;
}

static int pin(vl_space *s, uint64_t low, uint64_t high, unsigned rights)
{
    for (uint64_t at = low, n; at < high; at += n * VL_PAGE) {
        vl_area *a;
        int e = area_at(s, at, high, &a);
        if (e)
            vl_fail(&s->dev->error, e, "out of memory");
        const uint64_t first = e ? 0 : (at - a->va) / VL_PAGE;
        for (n = 1;
             !e && at + n * VL_PAGE < high && first + n < a->bytes / VL_PAGE && !a->pins[first + n] == !a->pins[first];)
            n++;
        if (!e && !a->pins[first]) {
            if (!(e = vl_space_map(s, a, at, n * VL_PAGE, 0, rights)))
                a->pinned += n;
            else if (!a->pinned)
                vl_area_drop(s, a);
        }
        if (e) {
            const vl_error why = s->dev->error;
            (void)unpin(s, low, at);
            s->dev->error = why;
            return e;
        }
        for (uint64_t k = 0; k < n; k++)
            a->pins[first + k]++;
    }
    return 0;
}

/* ---- for programs ---- */

static int begin(vl_device *d, vl_space **s)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    *s = d->space;
    if (!*s)
        return vl_fail(&d->error, VL_ENOTSUP,
                       "the device's memory is bare: it has no pages, and host memory cannot be at its own addresses");
    return d->memory.running ? vl_fail(&d->error, VL_ESTATE, "a kernel runs") : 0;
}

static bool touches(uint64_t va, uint64_t bytes, uint64_t from, uint64_t end)
{
    return va < end && va + bytes > from;
}

/* R1 */
static int check(vl_space *s, uint64_t va, uint64_t bytes, unsigned *rights)
{
    vl_error *err = &s->dev->error;
    const uint64_t region = (uint64_t)(uintptr_t)s->region;
    const unsigned long long at = va, n = bytes;
    if (!va || !bytes || bytes > VL_MAX_LIMIT || va > VL_MAX_LIMIT - bytes)
        return vl_fail(err, VL_EINVAL, "%s", !va ? "null argument" : !bytes ? "0 bytes of memory" : "no such memory");
    if (touches(va, bytes, region, region + s->region_bytes))
        return vl_fail(err, VL_EINVAL, "%#llx + %#llx is where buffers of this device are: it is there already", at, n);
    if (touches(va, bytes, VL_IMAGE_BASE, VL_SPAD_BASE + VL_SPAD_MAX))
        return vl_fail(err, VL_EINVAL,
                       "%#llx + %#llx is where kernel images and scratchpads are on the device (docs/abi.md)", at, n);
    uint64_t next = va;
    if (vl_registered_next(s, &next, va + bytes))
        return vl_fail(err, VL_EINVAL, "%#llx + %#llx is registered already, from %#llx on", at, n,
                       (unsigned long long)next);
    if (vl_host_rights(va, bytes, rights))
        return vl_fail(err, VL_EACCESS, "%#llx + %#llx is not memory of this process, or not all of it", at, n);
    return 0;
}

static uint64_t page_from(uint64_t va)
{
    return va & ~(VL_PAGE - 1);
}

int vl_register(vl_device *d, void *p, uint64_t bytes)
{
    vl_space *s;
    unsigned rights;
    const uint64_t va = (uint64_t)(uintptr_t)p;
    int e = begin(d, &s);
    if (e || (e = check(s, va, bytes, &rights)))
        return e;
    if (s->n_registered == s->room_registered) {
        const size_t room = s->room_registered ? 2 * s->room_registered : 16;
        vl_range_of *r = realloc(s->registered, room * sizeof *r);
        if (!r)
            return vl_fail(&d->error, VL_ENOMEM, "out of memory");
        s->registered = r;
        s->room_registered = room;
    }
    if ((e = pin(s, page_from(va), vl_align(va + bytes, VL_PAGE), rights)))
        return vl_record_error(d, e);
    const size_t i = vl_registration_from(s, va);
    memmove(s->registered + i + 1, s->registered + i, (s->n_registered - i) * sizeof *s->registered);
    s->registered[i] = (vl_range_of){.addr = va, .bytes = bytes, .asked = bytes};
    s->n_registered++;
    return 0;
}

int vl_unregister(vl_device *d, void *p)
{
    vl_space *s;
    const uint64_t va = (uint64_t)(uintptr_t)p;
    int e = begin(d, &s);
    if (e)
        return e;
    const size_t i = vl_registration_from(s, va);
    if (i == s->n_registered || s->registered[i].addr != va)
        return vl_fail(&d->error, VL_EINVAL, "%#llx is not what was registered", (unsigned long long)va);
    const uint64_t end = va + s->registered[i].bytes;
    s->n_registered--;
    memmove(s->registered + i, s->registered + i + 1, (s->n_registered - i) * sizeof *s->registered);
    return vl_record_error(d, unpin(s, page_from(va), vl_align(end, VL_PAGE)));
}
