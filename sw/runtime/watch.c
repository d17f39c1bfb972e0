/* Which buffer misses. */
#include <string.h>

#include "sw/runtime/internal.h"

int vl_watch(vl_device *d, const vl_buffer_use *use, uint32_t n)
{
    if (!d || (n && !use))
        return VL_EINVAL;
    d->error.text[0] = 0;
    int e = d->ops->watch ? d->ops->watch(d->self, use, n, &d->error) : VL_ENOTSUP;
    if (e == VL_ENOTSUP)
        return vl_fail(&d->error, e, "backend %s does not know buffers", d->name);
    d->watched = e ? 0 : n;
    return vl_record_error(d, e);
}

int vl_watched(vl_device *d, vl_buffer_use *use, uint32_t n)
{
    if (!d || !use)
        return VL_EINVAL;
    if (!n || n != d->watched)
        return VL_ESTATE;
    for (uint32_t k = 0; k <= n; k++)
        memcpy(use[k].count, d->ops->watched(d->self, k), sizeof use[k].count);
    return 0;
}

static const struct {
    const char *name, *help;
} buffer_counts[VL_BUFFER_COUNTS] = {
    {"tlb_lookups", "pages of loads and stores looked up in the TLBs"},
    {"tlb_misses", "of these, not found"},
    {"l1d_loads", "line loads sent to the data caches"},
    {"l1d_stores", "stores and atomics of lines"},
    {"l2_reads", "line reads sent to the L2: misses of the data caches"},
    {"l2_writes", "writes and atomics sent to the L2"},
    {"l2_misses", "lines that the L2 read from memory"},
    {"l2_write_backs", "lines that the L2 wrote back to memory"},
};

const char *vl_buffer_count_name(uint32_t count)
{
    return count < VL_BUFFER_COUNTS ? buffer_counts[count].name : NULL;
}

const char *vl_buffer_count_help(uint32_t count)
{
    return count < VL_BUFFER_COUNTS ? buffer_counts[count].help : NULL;
}
