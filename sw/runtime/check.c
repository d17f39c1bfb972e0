/* Every access of a kernel against the buffers that there are (vl_check_buffers). */
#include <stdlib.h>

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
    d->checks = on;
    return on || !d->ops->allow ? 0 : vl_record_error(d, d->ops->allow(d->self, NULL, 0, &d->error));
}

/* The image's segments lie below the heap; both are by address. What the library itself has allocated, the launch block for one, is in the heap. */
int vl_allow(vl_device *d)
{
    if (!d->checks)
        return 0;
    const size_t segments = d->image ? d->image->n_segments : 0;
    size_t n = 0;
    vl_range_of *range = malloc((segments + d->heap.n + 1) * sizeof *range);
    if (!range)
        return vl_fail(&d->error, VL_ENOMEM, "out of memory");
    for (size_t i = 0; i < segments; i++) {
        const vl_segment *g = &d->image->segments[i];
        range[n++] = (vl_range_of){.addr = g->addr, .bytes = g->mem_bytes, .asked = g->mem_bytes};
    }
    for (size_t i = 0; i < d->heap.n; i++)
        range[n++] = d->heap.used[i];
    const int e = d->ops->allow(d->self, range, (uint32_t)n, &d->error);
    free(range);
    return vl_record_error(d, e);
}
