/* The store or atomic on its way to the L1D (docs/blocks/lsu.md: stores and atomics into sectors). */
#include "sim_c/core/lsu_state.h"
#include "sim_c/core/memop.h"
#include <string.h>

static void scatter(const st_t *t, bytes_t *to)
{
    for (uint64_t m = t->lanes; m; m &= m - 1) { /* upwards: the highest thread wins */
        unsigned l = lowest(m), o = t->off[l] % SECTOR_BYTES;
        memcpy(to->data + o, &t->rs2[l], t->size);
        to->be[o / 8] |= (uint8_t)(((1u << t->size) - 1) << o % 8);
    }
}

void lsu_store_show(lsu_t *s)
{
    view_t *v = &s->view;
    const st_t *t = &s->st;
    v->req_valid = true;
    v->req.warp = t->warp;
    v->req.line = t->line;
    if (t->atomic) {
        unsigned l = lowest(t->lanes);
        v->req.op = L1D_AMO;
        v->req.tag = (l1d_tag_t){t->entry, t->threads};
        v->req.data.w[0] = memop_low(t->rs2[l], t->size);
        v->req.data.w[1] = t->amo == AMO_CAS ? memop_low(t->rs3[l], t->size) : 0;
        v->req.amo = t->amo;
        v->req.amo_dword = t->size == 8;
        v->req.amo_off = t->off[l];
        v->req.hart = t->hart;
        return;
    }
    bytes_t b = s->acc;
    v->req.op = L1D_STORE;
    v->req.sector = t->sector;
    scatter(t, &b);
    memcpy(&v->req.be, b.be, sizeof b.be);
    memcpy(v->req.data.w, b.data, sizeof b.data);
}

tmask_t lsu_store_take(lsu_t *s, const row_t *r)
{
    const view_t *v = &s->view;
    st_t *t = &s->st;
    unsigned first = v->st_beat * LANES;
    t->valid = true;
    t->atomic = r->kind == MEMOP_ATOMIC;
    t->warp = r->warp;
    t->size = r->size;
    t->amo = memop_amo(r->op);
    t->entry = v->entry;
    t->line = r->phys[v->leader] >> LINE_OFF_W;
    t->sector = sector_of(r->phys[v->leader]);
    t->threads = v->l;
    t->hart = hart_of(s, COMPACTS ? r->home[v->leader % HOME_PLACES] : r->warp, v->leader);
    t->lanes = beat_of(v->l, v->st_beat);
    for EACH(l, t->lanes) {
        t->off[l] = r->addr[first + l] & (LINE_BYTES - 1);
        t->rs2[l] = r->rs2[first + l];
        t->rs3[l] = r->rs3[first + l];
    }
    tmask_t rest = v->l & ~(LANE_BITS << first);
    t->final = !rest;
    return rest;
}

bool lsu_store_send(lsu_t *s, bool sent)
{
    bool st_free = !s->st.valid || !s->st.final || sent;
    if (s->st.valid && !s->st.final) {
        scatter(&s->st, &s->acc);
        s->st.valid = false;
    } else if (s->st.valid && sent) {
        s->st.valid = false;
        if (s->st.atomic) {
            s->loads++;
            s->atomics++;
        } else {
            memset(&s->acc, 0, sizeof s->acc);
            s->unacked++;
        }
    }
    return st_free;
}
