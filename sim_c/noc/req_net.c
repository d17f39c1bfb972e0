/* Twin of rtl/noc/req_net.sv: the cores' and the host's requests to the L2 slices (docs/blocks/req_net.md). */
#include "req_net_ports.h"
#include <string.h>
#include "sim_c/common/memory_map.h"

#if SOURCES > 64
#define XBAR_PORTS SOURCES
#endif
#include "sim_c/noc/xbar.h"

_Static_assert(SOURCES <= XBAR_PORTS && SLICES <= XBAR_PORTS, "more ports than a mask has bits");

struct req_net {
    xbar_t x;
    xbar_set_t stalled;
    uint64_t taken, blocked;
    net_req_t in[SOURCES][XBAR_QUEUE], out[SLICES];
};

size_t req_net_size(void)
{
    return sizeof(struct req_net);
}

void req_net_reset(req_net_t *s)
{
    memset(s, 0, sizeof *s);
    xbar_reset(&s->x, SOURCES, SLICES);
}

void req_net_out(const req_net_t *s, req_net_out_t *o)
{
    o->req_ready = XBAR_ROOM(*s);
    o->slice_req_valid = s->x.valid;
    XBAR_SHOW(*s, o->slice_req);
    o->ev_stalled = s->stalled;
    o->ev_taken = s->taken;
    o->ev_blocked = s->blocked;
}

void req_net_tick(req_net_t *s, const req_net_in_t *in)
{
    xbar_t *x = &s->x;
    const xbar_set_t valid = in->req_valid;
    const uint64_t ready = in->slice_req_ready;
    s->stalled = valid & x->full; /* step 3 */
    s->taken = (uint64_t)x->valid & ready;
    s->blocked = (uint64_t)x->valid & ~ready;
    xbar_set_t put = valid & ~x->full;
    XBAR_CARRY(*s, ready);
    for (; put; put &= put - 1) {
        unsigned k = vl_first(put);
        net_req_t *to = &XBAR_PUT(*s, k, net_slice(k, in->req[k].line));
        to->src = (uint8_t)k;
        to->bypass = in->bypass >> k & 1;
        to->req = in->req[k];
    }
}

bool req_net_idle(const req_net_t *s)
{
    return xbar_idle(&s->x) && !s->stalled && !s->taken && !s->blocked;
}
