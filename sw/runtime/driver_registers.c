/* The driver: control registers. */
#include "sw/runtime/driver.h"

int driver_get(driver *d, uint32_t reg, uint64_t *value, vl_error *err)
{
    return d->host.ops->read_register(d->host.self, reg, value, err);
}

int driver_put(driver *d, uint32_t reg, uint64_t value, vl_error *err)
{
    return d->host.ops->write_register(d->host.self, reg, value, err);
}

int driver_await(driver *d, uint32_t reg, uint64_t mask, uint64_t want, const char *what, vl_error *err)
{
    for (uint64_t begin = d->host.ops->now(d->host.self);;) {
        uint64_t v;
        int e = driver_get(d, reg, &v, err);
        if (e || (v & mask) == want)
            return e;
        if (d->host.ops->now(d->host.self) - begin > DRIVER_PATIENCE)
            return vl_fail(err, VL_EBACKEND, "%s after %u cycles", what, DRIVER_PATIENCE);
    }
}
