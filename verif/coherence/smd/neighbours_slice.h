/* The slice above the SMD (docs/home-seam.md): it stores, asks, gives back, and acknowledges probes. */
#ifndef VERIF_COHERENCE_SMD_NEIGHBOURS_SLICE_H
#define VERIF_COHERENCE_SMD_NEIGHBOURS_SLICE_H
#include "verif/coherence/smd/neighbours_world.h"

static void slice_store(bench_t *b, sb_line_t *l, bool coherent)
{
    sb_data_t data;
    const bool owned = l->st == NMOESI_M || coherent;
    const sb_mask_t m = owned ? some_bytes(b) : some_whole(b);
    vl_random_wide(&b->rng, LINE_BITS, data.w);
    bytes_put(&l->bytes, &data, m);
    l->own = mask_or(l->own, whole_grains(m));
    l->st = owned ? NMOESI_M : NMOESI_N;
}

static sb_data_t only(const sb_data_t *d, sb_mask_t m)
{
    sb_data_t r = {{0}};
    bytes_put(&r, d, m);
    return r;
}

/* A write-back. A kept line then equals the home's. */
static void slice_give(world_t *w, sb_line_t *l, bool keep)
{
    w->req.op = HOME_WRITE_BACK;
    w->req.id = w->req.cls = 0;
    w->req.line = l->addr;
    w->req.state = l->st;
    w->req.keep = keep;
    w->req.be = l->own;
    w->req.data = only(&l->bytes, l->own);
    w->req_valid = l->offered = true;
    l->own = (sb_mask_t){{0}};
    l->st = !keep ? NMOESI_I : l->st == NMOESI_M ? NMOESI_E : NMOESI_S;
}

static void slice_ask(bench_t *b, world_t *w, sb_line_t *l, uint8_t op)
{
    bool used[L2_MSHRS] = {false};
    unsigned under_way = 0;
    const unsigned top = 1u << (HOME_ID_W - 1);
    for (unsigned i = 0; i < SB_LINES; i++)
        if (w->sb.line[i].awaited)
            used[w->sb.line[i].id & (top - 1)] = true, under_way++;
    unsigned k = vl_below(&b->rng, L2_MSHRS);
    for (unsigned n = 0; n < L2_MSHRS && used[k]; n++)
        k = (k + 1) % L2_MSHRS;
    if (used[k] || under_way >= w->style.reads)
        return;
    l->st = NMOESI_I;
    l->ask = false;
    l->awaited = true;
    l->op = op;
    l->id = (uint8_t)(top | k);
    l->asked_since = b->cycle;
    w->req.op = op;
    w->req.id = l->id;
    w->req.line = l->addr;
    w->req.state = NMOESI_I;
    w->req.keep = false;
    w->req.be = (sb_mask_t){{0}};
    memset(&w->req.data, 0, sizeof w->req.data);
    w->req_valid = true;
}

/* The slice's own steps: stores, and one request at most. */
static void slice_acts(bench_t *b, world_t *w)
{
    const style_t *y = &w->style;
    if (y->drain)
        return;
    sb_line_t *l = w->fresh ? w->fresh : some_line(b, w);
    if (w->fresh && (l->st == NMOESI_I || !w->req_valid)) {
        w->fresh = NULL;
        if (l->st != NMOESI_I && !w->req_valid && !(w->ack_valid && w->ack.line == l->addr)) {
            slice_store(b, l, l->st == NMOESI_M);
            slice_give(w, l, vl_chance(&b->rng, y->keep));
        }
        return;
    }
    if (l->st != NMOESI_I && vl_chance(&b->rng, y->store))
        slice_store(b, l, (l->st == NMOESI_E || l->st == NMOESI_M) && vl_chance(&b->rng, 128));
    if (vl_chance(&b->rng, y->drop) && (l->st == NMOESI_S || l->st == NMOESI_E)) {
        l->st = NMOESI_I;
        l->ask = false;
    }
    if (w->req_valid || l->awaited)
        return;
    if (w->chain) {
        l = w->chain;
        w->chain = NULL;
        if (l->st == NMOESI_I && !l->awaited)
            slice_ask(b, w, l, HOME_READ_OWN);
        return;
    }
    const bool dirty = l->st == NMOESI_N || l->st == NMOESI_M;
    if (dirty && vl_chance(&b->rng, y->write) && !(w->ack_valid && w->ack.line == l->addr)) { /* order 3 of the seam */
        slice_give(w, l, vl_chance(&b->rng, y->keep));
        w->chain = y->chain && l->st == NMOESI_I ? l : NULL;
    } else if ((l->st == NMOESI_I || l->st == NMOESI_S) && vl_chance(&b->rng, y->ask)) {
        const bool own = vl_chance(&b->rng, y->own);
        if (own || l->st == NMOESI_I)
            slice_ask(b, w, l, own ? HOME_READ_OWN : vl_chance(&b->rng, y->n_read) ? HOME_N_READ : HOME_READ);
    }
}

