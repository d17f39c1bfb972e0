/* Flushes: an address space's translations are dropped in some cores alone (docs/shared-translation.md, A flush of some cores; docs/host-memory.md, D9). */
#include <string.h>

#include "sw/runtime/memory.h"
#include "sw/runtime/space.h"

int vl_flush_check(const vl_device *d, vl_error *err)
{
    const char *has = vl_cfg_word(d->env.cfg, "translation");
    if (strcmp(has, "shared") != 0 || !d->ops->flush)
        return vl_fail(err, VL_ENOTSUP,
                       "translations are flushed in some cores alone with translation = shared; here it is '%s'", has);
    return 0;
}

static int check(vl_device *d, const vl_space *s)
{
    d->error.text[0] = 0;
    if (!d->space)
        return vl_fail(&d->error, VL_ENOTSUP, "the device's memory is bare: it has no address spaces");
    if (s && s->dev != d)
        return vl_fail(&d->error, VL_EINVAL, "the address space is of another device");
    return vl_flush_check(d, &d->error);
}

static int flush(vl_device *d, const vl_space *s, uint64_t cores)
{
    d->memory.pager.counts.shootdowns += d->memory.running;
    return d->ops->flush(d->self, cores, s->asid, &d->error);
}

int vl_flush(vl_device *d, vl_space *s, uint64_t cores)
{
    if (!d)
        return VL_EINVAL;
    int e = check(d, s);
    if (e)
        return e;
    if (!cores || cores & ~(~0ull >> (64 - d->env.cores)))
        return vl_fail(&d->error, VL_EINVAL, "cores %#llx: there are %u", (unsigned long long)cores, d->env.cores);
    e = flush(d, s ? s : d->memory.own, cores);
    if (e)
        vl_record_error(d, e);
    return e;
}

int vl_space_flush(vl_device *d, vl_space *s, uint32_t every)
{
    if (!d)
        return VL_EINVAL;
    int e = check(d, s);
    if (!e)
        (s ? s : d->memory.own)->flush_every = every;
    return e;
}

/* The cores that run its kernel. */
static uint64_t cores_of(const vl_device *d, const vl_space *s)
{
    uint64_t cores = 0;
    for (uint32_t c = 0; c < d->env.cores; c++)
        cores |= (uint64_t)(d->memory.on_core[c] == s) << c;
    return cores;
}

uint32_t vl_flush_period(const vl_device *d)
{
    uint32_t least = 0;
    for (const vl_space *s = d->memory.spaces; s; s = s->next)
        if (s->flush_every && cores_of(d, s) && (!least || s->flush_every < least))
            least = s->flush_every;
    return least;
}

int vl_flush_due(vl_device *d, uint32_t cycles)
{
    int e = 0;
    for (vl_space *s = d->memory.spaces; s && !e; s = s->next) {
        const uint64_t cores = s->flush_every ? cores_of(d, s) : 0;
        if (!cores)
            continue;
        const bool due = s->flush_left <= cycles;
        s->flush_left = due ? s->flush_every : s->flush_left - cycles;
        e = due ? flush(d, s, cores) : 0;
    }
    return e;
}
