/* The SMDs of several devices (docs/coherence.md, S1 to S5) with the slices above them: they store and ask, and take the HMD's messages. */
#ifndef VERIF_COHERENCE_HMD_NEIGHBOURS_DEVICES_H
#define VERIF_COHERENCE_HMD_NEIGHBOURS_DEVICES_H
#include "verif/coherence/hmd/neighbours_answers.h"
#include "verif/coherence/hmd/neighbours_memory.h"

/* Far: a line is asked for, given back or dropped. */
static void device_moves(bench_t *b, world_t *w, unsigned d)
{
    const unsigned k = some_block(b, w), l = vl_below(&b->rng, SB_LPB);
    sb_held_t *h = &w->sb.held[d][k];
    if (w->style.drain || h->st == NMOESI_I || w->acks[d] + 2 > 2 * SB_BLOCKS * SB_LPB)
        return;
    if (h->busy && h->req.op == SMD_EVICT && !h->req.bytes)
        return;
    const line_be_t m = sb_mask(&h->line[l]);
    if (h->have[l] && vl_chance(&b->rng, w->style.put)) {
        if (!be_none(&m)) {
            h->st = sb_touched(h->st);
            tell_bytes(b, w, d, k, l);
        }
        h->have[l] = vl_below(&b->rng, 2);
    }
    if (!h->have[l] && !h->busy && !h->probed && !h->get[l].asked && vl_chance(&b->rng, w->style.get)) {
        if (sb_near(&w->sb, d, k)) {
            sb_near_get(b, &w->sb, d, k, l);
            return;
        }
        h->get[l].asked = true;
        tell(w, d, (hmd_ack_t){.ack = {.kind = SMD_GET, .line = w->sb.block[k].first + l}});
    }
}

static void device_stores(bench_t *b, world_t *w)
{
    sb_t *s = &w->sb;
    const unsigned d = vl_below(&b->rng, DEVICES), k = some_block(b, w), l = vl_below(&b->rng, SB_LPB);
    sb_held_t *h = &s->held[d][k];
    if (s->far)
        device_moves(b, w, d);
    if (w->style.drain || !vl_chance(&b->rng, w->style.store))
        return;
    if (h->busy && h->req.op == SMD_EVICT && !h->req.bytes) /* its EVICT said that no more bytes come */
        return;
    if (s->far) { /* the SMD sees bytes that are given back */
        if (h->st != NMOESI_I && h->have[l])
            sb_store(s, &b->rng, d, k, l, &h->line[l], sb_alone(h->st));
    } else if (h->st != NMOESI_I) {
        const bool alone = sb_alone(h->st);
        if (sb_store(s, &b->rng, d, k, l, &h->line[l], alone))
            h->st = alone ? NMOESI_M : h->st == NMOESI_S ? NMOESI_N : h->st;
    } else if (h->busy && h->come[l]) { /* lines that have arrived may be used */
        h->touched |= sb_store(s, &b->rng, d, k, l, &h->line[l], h->req.op == SMD_OWN);
    }
}

static void device_asks(bench_t *b, world_t *w)
{
    const style_t *y = &w->style;
    sb_t *s = &w->sb;
    const unsigned d = vl_below(&b->rng, DEVICES), k = some_block(b, w);
    sb_held_t *h = &s->held[d][k];
    if (w->req_valid || y->drain || h->busy || !vl_chance(&b->rng, y->ask))
        return;
    unsigned under_way = 0; /* at the SMD of this block's channel */
    for (unsigned i = 0; i < SB_BLOCKS; i++)
        under_way += s->held[d][i].busy && (s->block[i].first ^ s->block[k].first) / SB_LPB % CHANNELS == 0;
    if (under_way == SMD_TRANSACTIONS)
        return;
    const bool owns = vl_chance(&b->rng, y->own) && !sb_alone(h->st);
    if (h->st == NMOESI_I || owns) {
        h->req.op = owns ? SMD_OWN : SMD_READ;
        h->req.line = s->block[k].first + vl_below(&b->rng, SB_LPB);
    } else if (vl_chance(&b->rng, y->evict) || vl_chance(&b->rng, y->flush)) {
        h->req.op = h->st != NMOESI_S && h->st != NMOESI_E && vl_chance(&b->rng, y->flush) ? SMD_FLUSH : SMD_EVICT;
        h->req.line = s->block[k].first;
    } else {
        return;
    }
    bool dirty = h->st == NMOESI_N || h->st == NMOESI_O || h->st == NMOESI_M;
    for (unsigned l = 0; l < SB_LPB; l++)
        dirty |= s->far && (h->have[l] || h->get[l].asked);
    h->req.thin = s->far && h->req.op <= SMD_OWN;
    /* the slice may have lines of a block that is evicted, and store into them until it is probed */
    h->req.bytes = h->req.op == SMD_FLUSH || (h->req.op == SMD_EVICT && (dirty || vl_below(&b->rng, 2)));
    h->busy = true;
    h->touched = h->granted = false;
    w->req.device = (__typeof__(w->req.device))d;
    w->req.req = h->req;
    w->req_valid = true;
}

