/* Who stands around the HMD in its bench, at random but by the rules: the SMDs of several devices (docs/coherence.md, S1 to S5) with the slices above them, the host's
 * last-level cache (docs/home-seam.md), and a memory that performs the requests of a line in their order. The scoreboard is told what they do. */
#ifndef VERIF_COHERENCE_HMD_NEIGHBOURS_H
#define VERIF_COHERENCE_HMD_NEIGHBOURS_H
#include "verif/coherence/hmd/scoreboard.h"

enum { NB_ACKS = SB_BLOCKS * (3 * SB_LPB + 3), NB_PEERS = SB_BLOCKS * SB_LPB, NB_IDS = 2 * L2_MSHRS };
/* How they behave for a while; chances are of 256. */
typedef struct {
    unsigned ask, own, evict, flush, store, get, put; /* devices */
    unsigned cache_ask, cache_own, give, keep, drop, cache_store; /* the last-level cache */
    unsigned probe, data, ack, cache_probe, cache_ack, memory, answers; /* takes and offers at the ports */
    unsigned latency, memory_latency, peers, base, span;
    bool drain;
} style_t;
typedef struct {
    sb_t sb;
    style_t style;
    struct {
        unsigned device, block;
        smd_probe_t probe;
        uint64_t due;
    } job[DEVICES * SB_BLOCKS];
    unsigned jobs;
    hmd_ack_t ack[DEVICES][NB_ACKS]; /* of each device, in its order; a ring */
    unsigned ack_first[DEVICES], acks[DEVICES];
    struct {
        smd_peer_t line;
        uint64_t due;
    } peer[NB_PEERS];
    unsigned peers;
    unsigned acker; /* whose acknowledgement is offered: a device + 1 */
    bool req_valid, home_valid, cack_valid;
    hmd_req_t req;
    home_req_t home;
    home_ack_t cack;
    struct {
        bool busy;
        vl_bits_1024 data;
        uint64_t due;
    } read[HOST_READERS];
} world_t;

static bool some_time(bench_t *b, const world_t *w, unsigned chance)
{
    return w->style.drain || vl_chance(&b->rng, chance);
}

static unsigned some_block(bench_t *b, const world_t *w)
{
    return (w->style.base + vl_below(&b->rng, w->style.span)) % SB_BLOCKS;
}

/* ---- devices ---------------------------------------------------------------------------------------------------------------------------- */

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
    const vl_bits_128 m = sb_mask(c);
    hmd_ack_t a = {.ack = {.kind = SMD_BYTES, .line = w->sb.block[k].first + l, .mask = mask_of_be(&m)}};
    vl_random_wide(&b->rng, 1024, a.ack.data.w);
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
        const vl_bits_128 m = sb_mask(&h->line[l]);
        has |= m.w[0] || m.w[1];
    }
    return has;
}

