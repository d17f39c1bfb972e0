/* A cycle of the whole: the twins are wired to each other by networks and memories of free delay, and the environment chooses (docs/explore.md). */
#include "ends.h"
#include "sim_c/coherence/l2c.h"

case_t now;
bool telling;
char wrong[200];
const char *const state_names[] = {"I", "N", "S", "E", "O", "M"};

unsigned choose(choice_t *c, unsigned n, bool hold)
{
    if (n < 2 || (hold && c->holds <= 0))
        return 0;
    if (c->at == c->count) {
        c->n[c->count] = (uint8_t)n;
        c->v[c->count++] = 0;
    }
    const unsigned v = c->v[c->at++];
    c->holds -= hold && v;
    return v;
}

void sys_step(sys_t *s, const outs_t *o, choice_t *c)
{
    static ins_t i;
    unsigned maint;
    memset(&i, 0, sizeof i);
    maintained(s, o);
    const unsigned a = starts(s, o, c, &maint);
    if (a < AGENTS) {
        l2c_in_t *in = now.at[a] == HOST ? &i.cache : &i.l2c[now.at[a]];
        in->net_req_valid = true;
        in->net_req = request_of(s, a);
        in->net_req.req.id = (uint16_t)a;
    }
    if (maint < DEVICES)
        maintain(s, &i, maint);
    for (unsigned d = 0; d < DEVICES; d++) {
        i.data[d] = 32;
        if (now.device[d] == REAL)
            wire_device(s, o, d, &i, c);
    }
    wire_home(s, o, &i, c);
    wire_cache(o, &i, c);
    flush(s, o, &i, c);
    net_moves(s, o, &i);
    for (unsigned d = 0; d < DEVICES; d++) {
        if (now.device[d] == ABSTRACT)
            abstract_step(s, d, c);
        if (now.device[d] != REAL)
            continue;
        answer(s, d, &o->l2c[d], &s->dev[d].l2c, i.l2c[d].net_rsp_ready);
        CLOCK(l2c, &s->dev[d].l2c, &i.l2c[d], &o->l2c[d]);
        CLOCK(smd, &s->dev[d].smd, &i.smd[d], &o->smd[d]);
        CLOCK(stack_port, &s->dev[d].port, &i.port[d], &o->port[d]);
    }
    if (now.host) {
        answer(s, HOST, &o->cache, &s->cache, true);
        CLOCK(l2c, &s->cache, &i.cache, &o->cache);
    }
    CLOCK(hmd, &s->hmd, &i.hmd, &o->hmd);
}

void sys_outs(const sys_t *s, outs_t *o)
{
    for (unsigned d = 0; d < DEVICES; d++) {
        if (now.device[d] != REAL)
            continue;
        l2c_out(&s->dev[d].l2c, &o->l2c[d]);
        smd_out(&s->dev[d].smd, &o->smd[d]);
        stack_port_out(&s->dev[d].port, &o->port[d]);
    }
    if (now.host)
        l2c_out(&s->cache, &o->cache);
    hmd_out(&s->hmd, &o->hmd);
}

bool sys_waits(const sys_t *s)
{
    return !at_rest(s) || (now.ends && (s->end ? s->end != 3 : !bounds_left(s) && !now.ever));
}

void sys_init(sys_t *s)
{
    static outs_t o;
    choice_t c = {.holds = 0};
    const bool ends = now.ends;
    memset(s, 0, sizeof *s);
    for (unsigned d = 0; d < DEVICES; d++)
        if (now.device[d] == REAL) {
            l2c_reset(&s->dev[d].l2c);
            smd_reset(&s->dev[d].smd);
            stack_port_reset(&s->dev[d].port);
        }
    l2c_reset(&s->cache);
    l2c_last_level(&s->cache);
    hmd_reset(&s->hmd);
    now.ends = false;
    for (unsigned t = 0; t < SMD_PLACES + HMD_ENTRIES + MAX_L2C_SETS + 4; t++) {
        sys_outs(s, &o);
        sys_step(s, &o, &c);
    }
    now.ends = ends;
    for (unsigned a = 0; a < now.agents; a++)
        memcpy(s->agent[a].left, now.bound[a], sizeof now.bound[a]);
}
