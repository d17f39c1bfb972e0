/* The address spaces of a device. Numbers in comments are those of docs/host-memory.md. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sw/runtime/space.h"
#include "sw/runtime/store.h"

#define REGION_LEAST (1ull << 36) /* A1 */

int vl_space_new(vl_device *d, vl_space **out)
{
    if (!d || !out)
        return VL_EINVAL;
    vl_memory_state *m = &d->memory;
    *out = NULL;
    d->error.text[0] = 0;
    if (m->options.mode == VL_BARE)
        return vl_fail(&d->error, VL_ENOTSUP, "the device's memory is bare: it has no address spaces");
    vl_space *s = calloc(1, sizeof *s);
    if (!s)
        return vl_fail(&d->error, VL_ENOMEM, "out of memory");
    s->dev = d;
    s->home_fd = -1;
    int e = 0;
    uint32_t asid = 1;
    while (asid < VL_ASIDS && m->asids[asid / 64] >> asid % 64 & 1)
        asid++;
    if (asid == VL_ASIDS)
        e = vl_fail(&d->error, VL_EDEVMEM, "all 65535 address spaces are in use");
    s->region_bytes = REGION_LEAST;
    while (s->region_bytes / 4 < m->store.limit - m->store.base)
        s->region_bytes *= 2;
    if (!e && !(s->region = vl_addresses(s->region_bytes, &d->error)))
        e = VL_ENOMEM;
    uint64_t home = s->region_bytes + (VL_IMAGE_END - VL_IMAGE_BASE);
    if (!e && vl_space_demand(s)
        && ((s->home_fd = vl_memory_file("vellum-home", home, &d->error)) < 0
            || !(s->home = vl_memory_view(s->home_fd, 0, home, &d->error))))
        e = VL_ENOMEM;
    if (!e && (e = page_table_new(&s->table, &(pt_memory){s, vl_table_take, vl_table_give, vl_table_write})))
        vl_record_error(d, e);
    if (e) {
        if (s->home)
            munmap(s->home, home);
        if (s->home_fd >= 0)
            close(s->home_fd);
        if (s->region)
            munmap(s->region, s->region_bytes);
        free(s);
        return e;
    }
    vl_heap_init(&s->heap, (uint64_t)(uintptr_t)s->region, (uint64_t)(uintptr_t)s->region + s->region_bytes);
    s->asid = (uint16_t)asid;
    s->flush_every = m->options.flush_every;
    m->asids[asid / 64] |= 1ull << asid % 64;
    s->next = m->spaces;
    m->spaces = s;
    *out = s;
    return 0;
}

void vl_space_destroy(vl_space *s)
{
    vl_memory_state *m = &s->dev->memory;
    vl_space_empty(s);
    page_table_free(s->table);
    m->asids[s->asid / 64] &= ~(1ull << s->asid % 64);
    vl_space **at = &m->spaces;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    vl_heap_done(&s->heap);
    munmap(s->region, s->region_bytes);
    if (s->home)
        munmap(s->home, s->region_bytes + (VL_IMAGE_END - VL_IMAGE_BASE));
    if (s->home_fd >= 0)
        close(s->home_fd);
    free(s->areas);
    free(s->retired);
    free(s->registered);
    free(s);
}

int vl_space_free(vl_device *d, vl_space *s)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!s)
        return 0;
    if (s->dev != d || s == d->memory.own || s == d->space)
        return vl_fail(&d->error, VL_EINVAL, "the address space is %s", s->dev != d ? "of another device" : "in use");
    vl_space_destroy(s);
    return 0;
}

int vl_use_space(vl_device *d, vl_space *s)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!d->space)
        return vl_fail(&d->error, VL_ENOTSUP, "the device's memory is bare: it has no address spaces");
    if (!s)
        s = d->memory.own;
    if (s->dev != d)
        return vl_fail(&d->error, VL_EINVAL, "the address space is of another device");
    d->space->kept = (vl_kept){d->image,       d->block,       d->stack,       d->print_at,
                               d->block_bytes, d->stack_bytes, d->print_bytes, d->stack_log2};
    d->space = s;
    d->image = s->kept.image;
    d->block = s->kept.block, d->block_bytes = s->kept.block_bytes;
    d->stack = s->kept.stack, d->stack_bytes = s->kept.stack_bytes, d->stack_log2 = s->kept.stack_log2;
    d->print_at = s->kept.print_at, d->print_bytes = s->kept.print_bytes;
    d->table_shared = false; /* the device's reconvergence table may have been made for another space's image */
    d->table_kernel = NULL;
    return 0;
}

int vl_space_asid(vl_device *d, const vl_space *s, uint16_t *asid)
{
    if (!d || !asid)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (!d->space)
        return vl_fail(&d->error, VL_ENOTSUP, "the device's memory is bare: it has no address spaces");
    if (s && s->dev != d)
        return vl_fail(&d->error, VL_EINVAL, "the address space is of another device");
    *asid = s ? s->asid : d->memory.own->asid;
    return 0;
}

/* Page colouring: with whole pages in a channel, a frame's number says which. The root table is taken anew. */
int vl_space_channels(vl_device *d, vl_space *s, uint64_t channels)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    const vl_memory_state *m = &d->memory;
    if (!d->space)
        return vl_fail(&d->error, VL_ENOTSUP, "the device's memory is bare: it has no address spaces");
    if (!s || s->dev != d)
        return vl_fail(&d->error, VL_EINVAL, "the address space is %s", s ? "of another device" : "the device's own");
    if (m->options.mode != VL_PAGED || m->options.page_bytes > VL_PAGE)
        return vl_fail(&d->error, VL_ENOTSUP, "channels are divided with memory paged, in pages of 4 KB");
    if (vl_cfg_get(d->env.cfg, "devices", 1) > 1)
        return vl_fail(&d->error, VL_ENOTSUP, "channels are divided on one device");
    if (!m->frames.colours)
        return vl_fail(&d->error, VL_ENOTSUP,
                       "a page lies in several channels: interleave_bytes is %lld, and would have to be 4096 or more",
                       (long long)vl_cfg_get(d->env.cfg, "interleave_bytes", 0));
    if (!channels || (m->frames.colours < 64 && channels >> m->frames.colours))
        return vl_fail(&d->error, VL_EINVAL, "channels %#llx: there are %u", (unsigned long long)channels,
                       m->frames.colours);
    if (s->n || s->kept.image || (d->space == s && d->image))
        return vl_fail(&d->error, VL_ESTATE, "the address space has memory already");
    const uint64_t before = s->channels;
    page_table *table;
    s->channels = channels;
    int e = page_table_new(&table, &(pt_memory){s, vl_table_take, vl_table_give, vl_table_write});
    if (e) {
        s->channels = before;
        vl_record_error(d, e);
        return e;
    }
    page_table_free(s->table);
    s->table = table;
    return 0;
}

void *vl_host(vl_device *d, vl_ptr p)
{
    if (!d)
        return NULL;
    if (!d->space)
        return d->memory.options.shared && vl_heap_has(&d->heap, p) ? d->memory.view + (p - d->memory.store.base)
                                                                    : NULL;
    const vl_area *a;
    const vl_page *page = vl_space_page(d->space, p, &a);
    if (page && a->pins)
        return vl_registered_covers(d->space, p, 1) ? (void *)(uintptr_t)p : NULL; /* NOLINT */
    return page && a->host && page->mapped ? vl_space_here(d->space, p) : NULL;
}
