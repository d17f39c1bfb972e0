/* The HMD beyond the SMD (docs/coherence.md, H1 to H7): transactions of its blocks, lines, grants and probes. */
#ifndef VERIF_COHERENCE_SMD_NEIGHBOURS_HMD_H
#define VERIF_COHERENCE_SMD_NEIGHBOURS_HMD_H
#include "verif/coherence/smd/neighbours_others.h"

/* A step of the transaction of block k. */
static void hmd_steps(bench_t *b, world_t *w, unsigned k)
{
    sb_block_t *x = &w->sb.block[k];
    const style_t *y = &w->style;
    if (x->probing || sb_peers_of(&w->sb, k) || !vl_chance(&b->rng, y->drain ? 256 : y->begin))
        return;
    const bool fetches = x->req.op == SMD_READ || x->req.op == SMD_OWN, held = x->held != HELD_NONE;
    if (x->tx == TX_ASKED && w->to_probe < PROBES) {
        const char *why = sb_begins(&w->sb, k);
        BENCH_CHECK(b, !why, "%s", why);
        x->tx = TX_SELF;
        if (held && x->req.op != SMD_READ)
            hmd_probe(w, k, x->req.op == SMD_FLUSH ? PROBE_CLEAN : PROBE_WRITE, false, false, x->req.op == SMD_FLUSH);
    } else if (x->tx == TX_SELF && (y->drain || !y->no_grants)) {
        x->tx = TX_LINES;
        x->granted = false;
        if (!fetches) {
            x->grant = x->req.op == SMD_EVICT || vl_below(&b->rng, 2) ? NMOESI_I : NMOESI_S;
            return;
        }
        if (vl_chance(&b->rng, y->others))
            others_store(b, w, k);
        x->grant = x->req.op == SMD_OWN ? NMOESI_M : vl_below(&b->rng, 2) ? NMOESI_E : NMOESI_S;
        for (unsigned i = 0; i < SB_LPB; i++) {
            const sb_line_t *l = &w->sb.line[k * SB_LPB + i];
            BENCH_CHECK(b, x->near || !memcmp(&l->home, &l->truth, sizeof l->home),
                        "the home lacks bytes that were stored here");
        }
    }
}

/* The next message on smd_data: a line of a fetch, or a grant. */
static void hmd_sends(bench_t *b, world_t *w)
{
    const style_t *y = &w->style;
    if (w->data_valid || !(y->drain || vl_chance(&b->rng, y->data)))
        return;
    if (w->gets && vl_below(&b->rng, 2)) {
        const unsigned i = vl_below(&b->rng, w->gets);
        w->data = (smd_data_t){.line = w->get[i]->addr, .data = w->get[i]->fetched};
        w->get[i] = w->get[--w->gets];
        w->data_valid = true;
        return;
    }
    if (w->mems && vl_below(&b->rng, 4)) {
        w->data = w->mem[0];
        memmove(w->mem, w->mem + 1, --w->mems * sizeof *w->mem);
        w->data_valid = true;
        return;
    }
    const unsigned from = vl_below(&b->rng, SB_BLOCKS);
    for (unsigned n = 0; n < SB_BLOCKS; n++) {
        const unsigned k = (from + n) % SB_BLOCKS;
        sb_block_t *x = &w->sb.block[k];
        if (x->tx != TX_LINES || hmd_asks_of(w, k)) /* a grant follows writes */
            continue;
        unsigned missing[SB_LPB], count = 0;
        for (unsigned i = 0; i < SB_LPB && x->req.op <= SMD_OWN && !x->req.thin; i++)
            if (!w->sb.line[k * SB_LPB + i].here)
                missing[count++] = i;
        if (!x->granted && (!count || vl_below(&b->rng, count + 1) == 0)) {
            w->data = (smd_data_t){
                .grant = true, .line = w->sb.line[k * SB_LPB + vl_below(&b->rng, SB_LPB)].addr, .state = x->grant};
            w->data_valid = true;
            return;
        }
        if (!count)
            continue;
        unsigned i = missing[vl_below(&b->rng, count)];
        const unsigned wanted = (unsigned)(x->req.line % SB_LPB);
        if (!w->sb.line[k * SB_LPB + wanted].here && vl_chance(&b->rng, y->first))
            i = wanted;
        sb_line_t *l = &w->sb.line[k * SB_LPB + i];
        w->data = (smd_data_t){.line = l->addr, .data = l->home};
        if (x->req.op == SMD_OWN
            && vl_chance(&b->rng, y->peers)) { /* from a peer: it has bytes that the home does not have */
            sb_data_t data;
            vl_random_wide(&b->rng, LINE_BITS, data.w);
            const sb_mask_t m = some_whole(b);
            w->data.mask = mask_of_be(&m);
            bytes_put(&w->data.data, &data, m);
        }
        w->data_valid = true;
        return;
    }
}

