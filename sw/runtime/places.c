/* A fault in words: the place in the source, the work-item, and the contents of the address. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sw/runtime/lines.h"
#include "sw/runtime/space.h"
#include "sw/runtime/store.h"

/* ---- text that grows ---- */

typedef struct text {
    char *at;
    size_t left;
} text;

__attribute__((format(printf, 2, 3))) static void put(text *t, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    const int n = vsnprintf(t->at, t->left, format, ap);
    va_end(ap);
    const size_t used = n < 0 ? 0 : (size_t)n < t->left ? (size_t)n : t->left - 1;
    t->at += used;
    t->left -= used;
}

/* ---- the source ---- */

bool vl_image_place(const vl_image *img, uint64_t pc, vl_source *out)
{
    *out = (vl_source){0};
    vl_lines *l = img ? vl_lines_open(img->file, img->file_bytes) : NULL;
    const bool found = l && vl_lines_find(l, pc, out);
    vl_lines_close(l);
    return found;
}

static void put_source(text *t, const vl_image *img, uint64_t pc)
{
    vl_source s;
    if (!vl_image_place(img, pc, &s))
        return;
    put(t, ", at %s:%u", s.file, s.line);
    if (*s.function)
        put(t, " in %s", s.function);
    if (s.call_line)
        put(t, " (called at %s:%u)", s.call_file, s.call_line);
}

/* ---- the work-item ---- */

static void put_item(text *t, const vl_fault *f)
{
    const int others = __builtin_popcountll(f->mask) - 1;
    if (!f->has_item)
        return;
    put(t, ", work-item %" PRIu64 ",%" PRIu64 ",%" PRIu64, f->global[0], f->global[1], f->global[2]);
    if (others > 0)
        put(t, " and %d more of its warp", others);
    put(t, " (group %u,%u,%u)", f->group[0], f->group[1], f->group[2]);
}

void vl_fault_item(vl_fault *f, const vl_backend_launch *l, const uint32_t group[3], uint32_t first)
{
    uint64_t i = first + (f->mask ? (uint32_t)__builtin_ctzll(f->mask) : 0);
    f->has_item = true;
    for (unsigned k = 0; k < 3; k++) {
        const uint64_t local = l->local[k] ? l->local[k] : 1;
        f->group[k] = group[k];
        f->global[k] = (uint32_t)(l->offset[k] + group[k] * local + i % local);
        i /= local;
    }
}

/* ---- the address ---- */

/* The library's own ranges have names. An address is not described by its distance to them: programs do not run beyond them by mistake. */
static const char *name_of(const vl_device *d, const vl_space *s, uint64_t va)
{
    const bool used = d->space == s;
    const vl_ptr block = used ? d->block : s->kept.block, stack = used ? d->stack : s->kept.stack,
                 print = used ? d->print_at : s->kept.print_at;
    return va == block   ? "the launch block"
           : va == stack ? "the private stacks"
           : va == print ? "the print buffer"
                         : NULL;
}

/* Ranges beside an address: the last that begins at or below it, and the first above. Bytes 0: none. */
typedef struct beside {
    vl_range_of in, below, above;
} beside;

static void take(beside *b, const char *name, uint64_t address, uint64_t va, uint64_t bytes)
{
    const vl_range_of r = {.addr = va, .bytes = bytes, .asked = bytes};
    if (va <= address && address - va < bytes)
        b->in = r;
    else if (va <= address && !name && (!b->below.bytes || va > b->below.addr))
        b->below = r;
    else if (va > address && !name && (!b->above.bytes || va < b->above.addr))
        b->above = r;
}

static beside find_beside(const vl_device *d, const vl_space *s, uint64_t address)
{
    beside b = {0};
    for (size_t i = 0; !s && i < d->heap.n; i++)
        take(&b, name_of(d, s, d->heap.used[i].addr), address, d->heap.used[i].addr, d->heap.used[i].asked);
    for (size_t i = 0; s && i < s->n; i++)
        if (s->areas[i].host)
            take(&b, name_of(d, s, s->areas[i].va), address, s->areas[i].va, s->areas[i].bytes);
    for (size_t i = 0; s && i < s->n_registered; i++)
        take(&b, NULL, address, s->registered[i].addr, s->registered[i].bytes);
    return b;
}

