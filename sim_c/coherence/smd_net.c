/* Twin of rtl/coherence/smd_net.sv: the devices' end of the wires (docs/blocks/smd_net.md). */
#include "sim_c/coherence/smd_net_state.h"
#include "sim_c/common/memory_map.h"

_Static_assert(SMDS <= XBAR_PORTS && WIRES <= XBAR_PORTS, "more ports than a mask has bits");

size_t smd_net_size(void)
{
    return sizeof(struct smd_net);
}

void smd_net_reset(smd_net_t *s)
{
    memset(s, 0, sizeof *s);
    xbar_reset(&s->req.x, SMDS, WIRES);
    xbar_reset(&s->ack.x, SMDS, WIRES);
    xbar_reset(&s->peer.x, SMDS, WIRES);
    xbar_reset(&s->probe.x, WIRES, SMDS);
    xbar_reset(&s->data.x, WIRES, SMDS);
}

void smd_net_out(const smd_net_t *s, smd_net_out_t *o)
{
    o->smd_req_ready = XBAR_ROOM(s->req);
    o->smd_ack_ready = XBAR_ROOM(s->ack);
    o->smd_peer_ready = XBAR_ROOM(s->peer);
    o->down_probe_ready = XBAR_ROOM(s->probe);
    o->down_data_ready = XBAR_ROOM(s->data);
    o->idle = xbar_idle(&s->req.x) && xbar_idle(&s->ack.x) && xbar_idle(&s->peer.x) && xbar_idle(&s->probe.x)
              && xbar_idle(&s->data.x);
    o->up_req_valid = s->req.x.valid;
    o->up_ack_valid = s->ack.x.valid;
    o->up_data_valid = s->peer.x.valid;
    o->smd_probe_valid = s->probe.x.valid;
    o->smd_data_valid = s->data.x.valid;
    XBAR_SHOW(s->req, o->up_req);
    XBAR_SHOW(s->ack, o->up_ack);
    XBAR_SHOW(s->peer, o->up_data);
    XBAR_SHOW(s->probe, o->smd_probe);
    XBAR_SHOW(s->data, o->smd_data);
}

/* Which SMD a message of a wire down is for. */
static unsigned smd_of(unsigned device, uint64_t line)
{
    return device * CHANNELS + channel_of(line);
}

void smd_net_tick(smd_net_t *s, const smd_net_in_t *in)
{
    uint64_t req = in->smd_req_valid & ~s->req.x.full, ack = in->smd_ack_valid & ~s->ack.x.full,
             peer = in->smd_peer_valid & ~s->peer.x.full, probe = in->down_probe_valid & ~s->probe.x.full,
             data = in->down_data_valid & ~s->data.x.full;
    XBAR_CARRY(s->req, in->up_req_ready);
    XBAR_CARRY(s->ack, in->up_ack_ready);
    XBAR_CARRY(s->peer, in->up_data_ready);
    XBAR_CARRY(s->probe, in->smd_probe_ready);
    XBAR_CARRY(s->data, in->smd_data_ready);
    for (; req; req &= req - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(req), d = k / CHANNELS;
        XBAR_PUT(s->req, k, wire_of(d)) = (hmd_req_t){.device = (uint8_t)d, .req = in->smd_req[k]};
    }
    for (; ack; ack &= ack - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(ack), d = k / CHANNELS;
        XBAR_PUT(s->ack, k, wire_of(d)) = (hmd_ack_t){.device = (uint8_t)d, .ack = in->smd_ack[k]};
    }
    for (; peer; peer &= peer - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(peer);
        const smd_peer_t *p = &in->smd_peer[k];
        XBAR_PUT(s->peer, k, wire_of(k / CHANNELS)) =
            (hmd_data_t){.device = p->device,
                         .data = {.line = p->line, .mask = p->mask, .data = p->data, .mem = p->mem, .id = p->id}};
    }
    for (; probe; probe &= probe - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(probe);
        const hmd_probe_t *p = &in->down_probe[k];
        XBAR_PUT(s->probe, k, smd_of(p->device, p->probe.line)) = p->probe;
    }
    for (; data; data &= data - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(data);
        const hmd_data_t *p = &in->down_data[k];
        XBAR_PUT(s->data, k, smd_of(p->device, p->data.line)) = p->data;
    }
}

/* Messages that are not taken may wait. */
bool smd_net_idle(const smd_net_t *s)
{
    return xbar_waits(&s->req.x) && xbar_waits(&s->ack.x) && xbar_waits(&s->peer.x) && xbar_waits(&s->probe.x)
           && xbar_waits(&s->data.x);
}
