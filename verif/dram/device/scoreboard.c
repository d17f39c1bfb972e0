/* See scoreboard.h. */
#include "verif/dram/device/scoreboard.h"
#include <stdlib.h>
#include <string.h>

enum scope { SAME_BANK, SAME_GROUP, OTHER_GROUP, ANYWHERE };

/* After `before`, `after` within `scope` waits for add1 + add2 + add3 clocks. PREA counts as a PRE of each bank. */
#define FIELD(name) ((int)offsetof(dram_set_t, name))
#define NO (-1)
static const struct {
    dram_rule_t rule;
    dram_op_t before, after;
    enum scope scope;
    int add[3];
} row[] = {
    {DRAM_RULE_TRCD_RD, DRAM_CMD_ACT, DRAM_CMD_RD, SAME_BANK, {FIELD(trcd_rd), NO, NO}},
    {DRAM_RULE_TRCD_WR, DRAM_CMD_ACT, DRAM_CMD_WR, SAME_BANK, {FIELD(trcd_wr), NO, NO}},
    {DRAM_RULE_TRP, DRAM_CMD_PRE, DRAM_CMD_ACT, SAME_BANK, {FIELD(trp), NO, NO}},
    {DRAM_RULE_TRP, DRAM_CMD_PRE, DRAM_CMD_REF, ANYWHERE, {FIELD(trp), NO, NO}},
    {DRAM_RULE_TRAS, DRAM_CMD_ACT, DRAM_CMD_PRE, SAME_BANK, {FIELD(tras), NO, NO}},
    {DRAM_RULE_TRC, DRAM_CMD_ACT, DRAM_CMD_ACT, SAME_BANK, {FIELD(trc), NO, NO}},
    {DRAM_RULE_TRC, DRAM_CMD_ACT, DRAM_CMD_REF, ANYWHERE, {FIELD(trc), NO, NO}},
    {DRAM_RULE_TCCD_S, DRAM_CMD_RD, DRAM_CMD_RD, OTHER_GROUP, {FIELD(tccd_s), NO, NO}},
    {DRAM_RULE_TCCD_L, DRAM_CMD_RD, DRAM_CMD_RD, SAME_GROUP, {FIELD(tccd_l), NO, NO}},
    {DRAM_RULE_TCCD_S, DRAM_CMD_WR, DRAM_CMD_WR, OTHER_GROUP, {FIELD(tccd_s), NO, NO}},
    {DRAM_RULE_TCCD_L, DRAM_CMD_WR, DRAM_CMD_WR, SAME_GROUP, {FIELD(tccd_l), NO, NO}},
    {DRAM_RULE_TRRD_S, DRAM_CMD_ACT, DRAM_CMD_ACT, OTHER_GROUP, {FIELD(trrd_s), NO, NO}},
    {DRAM_RULE_TRRD_L, DRAM_CMD_ACT, DRAM_CMD_ACT, SAME_GROUP, {FIELD(trrd_l), NO, NO}},
    {DRAM_RULE_TWR, DRAM_CMD_WR, DRAM_CMD_PRE, SAME_BANK, {FIELD(tcwl), FIELD(burst_clocks), FIELD(twr)}},
    {DRAM_RULE_TWTR_S, DRAM_CMD_WR, DRAM_CMD_RD, OTHER_GROUP, {FIELD(tcwl), FIELD(burst_clocks), FIELD(twtr_s)}},
    {DRAM_RULE_TWTR_L, DRAM_CMD_WR, DRAM_CMD_RD, SAME_GROUP, {FIELD(tcwl), FIELD(burst_clocks), FIELD(twtr_l)}},
    {DRAM_RULE_TRTP, DRAM_CMD_RD, DRAM_CMD_PRE, SAME_BANK, {FIELD(trtp), NO, NO}},
};

static uint64_t value(const dram_set_t *s, int field)
{
    uint32_t v = 0;
    if (field != NO)
        memcpy(&v, (const char *)s + field, sizeof v);
    return v;
}

