/* Reservations of a slice (docs/blocks/l2.md). */
#include "sim_c/cache/l2_resv.h"

void l2_reserve(l2_resv_t *v, const net_req_t *n, bool stores)
{
    const mem_req_t *r = &n->req;
    source_set_t own = (source_set_t)1 << n->src;
    if (r->op == MEM_AMO && r->amo == AMO_LR) {
        v->valid |= own;
        v->of[n->src].key = l2_key_at(r->line);
        v->of[n->src].hart = r->hart;
    } else if (r->op == MEM_AMO && r->amo == AMO_SC && v->of[n->src].hart == r->hart) {
        v->valid &= ~own;
    }
    if (stores)
        l2_resv_end(v, l2_key_at(r->line));
}

void l2_resv_end(l2_resv_t *v, line_key_t key)
{
    for (source_set_t left = v->valid; left; left &= left - 1)
        if (v->of[vl_first(left)].key == key)
            v->valid &= ~(left & -left);
}
