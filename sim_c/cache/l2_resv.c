/* Reservations of a slice (docs/blocks/l2.md). */
#include "sim_c/cache/l2_state.h"

void l2_reserve(l2_t *s, const net_req_t *n, bool stores)
{
    const mem_req_t *r = &n->req;
    uint64_t own = 1ull << n->src;
    if (s->s3_kind == L2_K_AMO && r->amo == AMO_LR) {
        s->resv_valid |= own;
        s->resv[n->src] = (l2_resv_t){l2_key_at(r->line), r->hart};
    } else if (s->s3_kind == L2_K_AMO && r->amo == AMO_SC && s->resv[n->src].hart == r->hart) {
        s->resv_valid &= ~own;
    }
    if (stores)
        for (uint64_t v = s->resv_valid; v; v &= v - 1)
            if (s->resv[__builtin_ctzll(v)].key == l2_key_at(r->line))
                s->resv_valid &= ~(v & -v);
}
