/* Twin of rtl/noc/ask_net.sv: requests of the cores to the ports of the shared L2 TLB (docs/blocks/ask_net.md). */
#include "ask_net_ports.h"
#include "sim_c/noc/xbar.h"

struct ask_net {
    xbar_t x;
    translate_req_t in[CORES][XBAR_QUEUE], out[L2_TLB_PORTS];
};

size_t ask_net_size(void)
{
    return sizeof(struct ask_net);
}

void ask_net_reset(ask_net_t *s)
{
    memset(s, 0, sizeof *s);
    xbar_reset(&s->x, CORES, L2_TLB_PORTS);
}

void ask_net_out(const ask_net_t *s, ask_net_out_t *o)
{
    o->ask_ready = (__typeof__(o->ask_ready))XBAR_ROOM(*s);
    o->req_valid = (__typeof__(o->req_valid))s->x.valid;
    XBAR_SHOW(*s, o->req);
}

void ask_net_tick(ask_net_t *s, const ask_net_in_t *in)
{
    uint64_t put = in->ask_valid & ~s->x.full;
    XBAR_CARRY(*s, in->req_ready);
    for (; put; put &= put - 1) {
        const unsigned c = vl_first(put);
        XBAR_PUT(*s, c, c % L2_TLB_PORTS) = in->ask[c];
    }
}

bool ask_net_idle(const ask_net_t *s)
{
    return xbar_idle(&s->x);
}
