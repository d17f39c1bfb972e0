/* A violation in words. */
#include "sim_c/dram/device.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static const char *const op_name[DRAM_CMDS] = {"NOP", "ACT", "RD", "WR", "PRE", "PREA", "REF"};
static const struct {
    const char *name, *what;
} rule_text[DRAM_RULE_COUNT] = {{"none", "nothing is wrong"},
#define R(rule, name, what) {name, what},
                                DRAM_RULES(R)
#undef R
};

const char *dram_rule_name(dram_rule_t rule)
{
    return (unsigned)rule < DRAM_RULE_COUNT ? rule_text[rule].name : "?";
}

const char *dram_op_name(dram_op_t op)
{
    return (unsigned)op < DRAM_CMDS ? op_name[op] : "?";
}

typedef struct out {
    char *text;
    size_t size, used; /* used: of the whole text, whether or not it fits */
} out_t;

__attribute__((format(printf, 2, 3))) static void say(out_t *o, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    size_t left = o->used < o->size ? o->size - o->used : 0;
    int n = vsnprintf(left ? o->text + o->used : NULL, left, format, ap);
    o->used += n > 0 ? (size_t)n : 0;
    va_end(ap);
}

static void say_command(out_t *o, const dram_cmd_t *c)
{
    say(o, "%s", dram_op_name(c->op));
    if (c->op == DRAM_CMD_ACT || c->op == DRAM_CMD_RD || c->op == DRAM_CMD_WR || c->op == DRAM_CMD_PRE)
        say(o, " group %u bank %u", c->group, c->bank);
    if (c->op == DRAM_CMD_ACT)
        say(o, " row 0x%" PRIx32, c->row);
    if (c->op == DRAM_CMD_RD || c->op == DRAM_CMD_WR)
        say(o, " column 0x%x", c->col);
}

static bool concerns(const dram_cmd_t *c, unsigned group, unsigned bank)
{
    return c->op == DRAM_CMD_PREA || c->op == DRAM_CMD_REF || (c->group == group && c->bank == bank);
}

/* The last `most` commands, oldest first; with `only_bank` those that concern the bank of the violation. */
static void say_history(out_t *o, const dram_t *d, bool only_bank, unsigned most)
{
    const dram_violation_t *v = &d->violation;
    uint64_t kept = d->history_count < HISTORY ? d->history_count : HISTORY, first = d->history_count;
    for (uint64_t back = 1; back <= kept && most; back++) {
        const past_t *p = &d->history[(d->history_count - back) % HISTORY];
        if (!only_bank || concerns(&p->cmd, v->group, v->bank)) {
            first = d->history_count - back;
            most--;
        }
    }
    for (uint64_t i = first; i < d->history_count; i++) {
        const past_t *p = &d->history[i % HISTORY];
        if (only_bank && !concerns(&p->cmd, v->group, v->bank))
            continue;
        say(o, "  clock %" PRId64 ": ", p->clock);
        say_command(o, &p->cmd);
        say(o, "\n");
    }
    if (first == d->history_count)
        say(o, "  none\n");
}

static void say_time(out_t *o, const char *name, int64_t clock)
{
    if (clock == LONG_AGO)
        say(o, ", %s never", name);
    else
        say(o, ", %s at %" PRId64, name, clock);
}

size_t dram_report(const dram_t *d, char *text, size_t size)
{
    out_t o = {text, size, 0};
    const dram_violation_t *v = &d->violation;
    if (size)
        *text = 0;
    if (v->rule == DRAM_RULE_NONE) {
        say(&o, "no DRAM rule was broken\n");
        return o.used;
    }
    say(&o, "DRAM (%s) rule %s broken at clock %" PRIu64 " by ", d->set.standard, dram_rule_name(v->rule), v->clock);
    say_command(&o, &v->cmd);
    say(&o, "\n%s", rule_text[v->rule].what);
    if (v->rule == DRAM_RULE_TREFI)
        say(&o, ": at most %" PRIu64 " clocks after the last REF or the start, this is clock %" PRIu64, v->required,
            v->actual);
    else if (v->required)
        say(&o, ": required %" PRIu64 " clocks, actual %" PRIu64, v->required, v->actual);
    say(&o, "\n");
    if (v->broken & (v->broken - 1)) {
        say(&o, "also broken:");
        for (unsigned r = 0; r < DRAM_RULE_COUNT; r++)
            if (v->broken >> r & 1 && r != v->rule)
                say(&o, " %s", dram_rule_name((dram_rule_t)r));
        say(&o, "\n");
    }
    if (v->group < d->set.bank_groups && v->bank < d->set.banks) {
        const bank_t *b = &d->bank[v->group * d->set.banks + v->bank];
        say(&o, "group %u bank %u: ", v->group, v->bank);
        if (b->open)
            say(&o, "row 0x%" PRIx32 " open", b->row);
        else
            say(&o, "closed");
        say_time(&o, "ACT", b->act);
        say_time(&o, "RD", b->rd);
        say_time(&o, "WR", b->wr);
        say_time(&o, "PRE", b->pre);
        say(&o, "; last commands:\n");
        say_history(&o, d, true, 8);
    }
    say(&o, "channel: last commands:\n");
    say_history(&o, d, false, 24);
    return o.used;
}
