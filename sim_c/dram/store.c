/* What the cells hold: a row gets memory with the first write to it; until then it reads 0. */
#include "sim_c/dram/device.h"
#include "sw/runtime/vellum.h"
#include <stdlib.h>
#include <string.h>

uint8_t **dram_row(const dram_t *d, unsigned bank, uint32_t row)
{
    return &d->rows[(size_t)bank * d->set.rows + row];
}

struct cells {
    struct cells *next;
    uint8_t bytes[];
};

bool dram_row_make(dram_t *d, uint8_t **row)
{
    if (*row)
        return true;
    struct cells *c = calloc(1, sizeof *c + d->row_bytes);
    if (!c)
        return false;
    c->next = d->made;
    d->made = c;
    *row = c->bytes;
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

/* The row of a back-door access, or NULL with *error. */
static uint8_t **back_door(const dram_t *d, unsigned group, unsigned bank, uint32_t row, uint32_t offset, uint32_t bytes, int *error)
{
    const dram_set_t *s = &d->set;
    *error = VL_EINVAL;
    if (group >= s->bank_groups || bank >= s->banks || row >= s->rows || offset > d->row_bytes || bytes > d->row_bytes - offset)
        return NULL;
    *error = d->flight_count ? VL_ESTATE : 0;
    return *error ? NULL : dram_row(d, group * s->banks + bank, row);
}

int dram_load(dram_t *d, unsigned group, unsigned bank, uint32_t row, uint32_t offset, const void *from, uint32_t bytes)
{
    int error;
    uint8_t **r = back_door(d, group, bank, row, offset, bytes, &error);
    if (!r)
        return error;
    if (!dram_row_make(d, r))
        return VL_ENOMEM;
    memcpy(*r + offset, from, bytes);
    return 0;
}

int dram_dump(const dram_t *d, unsigned group, unsigned bank, uint32_t row, uint32_t offset, void *to, uint32_t bytes)
{
    int error;
    uint8_t **r = back_door(d, group, bank, row, offset, bytes, &error);
    if (!r)
        return error;
    if (*r)
        memcpy(to, *r + offset, bytes);
    else
        memset(to, 0, bytes);
    return 0;
}
