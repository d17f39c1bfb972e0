/* Twin of rtl/coherence/hmd_net.sv: the host's end of the wires (docs/blocks/hmd_net.md). */
#include "sim_c/coherence/hmd_net_state.h"
#include "sim_c/common/memory_map.h"

enum { DATA_SOURCES = HMDS + WIRES, DATA_DESTS = WIRES + HMDS };
_Static_assert(DATA_SOURCES < XBAR_PORTS, "more ports than a mask has bits");

size_t hmd_net_size(void)
{
    return sizeof(struct hmd_net);
}

void hmd_net_reset(hmd_net_t *s)
{
    memset(s, 0, sizeof *s);
    xbar_reset(&s->req.x, WIRES, HMDS);
    xbar_reset(&s->ack.x, WIRES, HMDS);
    xbar_reset(&s->probe.x, HMDS, WIRES);
    xbar_reset(&s->data.x, DATA_SOURCES, DATA_DESTS);
}

void hmd_net_out(const hmd_net_t *s, hmd_net_out_t *o)
{
    o->up_req_ready = XBAR_ROOM(s->req);
    o->up_ack_ready = XBAR_ROOM(s->ack);
    o->hmd_probe_ready = XBAR_ROOM(s->probe);
    o->hmd_data_ready = XBAR_ROOM(s->data) & ((1ull << HMDS) - 1);
    o->up_data_ready = XBAR_ROOM(s->data) >> HMDS;
    o->idle = xbar_idle(&s->req.x) && xbar_idle(&s->ack.x) && xbar_idle(&s->probe.x) && xbar_idle(&s->data.x);
    o->hmd_req_valid = s->req.x.valid;
    o->hmd_ack_valid = s->ack.x.valid;
    o->down_probe_valid = s->probe.x.valid;
    o->down_data_valid = s->data.x.valid & ((1ull << WIRES) - 1);
    o->hmd_mem_valid = s->data.x.valid >> WIRES;
    XBAR_SHOW(s->req, o->hmd_req);
    XBAR_SHOW(s->ack, o->hmd_ack);
    XBAR_SHOW(s->probe, o->down_probe);
    for (uint64_t v = s->data.x.valid; v; v &= v - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(v);
        const hmd_data_t *p = &s->data.out[k];
        if (k < WIRES)
            o->down_data[k] = *p;
        else
            o->hmd_mem[k - WIRES] = (smd_mem_t){.id = p->data.id, .data = p->data.data};
    }
}

void hmd_net_tick(hmd_net_t *s, const hmd_net_in_t *in)
{
    uint64_t req = in->up_req_valid & ~s->req.x.full, ack = in->up_ack_valid & ~s->ack.x.full,
             probe = in->hmd_probe_valid & ~s->probe.x.full,
             data = (in->hmd_data_valid | (uint64_t)in->up_data_valid << HMDS) & ~s->data.x.full;
    XBAR_CARRY(s->req, in->hmd_req_ready);
    XBAR_CARRY(s->ack, in->hmd_ack_ready);
    XBAR_CARRY(s->probe, in->down_probe_ready);
    XBAR_CARRY(s->data, in->down_data_ready | ~((1ull << WIRES) - 1)); /* HMDs are always ready for lines */
    for (; req; req &= req - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(req);
        XBAR_PUT(s->req, k, host_channel_of(in->up_req[k].req.line)) = in->up_req[k];
    }
    for (; ack; ack &= ack - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(ack);
        XBAR_PUT(s->ack, k, host_channel_of(in->up_ack[k].ack.line)) = in->up_ack[k];
    }
    for (; probe; probe &= probe - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(probe);
        XBAR_PUT(s->probe, k, wire_of(in->hmd_probe[k].device)) = in->hmd_probe[k];
    }
    for (; data; data &= data - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(data);
        const hmd_data_t *p = k < HMDS ? &in->hmd_data[k] : &in->up_data[k - HMDS];
        XBAR_PUT(s->data, k,
                 k >= HMDS && p->data.mem == SMD_MEM_LINE ? WIRES + host_channel_of(p->data.line)
                                                          : wire_of(p->device)) = *p;
    }
}

/* Messages that are not taken may wait; an HMD's lines are taken. */
bool hmd_net_idle(const hmd_net_t *s)
{
    return !(s->data.x.valid >> WIRES) && xbar_waits(&s->req.x) && xbar_waits(&s->ack.x) && xbar_waits(&s->probe.x)
           && xbar_waits(&s->data.x);
}
