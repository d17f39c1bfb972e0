/* The rules: the waits of each command. Every constraint is looked up as the time since the command it counts from,
 * not as a table of earliest times: nothing here is like the controller's bank machines. */
#include "sim_c/dram/device.h"
#include <string.h>

/* `legal`: the first clock that rule would allow; the command waits for the latest of all. */
static void broken(dram_t *d, dram_rule_t rule, int64_t since, int64_t clocks, unsigned bank)
{
    dram_violation_t *v = &d->violation;
    bool first = !v->broken;
    v->broken |= 1ull << rule;
    if (!first && since + clocks <= (int64_t)(v->clock - v->actual + v->required))
        return;
    v->rule = rule;
    v->required = (uint64_t)clocks;
    v->actual = (uint64_t)(d->now - since);
    v->group = bank / d->set.banks;
    v->bank = bank % d->set.banks;
}

static inline void need(dram_t *d, dram_rule_t rule, int64_t since, int64_t clocks, unsigned bank)
{
    if (__builtin_expect(d->now - since < clocks, 0))
        broken(d, rule, since, clocks, bank);
}

void dram_protocol(dram_t *d, const dram_cmd_t *cmd, dram_rule_t rule)
{
    d->violation = (dram_violation_t){.rule = rule,
                                      .broken = 1ull << rule,
                                      .clock = (uint64_t)d->now,
                                      .cmd = *cmd,
                                      .group = cmd->group,
                                      .bank = cmd->bank};
}

bool dram_overdue(dram_t *d, const dram_cmd_t *cmd)
{
    if (__builtin_expect(d->now <= d->ref_deadline, 1))
        return false;
    dram_protocol(d, cmd, DRAM_RULE_TREFI);
    int64_t since = d->ref < 0 ? 0 : d->ref; /* before the first REF, counted from the start */
    d->violation.required = (uint64_t)(d->ref_deadline - since);
    d->violation.actual = (uint64_t)(d->now - since);
    return true;
}

static void check_act(dram_t *d, unsigned bank, unsigned group)
{
    const dram_set_t *s = &d->set;
    need(d, DRAM_RULE_TRP, d->bank[bank].pre, s->trp, bank);
    need(d, DRAM_RULE_TRC, d->bank[bank].act, s->trc, bank);
    for (unsigned g = 0; g < s->bank_groups; g++) {
        if (g == group)
            need(d, DRAM_RULE_TRRD_L, d->group[g].act, s->trrd_l, bank);
        else
            need(d, DRAM_RULE_TRRD_S, d->group[g].act, s->trrd_s, bank);
    }
    need(d, DRAM_RULE_TFAW, d->acts[d->acts_next], s->tfaw, bank);
}

/* The pins: `start` is the first clock of the new transfer. Told as clocks between the two commands. */
static void check_bus(dram_t *d, bool write, int64_t latency, unsigned bank)
{
    int64_t start = d->now + latency;
    if (start < d->bus_free)
        broken(d, DRAM_RULE_BUS, d->bus_command, d->bus_free - latency - d->bus_command, bank);
    if (write && !d->bus_write && start < d->bus_free + d->set.turnaround)
        broken(d, DRAM_RULE_TURNAROUND, d->bus_command, d->bus_free + d->set.turnaround - latency - d->bus_command,
               bank);
}

static void check_rd(dram_t *d, unsigned bank, unsigned group)
{
    const dram_set_t *s = &d->set;
    int64_t written = s->tcwl + s->burst_clocks; /* from WR to the end of its data */
    need(d, DRAM_RULE_TRCD_RD, d->bank[bank].act, s->trcd_rd, bank);
    for (unsigned g = 0; g < s->bank_groups; g++) {
        if (g == group) {
            need(d, DRAM_RULE_TCCD_L, d->group[g].rd, s->tccd_l, bank);
            need(d, DRAM_RULE_TWTR_L, d->group[g].wr, written + s->twtr_l, bank);
        } else {
            need(d, DRAM_RULE_TCCD_S, d->group[g].rd, s->tccd_s, bank);
            need(d, DRAM_RULE_TWTR_S, d->group[g].wr, written + s->twtr_s, bank);
        }
    }
    check_bus(d, false, s->tcl, bank);
}