void scoreboard_open(scoreboard_t *sb, const dram_set_t *set)
{
    memset(sb, 0, sizeof *sb);
    sb->set = *set;
}

void scoreboard_close(scoreboard_t *sb)
{
    free(sb->past);
}

void scoreboard_accept(scoreboard_t *sb, uint64_t clock, dram_cmd_t cmd)
{
    if (sb->count == sb->room) {
        sb->room = sb->room ? 2 * sb->room : 1024;
        sb->past = realloc(sb->past, sb->room * sizeof *sb->past);
    }
    sb->past[sb->count++] = (accepted_t){clock, cmd};
}

int64_t scoreboard_row(const scoreboard_t *sb, unsigned group, unsigned bank)
{
    for (size_t i = sb->count; i-- > 0;) {
        const dram_cmd_t *c = &sb->past[i].cmd;
        if (c->op == DRAM_CMD_PREA)
            return -1;
        if (c->group == group && c->bank == bank && (c->op == DRAM_CMD_ACT || c->op == DRAM_CMD_PRE))
            return c->op == DRAM_CMD_ACT ? (int64_t)c->row : -1;
    }
    return -1;
}

static uint64_t protocol(const scoreboard_t *sb, dram_cmd_t c)
{
    const dram_set_t *s = &sb->set;
    bool column = c.op == DRAM_CMD_RD || c.op == DRAM_CMD_WR;
    if (c.op > DRAM_CMD_REF)
        return 1ull << DRAM_RULE_COMMAND;
    if (c.op == DRAM_CMD_REF && !s->trefi)
        return 1ull << DRAM_RULE_REF_NONE;
    if (c.op == DRAM_CMD_REF)
        for (unsigned g = 0; g < s->bank_groups; g++)
            for (unsigned b = 0; b < s->banks; b++)
                if (scoreboard_row(sb, g, b) >= 0)
                    return 1ull << DRAM_RULE_REF_OPEN;
    if ((column || c.op == DRAM_CMD_ACT || c.op == DRAM_CMD_PRE) && (c.group >= s->bank_groups || c.bank >= s->banks))
        return 1ull << DRAM_RULE_ADDRESS;
    if ((c.op == DRAM_CMD_ACT && c.row >= s->rows) || (column && (c.col >= s->columns || c.col % s->burst)))
        return 1ull << DRAM_RULE_ADDRESS;
    if (c.op == DRAM_CMD_ACT && scoreboard_row(sb, c.group, c.bank) >= 0)
        return 1ull << DRAM_RULE_ACT_OPEN;
    if (column && scoreboard_row(sb, c.group, c.bank) < 0)
        return 1ull << DRAM_RULE_CLOSED;
    return 0;
}

typedef struct {
    uint64_t broken, wait;
} verdict_t;

static void must_wait(verdict_t *v, dram_rule_t rule, uint64_t since, uint64_t until)
{
    if (since >= until)
        return;
    v->broken |= 1ull << rule;
    v->wait = until - since > v->wait ? until - since : v->wait;
}

static bool within(enum scope scope, dram_cmd_t a, dram_cmd_t b)
{
    switch (scope) {
    case SAME_BANK: return a.group == b.group && a.bank == b.bank;
    case SAME_GROUP: return a.group == b.group;
    case OTHER_GROUP: return a.group != b.group;
    default: return true;
    }
}

