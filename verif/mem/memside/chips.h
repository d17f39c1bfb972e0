/* The chips of every channel: the device model behind its phy, which refuses every command that breaks a rule. */
#ifndef VERIF_MEMSIDE_CHIPS_H
#define VERIF_MEMSIDE_CHIPS_H
#include <stdlib.h>
#include "sim_c/dram/phy.h"
#include "verif/common/bench.h"
#include "verif/common/places.h"
#include "memside_ports.h"
#include "vl_dram_set.h"

enum { SETS = L2_BYTES / (LINE_BYTES * L2_WAYS) };
static const uint64_t channel_lines = (uint64_t)DRAM_BANK_GROUPS * DRAM_BANKS * DRAM_ROWS * ROW_LINES;

/* Outlive the run's zeroed environment. */
static struct {
    dram_t *device;
    dram_phy_t *phy;
    uint64_t ticks, refs, idle;
} chips[MEM_CHANNELS];

static unsigned chips_memory; /* policy `memory`: which chips have a line */

static void chips_start(void)
{
    dram_set_t set, host;
    char why[200];
    chips_memory = MEMORY_UMH;
    bool ok = !dram_set_parse(&set, VL_DRAM_SET_TEXT, sizeof VL_DRAM_SET_TEXT - 1, why, sizeof why)
              && !dram_set_parse(&host, VL_HOST_DRAM_SET_TEXT, sizeof VL_HOST_DRAM_SET_TEXT - 1, why, sizeof why);
    for (unsigned c = 0; c < MEM_CHANNELS && ok; c++) {
        dram_phy_destroy(chips[c].phy);
        dram_destroy(chips[c].device);
        chips[c].phy = NULL;
        chips[c].ticks = chips[c].refs = chips[c].idle = 0;
        chips[c].device = NULL;
        ok = !dram_create(&chips[c].device, c < HOST_CHIPS ? &set : &host)
             && !dram_phy_create(&chips[c].phy, chips[c].device);
    }
    if (!ok) {
        printf("no device model for sets %s, %s\n", VL_DRAM_SET_NAME, VL_HOST_DRAM_SET_NAME);
        exit(1);
    }
}

static where_t chips_where(const home_t *h)
{
    return h->chips < HOST_CHIPS ? where(h->line) : where_in_host(h->line);
}

static void chips_load(uint64_t line, const uint8_t *from)
{
    const home_t h = home_of(chips_memory, line);
    where_t w = chips_where(&h);
    if (dram_load(chips[h.chips].device, w.group, w.bank, w.row, w.line * LINE_BYTES, from, LINE_BYTES)) {
        printf("the device model takes no data\n");
        exit(1);
    }
}

static bool chips_read(uint64_t line, uint8_t *to)
{
    const home_t h = home_of(chips_memory, line);
    where_t w = chips_where(&h);
    return !dram_dump(chips[h.chips].device, w.group, w.bank, w.row, w.line * LINE_BYTES, to, LINE_BYTES);
}

static bool chips_hold(uint64_t line, const uint8_t *data)
{
    uint8_t have[LINE_BYTES];
    return chips_read(line, have) && !memcmp(have, data, LINE_BYTES);
}

static bool chips_rest(void)
{
    bool rest = true;
    for (unsigned c = 0; c < MEM_CHANNELS; c++)
        rest &= dram_phy_idle(chips[c].phy);
    return rest;
}

/* Refreshes come in time: the device model sees to it while they may be postponed; a channel that has long been idle has no pending one. */
static void chips_refresh(bench_t *b, unsigned c, const dram_pins_t *p, bool idle)
{
    const dram_set_t *s = dram_set(chips[c].device);
    const uint64_t trefi = s->trefi, slack = s->trfc + s->trc + s->tcwl + s->burst_clocks + s->twr + s->trp + 80;
    const bool host = c >= HOST_CHIPS;
    const uint64_t catch_up = 100
                              + (s->refresh_postpone + 1ull) * (s->trfc + 8) * (host ? HOST_DRAM_CLK_DEN : DRAM_CLK_DEN)
                                    / (host ? HOST_DRAM_CLK_NUM : DRAM_CLK_NUM);
    chips[c].ticks += p->ticks;
    chips[c].refs += p->op == PIN_REF;
    chips[c].idle = idle ? chips[c].idle + 1 : 0;
    if (trefi && chips[c].idle > catch_up && chips[c].ticks % trefi > slack)
        BENCH_CHECK(b, chips[c].refs == chips[c].ticks / trefi, "channel %u is idle, and a refresh is pending", c);
}

/* A core cycle of channel c. */
static void chips_cycle(bench_t *b, unsigned c, const dram_pins_t *p)
{
    dram_phy_pins_t pins = {.ticks = p->ticks,
                            .phase = p->phase,
                            .cmd = {.op = p->op, .group = p->group, .bank = p->bank, .col = p->col, .row = p->row}};
    memcpy(pins.mask, &p->be, sizeof p->be);
    memcpy(pins.data, &p->data, sizeof p->data);
    int e = dram_phy_cycle(chips[c].phy, &pins);
    if (!e)
        return;
    static char text[4096];
    dram_report(chips[c].device, text, sizeof text);
    BENCH_CHECK(b, false, "the chips of channel %u refuse the command (%d): %s", c, e, text);
}
#endif
