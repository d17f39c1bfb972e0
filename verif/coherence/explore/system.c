/* A cycle of the whole: the twins are wired to each other by networks and memories of free delay, and the environment chooses (docs/explore.md). */
#include "explore.h"
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

/* One of these (a bit each), or none: 32. */
static unsigned pick(choice_t *c, unsigned these, unsigned held)
{
    if (!these)
        return 32;
    const unsigned n = (unsigned)__builtin_popcount(these);
    unsigned v = choose(c, now.held & held ? n + 1 : n, true);
    if (v == n)
        return 32;
    while (v--)
        these &= these - 1;
    return (unsigned)__builtin_ctz(these);
}

static bool goes(choice_t *c, bool may, unsigned held)
{
    return may && !(now.held & held && choose(c, 2, true));
}

/* ---- what is offered and taken in a cycle, by name ---- */

static const char *const home_op[] = {"READ", "READ_OWN", "N_READ", "WRITE_BACK"},
                         *const smd_op[] = {"READ", "OWN", "EVICT", "FLUSH"},
                         *const probe[] = {"PROBE_READ", "PROBE_WRITE", "PROBE_CLEAN"},
                         *const what[OPS] = {"loads",
                                             "stores non-coherently",
                                             "does an atomic",
                                             "stores coherently",
                                             "gives back its blocks",
                                             "flushes its blocks",
                                             "gives back its lines"},
                         *const ack[] = {"BYTES", "DONE", "ARRIVED", "GET"};

static void tell_seam(const char *who, unsigned d, const l2c_out_t *l, bool req, bool rsp, const home_rsp_t *r, bool p,
                      const home_probe_t *pr, bool a)
{
    if (!telling)
        return;
    if (req)
        tell("%s %u: %s line %llu%s%s mask %llx data %llx", who, d, home_op[l->home_req.op],
             (unsigned long long)l->home_req.line, l->home_req.op == HOME_WRITE_BACK ? " held in " : "",
             l->home_req.op == HOME_WRITE_BACK ? state_names[l->home_req.state] : "",
             (unsigned long long)l->home_req.be.w[0], (unsigned long long)l->home_req.data.w[0]);
    if (rsp)
        tell("%s %u: is granted %s, data %llx", who, d, state_names[r->state], (unsigned long long)r->data.w[0]);
    if (p)
        tell("%s %u: is asked %s line %llu", who, d, probe[pr->kind], (unsigned long long)pr->line);
    if (a)
        tell("%s %u: acknowledges line %llu, held in %s, mask %llx data %llx", who, d,
             (unsigned long long)l->home_ack.line, state_names[l->home_ack.state],
             (unsigned long long)l->home_ack.be.w[0], (unsigned long long)l->home_ack.data.w[0]);
}

static void tell_data(unsigned d, const char *from, const smd_data_t *v)
{
    if (!telling)
        return;
    if (v->mem != SMD_MEM_NONE)
        tell("device %u: its stack is %s line %llu, mask %llx data %llx", d,
             v->mem == SMD_MEM_READ ? "read," : "written,", (unsigned long long)v->line,
             (unsigned long long)named(&v->mask), (unsigned long long)v->data.w[0]);
    else if (v->grant)
        tell("device %u: is granted %s, block of line %llu", d, state_names[v->state], (unsigned long long)v->line);
    else
        tell("device %u: line %llu comes from %s, mask %llx data %llx", d, (unsigned long long)v->line, from,
             (unsigned long long)named(&v->mask), (unsigned long long)v->data.w[0]);
}

static void tell_ack(unsigned d, const smd_ack_t *v)
{
    if (telling)
        tell("device %u: %s, line %llu%s%s%s mask %llx data %llx", d, ack[v->kind], (unsigned long long)v->line,
             v->kind == SMD_DONE ? " was held in " : "", v->kind == SMD_DONE ? state_names[v->state] : "",
             v->sent ? ", sent to the peer" : "", (unsigned long long)named(&v->mask),
             (unsigned long long)v->data.w[0]);
}

/* ---- queues ---- */
#define PUT(count, q, value) ((q)[(count)++] = (value))
#define DROP(count, q)                                         \
    do {                                                       \
        memmove((q), (q) + 1, --(count) * sizeof *(q));        \
        memset((q) + (count), 0, sizeof *(q));                 \
    } while (0)

