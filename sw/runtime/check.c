/* Every access of a kernel against the buffers that there are (vl_check_buffers). */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/internal.h"

int vl_check_buffers(vl_device *d, bool on)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    if (on && !d->ops->allow)
        return vl_fail(&d->error, VL_ENOTSUP, "backend %s does not look every access up, ref does", d->name);
    if (on && d->memory.options.mode != VL_BARE)
        return vl_fail(&d->error, VL_ENOTSUP, "memory has pages, and an access outside of all of them faults");
    d->checks = d->heap.zones = on;
    return on || !d->ops->allow ? 0 : vl_record_error(d, d->ops->allow(d->self, NULL, 0, &d->error));
}

/* The kernel's own __local arrays, and the memory of each __local argument. */
static size_t put_locals(const vl_kernel *k, vl_range_of *to)
{
    size_t n = 0;
    if (k->info->local_bytes)
        to[n++] = (vl_range_of){VL_SPAD_BASE, k->info->local_bytes, k->info->local_bytes};
    for (uint32_t i = 0; i < k->info->n_args; i++)
        if (k->info->args[i].kind == VL_ARG_LOCAL) {
            uint64_t at; /* as it is in the launch block */
            memcpy(&at, k->args + (k->info->args[i].offset - VL_BLOCK_ARGS), sizeof at);
            to[n++] = (vl_range_of){le64toh(at), k->local_bytes[i], k->local_bytes[i]};
        }
    return n;
}

/* The image's segments lie below the scratchpad, and that below the heap; all are by address. The library's own ranges, such as the launch block, are in the heap. */
int vl_allow(vl_device *d, const vl_kernel *k)
{
    if (!d->checks)
        return 0;
    const size_t segments = d->image ? d->image->n_segments : 0;
    size_t n = 0;
    vl_range_of *range = realloc(d->allowed, (segments + k->info->n_args + 1 + d->heap.n) * sizeof *range);
    if (!range)
        return vl_fail(&d->error, VL_ENOMEM, "out of memory");
    d->allowed = range;
    for (size_t i = 0; i < segments; i++) {
        const vl_segment *g = &d->image->segments[i];
        range[n++] = (vl_range_of){.addr = g->addr, .bytes = g->mem_bytes, .asked = g->mem_bytes};
    }
    n += put_locals(k, range + n);
    for (size_t i = 0; i < d->heap.n; i++)
        range[n++] = d->heap.used[i];
    d->n_allowed = n;
    return vl_record_error(d, d->ops->allow(d->self, range, (uint32_t)n, &d->error));
}
