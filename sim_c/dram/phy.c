/* Puts commands at their tick, drives the beats of writes, collects the beats of reads. See phy.h. */
#include "sim_c/dram/phy.h"
#include "sim_c/common/error.h"
#include <stdlib.h>
#include <string.h>

typedef struct burst {
    uint64_t start; /* tick of the first beat */
    uint64_t mask[DRAM_BURST_MAX / 64];
    uint8_t data[DRAM_BURST_MAX];
} burst_t;

struct dram_phy {
    dram_t *device;
    uint64_t tcwl;
    unsigned beat, beats;
    /* Writes after their command, with data still to be driven: a ring with room for as many as tCWL allows. */
    burst_t *write;
    unsigned mask, first, count;
    unsigned in; /* beats that have arrived of the read under way */
    uint8_t line[DRAM_BURST_MAX];
    bool have; /* `seen` is a burst that this core cycle brings */
    uint8_t seen[DRAM_BURST_MAX];
};

int dram_phy_create(dram_phy_t **out, dram_t *device)
{
    const dram_set_t *s = dram_set(device);
    *out = NULL;
    if (dram_burst_bytes(s) > DRAM_BURST_MAX || (s->burst_clocks < 2 && s->tccd_s < 2))
        return SIM_ECONFIG;
    dram_phy_t *p = calloc(1, sizeof *p);
    if (!p)
        return SIM_ENOMEM;
    p->device = device;
    p->tcwl = s->tcwl;
    p->beat = dram_beat_bytes(s);
    p->beats = s->burst_clocks;
    while (p->mask + 1 < s->tcwl / s->burst_clocks + 2)
        p->mask = 2 * p->mask + 1;
    p->write = calloc(p->mask + 1, sizeof *p->write);
    if (!p->write) {
        free(p);
        return SIM_ENOMEM;
    }
    *out = p;
    return 0;
}

void dram_phy_destroy(dram_phy_t *p)
{
    if (!p)
        return;
    free(p->write);
    free(p);
}

const uint8_t *dram_phy_read(const dram_phy_t *p)
{
    return p->have ? p->seen : NULL;
}

bool dram_phy_idle(const dram_phy_t *p)
{
    return !p->have && dram_due(p->device) == UINT64_MAX;
}

/* The write beat of the coming tick; false without one. */
static bool drive(dram_phy_t *p, dram_beat_t *beat)
{
    burst_t *w = &p->write[p->first & p->mask];
    uint64_t now = dram_clock(p->device);
    if (!p->count || w->start > now)
        return false;
    unsigned at = (unsigned)(now - w->start), byte = at * p->beat;
    memcpy(beat->data, w->data + byte, p->beat);
    /* A beat is a power of two of bytes, so its mask lies in one word. */
    beat->mask = w->mask[byte / 64] >> (byte % 64);
    if (at + 1 == p->beats) {
        p->first++;
        p->count--;
    }
    return true;
}

static int tick(dram_phy_t *p, const dram_phy_pins_t *pins, bool command)
{
    if (command && pins->cmd.op == DRAM_CMD_WR && p->count <= p->mask) {
        burst_t *w = &p->write[(p->first + p->count++) & p->mask];
        w->start = dram_clock(p->device) + p->tcwl;
        memcpy(w->mask, pins->mask, sizeof w->mask);
        memcpy(w->data, pins->data, sizeof w->data);
    }
    dram_beat_t beat;
    bool driven = drive(p, &beat), got;
    uint8_t data[DRAM_BEAT_MAX];
    int e = dram_tick(p->device, command ? &pins->cmd : NULL, driven ? &beat : NULL, &got, data);
    if (e || !got)
        return e;
    memcpy(p->line + p->in * p->beat, data, p->beat);
    if (++p->in == p->beats) {
        p->in = 0;
        p->have = true;
        memcpy(p->seen, p->line, sizeof p->seen);
    }
    return 0;
}

int dram_phy_cycle(dram_phy_t *p, const dram_phy_pins_t *pins)
{
    bool command = pins->cmd.op != DRAM_CMD_NOP;
    if (pins->ticks > 2 || (command && pins->phase >= pins->ticks))
        return SIM_EINVAL;
    p->have = false;
    if (!command && dram_due(p->device) >= pins->ticks)
        return dram_skip(p->device, pins->ticks);
    for (unsigned t = 0; t < pins->ticks; t++) {
        int e = tick(p, pins, command && t == pins->phase);
        if (e)
            return e;
    }
    return 0;
}