static void hmd_sent(bench_t *b, world_t *w)
{
    sb_line_t *l = sb_find(&w->sb, w->data.line);
    sb_block_t *x = &w->sb.block[l->block];
    if (w->data.mem != SMD_MEM_NONE) {
        const char *why = sb_hmd_asks(&w->sb, &w->data);
        BENCH_CHECK(b, !why, "%s", why);
        w->data_valid = false;
        return;
    }
    if (w->data.grant) {
        x->granted = true;
        x->granted_since = b->cycle;
        if (x->req.op == SMD_READ || x->req.op == SMD_OWN)
            x->held = w->data.state == NMOESI_S ? HELD_SHARED : HELD_ALONE;
    } else if (w->sb.far) {
        l->get = GET_COME;
        w->data_valid = false;
        return;
    } else {
        l->here = true;
        const char *why = sb_give(&w->sb, l, true, be_all(), be_of_mask(&w->data.mask), &w->data.data);
        BENCH_CHECK(b, !why, "%s", why);
    }
    bool all = x->granted;
    for (unsigned i = 0; i < SB_LPB && x->req.op <= SMD_OWN && !x->req.thin; i++)
        all &= w->sb.line[l->block * SB_LPB + i].here;
    if (all)
        x->tx = TX_GRANTED;
    w->data_valid = false;
}

static void hmd(bench_t *b, world_t *w, const smd_out_t *out, smd_in_t *in)
{
    const style_t *y = &w->style;
    in->smd_req_ready = y->drain || vl_chance(&b->rng, y->rq);
    in->smd_ack_ready = y->drain || vl_chance(&b->rng, y->kq);
    in->smd_peer_ready = y->drain || vl_chance(&b->rng, y->eq);
    const char *why = NULL;
    if (out->smd_req_valid && in->smd_req_ready)
        why = sb_asks(&w->sb, &out->smd_req);
    if (!why && out->smd_ack_valid && in->smd_ack_ready)
        why = sb_acknowledged(&w->sb, &out->smd_ack);
    if (!why && out->smd_ack_valid && in->smd_ack_ready && out->smd_ack.kind == SMD_GET)
        w->get[w->gets++] = sb_find(&w->sb, out->smd_ack.line);
    if (!why && out->smd_peer_valid && in->smd_peer_ready) {
        why = sb_peer(&w->sb, &out->smd_peer);
        w->reading[out->smd_peer.id] &= out->smd_peer.mem == SMD_MEM_NONE;
    }
    BENCH_CHECK(b, !why, "%s", why);
    if (why)
        return;
    for (unsigned k = 0; k < SB_BLOCKS; k++)
        if (w->sb.block[k].tx != TX_NONE)
            hmd_steps(b, w, k);
    others_ask(b, w);
    hmd_asks(b, w);
    const unsigned k = some_line(b, w)->block;
    if (w->sb.block[k].held != HELD_ALONE && w->sb.block[k].tx < TX_LINES && !y->drain && vl_below(&b->rng, 64) == 0)
        others_store(b, w, k); /* and merge it into memory */
    hmd_sends(b, w);
    if (!w->probe_valid && w->to_probe && (y->drain || vl_below(&b->rng, 2))) {
        w->probe = w->probes[0];
        memmove(w->probes, w->probes + 1, --w->to_probe * sizeof *w->probes);
        w->probe_valid = true;
    }
    in->smd_probe_valid = w->probe_valid;
    if (w->probe_valid)
        in->smd_probe = w->probe;
    if (w->probe_valid && out->smd_probe_ready) {
        sb_probed(&w->sb, &w->probe);
        w->probe_valid = false;
    }
    in->smd_data_valid = w->data_valid;
    if (w->data_valid)
        in->smd_data = w->data;
    if (w->data_valid && out->smd_data_ready)
        hmd_sent(b, w);
}
#endif
