/* Messages from block to block in a cycle: as offered, or held. */
#ifndef VERIF_COHERENCE_EXPLORE_WIRES_H
#define VERIF_COHERENCE_EXPLORE_WIRES_H
#include "agents.h"

#define PUT(count, q, value) ((q)[(count)++] = (value))
#define DROP(count, q)                                         \
    do {                                                       \
        memmove((q), (q) + 1, --(count) * sizeof *(q));        \
        memset((q) + (count), 0, sizeof *(q));                 \
    } while (0)

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

/* Networks: taken messages leave, offered ones enter where there was room. */
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
#endif
