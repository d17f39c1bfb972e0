/* Twin of rtl/noc/ans_net.sv: answers of the shared L2 TLB to the cores (docs/blocks/ans_net.md). */
#include "ans_net_ports.h"
#include "sim_c/noc/xbar.h"

enum { IN = L2_TLB_PORTS + 1, WALKED = L2_TLB_PORTS };

struct ans_net {
    xbar_t x;
    translate_rsp_t in[IN][XBAR_QUEUE], out[CORES];
};

size_t ans_net_size(void)
{
    return sizeof(struct ans_net);
}

void ans_net_reset(ans_net_t *s)
{
    memset(s, 0, sizeof *s);
    xbar_reset(&s->x, IN, CORES);
}

void ans_net_out(const ans_net_t *s, ans_net_out_t *o)
{
    const uint64_t room = XBAR_ROOM(*s);
    o->hit_ready = (__typeof__(o->hit_ready))(room & ((1u << L2_TLB_PORTS) - 1));
    o->walked_ready = room >> WALKED & 1;
    o->ans_valid = (__typeof__(o->ans_valid))s->x.valid;
    XBAR_SHOW(*s, o->ans);
}

void ans_net_tick(ans_net_t *s, const ans_net_in_t *in)
{
    uint64_t put = (in->hit_valid | (uint64_t)in->walked_valid << WALKED) & ~s->x.full;
    XBAR_CARRY(*s, ~(xbar_set_t)0);
    for (; put; put &= put - 1) {
        const unsigned k = vl_first(put);
        const translate_ans_t *a = k == WALKED ? &in->walked : &in->hit[k];
        XBAR_PUT(*s, k, a->core) = a->rsp;
    }
}

bool ans_net_idle(const ans_net_t *s)
{
    return xbar_idle(&s->x);
}