/* ---- memories ---- */

/* One of the requests that a memory has may be performed: a read is answered. Requests of one line in their order. */
static bool memory_step(memory_t *m, uint64_t *data, unsigned lines, choice_t *c, unsigned held, home_rsp_t *rsp)
{
    unsigned may = 0;
    for (unsigned k = 0; k < m->count; k++) {
        bool first = true;
        for (unsigned j = 0; j < k; j++)
            first &= m->q[j].line != m->q[k].line;
        may |= (unsigned)(first && (!k || now.reorder)) << k;
    }
    const unsigned k = pick(c, may, held);
    if (k == 32)
        return false;
    const home_req_t r = m->q[k];
    memmove(m->q + k, m->q + k + 1, (--m->count - k) * sizeof *m->q);
    memset(m->q + m->count, 0, sizeof *m->q);
    if (r.line >= lines) {
        blame("memory: no line %llu", (unsigned long long)r.line);
        return false;
    }
    if (r.op == HOME_WRITE_BACK) {
        const uint64_t w = wide(r.be.w[0]);
        data[r.line] = (data[r.line] & ~w) | (r.data.w[0] & w);
        return false;
    }
    *rsp = (home_rsp_t){.id = r.id, .state = NMOESI_E, .data = {{data[r.line]}}};
    return true;
}

/* ---- agents ---- */

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

/* ---- the edge ---- */

typedef struct {
    l2c_in_t l2c[DEVICES];
    smd_in_t smd[DEVICES];
    stack_port_in_t port[DEVICES];
    hmd_in_t hmd;
    l2c_in_t cache;
    unsigned from_req, from_ack; /* devices, or 32 */
    unsigned data[DEVICES]; /* 0 of the home, 1 of a peer, or 32 */
    unsigned mem; /* a device, or 32 */
} ins_t;

static void net_into_device(sys_t *s, unsigned d, const smd_out_t *o, smd_in_t *in, ins_t *i, choice_t *c)
{
    net_t *n = &s->dev[d].net;
    in->smd_probe_valid = goes(c, n->probes && o->smd_probe_ready, HOLD_PROBE);
    if (in->smd_probe_valid)
        in->smd_probe = n->probe[0];
    i->data[d] = o->smd_data_ready ? pick(c, (unsigned)!!n->datas | (unsigned)!!n->peers << 1, HOLD_DATA) : 32;
    in->smd_data_valid = i->data[d] != 32;
    if (in->smd_data_valid)
        in->smd_data = i->data[d] ? n->peer[0] : n->data[0];
}

static void wire_device(sys_t *s, const outs_t *o, unsigned d, ins_t *i, choice_t *c)
{
    const l2c_out_t *l = &o->l2c[d];
    const smd_out_t *m = &o->smd[d];
    const stack_port_out_t *p = &o->port[d];
    device_t_ *v = &s->dev[d];
    l2c_in_t *li = &i->l2c[d];
    smd_in_t *mi = &i->smd[d];
    stack_port_in_t *pi = &i->port[d];
    const bool req = l->home_req_valid && m->home_req_ready, asks = m->home_probe_valid && l->home_probe_ready,
               acks = l->home_ack_valid && m->home_ack_ready;
    li->net_rsp_ready = goes(c, l->net_rsp_valid, HOLD_CORE);
    li->home_req_ready = req;
    if ((li->home_rsp_valid = m->home_rsp_valid))
        li->home_rsp = m->home_rsp;
    if ((li->home_probe_valid = asks))
        li->home_probe = m->home_probe;
    li->home_ack_ready = acks;
    if ((mi->home_req_valid = req))
        mi->home_req = l->home_req;
    mi->home_probe_ready = asks;
    if ((mi->home_ack_valid = acks))
        mi->home_ack = l->home_ack;
    tell_seam("slice", d, l, req, m->home_rsp_valid, &m->home_rsp, asks, &m->home_probe, acks);
    mi->stack_req_ready = p->stack_req_ready;
    if ((mi->stack_rsp_valid = p->stack_rsp_valid))
        mi->stack_rsp = p->stack_rsp;
    mi->smd_req_ready = v->net.reqs < now.net;
    mi->smd_ack_ready = v->net.acks < now.net;
    const bool line = m->smd_peer_valid && m->smd_peer.mem == SMD_MEM_LINE;
    mi->smd_peer_ready =
        line ? v->net.mems < now.net : m->smd_peer_valid && s->dev[m->smd_peer.device].net.peers < now.net;
    mi->memory = now.memory;
    mi->device = (uint8_t)d;
    net_into_device(s, d, m, mi, i, c);
    if ((pi->stack_req_valid = m->stack_req_valid && p->stack_req_ready))
        pi->stack_req = m->stack_req;
    if (now.memory == MEMORY_ZEROCOPY && m->stack_req_valid)
        blame("far: device %u asks its stack", d);
    if (now.memory != MEMORY_UMH && m->smd_peer_valid && !line)
        blame("far: device %u sends a line to a peer", d);
    if (line && (!in_stacks(now.memory) || home_device(now.memory, m->smd_peer.line) != d))
        blame("far: device %u sends a line home that is not at home there", d);
    pi->home_req_ready = p->home_req_valid && v->sched.count < now.pending;
    pi->home_rsp_valid = memory_step(&v->sched, v->stack, STACK_LINES, c, HOLD_STACK, &pi->home_rsp);
    if (pi->home_req_ready)
        PUT(v->sched.count, v->sched.q, p->home_req);
}

