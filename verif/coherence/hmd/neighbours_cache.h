/* The host's last-level cache (docs/home-seam.md): its reads, write-backs and acknowledgements. */
#ifndef VERIF_COHERENCE_HMD_NEIGHBOURS_CACHE_H
#define VERIF_COHERENCE_HMD_NEIGHBOURS_CACHE_H
#include "verif/coherence/hmd/neighbours_world.h"

static uint8_t without_bytes(uint8_t st)
{
    return st == NMOESI_M ? NMOESI_E : st == NMOESI_N ? NMOESI_S : st;
}

/* It reads a line, gives bytes back, or drops a line; one request at most. */
static void cache_acts(bench_t *b, world_t *w)
{
    const style_t *y = &w->style;
    sb_t *s = &w->sb;
    const unsigned k = some_block(b, w), l = vl_below(&b->rng, SB_LPB);
    sb_line_t *c = &s->cache[k][l];
    if (y->drain || c->awaited)
        return;
    if (c->st != NMOESI_I && vl_chance(&b->rng, y->cache_store)) {
        const bool owned = c->st == NMOESI_M, coherent = c->st == NMOESI_E && (sb_coherent(k) || vl_below(&b->rng, 2));
        if ((owned || coherent || !sb_coherent(k)) && sb_store(s, &b->rng, SB_CACHE, k, l, &c->copy, owned || coherent))
            c->st = owned || coherent ? NMOESI_M : NMOESI_N;
    }
    if ((c->st == NMOESI_S || c->st == NMOESI_E) && vl_chance(&b->rng, y->drop))
        c->st = NMOESI_I;
    if (w->home_valid)
        return;
    home_req_t *r = &w->home;
    memset(r, 0, sizeof *r);
    r->line = s->block[k].first + l;
    r->src = (__typeof__(r->src))vl_below(&b->rng, SOURCES);
    r->asid = (__typeof__(r->asid))vl_random_bits(&b->rng, ASID_W);
    /* later: a write-back behind an acknowledgement */
    const bool dirty = c->st == NMOESI_N || c->st == NMOESI_M || (c->st != NMOESI_I && vl_below(&b->rng, 16) == 0),
               later = w->cack_valid && w->cack.line == r->line;
    if (dirty && !later && vl_chance(&b->rng, y->give)) {
        r->op = HOME_WRITE_BACK;
        r->state = c->st;
        r->keep = vl_chance(&b->rng, y->keep);
        r->be = sb_mask(&c->copy);
        r->data = sb_data(&c->copy, false);
        memset(c->copy.mask, 0, sizeof c->copy.mask);
        c->st = r->keep ? without_bytes(c->st) : NMOESI_I;
        c->offered = w->home_valid = true;
        return;
    }
    const bool own = vl_chance(&b->rng, y->cache_own);
    if (!(c->st == NMOESI_I || (own && c->st == NMOESI_S)) || !vl_chance(&b->rng, y->cache_ask))
        return;
    bool used[1 << HOME_ID_W] = {false};
    unsigned id = vl_below(&b->rng, NB_IDS), n = 0;
    for (unsigned i = 0; i < SB_BLOCKS * SB_LPB; i++)
        if (s->cache[i / SB_LPB][i % SB_LPB].awaited)
            used[s->cache[i / SB_LPB][i % SB_LPB].id] = true;
    while (used[id] && n++ < NB_IDS)
        id = (id + 1) % NB_IDS;
    if (used[id])
        return;
    c->st = NMOESI_I;
    c->op = own ? HOME_READ_OWN : vl_below(&b->rng, 2) ? HOME_N_READ : HOME_READ;
    c->id = (uint8_t)id;
    c->awaited = true;
    r->op = c->op;
    r->id = (__typeof__(r->id))id;
    w->home_valid = true;
}

/* An acknowledgement, when one is due and the write-backs of its line have been taken. */
static void cache_acknowledges(bench_t *b, world_t *w)
{
    sb_t *s = &w->sb;
    const unsigned n = SB_BLOCKS * SB_LPB, first = vl_below(&b->rng, n);
    if (w->cack_valid || !some_time(b, w, w->style.cache_ack))
        return;
    for (unsigned i = 0; i < n; i++) {
        const unsigned at = (first + i) % n, k = at / SB_LPB;
        sb_line_t *c = &s->cache[k][at % SB_LPB];
        if (!c->probed || c->due > b->cycle || c->offered)
            continue;
        memset(&w->cack, 0, sizeof w->cack);
        w->cack.line = s->block[k].first + at % SB_LPB;
        w->cack.state = c->st;
        if (c->st == NMOESI_N || c->st == NMOESI_M) {
            w->cack.be = sb_mask(&c->copy);
            w->cack.data = sb_data(&c->copy, false);
        }
        memset(c->copy.mask, 0, sizeof c->copy.mask);
        if (c->st != NMOESI_I)
            c->st = c->kind == PROBE_WRITE ? NMOESI_I : NMOESI_S;
        if (s->block[k].first_answer == ~0ull)
            s->block[k].first_answer = b->cycle;
        w->cack_valid = true;
        return;
    }
}

static void cache(bench_t *b, world_t *w, const hmd_out_t *out, hmd_in_t *in)
{
    sb_t *s = &w->sb;
    if (out->home_rsp_valid)
        sb_response(b, s, &out->home_rsp);
    in->home_probe_ready = some_time(b, w, w->style.cache_probe);
    if (out->home_probe_valid && in->home_probe_ready && !b->failed) {
        sb_cache_probed(b, s, &out->home_probe);
        if (!b->failed) {
            sb_line_t *c = &s->cache[sb_find(s, out->home_probe.line)][out->home_probe.line % SB_LPB];
            c->probed = true;
            c->kind = out->home_probe.kind;
            c->due = b->cycle + 1 + vl_below(&b->rng, w->style.latency);
        }
    }
    if (b->failed)
        return;
    cache_acts(b, w);
    cache_acknowledges(b, w);
    in->home_req_valid = w->home_valid;
    in->home_req = w->home_valid ? w->home : in->home_req;
    if (w->home_valid && out->home_req_ready) {
        sb_line_t *c = &s->cache[sb_find(s, w->home.line)][w->home.line % SB_LPB];
        if (w->home.op == HOME_WRITE_BACK) {
            c->offered = false;
            sb_pend(b, s, w->home.line, w->home.be, &w->home.data, true, false);
        } else {
            c->taken = true;
            c->since = s->awake;
            c->when = b->cycle;
            c->order = ++s->order;
            c->passed = 0;
        }
        w->home_valid = false;
    }
    in->home_ack_valid = w->cack_valid;
    in->home_ack = w->cack_valid ? w->cack : in->home_ack;
    if (w->cack_valid && out->home_ack_ready) {
        const unsigned k = sb_find(s, w->cack.line);
        s->cache[k][w->cack.line % SB_LPB].probed = false;
        s->block[k].cache_held |= w->cack.state != NMOESI_I;
        sb_pend(b, s, w->cack.line, w->cack.be, &w->cack.data, true, true);
        w->cack_valid = false;
    }
}
#endif
