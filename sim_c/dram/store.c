/* The contents of the cells: the owner's memory, or memory of the model's own, allocated for a row at the first write to it; until then the row reads 0. */
#include "sim_c/dram/device.h"
#include "sim_c/common/error.h"
#include <stdlib.h>
#include <string.h>

void dram_use_cells(dram_t *d, dram_cells_fn *cells, void *user)
{
    d->cells = cells;
    d->cells_user = user;
}

static uint8_t **place_of(const dram_t *d, unsigned bank, uint32_t row)
{
    return &d->rows[(size_t)bank * d->set.rows + row];
}

uint8_t *dram_at(const dram_t *d, unsigned bank, uint32_t row, uint32_t offset)
{
    if (d->cells)
        return d->cells(d->cells_user, bank, row, offset);
    uint8_t *r = *place_of(d, bank, row);
    return r ? r + offset : NULL;
}

struct cells {
    struct cells *next;
    uint8_t bytes[];
};

bool dram_row_make(dram_t *d, unsigned bank, uint32_t row)
{
    uint8_t **place = place_of(d, bank, row);
    if (d->cells || *place)
        return true;
    struct cells *c = calloc(1, sizeof *c + d->row_bytes);
    if (!c)
        return false;
    c->next = d->made;
    d->made = c;
    *place = c->bytes;
    return true;
}

void dram_rows_free(dram_t *d)
{
    for (struct cells *c = d->made, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(d->rows);
}

/* Whether a back-door access may be: 0 or why not. */
static int back_door(const dram_t *d, unsigned group, unsigned bank, uint32_t row, uint32_t offset, uint32_t bytes)
{
    const dram_set_t *s = &d->set;
    if (group >= s->bank_groups || bank >= s->banks || row >= s->rows || offset > d->row_bytes
        || bytes > d->row_bytes - offset)
        return SIM_EINVAL;
    return d->flight_count ? SIM_ESTATE : 0;
}

/* Bytes from `offset` on that lie in one beat. */
static uint32_t in_beat(const dram_t *d, uint32_t offset, uint32_t bytes)
{
    uint32_t n = d->beat - offset % d->beat;
    return n < bytes ? n : bytes;
}

int dram_load(dram_t *d, unsigned group, unsigned bank, uint32_t row, uint32_t offset, const void *from, uint32_t bytes)
{
    unsigned b = group * d->set.banks + bank;
    int error = back_door(d, group, bank, row, offset, bytes);
    if (error)
        return error;
    if (!dram_row_make(d, b, row))
        return SIM_ENOMEM;
    for (const uint8_t *f = from; bytes;) {
        uint32_t n = in_beat(d, offset, bytes);
        memcpy(dram_at(d, b, row, offset), f, n);
        offset += n, f += n, bytes -= n;
    }
    return 0;
}

int dram_dump(const dram_t *d, unsigned group, unsigned bank, uint32_t row, uint32_t offset, void *to, uint32_t bytes)
{
    int error = back_door(d, group, bank, row, offset, bytes);
    if (error)
        return error;
    for (uint8_t *t = to; bytes;) {
        uint32_t n = in_beat(d, offset, bytes);
        const uint8_t *at = dram_at(d, group * d->set.banks + bank, row, offset);
        if (at)
            memcpy(t, at, n);
        else
            memset(t, 0, n);
        offset += n, t += n, bytes -= n;
    }
    return 0;
}
