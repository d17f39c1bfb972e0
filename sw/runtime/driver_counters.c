/* The driver: counters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/driver.h"
#include "vl_perf.h"

#define ROW(k, name, block, help) {#name, #block, "", help, 0},
static const vl_counter cycles_row = {"cycles", "run", "cycles", "cycles from the start of the kernel to its end", 0},
                        core_rows[] = {VL_COUNTERS(ROW)}, slice_rows[] = {VL_SLICE_COUNTERS(ROW)},
                        channel_rows[] = {VL_CHANNEL_COUNTERS(ROW)}, stack_rows[] = {VL_STACK_COUNTERS(ROW)},
                        home_rows[] = {VL_HOME_COUNTERS(ROW)}, wire_rows[] = {VL_WIRE_COUNTERS(ROW)},
                        shared_rows[] = {VL_SHARED_COUNTERS(ROW)},
                        run_rows[] = {/* with directories only */
                                      {"flush_cycles", "run", "cycles",
                                       "cycles of the final flush after the kernel's end, until host memory has all "
                                       "that devices have stored",
                                       0},
                                      {"host_cycles", "run", "cycles",
                                       "cycles of what the host read, wrote and synchronised between a kernel's start "
                                       "and its final flush",
                                       0}};
#define COUNT(rows) (sizeof(rows) / sizeof *(rows))
static const struct {
    const vl_counter *rows;
    unsigned n;
} kinds[DRIVER_UNITS] = {
    [OF_CORE] = {core_rows, COUNT(core_rows)},          [OF_SLICE] = {slice_rows, COUNT(slice_rows)},
    [OF_CHANNEL] = {channel_rows, COUNT(channel_rows)}, [OF_STACK] = {stack_rows, COUNT(stack_rows)},
    [OF_HOME] = {home_rows, COUNT(home_rows)},          [OF_WIRE] = {wire_rows, COUNT(wire_rows)},
    [OF_SHARED] = {shared_rows, COUNT(shared_rows)}};
#define NUMBER(k, name, block, help) N_##name = k,
enum { VL_WIRE_COUNTERS(NUMBER) };
enum { VL_COUNTERS(NUMBER) };

const vl_counter *driver_counter(size_t *i)
{
    if (*i == 0)
        return &cycles_row;
    --*i;
    for (size_t k = 0; k < DRIVER_UNITS; *i -= kinds[k++].n)
        if (*i < kinds[k].n)
            return &kinds[k].rows[*i];
    if (*i < COUNT(run_rows))
        return &run_rows[*i];
    *i -= COUNT(run_rows);
    return NULL;
}

/* Bytes on a wire, by class: each is counted in flits. A class goes up, down, or both ways. */
static const struct wire_class {
    const char *name;
    unsigned flits; /* the counter of its flits */
    const char *up, *down; /* help text; NULL: the class does not go in this direction */
} classes[] = {
    {"line", N_link_line_flits, "bytes on the wire up: lines to other devices", "bytes on the wire down: lines"},
    {"merge", N_link_merge_flits, "bytes on the wire up: lines of which marked bytes go home", NULL},
    {"ack", N_link_acks, "bytes on the wire up: acknowledgements", NULL},
    {"request", N_link_requests, "bytes on the wire up: requests", NULL},
    {"grant", N_link_grants, NULL, "bytes on the wire down: grants"},
    {"probe", N_link_probes, NULL, "bytes on the wire down: probes"},
};
enum { CLASSES = sizeof classes / sizeof *classes };

static bool goes_up(uint64_t wire)
{
    return wire % 2 == 0;
}

static const char *on_wire(unsigned class, uint64_t wire)
{
    return goes_up(wire) ? classes[class].up : classes[class].down;
}

/* The counters of bytes: of each wire those of the classes that it has. With one pair of wires these need no number. */
static void open_wires(driver *d)
{
    for (uint32_t w = 0; w < d->facts->wires; w++)
        for (unsigned c = 0; c < CLASSES; c++) {
            char *name = d->wire_name[w * CLASSES + c], number[12] = "";
            if (!on_wire(c, w))
                continue;
            if (d->facts->wires > 2)
                snprintf(number, sizeof number, "%u", w / 2);
            snprintf(name, DRIVER_WIRE_NAME, "link_%s%s_%s_bytes", goes_up(w) ? "up" : "down", number, classes[c].name);
            d->counter[d->n_counters++] = (vl_counter){name, "link", "bytes", on_wire(c, w), 0};
        }
}

/* How many of a kind the device has. */
static uint32_t units_of(const driver *d, enum driver_unit what)
{
    const uint32_t there[DRIVER_UNITS] = {
        [OF_CORE] = d->facts->cores,   [OF_SLICE] = d->facts->slices, [OF_CHANNEL] = d->facts->channels,
        [OF_STACK] = d->facts->stacks, [OF_HOME] = d->facts->homes,   [OF_WIRE] = d->facts->wires,
        [OF_SHARED] = d->facts->shared};
    return there[what];
}

/* Of a part that only some machines have (a shared translation, victim tags, a compactor, a common page matrix, reads of DRAM told apart, kept pointers), others have no row: nothing is read that is always 0, and no time passes for it. */
static bool is_there(const driver *d, const vl_counter *row)
{
    return (d->facts->shared || strcmp(row->section, "seam_port"))
           && (d->facts->locality || strcmp(row->section, "warp_locality"))
           && (d->facts->compaction || strcmp(row->section, "compactor"))
           && (d->facts->cpm_bits || strcmp(row->section, "common_page"))
           && (d->facts->dram_detail || strcmp(row->section, "perf_channel"))
           && (d->facts->walk_pointers || strcmp(row->name, "ptw_kept"));
}

