/* The driver of a device behind a host, as a backend of libvellum: registers, memory, kernels, faults, counters. */
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/driver.h"

static int trace_end(void *self, vl_error *err)
{
    driver *d = self;
    return d->host.ops->trace_end ? d->host.ops->trace_end(d->host.self, err) : 0;
}

static void driver_close(void *self)
{
    driver *d = self;
    for (uint32_t k = 0; d->slot && k < d->facts->kernels; k++) {
        free(d->slot[k].held);
        free(d->slot[k].wanted);
    }
    free(d->slot);
    free(d->stopped);
    (void)driver_sample(d, NULL, NULL);
    free(d->counter);
    free(d->wire_name);
    d->host.ops->close(d->host.self);
    free(d);
}

static int open_slots(driver *d)
{
    const vl_host_facts *f = d->facts;
    d->slot = calloc(f->kernels, sizeof *d->slot);
    for (uint32_t k = 0; d->slot && k < f->kernels; k++) {
        driver_slot *s = &d->slot[k];
        s->table_unknown = true;
        s->held = calloc(f->reconv_entries, sizeof *s->held);
        s->wanted = calloc(f->reconv_entries, sizeof *s->wanted);
        if (!s->held || !s->wanted)
            return VL_ENOMEM;
    }
    if (!d->slot)
        return VL_ENOMEM;
    d->slot[0].cores = d->all_cores;
    return 0;
}

static int driver_open(void **self, const vl_backend_env *env, vl_error *err)
{
    vl_host_if host;
    int e = env->connect(&host, env, err);
    if (e)
        return e;
    const vl_host_facts *f = host.ops->facts(host.self);
    driver *d = calloc(1, sizeof *d);
    if (!d) {
        host.ops->close(host.self);
        return VL_ENOMEM;
    }
    *d = (driver){.host = host, .facts = f, .all_cores = ~0ull >> (64 - f->cores)};
    if (strcmp(env->config, f->config) || env->cores != f->cores || env->warps != f->warps || env->threads != f->threads
        || env->lanes != f->lanes || env->reconv_entries != f->reconv_entries || env->spad_bytes != f->spad_bytes)
        e = vl_fail(err, VL_EBACKEND, "%s was built for another configuration than '%s' is now: run make clean",
                    f->name, env->config);
    if (!e)
        e = driver_open_counters(d, err);
    if (!e)
        e = open_slots(d);
    if (!e && !(d->stopped = calloc((size_t)f->cores * f->warps, sizeof *d->stopped)))
        e = VL_ENOMEM;
    if (e)
        driver_close(d);
    else
        *self = d;
    return e;
}

static int use_store(void *self, const vl_store *store, vl_error *err)
{
    driver *d = self;
    return d->host.ops->use_store ? d->host.ops->use_store(d->host.self, store, err) : VL_ENOTSUP;
}

static int set_window(void *self, uint64_t base, uint64_t limit, vl_error *err)
{
    driver *d = self;
    if (limit - base > d->facts->memory_bytes)
        return vl_fail(err, VL_EINVAL, "a window of %llu bytes: %s has %llu bytes of %smemory",
                       (unsigned long long)(limit - base), d->facts->name, (unsigned long long)d->facts->memory_bytes,
                       d->facts->block_bytes ? "host " : "");
    d->base = base;
    d->limit = limit;
    return d->host.ops->window ? d->host.ops->window(d->host.self, base, limit, err) : 0;
}

static int back_door(void *self, bool open)
{
    driver *d = self;
    d->back_door = open;
    /* directories clear their tables after a reset, so the driver must wait until they are at rest */
    d->cached |= d->facts->block_bytes != 0;
    return 0;
}

static uint64_t now(void *self)
{
    driver *d = self;
    return d->host.ops->now(d->host.self);
}

static const vl_counter *counters(void *self, size_t *n)
{
    driver *d = self;
    *n = d->n_counters;
    if (d->host.ops->figures)
        *n += d->host.ops->figures(d->host.self, d->counter + d->n_counters);
    return d->counter;
}

static void trace_mark(void *self, const char *what)
{
    driver *d = self;
    if (d->host.ops->trace_mark)
        d->host.ops->trace_mark(d->host.self, what);
}

static void trace_value(void *self, const char *name, double value)
{
    driver *d = self;
    if (d->host.ops->trace_value)
        d->host.ops->trace_value(d->host.self, name, value);
}

static int watch(void *self, const vl_buffer_use *use, uint32_t n, vl_error *err)
{
    driver *d = self;
    return d->host.ops->watch ? d->host.ops->watch(d->host.self, use, n, err) : VL_ENOTSUP;
}

static const uint64_t *watched(void *self, uint32_t k)
{
    driver *d = self;
    return d->host.ops->watched(d->host.self, k);
}

static int trace_begin(void *self, const char *kind, const char *path, const vl_trace_part *part, vl_error *err)
{
    driver *d = self;
    return d->host.ops->trace_begin ? d->host.ops->trace_begin(d->host.self, kind, path, part, err) : VL_ENOTSUP;
}

const vl_backend_ops vl_driver = {.open = driver_open,
                                  .close = driver_close,
                                  .set_policy = driver_set_policy,
                                  .set_window = set_window,
                                  .write = driver_write,
                                  .read = driver_read,
                                  .fill = driver_fill,
                                  .back_door = back_door,
                                  .now = now,
                                  .set_reconv = driver_set_reconv,
                                  .run = driver_run,
                                  .run_jobs = driver_run_jobs,
                                  .begin = driver_begin,
                                  .pass = driver_pass,
                                  .end = driver_end,
                                  .stopped = driver_stopped,
                                  .sync = driver_sync,
                                  .counters = counters,
                                  .trace_begin = trace_begin,
                                  .trace_mark = trace_mark,
                                  .sample = driver_sample,
                                  .trace_value = trace_value,
                                  .watch = watch,
                                  .watched = watched,
                                  .trace_end = trace_end,
                                  .use_store = use_store,
                                  .set_root = driver_set_root,
                                  .invalidate = driver_invalidate,
                                  .flush = driver_flush_cores};
