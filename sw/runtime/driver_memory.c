/* The driver: memory, through the host memory port or by the back door; the caches in between. */
#include "sw/runtime/driver.h"

/* Of all slices and directories. */
static int maintain(driver *d, uint8_t op, const char *what, vl_error *err)
{
    int e = driver_put(d, REG_MAINT, reg_maint_put((reg_maint_t){.op = op}), err);
    return e ? e : driver_await(d, REG_STATUS, reg_status_put((reg_status_t){.maint = true}), 0, what, err);
}

int driver_empty_caches(driver *d, vl_error *err)
{
    if (!d->cached)
        return 0;
    const uint64_t rest = reg_status_put((reg_status_t){.rest = true});
    int e = maintain(d, MAINT_OP_INVAL_ALL, "maintenance of the L2 has not ended", err);
    if (!e)
        e = driver_await(d, REG_STATUS, rest, rest, "the write-back to the chips has not ended", err);
    if (!e)
        e = d->host.ops->pass(d->host.self, 64, err); /* the last beats of write data */
    d->cached = e != 0;
    return e;
}

int driver_flush(driver *d, vl_error *err)
{
    const uint64_t begin = d->host.ops->now(d->host.self);
    if (!d->facts->block_bytes)
        return 0;
    int e = maintain(d, MAINT_OP_FLUSH_ALL, "the final flush has not ended", err);
    driver_count_flush(d, d->host.ops->now(d->host.self) - begin);
    return e;
}

/* An access beside a kernel that began at `since` is over. */
static int done(driver *d, uint64_t since, int e)
{
    if (d->beside && d->facts->block_bytes)
        driver_count_host(d, d->host.ops->now(d->host.self) - since);
    return e;
}

/* Only while no kernel runs. */
static bool by_back_door(const driver *d)
{
    return d->back_door && !d->clocked && d->host.ops->load;
}

int driver_write(void *self, uint64_t addr, const void *data, uint64_t bytes, vl_error *err)
{
    driver *d = self;
    d->used = true;
    if (by_back_door(d)) {
        int e = driver_empty_caches(d, err);
        return e ? e : d->host.ops->load(d->host.self, addr, data, bytes, err);
    }
    d->cached = true;
    const uint64_t since = d->host.ops->now(d->host.self);
    return done(d, since, d->host.ops->write(d->host.self, addr, data, bytes, err));
}

int driver_sync(void *self, uint64_t addr, uint64_t bytes, vl_error *err)
{
    driver *d = self; /* after a kernel's end the final flush has done it */
    const uint64_t since = d->host.ops->now(d->host.self);
    return d->clocked && d->host.ops->sync ? done(d, since, d->host.ops->sync(d->host.self, addr, bytes, err)) : 0;
}

int driver_read(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err)
{
    driver *d = self;
    if (by_back_door(d)) {
        int e = driver_empty_caches(d, err);
        return e ? e : d->host.ops->dump(d->host.self, addr, data, bytes, err);
    }
    d->cached = true;
    int e = d->beside ? 0 : driver_sync(d, addr, bytes, err);
    const uint64_t since = d->host.ops->now(d->host.self);
    return e ? e : done(d, since, d->host.ops->read(d->host.self, addr, data, bytes, err));
}

int driver_fill(void *self, uint64_t addr, uint8_t byte, uint64_t bytes, vl_error *err)
{
    driver *d = self;
    d->used = true;
    if (by_back_door(d)) {
        int e = driver_empty_caches(d, err);
        return e ? e : d->host.ops->clear(d->host.self, addr, byte, bytes, err);
    }
    d->cached = true;
    const uint64_t since = d->host.ops->now(d->host.self);
    return done(d, since, d->host.ops->fill(d->host.self, addr, byte, bytes, err));
}
