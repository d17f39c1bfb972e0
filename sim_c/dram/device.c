/* One channel: commands change the banks, data move on the pins, the clock goes on. See dram.h. */
#include "sim_c/dram/device.h"
#include "sim_c/common/error.h"
#include <stdlib.h>
#include <string.h>

static const dram_cmd_t nop = {.op = DRAM_CMD_NOP};

int dram_create(dram_t **out, const dram_set_t *set)
{
    *out = NULL;
    if (dram_set_check(set, NULL, 0))
        return SIM_ECONFIG;
    dram_t *d = calloc(1, sizeof *d);
    if (!d)
        return SIM_ENOMEM;
    d->set = *set;
    d->beat = dram_beat_bytes(set);
    d->row_bytes = dram_row_bytes(set);
    unsigned banks = set->bank_groups * set->banks;
    /* A transfer is on its way for its latency and its burst; one a burst at most can begin. */
    unsigned latency = set->tcl > set->tcwl ? set->tcl : set->tcwl, most = latency / set->burst_clocks + 2;
    while (d->flight_mask + 1 < most)
        d->flight_mask = 2 * d->flight_mask + 1;
    d->flight = calloc(d->flight_mask + 1, sizeof *d->flight);
    d->rows = calloc((size_t)banks * set->rows, sizeof *d->rows);
    if (!d->flight || !d->rows) {
        dram_destroy(d);
        return SIM_ENOMEM;
    }
    for (unsigned b = 0; b < banks; b++)
        d->bank[b].act = d->bank[b].pre = d->bank[b].rd = d->bank[b].wr = LONG_AGO;
    for (unsigned g = 0; g < set->bank_groups; g++)
        d->group[g].act = d->group[g].rd = d->group[g].wr = LONG_AGO;
    for (unsigned i = 0; i < 4; i++)
        d->acts[i] = LONG_AGO;
    for (unsigned i = 0; i < 64; i++)
        d->refs[i] = LONG_AGO;
    d->bus_free = d->bus_command = LONG_AGO;
    d->bus_write = true; /* no read data to turn around from */
    d->ref = LONG_AGO;
    d->ref_deadline = set->trefi ? (set->refresh_postpone + 1) * (int64_t)set->trefi : INT64_MAX;
    *out = d;
    return 0;
}

void dram_destroy(dram_t *d)
{
    if (!d)
        return;
    dram_rows_free(d);
    free(d->flight);
    free(d);
}

const dram_set_t *dram_set(const dram_t *d)
{
    return &d->set;
}

uint64_t dram_clock(const dram_t *d)
{
    return (uint64_t)d->now;
}

const dram_violation_t *dram_violation(const dram_t *d)
{
    return &d->violation;
}

/* ---- banks ---- */

static void precharge(dram_t *d, bank_t *b)
{
    b->open = false;
    b->pre = d->now; /* of an idle bank too: JEDEC counts tRP from the last PRE */
}

static void column(dram_t *d, const dram_cmd_t *c, bank_t *b, bool write)
{
    const dram_set_t *s = &d->set;
    transfer_t *t = &d->flight[(d->flight_first + d->flight_count++) & d->flight_mask];
    t->start = d->now + (write ? s->tcwl : s->tcl);
    t->write = write;
    t->bank = c->group * s->banks + c->bank;
    t->row = b->row;
    t->offset = c->col * (s->bus_bits / 8);
    d->bus_free = t->start + s->burst_clocks;
    d->bus_command = d->now;
    d->bus_write = write;
    d->stats.row_hits += b->used;
    b->used = true;
    if (write) {
        b->wr = d->group[c->group].wr = d->now;
        d->stats.write_clocks += s->burst_clocks;
    } else {
        b->rd = d->group[c->group].rd = d->now;
        d->stats.read_clocks += s->burst_clocks;
    }
}

/* Refreshes that have come due and were not done, before this clock's command. */
static int64_t refreshes_late(const dram_t *d)
{
    return d->set.trefi ? d->now / d->set.trefi - d->refs_done : 0;
}

static void refresh(dram_t *d)
{
    const dram_set_t *s = &d->set;
    int64_t late = refreshes_late(d), interval = s->trefi, most = s->refresh_postpone;
    if (late > (int64_t)d->stats.refresh_late)
        d->stats.refresh_late = (uint64_t)late;
    d->ref = d->now;
    if (late > -most) /* a REF that is further ahead of time than allowed does not count */
        d->refs_done++;
    /* JEDEC: at most `most` may be postponed, and no two follow each other by more than `most` + 1 intervals. */
    int64_t postponed = (d->refs_done + most + 1) * interval, apart = d->now + (most + 1) * interval;
    d->ref_deadline = postponed < apart ? postponed : apart;
    if (s->refresh_burst) {
        d->refs[d->refs_next] = d->now;
        d->refs_next = (d->refs_next + 1) % s->refresh_burst;
    }
}

