/* Device memory: allocation, reads and writes, images. */
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/flow.h"
#include "sw/runtime/internal.h"
#include "sw/runtime/memory.h"
#include "sw/runtime/picture.h"
#include "sw/runtime/space.h"

/* Physical memory of a device without pages: in the store where it is shared (nothing of it is in a cache between kernels), otherwise, and beside a kernel, through the
 * machine. */
static int put(vl_device *d, uint64_t addr, const void *from, uint64_t bytes)
{
    if (d->memory.pictured)
        vl_picture_put(d, addr, from, 0, bytes);
    if (d->memory.options.shared)
        return vl_physical_write(d, addr, from, bytes);
    return d->ops->write(d->self, addr, from, bytes, &d->error);
}

static int get(vl_device *d, uint64_t addr, void *to, uint64_t bytes)
{
    if (d->memory.options.shared)
        return vl_physical_read(d, addr, to, bytes);
    return d->ops->read(d->self, addr, to, bytes, &d->error);
}

static int fill(vl_device *d, uint64_t addr, uint8_t byte, uint64_t bytes)
{
    if (d->memory.pictured)
        vl_picture_put(d, addr, NULL, byte, bytes);
    if (!d->memory.options.shared || d->memory.running)
        return d->ops->fill(d->self, addr, byte, bytes, &d->error);
    memset(d->memory.store.bytes + (addr - d->memory.store.base), byte, bytes);
    return 0;
}

int vl_malloc(vl_device *d, uint64_t bytes, vl_ptr *out)
{
    return vl_malloc_aligned(d, bytes, VL_LINE, out);
}

int vl_malloc_aligned(vl_device *d, uint64_t bytes, uint64_t align, vl_ptr *out)
{
    if (!d || !out)
        return VL_EINVAL;
    d->error.text[0] = 0;
    *out = 0;
    if (d->space)
        return vl_space_malloc(d->space, bytes, align, out);
    uint64_t at;
    int e = vl_heap_take(&d->heap, bytes, align, &at);
    if (e == VL_EINVAL)
        return vl_fail(&d->error, e, "a buffer of 0 bytes");
    if (e)
        return vl_fail(&d->error, e, "no room for a buffer of %llu bytes", (unsigned long long)bytes);
    if (at < d->heap.touched) {
        uint64_t end = at + vl_align(bytes, VL_LINE);
        e = fill(d, at, 0, (end < d->heap.touched ? end : d->heap.touched) - at);
    }
    if (e) {
        vl_heap_give(&d->heap, at);
        return vl_record_error(d, e);
    }
    if (at + vl_align(bytes, VL_LINE) > d->heap.touched)
        d->heap.touched = at + vl_align(bytes, VL_LINE);
    *out = at;
    return 0;
}

int vl_give(vl_device *d, vl_ptr p)
{
    return d->space ? vl_space_release(d->space, p) : vl_heap_give(&d->heap, p);
}

int vl_free(vl_device *d, vl_ptr p)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!p)
        return 0;
    int e = p == d->block || p == d->stack || p == d->print_at ? VL_EINVAL : vl_give(d, p);
    return e == VL_EINVAL ? vl_fail(&d->error, e, "%#llx is not a buffer of this device", (unsigned long long)p)
                          : vl_record_error(d, e);
}

static int inside(vl_device *d, uint64_t at, uint64_t bytes)
{
    d->error.text[0] = 0;
    if (d->space)
        return 0; /* the space knows */
    uint64_t end = d->heap_base < VL_IMAGE_END ? d->heap_base : VL_IMAGE_END;
    bool image = at >= VL_IMAGE_BASE && at <= end && bytes <= end - at;
    bool heap = at >= d->heap_base && at <= d->limit && bytes <= d->limit - at;
    if (image || heap)
        return 0;
    return vl_fail(&d->error, VL_EACCESS, "%#llx + %#llx is outside of device memory", (unsigned long long)at,
                   (unsigned long long)bytes);
}

/* A caller may write where nothing was allocated; then that no longer reads zero. */
static void touch(vl_device *d, uint64_t end)
{
    if (end > d->heap.touched)
        d->heap.touched = end;
}

int vl_write(vl_device *d, vl_ptr to, const void *from, uint64_t bytes)
{
    if (!d)
        return VL_EINVAL;
    int e = inside(d, to, bytes);
    if (e || !bytes)
        return e;
    if (!from)
        return vl_fail(&d->error, VL_EINVAL, "null argument");
    if (d->space)
        return vl_space_copy(d->space, to, bytes, from, NULL, 0);
    touch(d, to + bytes);
    return vl_record_error(d, put(d, to, from, bytes));
}

int vl_read(vl_device *d, vl_ptr from, void *to, uint64_t bytes)
{
    if (!d)
        return VL_EINVAL;
    int e = inside(d, from, bytes);
    if (e || !bytes)
        return e;
    if (!to)
        return vl_fail(&d->error, VL_EINVAL, "null argument");
    if (d->space)
        return vl_space_copy(d->space, from, bytes, NULL, to, 0);
    return vl_record_error(d, get(d, from, to, bytes));
}

int vl_fill(vl_device *d, vl_ptr to, uint8_t byte, uint64_t bytes)
{
    if (!d)
        return VL_EINVAL;
    int e = inside(d, to, bytes);
    if (e || !bytes)
        return e;
    if (d->space)
        return vl_space_copy(d->space, to, bytes, NULL, NULL, byte);
    touch(d, to + bytes);
    return vl_record_error(d, fill(d, to, byte, bytes));
}

