/* The driver: counters are read while a kernel runs, at intervals and at marks. Reading takes the host some cycles a counter and unit, and the kernel none. */
#include <stdlib.h>

#include "sw/runtime/driver.h"

static void forget(driver *d)
{
    free(d->sampling.row);
    free(d->sampling.value);
    d->sampling = (driver_sampling){0};
}

int driver_sample(void *self, const vl_sampling *s, vl_error *err)
{
    driver *d = self;
    forget(d);
    if (!s)
        return 0;
    struct driver_counter *row = calloc(s->n + 1, sizeof *row);
    uint64_t *value = calloc(s->n + 1, sizeof *value);
    int e = row && value ? 0 : VL_ENOMEM;
    for (size_t i = 0; i < s->n && !e; i++)
        if (!driver_find_counter(d, s->counter[i], &row[i]))
            e = vl_fail(err, VL_ENOENT, "%s is no counter that configuration %s has while a kernel runs", s->counter[i],
                        d->facts->config);
    if (e) {
        free(row);
        free(value);
        return e;
    }
    d->sampling = (driver_sampling){.what = *s, .row = row, .value = value};
    if (d->host.ops->mark) /* from now on marks are seen */
        (void)d->host.ops->mark(d->host.self);
    return 0;
}

static int take(driver *d, uint64_t begin, int mark, vl_error *err)
{
    driver_sampling *s = &d->sampling;
    const uint64_t cycle = d->host.ops->now(d->host.self) - begin;
    int e = 0;
    for (size_t i = 0; i < s->what.n && !e; i++)
        e = driver_read_counter(d, &s->row[i], &s->value[i], err);
    return e ? e : s->what.fn(s->what.user, cycle, mark, s->value);
}

void driver_sample_from(driver *d, uint64_t begin)
{
    d->sampling.next = d->sampling.row && d->sampling.what.every ? begin + d->sampling.what.every : UINT64_MAX;
}

static int take_marks(driver *d, uint64_t begin, vl_error *err)
{
    int e = 0, mark;
    while (!e && d->sampling.row && d->host.ops->mark && (mark = d->host.ops->mark(d->host.self)) >= 0)
        e = take(d, begin, mark, err);
    return e;
}

int driver_sample_due(driver *d, uint64_t begin, vl_error *err)
{
    int e = take_marks(d, begin, err);
    if (!e && d->host.ops->now(d->host.self) >= d->sampling.next) {
        e = take(d, begin, -1, err);
        while (d->sampling.next <= d->host.ops->now(d->host.self))
            d->sampling.next += d->sampling.what.every;
    }
    return e;
}

int driver_sample_last(driver *d, uint64_t begin, vl_error *err)
{
    int e = take_marks(d, begin, err);
    return e || !d->sampling.row ? e : take(d, begin, -1, err);
}