/* An acknowledgement, when one is due and the write-backs of its line have been taken. */
static void slice_acknowledges(bench_t *b, world_t *w)
{
    if (w->ack_valid || !w->asks || !vl_chance(&b->rng, w->style.ack))
        return;
    const unsigned i = vl_below(&b->rng, w->asks);
    sb_line_t *l = w->asked[i].line;
    if (w->asked[i].due > b->cycle || l->offered)
        return;
    const bool takes = w->asked[i].kind == PROBE_WRITE;
    w->ack = (home_ack_t){.line = l->addr, .state = l->st};
    if (l->st == NMOESI_N || l->st == NMOESI_M) {
        w->ack.be = l->own;
        w->ack.data = only(&l->bytes, l->own);
    }
    if (l->st != NMOESI_I)
        l->st = takes ? NMOESI_I : NMOESI_S;
    l->own = (sb_mask_t){{0}};
    w->ack_valid = true;
    w->asked[i] = w->asked[--w->asks];
}

static void slice(bench_t *b, world_t *w, const smd_out_t *out, smd_in_t *in)
{
    const style_t *y = &w->style;
    w->gave = false;
    if (out->home_rsp_valid) {
        const char *why = sb_response(&w->sb, &out->home_rsp);
        BENCH_CHECK(b, !why, "%s", why);
        w->fresh = y->eager ? w->sb.answered : NULL;
    }
    in->home_probe_ready = w->asks < ACKS && (y->drain || vl_chance(&b->rng, y->rsp_ready));
    if (out->home_probe_valid && in->home_probe_ready) {
        const char *why = sb_asked(&w->sb, &out->home_probe);
        BENCH_CHECK(b, !why, "%s", why);
        if (why)
            return;
        w->asked[w->asks].line = sb_find(&w->sb, out->home_probe.line);
        w->asked[w->asks].kind = out->home_probe.kind;
        w->asked[w->asks++].due = b->cycle + 1 + vl_below(&b->rng, y->ack_latency);
    }
    slice_acts(b, w);
    slice_acknowledges(b, w);
    in->home_req_valid = w->req_valid;
    if (w->req_valid) {
        w->req.asid = in->home_req.asid; /* noise: the requester does not matter */
        w->req.src = in->home_req.src;
        in->home_req = w->req;
    }
    if (w->req_valid && out->home_req_ready) {
        const char *why = sb_request(&w->sb, &w->req);
        w->gave |= !mask_none(w->req.be) && w->sb.block[sb_find(&w->sb, w->req.line)->block].tx == TX_LINES;
        BENCH_CHECK(b, !why, "%s", why);
        w->req_valid = false;
    }
    in->home_ack_valid = w->ack_valid;
    if (w->ack_valid)
        in->home_ack = w->ack;
    if (w->ack_valid && out->home_ack_ready) {
        const char *why = sb_acked(&w->sb, &w->ack);
        w->gave |= !mask_none(w->ack.be) && w->sb.block[sb_find(&w->sb, w->ack.line)->block].held == HELD_ALONE;
        BENCH_CHECK(b, !why, "%s", why);
        w->ack_valid = false;
    }
}
#endif