/* The nearest neighbour of an address that is in no buffer. */
static void put_nearest(text *t, const vl_device *d, const vl_space *s, uint64_t address)
{
    const beside b = find_beside(d, s, address);
    const uint64_t behind = b.below.bytes ? address - (b.below.addr + b.below.bytes) : UINT64_MAX,
                   before = b.above.bytes ? b.above.addr - address : UINT64_MAX;
    const vl_range_of *r = behind <= before ? &b.below : &b.above;
    if (r->bytes)
        put(t, ": %" PRIu64 " bytes %s the buffer at %#" PRIx64 " of %" PRIu64 " bytes",
            behind <= before ? behind : before, behind <= before ? "behind" : "before", r->addr, r->bytes);
}

/* In the scratchpad, where accesses are checked: the nearest of the kernel's own arrays and of its __local arguments. */
static void put_nearest_local(text *t, const vl_device *d, uint64_t address)
{
    const vl_range_of *r = NULL;
    for (size_t i = 0; d->checks && i < d->n_allowed; i++)
        if (d->allowed[i].addr - VL_SPAD_BASE < VL_SPAD_MAX && (!r || d->allowed[i].addr <= address))
            r = &d->allowed[i];
    if (r && address >= r->addr)
        put(t, ", %" PRIu64 " bytes behind the local memory at %#" PRIx64 " of %" PRIu64 " bytes",
            address - r->addr - r->bytes, r->addr, r->bytes);
    else if (r)
        put(t, ", %" PRIu64 " bytes before the local memory at %#" PRIx64, r->addr - address, r->addr);
}

static void put_inside(text *t, const char *name, uint64_t address, vl_range_of r)
{
    put(t, ": byte %" PRIu64 " of %s at %#" PRIx64 " of %" PRIu64 " bytes", address - r.addr,
        name ? name : "the buffer", r.addr, r.bytes);
}

static void put_state(text *t, const vl_page *p, bool registered)
{
    static const char *const may[] = {"may not be touched (vl_protect)", "is read-only", "is writable", "is writable",
                                      "is for execution alone",          "is read-only", "is writable", "is writable"};
    if (!p->mapped)
        put(t, ", whose page is not mapped");
    else
        put(t, ", whose page %s%s", may[p->rights & 7],
            registered && !(p->rights & VL_WRITE) ? ", as it is for the program" : "");
}

/* In pages of the space, or in a buffer of physical memory. False: neither. */
static bool put_known(text *t, const vl_device *d, const vl_space *s, const vl_backend_launch *l, const vl_fault *f)
{
    const bool paged = f->cause >= VL_FAULT_FETCH_PAGE;
    const beside b = find_beside(d, s, f->value);
    const vl_area *a = s ? vl_area_of(s, f->value) : NULL;
    const bool image = a && !a->host && !a->pins, in = b.in.bytes;
    if (!a && !in)
        return false;
    if (image)
        put(t, ": in the kernel's image");
    else if (in) {
        put_inside(t, a && a->pins ? "registered memory" : name_of(d, s, b.in.addr), f->value, b.in);
        if (d->checks && b.in.addr == d->stack && l->private_bytes)
            put(t, ", not one of the %u bytes that its thread has there", l->private_bytes);
    } else
        put_nearest(t, d, s, f->value);
    if (a && paged)
        put_state(t, &a->pages[(f->value - a->va) / VL_PAGE], a->pins != NULL);
    return true;
}

static void put_address(text *t, const vl_device *d, const vl_space *s, const vl_backend_launch *l, const vl_fault *f)
{
    unsigned rights;
    if (put_known(t, d, s, l, f))
        return;
    if (f->value - VL_SPAD_BASE < VL_SPAD_MAX) {
        put(t, ": in the scratchpad, of which the group has %u bytes", l->spad_asked);
        put_nearest_local(t, d, f->value);
        return;
    }
    if (f->value < VL_PAGE) {
        put(t, ": a null pointer");
        return;
    }
    if (f->value < VL_MAX_LIMIT && !vl_host_rights(f->value, 1, &rights))
        put(t, ": memory of the program, in no buffer%s",
            s ? ", and not registered (vl_register)" : "; the device's memory is bare, at addresses of its own");
    else
        put(t, ": in no buffer");
    put_nearest(t, d, s, f->value);
}

/* The value is an address. */
static bool of_address(uint32_t cause)
{
    return cause >= VL_FAULT_FETCH_MISALIGNED && cause <= VL_FAULT_STORE_PAGE && cause != VL_FAULT_BARRIER;
}

void vl_fault_place(vl_device *d, const vl_space *s, const vl_image *img, const vl_backend_launch *l, vl_fault *f)
{
    text t = {f->place, sizeof f->place};
    *f->place = 0;
    if (of_address(f->cause))
        put_address(&t, d, s, l, f);
    put_source(&t, img, f->pc);
    put_item(&t, f);
}