/* A line with marks, or all of a block's to a peer. */
static void give_lines(bench_t *b, world_t *w, unsigned d, unsigned k, const smd_probe_t *p, bool peer)
{
    sb_held_t *h = &w->sb.held[d][k];
    for (unsigned l = 0; l < SB_LPB; l++) {
        sb_copy_t *c = &h->line[l];
        const vl_bits_128 mask = sb_mask(c), none = {{0}};
        const uint64_t line = w->sb.block[k].first + l;
        if (peer && w->peers < NB_PEERS) {
            w->peer[w->peers].due = b->cycle + 1 + vl_below(&b->rng, w->style.latency);
            w->peer[w->peers++].line = (smd_peer_t){.device = p->peer,
                                                    .line = line,
                                                    .mask = mask_of_be(p->kind == PROBE_READ ? &none : &mask),
                                                    .data = sb_data(c, true)};
        } else if (!peer && (mask.w[0] || mask.w[1])) {
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

/* Far: a line is asked for, given back or dropped. */
static void device_moves(bench_t *b, world_t *w, unsigned d)
{
    const unsigned k = some_block(b, w), l = vl_below(&b->rng, SB_LPB);
    sb_held_t *h = &w->sb.held[d][k];
    if (w->style.drain || h->st == NMOESI_I || w->acks[d] + 2 > 2 * SB_BLOCKS * SB_LPB)
        return;
    if (h->busy && h->req.op == SMD_EVICT && !h->req.bytes)
        return;
    const vl_bits_128 m = sb_mask(&h->line[l]);
    if (h->have[l] && vl_chance(&b->rng, w->style.put)) {
        if (m.w[0] || m.w[1]) {
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

static void arrived(bench_t *b, world_t *w, unsigned d, unsigned k)
{
    sb_held_t *h = &w->sb.held[d][k];
    if (!h->busy || !sb_whole(h))
        return;
    sb_complete(b, &w->sb, d, k);
    tell(w, d, (hmd_ack_t){.ack = {.kind = SMD_ARRIVED, .line = w->sb.block[k].first + vl_below(&b->rng, SB_LPB)}});
}

/* The line of a request to the channel's memory; an unused one if it has none. */
static uint64_t line_meant(const sb_t *s, uint64_t at)
{
    for (unsigned k = 0; k < SB_BLOCKS; k++) {
        const uint64_t block = s->block[k].first / SB_LPB,
                       stands = (block / HOST_CHANNELS * CHANNELS + block % HOST_CHANNELS) * SB_LPB;
        if (at / SB_LPB * SB_LPB == stands % (1ull << LINE_ADDR_W))
            return s->block[k].first + at % SB_LPB;
    }
    return ~0ull;
}

/* Memory has taken a request. */
static void memory_takes(bench_t *b, world_t *w, const home_req_t *r)
{
    sb_t *s = &w->sb;
    sb_memory(b, s, r);
    if (r->op == HOME_WRITE_BACK || b->failed)
        return;
    BENCH_CHECK(b, r->id < HOST_READERS && !w->read[r->id % HOST_READERS].busy,
                "memory is asked with an id that is in use, or that there is not");
    if (b->failed)
        return;
    w->read[r->id].busy = true;
    w->read[r->id].due = b->cycle + 1 + vl_below(&b->rng, w->style.memory_latency);
    for (unsigned i = 0; i < LINE_BYTES; i++) {
        w->read[r->id].data.w[i / 8] &= ~(0xffull << i % 8 * 8);
        w->read[r->id].data.w[i / 8] |= (uint64_t)s->memory[sb_find(s, r->line)][r->line % SB_LPB][i] << i % 8 * 8;
    }
}

/* ... that is the stack of the line's home device. */
static void stack_takes(bench_t *b, world_t *w, const hmd_data_t *d)
{
    const smd_data_t *m = &d->data;
    const bool write = m->mem == SMD_MEM_WRITE, all = !mask_any(&m->mask);
    const unsigned k = sb_find(&w->sb, m->line);
    BENCH_CHECK(b, w->sb.stacks && m->mem != SMD_MEM_LINE && !m->grant,
                "a stack is read or written, or something else");
    BENCH_CHECK(b, k < SB_BLOCKS && d->device == sb_home(&w->sb, k), "a line is not at home in the stack of device %u",
                d->device);
    BENCH_CHECK(b, write || all, "a read of a stack with a mask");
    home_req_t r = {.op = write ? HOME_WRITE_BACK : HOME_READ, .id = m->id, .line = m->line, .data = m->data};
    if (write)
        r.be = all ? (vl_bits_128){{~0ull, ~0ull}} : be_of_mask(&m->mask);
    if (!b->failed)
        memory_takes(b, w, &r);
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

/* ---- the last-level cache --------------------------------------------------------------------------------------------------------------- */

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

/* ---- memory ----------------------------------------------------------------------------------------------------------------------------- */

static void memory(bench_t *b, world_t *w, const hmd_out_t *out, hmd_in_t *in)
{
    sb_t *s = &w->sb;
    const unsigned first = vl_below(&b->rng, HOST_READERS);
    in->host_rsp_valid = in->smd_mem_valid = false;
    for (unsigned n = 0; n < HOST_READERS && some_time(b, w, w->style.answers); n++) {
        const unsigned i = (first + n) % HOST_READERS;
        if (!w->read[i].busy || w->read[i].due > b->cycle)
            continue;
        in->host_rsp_valid = !s->stacks;
        in->smd_mem_valid = s->stacks;
        in->host_rsp.id = (__typeof__(in->host_rsp.id))i;
        in->smd_mem.id = (__typeof__(in->smd_mem.id))i;
        in->host_rsp.data = in->smd_mem.data = w->read[i].data;
        w->read[i].busy = false;
        break;
    }
    in->host_req_ready = some_time(b, w, w->style.memory);
    BENCH_CHECK(b, !out->host_req_valid || !s->stacks, "host memory is used");
    if (out->host_req_valid && in->host_req_ready && !b->failed) {
        home_req_t r = out->host_req;
        r.line = line_meant(s, r.line);
        memory_takes(b, w, &r);
    }
}
#endif
