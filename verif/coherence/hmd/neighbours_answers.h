/* Messages of a device to the HMD: the bytes of its lines, the answer to a probe, and that a block has arrived. */
#ifndef VERIF_COHERENCE_HMD_NEIGHBOURS_ANSWERS_H
#define VERIF_COHERENCE_HMD_NEIGHBOURS_ANSWERS_H
#include "verif/coherence/hmd/neighbours_world.h"

static void tell(world_t *w, unsigned d, hmd_ack_t a)
{
    a.device = (__typeof__(a.device))d;
    w->ack[d][(w->ack_first[d] + w->acks[d]++) % NB_ACKS] = a;
}

/* The bytes of a mask; noise elsewhere. */
static void tell_bytes(bench_t *b, world_t *w, unsigned d, unsigned k, unsigned l)
{
    sb_copy_t *c = &w->sb.held[d][k].line[l];
    if (sb_near(&w->sb, d, k)) {
        sb_near_put(&w->sb, d, k, l);
        return;
    }
    const line_be_t m = sb_mask(c);
    hmd_ack_t a = {.ack = {.kind = SMD_BYTES, .line = w->sb.block[k].first + l, .mask = mask_of_be(&m)}};
    vl_random_wide(&b->rng, LINE_BITS, a.ack.data.w);
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (c->mask[i])
            a.ack.data.w[i / 8] = (a.ack.data.w[i / 8] & ~(0xffull << i % 8 * 8)) | (uint64_t)c->byte[i] << i % 8 * 8;
    tell(w, d, a);
    memset(c->mask, 0, sizeof c->mask);
}

static bool has_bytes(const sb_held_t *h)
{
    bool has = false;
    for (unsigned l = 0; l < SB_LPB; l++) {
        const line_be_t m = sb_mask(&h->line[l]);
        has |= !be_none(&m);
    }
    return has;
}

/* A line with marks, or all of a block's to a peer. */
static void give_lines(bench_t *b, world_t *w, unsigned d, unsigned k, const smd_probe_t *p, bool peer)
{
    sb_held_t *h = &w->sb.held[d][k];
    for (unsigned l = 0; l < SB_LPB; l++) {
        sb_copy_t *c = &h->line[l];
        const line_be_t mask = sb_mask(c), none = {{0}};
        const uint64_t line = w->sb.block[k].first + l;
        if (peer && w->peers < NB_PEERS) {
            w->peer[w->peers].due = b->cycle + 1 + vl_below(&b->rng, w->style.latency);
            w->peer[w->peers++].line = (smd_peer_t){.device = p->peer,
                                                    .line = line,
                                                    .mask = mask_of_be(p->kind == PROBE_READ ? &none : &mask),
                                                    .data = sb_data(c, true)};
        } else if (!peer && !be_none(&mask)) {
            tell_bytes(b, w, d, k, l);
        }
        if (!peer || p->kind == PROBE_WRITE)
            memset(c->mask, 0, sizeof c->mask);
        h->have[l] &= p->kind != PROBE_WRITE;
    }
}

/* A device answers a probe, in the state that it holds. */
static void answer_probe(bench_t *b, world_t *w, unsigned j)
{
    sb_t *s = &w->sb;
    const unsigned d = w->job[j].device, k = w->job[j].block;
    const smd_probe_t p = w->job[j].probe;
    sb_held_t *h = &s->held[d][k];
    const uint8_t st = s->far && has_bytes(h) ? sb_touched(h->st) : h->st;
    const bool exclusive = sb_alone(st) || st == NMOESI_O, peer = p.to_peer && p.kind != PROBE_CLEAN && exclusive;
    BENCH_CHECK(b, p.kind != PROBE_READ || exclusive,
                "device %u is asked by PROBE_READ for a block that it does not own", d);
    if (st != NMOESI_I && (peer || p.kind != PROBE_READ))
        give_lines(b, w, d, k, &p, peer);
    tell(w, d, (hmd_ack_t){.ack = {.kind = SMD_DONE, .line = s->block[k].first, .state = st, .sent = peer}});
    if (p.kind == PROBE_WRITE || st == NMOESI_I)
        h->st = NMOESI_I;
    else if (p.kind == PROBE_CLEAN)
        h->st = sb_alone(st) && p.keep ? NMOESI_E : NMOESI_S;
    else
        h->st = st == NMOESI_M ? NMOESI_O : st == NMOESI_E ? NMOESI_S : st;
    h->probed = false;
    sb_answered(s, k);
    w->job[j] = w->job[--w->jobs];
}

/* GETs of the block are under way: a probe of it waits for them. */
static bool gets_of(const sb_held_t *h)
{
    bool gets = false;
    for (unsigned l = 0; l < SB_LPB; l++)
        gets |= h->get[l].asked;
    return gets;
}

static void arrived(bench_t *b, world_t *w, unsigned d, unsigned k)
{
    sb_held_t *h = &w->sb.held[d][k];
    if (!h->busy || !sb_whole(h))
        return;
    sb_complete(b, &w->sb, d, k);
    tell(w, d, (hmd_ack_t){.ack = {.kind = SMD_ARRIVED, .line = w->sb.block[k].first + vl_below(&b->rng, SB_LPB)}});
}
#endif
