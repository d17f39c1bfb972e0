/* The driver: counters. */
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/driver.h"
#include "vl_perf.h"

#define ROW(k, name, block, help) {#name, #block, "", help, 0},
static const vl_counter rows[] = {{"cycles", "run", "cycles", "cycles from the start of the kernel to its end", 0},
                                  VL_COUNTERS(ROW) VL_SLICE_COUNTERS(ROW) VL_CHANNEL_COUNTERS(ROW)};
static const vl_counter flush_row = {
    "flush_cycles", "run", "cycles",
    "cycles of the final flush after the kernel's end, until host memory has all that devices have stored", 0};
#define ONE(...) +1
static const unsigned counters[] = {
    [OF_CORE] = 0 VL_COUNTERS(ONE), [OF_SLICE] = 0 VL_SLICE_COUNTERS(ONE), [OF_CHANNEL] = 0 VL_CHANNEL_COUNTERS(ONE)};

int driver_open_counters(driver *d, vl_error *err)
{
    for (unsigned w = OF_CORE; w <= OF_CHANNEL; w++)
        if (counters[w] != d->facts->counters[w])
            return vl_fail(err, VL_EBACKEND, "%s has other counters than this program knows: run make clean",
                           d->facts->name);
    d->counter = malloc(sizeof rows + (1 + VL_HOST_FIGURES) * sizeof *rows);
    if (!d->counter)
        return VL_ENOMEM;
    memcpy(d->counter, rows, sizeof rows);
    d->n_counters = sizeof rows / sizeof *rows;
    if (d->facts->block_bytes)
        d->counter[d->n_counters++] = flush_row;
    return 0;
}

void driver_clear_counters(driver *d)
{
    for (size_t k = 0; k < d->n_counters; k++)
        d->counter[k].value = 0;
}

void driver_count_cycles(driver *d, uint64_t cycles)
{
    if (d->counter[0].value < cycles)
        d->counter[0].value = cycles;
}

void driver_count_flush(driver *d, uint64_t cycles)
{
    d->counter[sizeof rows / sizeof *rows].value = cycles;
}

int driver_count(driver *d, enum driver_unit what, uint64_t units, vl_error *err)
{
    const unsigned there[] = {
        [OF_CORE] = d->facts->cores, [OF_SLICE] = d->facts->slices, [OF_CHANNEL] = d->facts->channels};
    vl_counter *c = &d->counter[1];
    int e = 0;
    for (unsigned w = 0; w < what; w++)
        c += counters[w];
    for (unsigned k = 0; k < counters[what] && !e; k++, c++)
        for (uint64_t unit = 0; unit < there[what] && !e; unit++) {
            uint64_t v = 0;
            if (!(units >> unit & 1))
                continue;
            e = driver_put(
                d, REG_PERF_SEL,
                reg_perf_sel_put((reg_perf_sel_t){.counter = (uint8_t)k, .unit = (uint8_t)unit, .kind = (uint8_t)what}),
                err);
            if (!e)
                e = driver_get(d, REG_PERF_DATA, &v, err);
            c->value += v;
        }
    return e;
}