int vl_sync(vl_device *d, vl_ptr from, uint64_t bytes)
{
    if (!d)
        return VL_EINVAL;
    int e = inside(d, from, bytes);
    if (e || !bytes)
        return e;
    if (!d->launched)
        return vl_fail(&d->error, VL_ESTATE, "no kernel runs");
    return vl_record_error(d, d->memory.pictured ? vl_picture_sync(d, from, bytes)
                                                 : d->ops->sync(d->self, from, bytes, &d->error));
}

int vl_set_back_door(vl_device *d, bool open)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    int e = d->ops->back_door ? d->ops->back_door(d->self, open) : 0;
    if (!e)
        d->back_door = open;
    return vl_record_error(d, e);
}

int vl_empty_caches(vl_device *d)
{
    uint8_t byte;
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!d->ops->back_door || d->space || d->memory.options.shared) /* then caches are empty between kernels anyway */
        return 0;
    int e = d->ops->back_door(d->self, true); /* opening the back door writes the caches back and empties them */
    if (!e)
        e = d->ops->read(d->self, VL_IMAGE_BASE, &byte, 1, &d->error);
    int f = d->ops->back_door(d->self, d->back_door);
    return vl_record_error(d, e ? e : f);
}

int vl_now(vl_device *d, uint64_t *cycles)
{
    if (!d || !cycles)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!d->ops->now)
        return vl_fail(&d->error, VL_ENOTSUP, "%s has no time in cycles", d->name);
    *cycles = d->ops->now(d->self);
    return 0;
}

/* ---- images ---- */

static int set_table(vl_device *d, const vl_reconv *list, size_t n)
{
    uint32_t entries = d->env.reconv_entries;
    vl_reconv *table = malloc(entries * sizeof *table);
    if (!table)
        return vl_fail(&d->error, VL_ENOMEM, "out of memory");
    int e, out = vl_reconv_pack(list, n, entries, table);
    if (out < 0)
        e = vl_fail(&d->error, VL_ECONFIG, "a reconvergence table of %u entries", entries);
    else
        e = vl_record_error(d, d->ops->set_reconv(d->self, d->job, table, entries, &d->error));
    free(table);
    if (e)
        return e;
    d->reconv_left_out = (uint32_t)out;
    d->reconv_used = (uint32_t)n - (uint32_t)out;
    return 0;
}

/* When the branches of all kernels do not fit together, the table holds those of the kernel that runs. */
int vl_table_for(vl_device *d, const vl_kernel_info *k)
{
    if (d->table_shared || d->table_kernel == k)
        return 0;
    const vl_image *img = d->image;
    const vl_segment *text = img->segments;
    while (!text->exec)
        text++;
    uint32_t n = (uint32_t)(text->file_bytes / 4);
    size_t n_list = img->n_reconv;
    uint32_t *words = malloc(text->file_bytes);
    vl_reconv *list = malloc(n_list * sizeof *list);
    int e = VL_ENOMEM;
    if (words && list) {
        for (uint32_t i = 0; i < n; i++)
            words[i] = (uint32_t)text->data[4ull * i] | (uint32_t)text->data[4ull * i + 1] << 8
                       | (uint32_t)text->data[4ull * i + 2] << 16 | (uint32_t)text->data[4ull * i + 3] << 24;
        memcpy(list, img->reconv, n_list * sizeof *list);
        e = vl_flow_select(words, text->addr, n, k->entry, list, &n_list);
    }
    e = e ? vl_fail(&d->error, e, "out of memory") : set_table(d, list, n_list);
    if (!e)
        d->table_kernel = k;
    free(words);
    free(list);
    return e;
}

int vl_load(vl_device *d, const vl_image *img)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!img)
        return vl_fail(&d->error, VL_EINVAL, "null argument");
    if (d->launched)
        return vl_fail(&d->error, VL_ESTATE, "a kernel runs");
    d->image = NULL;
    int e = 0;
    if (d->space)
        vl_space_drop_image(d->space);
    for (size_t i = 0; !e && i < img->n_segments; i++) {
        const vl_segment *s = &img->segments[i];
        if (inside(d, s->addr, s->mem_bytes))
            return vl_fail(&d->error, VL_EDEVMEM,
                           "the image's segment of %llu bytes at %#llx does not fit: device memory of %s has its "
                           "images in %#llx...%#llx",
                           (unsigned long long)s->mem_bytes, (unsigned long long)s->addr, d->config.name, VL_IMAGE_BASE,
                           (unsigned long long)(d->heap_base < VL_IMAGE_END ? d->heap_base : VL_IMAGE_END) - 1);
        if (d->space) {
            e = vl_space_image(d->space, s->addr, s->mem_bytes,
                               VL_READ | (s->exec ? VL_EXECUTE : 0u) | (s->write ? VL_WRITE : 0u));
            if (!e)
                e = vl_space_copy(d->space, s->addr, s->file_bytes, s->data, NULL, 0);
            continue;
        }
        if (s->file_bytes)
            e = put(d, s->addr, s->data, s->file_bytes);
        if (!e && s->mem_bytes > s->file_bytes)
            e = fill(d, s->addr + s->file_bytes, 0, s->mem_bytes - s->file_bytes);
    }
    if (e)
        return vl_record_error(d, e);
    if ((e = set_table(d, img->reconv, img->n_reconv)))
        return e;
    d->table_shared = d->reconv_left_out == 0;
    d->table_kernel = NULL;
    d->image = img;
    return 0;
}
