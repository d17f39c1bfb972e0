/* What agents begin, and their answers. */
#ifndef VERIF_COHERENCE_EXPLORE_AGENTS_H
#define VERIF_COHERENCE_EXPLORE_AGENTS_H
#include "choose.h"
#include "telling.h"

static net_req_t request_of(const sys_t *s, unsigned a)
{
    const agent_t *g = &s->agent[a];
    net_req_t n = {.src = false, .req = {.line = now.line[g->line]}};
    switch (g->busy - 1) {
    case OP_LOAD: n.req.op = MEM_READ; break;
    case OP_AMO:
        n.req.op = MEM_AMO;
        n.req.amo = now.ever ? AMO_SWAP : AMO_ADD;
        n.req.amo_off = COMMON;
        n.req.data.w[0] = now.ever ? g->value : 1;
        break;
    default:
        n.req.op = g->busy - 1 == OP_STORE ? MEM_STORE : MEM_WRITE;
        n.req.be.w[0] = 1u << a;
        n.req.data.w[0] = (uint64_t)g->value << 8 * a;
        break;
    }
    return n;
}

/* Begins, if it may; `really`: not only whether it may. */
static bool start(sys_t *s, const outs_t *o, unsigned a, unsigned op, unsigned li, unsigned value, bool really)
{
    agent_t *g = &s->agent[a];
    const unsigned d = now.at[a];
    if (!g->left[op] || s->end || (value && (!now.ever || op == OP_LOAD)))
        return false;
    if (d < DEVICES && now.device[d] == ABSTRACT)
        return abstract_starts(s, a, op, li, value, really);
    if (op >= OP_EVICT) {
        if (d == HOST || s->dev[d].maint || li || value)
            return false;
        if (really)
            s->dev[d].maint = (uint8_t)(1 + op);
    } else {
        if (g->busy || !(d == HOST ? o->cache : o->l2c[d]).net_req_ready)
            return false;
        if (really) {
            g->busy = (uint8_t)(1 + op);
            g->line = (uint8_t)li;
            g->value = next_value(s, a, li, value);
        }
    }
    if (really && !now.ever)
        g->left[op]--;
    if (really)
        tell("agent %u: %s%s%u", a, what[op], op < OP_EVICT ? ", line " : " ",
             op < OP_EVICT ? (unsigned)now.line[li] : d);
    return true;
}

/* What begins in this cycle: one thing, or nothing. Returns the agent that has a request for its slice, or AGENTS. */
static unsigned starts(sys_t *s, const outs_t *o, choice_t *c, unsigned *maint)
{
    struct {
        uint8_t a, op, li, value;
    } may[AGENTS * OPS * LINES * 2];
    unsigned n = 0;
    *maint = HOST;
    for (unsigned a = 0; a < now.agents; a++)
        for (unsigned op = 0; op < OPS; op++)
            for (unsigned li = 0; s->agent[a].left[op] && li < now.lines; li++)
                for (unsigned value = 0; value < 2; value++)
                    if (start(s, o, a, op, li, value, false)) {
                        may[n].a = (uint8_t)a;
                        may[n].op = (uint8_t)op;
                        may[n].li = (uint8_t)li;
                        may[n++].value = (uint8_t)value;
                    }
    const unsigned v = choose(c, n + 1, false);
    if (!v)
        return AGENTS;
    start(s, o, may[v - 1].a, may[v - 1].op, may[v - 1].li, may[v - 1].value, true);
    if (may[v - 1].op >= OP_EVICT)
        *maint = now.at[may[v - 1].a];
    return may[v - 1].op >= OP_EVICT || !s->agent[may[v - 1].a].busy ? AGENTS : may[v - 1].a;
}

/* An agent of this slice has its answer. */
static void answer(sys_t *s, unsigned d, const l2c_out_t *o, const l2c_t *l, bool taken)
{
    if (!o->net_rsp_valid)
        return;
    const unsigned a = o->net_rsp.rsp.id;
    agent_t *g = &s->agent[a];
    if (a >= now.agents || !g->busy || now.at[a] != d) {
        blame("answered: agent %u has asked for nothing", a);
        return;
    }
    if (!g->answered) {
        uint64_t data = l->data[l->s3_row].w[0];
        if (g->busy - 1 == OP_AMO)
            data = with_byte(data, COMMON, (uint8_t)o->net_rsp.rsp.data.w[0]);
        tell("agent %u: has its answer, %llx", a, (unsigned long long)data);
        rule_answer(s, a, g->busy - 1u, data);
        g->answered = true;
    }
    if (taken) {
        g->busy = g->line = g->value = 0;
        g->answered = false;
    }
}
#endif
