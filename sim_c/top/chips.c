/* See chips.h. */
#include "sim_c/top/chips.h"
#include "sim_c/dram/dram.h"
#include "sim_c/dram/phy.h"
#include "sim_c/common/memory_map.h"
#include "vl_dram.h"
#include "vl_dram_set.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Channels that have chips (docs/blocks/memside.md): with directories the stacks of all devices, then those of host memory. Addresses are those of the last
 * alone, for a stack is a cache; but with memory = memcpy, managed they are those of stacks. */
enum { STACKS = HOME == HOME_FLAT ? 0 : DEVICES * CHANNELS, HOMES = MEM_CHANNELS - STACKS };

typedef struct {
    struct chips *chips;
    unsigned number; /* number among all channels that have chips */
} channel_t;

struct chips {
    chips_store_t store;
    channel_t channel[MEM_CHANNELS];
    unsigned memory; /* memory_e */
    uint8_t outside[LINE_BYTES]; /* bytes for cells outside of the store's window */
    dram_t *device[MEM_CHANNELS];
    dram_phy_t *phy[MEM_CHANNELS];
};

int chips_new(chips_t **out, sim_error_t *err)
{
    static const struct {
        const char *name, *text;
    } sets[] = {{VL_DRAM_SET_NAME, VL_DRAM_SET_TEXT}, {VL_HOST_DRAM_SET_NAME, VL_HOST_DRAM_SET_TEXT}};
    dram_set_t set[DRAM_KINDS];
    char why[160];
    for (unsigned k = 0; k < DRAM_KINDS; k++)
        if (dram_set_parse(&set[k], sets[k].text, strlen(sets[k].text), why, sizeof why)) {
            snprintf(err->text, sizeof err->text, "timing set %s: %s", sets[k].name, why);
            return SIM_ECONFIG;
        }
    chips_t *c = *out = calloc(1, sizeof *c);
    int r = c ? 0 : SIM_ENOMEM;
    for (unsigned k = 0; k < MEM_CHANNELS && !r; k++)
        if (!(r = dram_create(&c->device[k], &set[chip_kind(k)])))
            r = dram_phy_create(&c->phy[k], c->device[k]);
    if (r) {
        chips_free(c);
        *out = NULL;
    }
    return r;
}

void chips_free(chips_t *c)
{
    for (unsigned k = 0; c && k < MEM_CHANNELS; k++) {
        dram_phy_destroy(c->phy[k]);
        if (c->device[k])
            dram_destroy(c->device[k]);
    }
    free(c);
}

void chips_read(const chips_t *c, vellum_in_t *in)
{
    uint64_t valid = 0;
    for (unsigned k = 0; k < MEM_CHANNELS; k++) {
        const uint8_t *data = dram_phy_read(c->phy[k]);
        if (data) {
            valid |= 1ull << k;
            memcpy(&in->rd[k], data, dram_numbers[chip_kind(k)].burst_bytes);
        }
    }
    in->rd_valid = valid;
}

/* Which chips: as people call them. Returns the length. */
static int name(char *to, size_t size, unsigned k)
{
    if (!STACKS)
        return snprintf(to, size, "memory channel %u: ", k);
    if (k >= STACKS)
        return snprintf(to, size, "host channel %u: ", k - STACKS);
    return snprintf(to, size, "stack %u of device %u: ", k % CHANNELS, k / CHANNELS);
}

static int refused(chips_t *c, unsigned channel, sim_error_t *err)
{
    int n = name(err->text, sizeof err->text, channel);
    dram_report(c->device[channel], err->text + n, sizeof err->text - (size_t)n);
    return SIM_EDIFF;
}

int chips_cycle(chips_t *c, const vellum_out_t *out, sim_error_t *err)
{
    for (unsigned k = 0; k < MEM_CHANNELS; k++) {
        const dram_pins_t *p = &out->pins[k];
        dram_phy_pins_t pins;
        pins.ticks = p->ticks;
        pins.phase = p->phase;
        pins.cmd =
            (dram_cmd_t){.op = p->op, .group = p->group, .bank = p->bank, .col = (uint16_t)p->col, .row = p->row};
        if (p->op == PIN_WR) {
            memcpy(pins.mask, &p->be, BURST_BYTES / 8);
            memcpy(pins.data, &p->data, BURST_BYTES);
        }
        int r = dram_phy_cycle(c->phy[k], &pins);
        if (r == DRAM_EVIOLATION)
            return refused(c, k, err);
        if (r == SIM_ENOMEM)
            return r;
        if (r) {
            int n = name(err->text, sizeof err->text, k);
            snprintf(err->text + n, sizeof err->text - (size_t)n, "impossible pins (ticks %u, phase %u)", pins.ticks,
                     pins.phase);
            return SIM_EDIFF;
        }
    }
    return 0;
}

uint64_t chips_due(const chips_t *c)
{
    uint64_t due = UINT64_MAX;
    for (unsigned k = 0; k < MEM_CHANNELS; k++) {
        uint64_t d = dram_phy_read(c->phy[k]) ? 0 : dram_due(c->device[k]);
        due = d < due ? d : due;
    }
    return due;
}