static void perform(dram_t *d, const dram_cmd_t *c)
{
    const dram_set_t *s = &d->set;
    /* PREA and REF do not look at the fields for a bank, which may hold anything. */
    bank_t *b = c->op < DRAM_CMD_PREA ? &d->bank[c->group * s->banks + c->bank] : NULL;
    switch (c->op) {
    case DRAM_CMD_ACT:
        b->open = true;
        b->used = false;
        b->row = c->row;
        b->act = d->group[c->group].act = d->acts[d->acts_next] = d->now;
        d->acts_next = (d->acts_next + 1) % 4;
        break;
    case DRAM_CMD_RD: column(d, c, b, false); break;
    case DRAM_CMD_WR: column(d, c, b, true); break;
    case DRAM_CMD_PRE: precharge(d, b); break;
    case DRAM_CMD_PREA:
        for (unsigned i = 0; i < s->bank_groups * s->banks; i++)
            precharge(d, &d->bank[i]);
        break;
    case DRAM_CMD_REF: refresh(d); break;
    default: break;
    }
    d->stats.commands[c->op]++;
    d->history[d->history_count++ % HISTORY] = (past_t){d->now, *c};
}

/* ---- data pins ---- */

static const transfer_t *transfer_now(const dram_t *d)
{
    const transfer_t *t = &d->flight[d->flight_first & d->flight_mask];
    return d->flight_count && t->start <= d->now ? t : NULL;
}

static void write_beat(const dram_t *d, uint8_t *to, const dram_beat_t *wr)
{
    uint64_t all = d->beat < 64 ? (1ull << d->beat) - 1 : ~0ull;
    if ((wr->mask & all) == all)
        memcpy(to, wr->data, d->beat);
    else
        for (uint64_t m = wr->mask & all; m; m &= m - 1) {
            unsigned i = (unsigned)__builtin_ctzll(m);
            to[i] = wr->data[i];
        }
}

static bool move_data(dram_t *d, const dram_beat_t *wr, uint8_t *rd)
{
    const transfer_t *t = transfer_now(d);
    if (!t)
        return false;
    uint8_t *at = dram_at(d, t->bank, t->row, t->offset + (uint32_t)(d->now - t->start) * d->beat);
    if (t->write)
        write_beat(d, at, wr);
    else if (at)
        memcpy(rd, at, d->beat);
    else
        memset(rd, 0, d->beat);
    bool read = !t->write;
    if (d->now == t->start + d->set.burst_clocks - 1) {
        d->flight_first++;
        d->flight_count--;
    }
    return read;
}

/* Whether the write pins are driven exactly when a WR needs them. */
static bool write_pins_right(dram_t *d, const dram_cmd_t *c, bool driven)
{
    const transfer_t *t = transfer_now(d);
    bool wanted = t ? t->write : c->op == DRAM_CMD_WR && !d->set.tcwl;
    if (wanted == driven)
        return true;
    dram_protocol(d, c, driven ? DRAM_RULE_WRITE_STRAY : DRAM_RULE_WRITE_MISSING);
    return false;
}

/* ---- the clock ---- */

int dram_tick(dram_t *d, const dram_cmd_t *cmd, const dram_beat_t *wr, bool *rd_valid, uint8_t *rd_data)
{
    const dram_cmd_t *c = cmd ? cmd : &nop;
    *rd_valid = false;
    if (dram_overdue(d, c))
        return DRAM_EVIOLATION;
    if (c->op != DRAM_CMD_NOP && !dram_legal(d, c))
        return DRAM_EVIOLATION;
    if (!write_pins_right(d, c, wr != NULL))
        return DRAM_EVIOLATION;
    if (c->op == DRAM_CMD_WR) {
        unsigned bank = c->group * d->set.banks + c->bank;
        if (!dram_row_make(d, bank, d->bank[bank].row))
            return SIM_ENOMEM;
    }
    if (c->op != DRAM_CMD_NOP)
        perform(d, c);
    *rd_valid = move_data(d, wr, rd_data);
    d->now++;
    return 0;
}

uint64_t dram_due(const dram_t *d)
{
    if (!d->flight_count)
        return UINT64_MAX;
    int64_t start = d->flight[d->flight_first & d->flight_mask].start;
    return start > d->now ? (uint64_t)(start - d->now) : 0;
}

int dram_skip(dram_t *d, uint64_t clocks)
{
    if (clocks > dram_due(d) || clocks > (uint64_t)(INT64_MAX / 2 - d->now))
        return SIM_EINVAL;
    if (clocks && d->now + (int64_t)clocks - 1 > d->ref_deadline) { /* the last skipped clock is overdue */
        if (d->now <= d->ref_deadline)
            d->now = d->ref_deadline + 1;
        dram_overdue(d, &nop);
        return DRAM_EVIOLATION;
    }
    d->now += (int64_t)clocks;
    return 0;
}

/* ---- statistics ---- */

void dram_stats(const dram_t *d, dram_stats_t *s)
{
    *s = d->stats;
    s->clocks = s->commands[DRAM_CMD_NOP] = (uint64_t)(d->now - d->stats_from);
    for (unsigned op = DRAM_CMD_NOP + 1; op < DRAM_CMDS; op++)
        s->commands[DRAM_CMD_NOP] -= s->commands[op];
    int64_t late = refreshes_late(d);
    if (late > (int64_t)s->refresh_late)
        s->refresh_late = (uint64_t)late;
}

void dram_stats_clear(dram_t *d)
{
    memset(&d->stats, 0, sizeof d->stats);
    d->stats_from = d->now;
}
