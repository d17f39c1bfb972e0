/* The chips of all channels for the measurement, and where a line lies in them (docs/memory-map.md). */
#ifndef VERIF_BANDWIDTH_CHIPS_H
#define VERIF_BANDWIDTH_CHIPS_H
#include "sim_c/dram/dram.h"
#include "sim_c/dram/phy.h"
#include "verif/common/places.h"
#include "vl_dram_set.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    dram_t *device;
    dram_phy_t *phy;
} chip[CHANNELS];

static void die(const char *why)
{
    fprintf(stderr, "bandwidth: %s\n", why);
    exit(1);
}

static void chips_open(void)
{
    dram_set_t set;
    char why[160];
    if (dram_set_parse(&set, VL_DRAM_SET_TEXT, sizeof VL_DRAM_SET_TEXT - 1, why, sizeof why))
        die(why);
    for (unsigned c = 0; c < CHANNELS; c++) {
        if (chip[c].device) {
            dram_phy_destroy(chip[c].phy);
            dram_destroy(chip[c].device);
        }
        if (dram_create(&chip[c].device, &set) || dram_phy_create(&chip[c].phy, chip[c].device))
            die("no chips");
    }
}

static uint64_t chips_lines(void)
{
    return (uint64_t)CHANNELS * DRAM_BANK_GROUPS * DRAM_BANKS * DRAM_ROWS * ROW_LINES;
}

/* The first word of a line. */
static void chips_load(uint64_t line, uint64_t word)
{
    where_t p = where(line);
    if (dram_load(chip[p.channel].device, p.group, p.bank, p.row, p.line * LINE_BYTES, &word, sizeof word))
        die("the chips take no data");
}

static uint64_t chips_word(uint64_t line)
{
    where_t p = where(line);
    uint64_t word;
    if (dram_dump(chip[p.channel].device, p.group, p.bank, p.row, p.line * LINE_BYTES, &word, sizeof word))
        die("the chips give no data");
    return word;
}

static void chips_read(memside_in_t *in)
{
    uint64_t valid = 0;
    for (unsigned c = 0; c < CHANNELS; c++) {
        const uint8_t *burst = dram_phy_read(chip[c].phy);
        if (!burst)
            continue;
        valid |= 1ull << c;
        memcpy(&in->rd[c], burst, DRAM_BURST_BYTES);
    }
    in->rd_valid = (__typeof__(in->rd_valid))valid;
}

static void chips_cycle(const memside_out_t *out)
{
    for (unsigned c = 0; c < CHANNELS; c++) {
        const dram_pins_t *p = &out->pins[c];
        dram_phy_pins_t pins = {
            .ticks = p->ticks,
            .phase = p->phase,
            .cmd = {.op = p->op, .group = p->group, .bank = p->bank, .col = (uint16_t)p->col, .row = p->row}};
        memcpy(pins.mask, &p->be, DRAM_BURST_BYTES / 8);
        memcpy(pins.data, &p->data, DRAM_BURST_BYTES);
        int e = dram_phy_cycle(chip[c].phy, &pins);
        if (e == DRAM_EVIOLATION) {
            static char text[4096];
            dram_report(chip[c].device, text, sizeof text);
            die(text);
        }
        if (e)
            die("impossible pins, or no memory");
    }
}
#endif