int chips_skip(chips_t *c, const uint64_t ticks[DRAM_KINDS], sim_error_t *err)
{
    for (unsigned k = 0; k < MEM_CHANNELS; k++) {
        int r = dram_skip(c->device[k], ticks[chip_kind(k)]);
        if (r)
            return r == DRAM_EVIOLATION ? refused(c, k, err) : r;
    }
    return 0;
}

/* Where the line of an address lies (docs/memory-map.md), and how many bytes from there on are in it. */
typedef struct {
    unsigned channel, group, bank;
    uint32_t row, offset;
    uint64_t bytes;
} cell_t;

static cell_t cell_of(const chips_t *c, uint64_t addr, uint64_t bytes)
{
    const bool stacks = in_stacks(c->memory);
    uint64_t line = addr / LINE_BYTES, at = addr % LINE_BYTES;
    const unsigned channel = stacks   ? home_device(c->memory, line) * CHANNELS + channel_of(line)
                             : STACKS ? STACKS + host_channel_of(line)
                                      : channel_of(line);
    place_t p = place_in(chip_kind(channel), stacks ? home_line(c->memory, line) : STACKS ? host_line(line) : line);
    return (cell_t){.channel = channel,
                    .group = p.bank / DRAM_BANKS,
                    .bank = p.bank % DRAM_BANKS,
                    .row = p.row,
                    .offset = (uint32_t)(p.line * LINE_BYTES + at),
                    .bytes = bytes < LINE_BYTES - at ? bytes : LINE_BYTES - at};
}

int chips_load(chips_t *c, uint64_t addr, const void *from, uint64_t bytes)
{
    for (const uint8_t *b = from; bytes;) {
        cell_t p = cell_of(c, addr, bytes);
        int r = dram_load(c->device[p.channel], p.group, p.bank, p.row, p.offset, b, (uint32_t)p.bytes);
        if (r)
            return r;
        addr += p.bytes, b += p.bytes, bytes -= p.bytes;
    }
    return 0;
}

int chips_dump(const chips_t *c, uint64_t addr, void *to, uint64_t bytes)
{
    for (uint8_t *b = to; bytes;) {
        cell_t p = cell_of(c, addr, bytes);
        int r = dram_dump(c->device[p.channel], p.group, p.bank, p.row, p.offset, b, (uint32_t)p.bytes);
        if (r)
            return r;
        addr += p.bytes, b += p.bytes, bytes -= p.bytes;
    }
    return 0;
}

/* ---- the store ------------------------------------------------------------------------------------------------------ */

/* A byte of a line. Addresses are those of memory modulo its size. */
static uint8_t *byte_of(chips_t *c, uint64_t line, uint32_t offset, uint64_t bytes)
{
    const chips_store_t *s = &c->store;
    uint64_t at = (line * LINE_BYTES + offset % LINE_BYTES - s->base) & (bytes - 1);
    return at < s->limit - s->base ? s->bytes + at : c->outside + offset % LINE_BYTES;
}

/* cell_of the other way round. */
static uint8_t *store_cell(void *user, unsigned bank, uint32_t row, uint32_t offset)
{
    const channel_t *k = user;
    const unsigned kind = chip_kind(k->number);
    uint64_t at = line_at(kind, k->number - STACKS, bank, row, offset / LINE_BYTES),
             line = STACKS ? line_of_host(at) : at;
    return byte_of(k->chips, line, offset, HOMES * chip_bytes(kind));
}

/* ... of a stack that memory is in: blocks of the channel in turn over all devices, or all in device 0. */
static uint8_t *stack_cell(void *user, unsigned bank, uint32_t row, uint32_t offset)
{
    enum { BLOCK_W = ILV_W + CHANNEL_BITS };
    const channel_t *k = user;
    const unsigned device = k->number / CHANNELS, turns = k->chips->memory == MEMORY_MEMCPY ? DEVICES : 1;
    const uint64_t in_stack = line_at(0, k->number % CHANNELS, bank, row, offset / LINE_BYTES),
                   line = ((in_stack >> BLOCK_W) * turns + device) << BLOCK_W | (in_stack & ((1ull << BLOCK_W) - 1));
    if (in_stack * LINE_BYTES >= (uint64_t)STACK_BYTES * CHANNELS || device >= turns)
        return k->chips->outside + offset % LINE_BYTES;
    return byte_of(k->chips, line, offset, (uint64_t)STACK_BYTES * CHANNELS * turns);
}

void chips_use_store(chips_t *c, const chips_store_t *store)
{
    c->store = *store;
    for (unsigned k = STACKS; k < MEM_CHANNELS; k++) {
        c->channel[k] = (channel_t){c, k};
        dram_use_cells(c->device[k], store_cell, &c->channel[k]);
    }
}

void chips_home(chips_t *c, unsigned memory)
{
    c->memory = memory;
    for (unsigned k = 0; k < STACKS && c->store.bytes; k++) {
        c->channel[k] = (channel_t){c, k};
        dram_use_cells(c->device[k], in_stacks(memory) ? stack_cell : NULL, &c->channel[k]);
    }
}