static void check_wr(dram_t *d, unsigned bank, unsigned group)
{
    const dram_set_t *s = &d->set;
    need(d, DRAM_RULE_TRCD_WR, d->bank[bank].act, s->trcd_wr, bank);
    for (unsigned g = 0; g < s->bank_groups; g++) {
        if (g == group)
            need(d, DRAM_RULE_TCCD_L, d->group[g].wr, s->tccd_l, bank);
        else
            need(d, DRAM_RULE_TCCD_S, d->group[g].wr, s->tccd_s, bank);
    }
    check_bus(d, true, s->tcwl, bank);
}

static void check_pre(dram_t *d, unsigned bank)
{
    const dram_set_t *s = &d->set;
    need(d, DRAM_RULE_TRAS, d->bank[bank].act, s->tras, bank);
    need(d, DRAM_RULE_TRTP, d->bank[bank].rd, s->trtp, bank);
    need(d, DRAM_RULE_TWR, d->bank[bank].wr, s->tcwl + s->burst_clocks + s->twr, bank);
}

static void check_ref(dram_t *d)
{
    const dram_set_t *s = &d->set;
    for (unsigned b = 0; b < s->bank_groups * s->banks; b++) {
        need(d, DRAM_RULE_TRP, d->bank[b].pre, s->trp, b);
        need(d, DRAM_RULE_TRC, d->bank[b].act, s->trc, b);
    }
    if (s->refresh_burst)
        need(d, DRAM_RULE_REF_BURST, d->refs[d->refs_next], 2 * (int64_t)s->trefi, 0);
}

/* The conditions of the command on the state, at any time. *open: the bank that forbids a REF. */
static dram_rule_t check_protocol(const dram_t *d, const dram_cmd_t *c, unsigned *open)
{
    const dram_set_t *s = &d->set;
    unsigned bank = c->group * s->banks + c->bank;
    switch (c->op) {
    case DRAM_CMD_NOP:
    case DRAM_CMD_PREA: return DRAM_RULE_NONE;
    case DRAM_CMD_REF:
        if (!s->trefi)
            return DRAM_RULE_REF_NONE;
        for (bank = 0; bank < s->bank_groups * s->banks; bank++)
            if (d->bank[bank].open) {
                *open = bank;
                return DRAM_RULE_REF_OPEN;
            }
        return DRAM_RULE_NONE;
    case DRAM_CMD_ACT:
    case DRAM_CMD_RD:
    case DRAM_CMD_WR:
    case DRAM_CMD_PRE: break;
    default: return DRAM_RULE_COMMAND;
    }
    if (c->group >= s->bank_groups || c->bank >= s->banks)
        return DRAM_RULE_ADDRESS;
    if (c->op == DRAM_CMD_ACT)
        return c->row >= s->rows ? DRAM_RULE_ADDRESS : d->bank[bank].open ? DRAM_RULE_ACT_OPEN : DRAM_RULE_NONE;
    if (c->op == DRAM_CMD_PRE)
        return DRAM_RULE_NONE;
    if (c->col >= s->columns || c->col % s->burst)
        return DRAM_RULE_ADDRESS;
    return d->bank[bank].open ? DRAM_RULE_NONE : DRAM_RULE_CLOSED;
}

bool dram_legal(dram_t *d, const dram_cmd_t *c)
{
    const dram_set_t *s = &d->set;
    unsigned bank = c->group * s->banks + c->bank, open = DRAM_BANKS_MAX;
    dram_rule_t rule = check_protocol(d, c, &open);
    if (__builtin_expect(rule != DRAM_RULE_NONE, 0)) {
        dram_protocol(d, c, rule);
        if (open < DRAM_BANKS_MAX) {
            d->violation.group = open / s->banks;
            d->violation.bank = open % s->banks;
        }
        return false;
    }
    d->violation.broken = 0;
    d->violation.clock = (uint64_t)d->now;
    need(d, DRAM_RULE_TRFC, d->ref, s->trfc, c->op < DRAM_CMD_PREA ? bank : 0);
    switch (c->op) {
    case DRAM_CMD_ACT: check_act(d, bank, c->group); break;
    case DRAM_CMD_RD: check_rd(d, bank, c->group); break;
    case DRAM_CMD_WR: check_wr(d, bank, c->group); break;
    case DRAM_CMD_PRE: check_pre(d, bank); break;
    case DRAM_CMD_PREA:
        for (unsigned b = 0; b < s->bank_groups * s->banks; b++)
            check_pre(d, b);
        break;
    case DRAM_CMD_REF: check_ref(d); break;
    default: break;
    }
    if (__builtin_expect(!d->violation.broken, 1))
        return true;
    d->violation.cmd = *c;
    return false;
}
