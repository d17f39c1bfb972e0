/* Twin of rtl/noc/rsp_net.sv: the L2 slices' responses to the cores and the host (docs/blocks/rsp_net.md). */
#include "rsp_net_ports.h"
#include <string.h>

#if SOURCES > 64
#define XBAR_PORTS SOURCES
#endif
#include "sim_c/noc/xbar.h"

_Static_assert(SOURCES <= XBAR_PORTS && SLICES <= XBAR_PORTS, "more ports than a mask has bits");

struct rsp_net {
    xbar_t x;
    uint64_t stalled;
    mem_rsp_t in[SLICES][XBAR_QUEUE], out[SOURCES];
};

size_t rsp_net_size(void)
{
    return sizeof(struct rsp_net);
}

void rsp_net_reset(rsp_net_t *s)
{
    memset(s, 0, sizeof *s);
    xbar_reset(&s->x, SLICES, SOURCES);
}

void rsp_net_out(const rsp_net_t *s, rsp_net_out_t *o)
{
    o->slice_rsp_ready = XBAR_ROOM(*s);
    o->rsp_valid = s->x.valid;
    XBAR_SHOW(*s, o->rsp);
    o->ev_stalled = s->stalled;
}

void rsp_net_tick(rsp_net_t *s, const rsp_net_in_t *in)
{
    xbar_t *x = &s->x;
    uint64_t valid = in->slice_rsp_valid;
    s->stalled = valid & x->full; /* step 3 */
    uint64_t put = valid & ~x->full;
    XBAR_CARRY(*s, ~(xbar_set_t)0);
    for (; put; put &= put - 1) {
        unsigned k = vl_first(put);
        XBAR_PUT(*s, k, in->slice_rsp[k].src) = in->slice_rsp[k].rsp;
    }
}

bool rsp_net_idle(const rsp_net_t *s)
{
    return xbar_idle(&s->x) && !s->stalled;
}