/* What networks bring to the home. */
static void wire_home(sys_t *s, const outs_t *o, ins_t *i, choice_t *c)
{
    const hmd_out_t *h = &o->hmd;
    hmd_in_t *in = &i->hmd;
    unsigned reqs = 0, acks = 0, mems = 0;
    for (unsigned d = 0; d < DEVICES; d++) {
        reqs |= (unsigned)!!s->dev[d].net.reqs << d;
        acks |= (unsigned)!!s->dev[d].net.acks << d;
        mems |= (unsigned)!!s->dev[d].net.mems << d;
    }
    in->peers = now.peers;
    in->memory = now.memory;
    i->from_req = h->smd_req_ready ? pick(c, reqs, HOLD_REQ) : 32;
    i->from_ack = h->smd_ack_ready ? pick(c, acks, HOLD_ACK) : 32;
    if ((in->smd_req_valid = i->from_req != 32))
        in->smd_req = (hmd_req_t){.device = i->from_req, .req = s->dev[i->from_req].net.req[0]};
    if ((in->smd_ack_valid = i->from_ack != 32))
        in->smd_ack = (hmd_ack_t){.device = i->from_ack, .ack = s->dev[i->from_ack].net.ack[0]};
    in->smd_probe_ready = h->smd_probe_valid && s->dev[h->smd_probe.device].net.probes < now.net;
    in->smd_data_ready = h->smd_data_valid && s->dev[h->smd_data.device].net.datas < now.net;
    in->host_req_ready = h->host_req_valid && s->sched.count < now.pending;
    in->host_rsp_valid = memory_step(&s->sched, s->host, HOST_LINES, c, HOLD_MEMORY, &in->host_rsp);
    if (in->host_req_ready)
        PUT(s->sched.count, s->sched.q, h->host_req);
    if (in_stacks(now.memory) && h->host_req_valid)
        blame("far: host memory is asked");
    i->mem = pick(c, mems, HOLD_DATA);
    if ((in->smd_mem_valid = i->mem != 32))
        in->smd_mem = s->dev[i->mem].net.mem[0];
}

static void wire_cache(const outs_t *o, ins_t *i, choice_t *c)
{
    const l2c_out_t *l = &o->cache;
    const hmd_out_t *h = &o->hmd;
    l2c_in_t *li = &i->cache;
    hmd_in_t *in = &i->hmd;
    if (!now.host)
        return;
    const bool req = goes(c, l->home_req_valid && h->home_req_ready, HOLD_CACHE),
               asks = goes(c, h->home_probe_valid && l->home_probe_ready, HOLD_CACHE),
               acks = goes(c, l->home_ack_valid && h->home_ack_ready, HOLD_CACHE);
    li->net_rsp_ready = true;
    li->home_req_ready = req;
    if ((li->home_rsp_valid = h->home_rsp_valid))
        li->home_rsp = h->home_rsp;
    if ((li->home_probe_valid = asks))
        li->home_probe = h->home_probe;
    li->home_ack_ready = acks;
    if ((in->home_req_valid = req))
        in->home_req = l->home_req;
    in->home_probe_ready = asks;
    if ((in->home_ack_valid = acks))
        in->home_ack = l->home_ack;
    tell_seam("host's cache", 0, l, req, h->home_rsp_valid, &h->home_rsp, asks, &h->home_probe, acks);
}