/* A past command against the one to come; PREA has been taken apart. */
static void pair(const scoreboard_t *sb, accepted_t p, uint64_t clock, dram_cmd_t c, verdict_t *v)
{
    const dram_set_t *s = &sb->set;
    for (size_t r = 0; r < sizeof row / sizeof *row; r++)
        if (row[r].before == (dram_op_t)p.cmd.op && row[r].after == (dram_op_t)c.op && within(row[r].scope, p.cmd, c))
            must_wait(v, row[r].rule, clock,
                      p.clock + value(s, row[r].add[0]) + value(s, row[r].add[1]) + value(s, row[r].add[2]));
    bool before = p.cmd.op == DRAM_CMD_RD || p.cmd.op == DRAM_CMD_WR,
         after = c.op == DRAM_CMD_RD || c.op == DRAM_CMD_WR;
    if (before && after) {
        uint64_t begin = clock + (c.op == DRAM_CMD_RD ? s->tcl : s->tcwl);
        uint64_t end = p.clock + (p.cmd.op == DRAM_CMD_RD ? s->tcl : s->tcwl) + s->burst_clocks;
        must_wait(v, DRAM_RULE_BUS, begin, end);
        if (p.cmd.op == DRAM_CMD_RD && c.op == DRAM_CMD_WR)
            must_wait(v, DRAM_RULE_TURNAROUND, begin, end + s->turnaround);
    }
}

/* Each bank of a PREA as a PRE, any other command as it is. */
#define EACH_BANK(s, cmd, one) \
    for (unsigned n_ = cmd.op == DRAM_CMD_PREA ? s->bank_groups * s->banks : 1, i_ = 0; i_ < n_; i_++) \
        for (dram_cmd_t one = n_ > 1 ? (dram_cmd_t){.op = DRAM_CMD_PRE, .group = (uint8_t)(i_ / s->banks), \
                                                    .bank = (uint8_t)(i_ % s->banks)} : cmd, *once_ = &one; once_; once_ = NULL)

uint64_t scoreboard_broken(const scoreboard_t *sb, uint64_t clock, dram_cmd_t cmd, uint64_t *wait)
{
    const dram_set_t *s = &sb->set;
    *wait = 0;
    if (cmd.op == DRAM_CMD_NOP)
        return 0;
    uint64_t against = protocol(sb, cmd);
    if (against)
        return against;
    verdict_t v = {0};
    unsigned acts = 0, refs = 0;
    /* the only rule that depends on commands a whole tREFI back */
    bool burst = cmd.op == DRAM_CMD_REF && s->refresh_burst;
    uint64_t reach = 200 + s->trfc + (burst ? 2 * (uint64_t)s->trefi : 0);
    for (size_t i = sb->count; i-- > 0;) {
        accepted_t p = sb->past[i];
        if (clock - p.clock > reach)
            break;
        if (p.cmd.op == DRAM_CMD_REF) {
            must_wait(&v, DRAM_RULE_TRFC, clock, p.clock + s->trfc);
            if (burst && ++refs == s->refresh_burst)
                must_wait(&v, DRAM_RULE_REF_BURST, clock, p.clock + 2 * (uint64_t)s->trefi);
        }
        if (p.cmd.op == DRAM_CMD_ACT && cmd.op == DRAM_CMD_ACT && ++acts == 4)
            must_wait(&v, DRAM_RULE_TFAW, clock, p.clock + s->tfaw);
        if (clock - p.clock > 200) /* no other rule of these sets waits for longer than 200 clocks */
            continue;
        EACH_BANK(s, cmd, after)
        EACH_BANK(s, p.cmd, before)
        pair(sb, (accepted_t){p.clock, before}, clock, after, &v);
    }
    *wait = v.wait;
    return v.broken;
}

uint64_t scoreboard_deadline(const scoreboard_t *sb)
{
    const dram_set_t *s = &sb->set;
    if (!s->trefi)
        return UINT64_MAX;
    int64_t interval = s->trefi, done = 0, last = 0, most = s->refresh_postpone;
    for (size_t i = 0; i < sb->count; i++)
        if (sb->past[i].cmd.op == DRAM_CMD_REF) {
            last = (int64_t)sb->past[i].clock;
            int64_t ahead = done - last / interval;
            done += ahead < most;
        }
    int64_t all = (done + most + 1) * interval, apart = last + (most + 1) * interval;
    return (uint64_t)(all < apart ? all : apart);
}