static void add_rows(driver *d, const vl_counter *rows, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (is_there(d, &rows[k]))
            d->counter[d->n_counters++] = rows[k];
}

int driver_open_counters(driver *d, vl_error *err)
{
    size_t most = (size_t)d->facts->wires * CLASSES;
    d->wire_name = calloc(most + 1, sizeof *d->wire_name);
    most += 1 + COUNT(run_rows) + VL_HOST_FIGURES;
    for (unsigned w = OF_CORE; w < DRIVER_UNITS; w++) {
        if (kinds[w].n != d->facts->counters[w])
            return vl_fail(err, VL_EBACKEND, "%s has other counters than this program knows: run make clean",
                           d->facts->name);
        most += kinds[w].n;
    }
    d->counter = malloc(most * sizeof *d->counter);
    if (!d->counter || !d->wire_name)
        return VL_ENOMEM;
    add_rows(d, &cycles_row, 1);
    for (unsigned w = OF_CORE; w < DRIVER_UNITS; w++) {
        d->first[w] = d->n_counters;
        if (units_of(d, w))
            add_rows(d, kinds[w].rows, kinds[w].n);
    }
    d->flush_row = d->n_counters;
    if (d->facts->block_bytes) {
        add_rows(d, run_rows, COUNT(run_rows));
        open_wires(d);
    }
    return 0;
}

bool driver_find_counter(const driver *d, const char *name, struct driver_counter *to)
{
    for (unsigned w = 0; w < DRIVER_UNITS; w++)
        for (unsigned k = 0; units_of(d, w) && k < kinds[w].n; k++)
            if (is_there(d, &kinds[w].rows[k]) && !strcmp(kinds[w].rows[k].name, name)) {
                *to = (struct driver_counter){w, k};
                return true;
            }
    return false;
}

static int read_unit(driver *d, enum driver_unit what, unsigned number, uint64_t unit, uint64_t *value, vl_error *err)
{
    int e = driver_put(
        d, REG_PERF_SEL,
        reg_perf_sel_put((reg_perf_sel_t){.counter = (uint8_t)number, .unit = (uint8_t)unit, .kind = (uint8_t)what}),
        err);
    return e ? e : driver_get(d, REG_PERF_DATA, value, err);
}

int driver_read_counter(driver *d, const struct driver_counter *c, uint64_t *value, vl_error *err)
{
    int e = 0;
    *value = 0;
    for (uint64_t unit = 0; unit < units_of(d, c->unit) && !e; unit++) {
        uint64_t v = 0;
        e = read_unit(d, c->unit, c->number, unit, &v, err);
        *value += v;
    }
    return e;
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
    d->counter[d->flush_row].value = cycles;
}

void driver_count_host(driver *d, uint64_t cycles)
{
    d->counter[d->flush_row + 1].value += cycles;
}

/* `flits` more of counter `number` of a wire: bytes of a class. */
static void count_bytes(driver *d, uint64_t wire, unsigned number, uint64_t flits)
{
    vl_counter *row = d->counter + d->flush_row + COUNT(run_rows);
    for (uint64_t w = 0; w <= wire; w++)
        for (unsigned c = 0; c < CLASSES; c++)
            if (on_wire(c, w)) {
                if (w == wire && classes[c].flits == number)
                    row->value += flits * d->facts->link_bytes;
                row++;
            }
}

/* Adds counter `number` of some of the units of a kind to its row. */
static int count_row(driver *d, enum driver_unit what, unsigned number, uint64_t units, vl_counter *row, vl_error *err)
{
    const uint32_t there = units_of(d, what);
    int e = 0;
    for (uint64_t unit = 0; unit < there && !e; unit++) {
        uint64_t v = 0;
        if (!(units >> unit & 1))
            continue;
        e = read_unit(d, what, number, unit, &v, err);
        row->value += v;
        if (what == OF_WIRE)
            count_bytes(d, unit, number, v);
    }
    return e;
}

static int count_instructions(driver *d, uint64_t cores, vl_error *err)
{
    return count_row(d, OF_CORE, N_warp_instructions, cores, &d->counter[d->first[OF_CORE] + N_warp_instructions], err);
}

int driver_count_job(driver *d, vl_backend_job *job, vl_error *err)
{
    const vl_counter *row = &d->counter[d->first[OF_CORE]];
    const uint32_t n = job->counts ? (uint32_t)(d->first[OF_SLICE] - d->first[OF_CORE]) : 0;
    for (uint32_t k = 0; k < n; k++)
        job->counts[k] = row[k].value;
    int e = job->brief ? count_instructions(d, job->cores, err) : driver_count(d, OF_CORE, job->cores, err);
    for (uint32_t k = 0; k < n; k++)
        job->counts[k] = row[k].value - job->counts[k];
    job->counted = e ? 0 : n;
    return e;
}

int driver_count(driver *d, enum driver_unit what, uint64_t units, vl_error *err)
{
    vl_counter *c = &d->counter[d->first[what]];
    int e = 0;
    for (unsigned k = 0; units_of(d, what) && k < kinds[what].n && !e; k++) {
        if (!is_there(d, &kinds[what].rows[k]))
            continue;
        e = count_row(d, what, k, units, c++, err);
    }
    return e;
}