/* Networks: what was taken leaves, what is offered enters where there was room. */
static void net_moves(sys_t *s, const outs_t *o, const ins_t *i)
{
    for (unsigned d = 0; d < DEVICES; d++) {
        net_t *n = &s->dev[d].net;
        if (now.device[d] != REAL)
            continue;
        if (i->smd[d].smd_probe_valid) {
            tell("device %u: is asked %s line %llu%s", d, probe[n->probe[0].kind], (unsigned long long)n->probe[0].line,
                 n->probe[0].to_peer ? ", to the peer" : "");
            DROP(n->probes, n->probe);
        }
        if (i->data[d] == 0) {
            tell_data(d, "the home", n->data);
            DROP(n->datas, n->data);
        } else if (i->data[d] == 1) {
            tell_data(d, "a peer", n->peer);
            DROP(n->peers, n->peer);
        }
    }
    if (i->mem != 32) {
        tell("the home: a line comes from the stack of device %u, data %llx", i->mem,
             (unsigned long long)s->dev[i->mem].net.mem[0].data.w[0]);
        DROP(s->dev[i->mem].net.mems, s->dev[i->mem].net.mem);
    }
    if (i->from_req != 32) {
        net_t *n = &s->dev[i->from_req].net;
        tell("device %u: asks %s line %llu", i->from_req, smd_op[n->req[0].op], (unsigned long long)n->req[0].line);
        DROP(n->reqs, n->req);
    }
    if (i->from_ack != 32) {
        net_t *n = &s->dev[i->from_ack].net;
        tell_ack(i->from_ack, n->ack);
        DROP(n->acks, n->ack);
    }
    for (unsigned d = 0; d < DEVICES; d++) {
        const smd_out_t *m = &o->smd[d];
        net_t *n = &s->dev[d].net;
        if (now.device[d] != REAL)
            continue;
        if (m->smd_req_valid && i->smd[d].smd_req_ready)
            PUT(n->reqs, n->req, m->smd_req);
        if (m->smd_ack_valid && i->smd[d].smd_ack_ready)
            PUT(n->acks, n->ack, m->smd_ack);
        if (m->smd_peer_valid && i->smd[d].smd_peer_ready && m->smd_peer.mem == SMD_MEM_LINE) {
            PUT(n->mems, n->mem, ((smd_mem_t){.id = m->smd_peer.id, .data = m->smd_peer.data}));
        } else if (m->smd_peer_valid && i->smd[d].smd_peer_ready) {
            net_t *to = &s->dev[m->smd_peer.device].net;
            PUT(to->peers, to->peer,
                ((smd_data_t){.line = m->smd_peer.line, .mask = m->smd_peer.mask, .data = m->smd_peer.data}));
        }
    }
    if (i->hmd.smd_probe_ready) {
        net_t *n = &s->dev[o->hmd.smd_probe.device].net;
        PUT(n->probes, n->probe, o->hmd.smd_probe.probe);
    }
    if (i->hmd.smd_data_ready) {
        net_t *n = &s->dev[o->hmd.smd_data.device].net;
        PUT(n->datas, n->data, o->hmd.smd_data.data);
    }
}

/* ---- maintenance, and the final flush ---- */

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
    for (unsigned t = 0; t < SMD_PLACES + HMD_ENTRIES + L2C_SETS + 4; t++) {
        sys_outs(s, &o);
        sys_step(s, &o, &c);
    }
    now.ends = ends;
    for (unsigned a = 0; a < now.agents; a++)
        memcpy(s->agent[a].left, now.bound[a], sizeof now.bound[a]);
}
