/* Maintenance, and the final flush. */
#ifndef VERIF_COHERENCE_EXPLORE_ENDS_H
#define VERIF_COHERENCE_EXPLORE_ENDS_H
#include "wires.h"

static bool at_rest(const sys_t *s)
{
    for (unsigned a = 0; a < now.agents; a++)
        if (s->agent[a].busy)
            return false;
    for (unsigned d = 0; d < DEVICES; d++) {
        if (s->dev[d].maint)
            return false;
        for (unsigned k = 0; k < LINES; k++)
            if (s->dev[d].block[k].asked || (s->end == 2 && smd_dirty(s->dev[d].block[k].state)))
                return false;
    }
    return true;
}

static bool bounds_left(const sys_t *s)
{
    for (unsigned a = 0; a < now.agents; a++)
        for (unsigned op = 0; op < OPS; op++)
            if (s->agent[a].left[op] && !now.ever)
                return true;
    return false;
}

/* Nothing is under way. */
static bool all_idle(const sys_t *s, const outs_t *o)
{
    bool idle = o->hmd.idle && !s->sched.count && (!now.host || o->cache.idle);
    for (unsigned d = 0; d < DEVICES; d++) {
        const net_t *n = &s->dev[d].net;
        idle &= !n->reqs && !n->probes && !n->acks && !n->datas && !n->peers && !n->mems && !s->dev[d].sched.count;
        if (now.device[d] == REAL)
            idle &= o->l2c[d].idle && o->smd[d].idle && o->port[d].idle;
    }
    return idle;
}

/* The final flush: slices, then directories, then it is over. Whatever the agents still may do: they may end before. */
static void flush(sys_t *s, const outs_t *o, ins_t *i, choice_t *c)
{
    if (!now.ends || s->end == 3 || !at_rest(s) || (!s->end && bounds_left(s)) || (s->end == 2 && !all_idle(s, o)))
        return;
    if (!s->end && now.ever && !choose(c, 2, false))
        return;
    s->end++;
    tell("final flush: %s", s->end == 1 ? "slices" : s->end == 2 ? "directories" : "over");
    if (s->end == 3) {
        rule_end(s);
        return;
    }
    for (unsigned d = 0; d < DEVICES; d++) {
        const maint_t m = {.op = L2_FLUSH_ALL};
        if (now.device[d] != REAL)
            continue;
        s->dev[d].maint = (uint8_t)(s->end == 1 ? 1 + OP_CLEAN : 1 + OP_FLUSH);
        if (s->end == 1) {
            i->l2c[d].maint_valid = true;
            i->l2c[d].maint = m;
        } else {
            i->smd[d].maint_valid = true;
            i->smd[d].maint = m;
        }
    }
}

static void maintained(sys_t *s, const outs_t *o)
{
    for (unsigned d = 0; d < DEVICES; d++)
        if (now.device[d] == REAL && (o->l2c[d].maint_done || o->smd[d].maint_done)) {
            if (!s->dev[d].maint)
                blame("answered: a maintenance is done that nobody asked for");
            tell("device %u: maintenance is done", d);
            s->dev[d].maint = 0;
        }
}

/* That of a device begins. */
static void maintain(const sys_t *s, ins_t *i, unsigned d)
{
    const unsigned op = s->dev[d].maint - 1u;
    if (op >= OP_INVAL) {
        i->l2c[d].maint_valid = true;
        i->l2c[d].maint.op = op == OP_INVAL ? L2_INVAL_ALL : L2_FLUSH_ALL;
    } else {
        i->smd[d].maint_valid = true;
        i->smd[d].maint.op = op == OP_EVICT ? L2_INVAL_ALL : L2_FLUSH_ALL;
    }
}

#define CLOCK(foo, state, in, out)                             \
    do {                                                       \
        if (!foo##_idle(state) || !foo##_in_quiet(in, in, out)) \
            foo##_tick(state, in);                             \
    } while (0)
#endif