static void devices(bench_t *b, world_t *w, const hmd_out_t *out, hmd_in_t *in)
{
    const style_t *y = &w->style;
    sb_t *s = &w->sb;
    for (unsigned n = w->peers ? vl_below(&b->rng, w->peers) + 1 : 0; n > 0; n--) /* lines of peers */
        if (w->peer[n - 1].due <= b->cycle) {
            const smd_peer_t p = w->peer[n - 1].line;
            w->peer[n - 1] = w->peer[--w->peers];
            sb_comes(b, s, p.device, p.line, &p.data, p.mask, false);
            if (!b->failed)
                arrived(b, w, p.device, sb_find(s, p.line));
            break;
        }
    if (w->jobs && !b->failed) {
        const unsigned j = vl_below(&b->rng, w->jobs);
        if (w->job[j].due <= b->cycle && !gets_of(&s->held[w->job[j].device][w->job[j].block]))
            answer_probe(b, w, j);
    }
    in->smd_data_ready = some_time(b, w, y->data);
    if (out->smd_data_valid && in->smd_data_ready && !b->failed) {
        const smd_data_t *m = &out->smd_data.data;
        const bool mem = m->mem != SMD_MEM_NONE;
        if (mem)
            stack_takes(b, w, &out->smd_data);
        else if (m->grant)
            sb_granted(b, s, out->smd_data.device, m);
        else if (s->far)
            sb_fetched(b, s, out->smd_data.device, m);
        else
            sb_comes(b, s, out->smd_data.device, m->line, &m->data, m->mask, true);
        if (!b->failed && !mem && (m->grant || !s->far))
            arrived(b, w, out->smd_data.device, sb_find(s, m->line));
    }
    in->smd_probe_ready = some_time(b, w, y->probe);
    if (out->smd_probe_valid && in->smd_probe_ready && !b->failed) {
        sb_probed(b, s, &out->smd_probe);
        if (!b->failed) {
            w->job[w->jobs].device = out->smd_probe.device;
            w->job[w->jobs].block = sb_find(s, out->smd_probe.probe.line);
            w->job[w->jobs].probe = out->smd_probe.probe;
            w->job[w->jobs++].due = b->cycle + 1 + vl_below(&b->rng, y->latency);
        }
    }
    device_stores(b, w);
    device_asks(b, w);
    in->smd_req_valid = w->req_valid;
    in->smd_req = w->req_valid ? w->req : in->smd_req;
    if (w->req_valid && out->smd_req_ready) {
        sb_held_t *h = &s->held[w->req.device][sb_find(s, w->req.req.line)];
        h->taken = true;
        h->since = s->awake;
        h->order = ++s->order;
        h->passed = 0;
        w->req_valid = false;
    }
    for (unsigned n = 0, d = vl_below(&b->rng, DEVICES); n < DEVICES && !w->acker; n++, d = (d + 1) % DEVICES)
        if (w->acks[d] && some_time(b, w, y->ack))
            w->acker = d + 1;
    in->smd_ack_valid = w->acker != 0;
    if (!w->acker)
        return;
    const unsigned d = w->acker - 1;
    in->smd_ack = w->ack[d][w->ack_first[d]];
    if (!out->smd_ack_ready)
        return;
    if (in->smd_ack.ack.kind == SMD_ARRIVED)
        sb_ended(b, s, sb_find(s, in->smd_ack.ack.line));
    if (in->smd_ack.ack.kind == SMD_GET)
        sb_get(s, d, &in->smd_ack.ack);
    if (in->smd_ack.ack.kind == SMD_DONE)
        s->block[sb_find(s, in->smd_ack.ack.line)].done = s->now;
    if (in->smd_ack.ack.kind == SMD_BYTES)
        sb_bytes(b, s, &in->smd_ack.ack);
    w->ack_first[d] = (w->ack_first[d] + 1) % NB_ACKS;
    w->acks[d]--;
    w->acker = 0;
}
#endif
