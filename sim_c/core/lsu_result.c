/* Responses of l1d and spad as result records (docs/blocks/lsu.md: results). */
#include "sim_c/core/lsu_state.h"
#include "sim_c/core/memop.h"
#include <string.h>

bool lsu_rsp_ready(const lsu_t *s)
{
    return s->xcount < 2 && !s->l_valid && !s->sp_valid;
}

/* A record of an entry's threads in one beat, from the doublewords of its lanes. */
static void put_record(lsu_t *s, unsigned entry, unsigned beat, uint64_t lanes, const uint64_t dword[LANES])
{
    entry_rec_t *e = &s->entry[entry];
    result_t *x = &s->x[s->xcount++];
    e->left &= ~(lanes << beat * LANES);
    memset(x, 0, sizeof *x);
    x->warp = e->warp;
    x->seq = e->seq;
    x->beat = beat;
    x->rd = e->rd;
    x->last = !e->left;
    x->mask = lanes;
    for (uint64_t m = lanes; m; m &= m - 1) {
        unsigned l = lowest(m), bits = 8u * e->size;
        uint64_t d = dword[l] >> 8 * (e->off[beat * LANES + l] & 7);
        x->data[l] = e->sign ? (uint64_t)((int64_t)(d << (64 - bits)) >> (64 - bits)) : memop_low(d, e->size);
    }
    if (!e->left) {
        s->entries &= ~(1u << entry);
        s->entries_atomic &= ~(1u << entry);
    }
}

static void put_word(lsu_t *s, const spad_rsp_t *r)
{
    uint64_t d[LANES];
    for (uint64_t m = r->mask; m; m &= m - 1)
        memcpy(&d[lowest(m)], (const uint8_t *)&r->data + 8 * r->bank[lowest(m)], sizeof *d);
    put_record(s, r->entry, r->beat, r->mask, d);
}

static void put_line(lsu_t *s, const l1d_rsp_t *r, unsigned beat)
{
    uint64_t lanes = beat_of(r->tag.tmask, beat), d[LANES];
    for (uint64_t m = lanes; m; m &= m - 1) {
        unsigned l = lowest(m);
        d[l] = r->data.w[s->entry[r->tag.entry].off[beat * LANES + l] >> 3];
    }
    put_record(s, r->tag.entry, beat, lanes, d);
}

void lsu_results(lsu_t *s, const lsu_in_t *in, bool fr_was)
{
    bool room = s->xcount < 2, ready = lsu_rsp_ready(s);
    bool line = ready && in->l1d_rsp_valid, word = ready && in->spad_rsp_valid;
    if (line) {
        s->loads--;
        s->atomics -= s->entries_atomic >> in->l1d_rsp.tag.entry & 1;
    }
    if (s->xcount && in->lsu_res_ready) {
        s->x[0] = s->x[1];
        s->xcount--;
    }
    if (!room)
        return;
    if (s->sp_valid) {
        put_word(s, &s->sp);
        s->sp_valid = false;
    } else if (s->l_valid) {
        unsigned b = lowest(s->l.tag.tmask) / LANES;
        put_line(s, &s->l, b);
        s->l.tag.tmask &= ~(LANE_BITS << b * LANES);
        s->l_valid = s->l.tag.tmask != 0;
    } else if (line) {
        unsigned b = lowest(in->l1d_rsp.tag.tmask) / LANES;
        put_line(s, &in->l1d_rsp, b);
        tmask_t rest = in->l1d_rsp.tag.tmask & ~(LANE_BITS << b * LANES);
        if (rest) {
            s->l_valid = true;
            s->l = in->l1d_rsp;
            s->l.tag.tmask = rest;
        }
        if (word) {
            s->sp_valid = true;
            s->sp = in->spad_rsp;
        }
    } else if (word) {
        put_word(s, &in->spad_rsp);
    } else if (fr_was) {
        result_t *x = &s->x[s->xcount++];
        memset(x, 0, sizeof *x);
        x->warp = s->fr_warp;
        x->seq = s->fr_seq;
        x->last = true;
        s->fr_valid = false;
    }
}
