/* Probes: before a grant the agents are probed that the page of the protocol names; and the end of a transaction. */
#ifndef VERIF_COHERENCE_HMD_SCOREBOARD_PROBES_H
#define VERIF_COHERENCE_HMD_SCOREBOARD_PROBES_H
#include "verif/coherence/hmd/scoreboard_blocks.h"

static void sb_probed(bench_t *b, sb_t *s, const hmd_probe_t *p)
{
    const unsigned k = sb_find(s, p->probe.line);
    BENCH_CHECK(b, k < SB_BLOCKS && p->probe.line == s->block[k].first && (unsigned)p->device < DEVICES,
                "a probe of a block that nobody named");
    if (b->failed)
        return;
    sb_block_t *x = &s->block[k];
    BENCH_CHECK(b, !x->arriving, "block %u: device %u is probed, and a grant is on its way", k, p->device);
    BENCH_CHECK(b, x->probes < DEVICES + 2 && !s->held[p->device][k].probed, "block %u: device %u is probed too often",
                k, p->device);
    if (b->failed)
        return;
    x->probe[x->probes].device = p->device;
    x->probe[x->probes].probe = p->probe;
    x->probe[x->probes].early = x->answers != x->probes;
    x->probes++;
    s->held[p->device][k].probed = true;
}

static void sb_answered(sb_t *s, unsigned k)
{
    s->block[k].answers++;
    if (s->block[k].first_answer == ~0ull)
        s->block[k].first_answer = s->now;
}

static void sb_cache_probed(bench_t *b, sb_t *s, const home_probe_t *p)
{
    const unsigned k = sb_find(s, p->line);
    BENCH_CHECK(b, k < SB_BLOCKS, "the last-level cache is probed for a line that nobody named");
    if (b->failed)
        return;
    sb_block_t *x = &s->block[k];
    BENCH_CHECK(b, !x->arriving, "block %u: the last-level cache is probed, and a grant is on its way", k);
    BENCH_CHECK(b, !x->asked[p->line % SB_LPB]++, "the last-level cache is probed twice");
    BENCH_CHECK(b, p->kind == PROBE_WRITE || p->kind == PROBE_CLEAN, "the last-level cache is probed by PROBE_READ");
    for (unsigned l = 0; l < SB_LPB; l++)
        BENCH_CHECK(b, l == p->line % SB_LPB || !x->asked[l] || x->asked_kind == p->kind,
                    "probes of the last-level cache differ");
    x->asked_kind = p->kind;
}

/* One probe of a device as it must be, the next of the list. */
static bool sb_next(const sb_block_t *x, unsigned *n, unsigned d, unsigned kind, int peer, bool keep)
{
    if (*n == x->probes)
        return false;
    const smd_probe_t *p = &x->probe[*n].probe;
    const bool right = x->probe[*n].device == d && p->kind == kind && p->to_peer == (peer >= 0)
                       && (peer < 0 || p->peer == (unsigned)peer) && p->keep == keep;
    ++*n;
    return right;
}

/* All agents must give the block up: bytes come home, and one may have a copy without them (H2, H5, H6, H8). */
static bool sb_wide(const sb_t *s, unsigned k, unsigned op, unsigned i)
{
    const sb_block_t *x = &s->block[k];
    bool owner = false, sharers = false, another = x->cache;
    for (unsigned d = 0; d < DEVICES; d++) {
        owner |= x->holder[d] == SB_OWNER;
        sharers |= x->holder[d] == SB_SHARER;
        another |= d != i && x->holder[d] != SB_NONE;
    }
    if (op == HMD_READ || op == HMD_L_READ)
        return owner && sharers && !(x->probes && x->probe[0].probe.to_peer);
    return (op == HMD_EVICT || op == HMD_FLUSH) && s->held[i][k].req.bytes && x->holder[i] != SB_NONE && another;
}

/* The probes of a transaction are those that the page of the protocol names. op: of hmd_op_e; i: of a device. sent: the owner has sent its lines to i. */
static void sb_judge(bench_t *b, sb_t *s, unsigned k, unsigned op, unsigned i, bool *sent)
{
    sb_block_t *x = &s->block[k];
    unsigned owner = DEVICES, sharers = 0, n = 0, lines = 0;
    bool right = true;
    for (unsigned d = 0; d < DEVICES; d++) {
        if (x->holder[d] == SB_OWNER)
            owner = d;
        sharers += x->holder[d] == SB_SHARER;
    }
    const bool peers = x->probes && x->probe[0].probe.to_peer, wide = sb_wide(s, k, op, i),
               all = wide || op == HMD_OWN || op == HMD_L_OWN, gives = op == HMD_EVICT || op == HMD_FLUSH,
               mine = op < HMD_L_READ && owner == i;
    *sent = peers && (op == HMD_READ || op == HMD_OWN);
    right &= !peers || (!s->far && op == HMD_READ && !wide) || (!s->far && op == HMD_OWN && !mine && !sharers);
    if (owner < DEVICES && (all || !gives)) {
        const unsigned kind = all ? PROBE_WRITE : peers ? PROBE_READ : PROBE_CLEAN;
        right &= sb_next(x, &n, owner, kind, peers ? (int)i : -1, false);
    }
    for (unsigned d = 0; d < DEVICES && all; d++)
        if (x->holder[d] == SB_SHARER) {
            right &= owner == DEVICES || n != 1 || !x->probe[1].early; /* an owner's bytes first */
            right &= sb_next(x, &n, d, PROBE_WRITE, -1, false);
        }
    if (gives && !wide && x->holder[i] != SB_NONE)
        right &= sb_next(x, &n, i, op == HMD_EVICT ? PROBE_WRITE : PROBE_CLEAN, -1, op == HMD_FLUSH);
    BENCH_CHECK(b, right && n == x->probes,
                "block %u: operation %u of %u has probed others than the page says, or otherwise", k, op, i);
    BENCH_CHECK(b, x->answers == x->probes, "block %u: something is granted before all have answered", k);
    for (unsigned l = 0; l < SB_LPB; l++) {
        lines += x->asked[l];
        BENCH_CHECK(b, !s->cache[k][l].probed,
                    "block %u: something is granted before the last-level cache has answered", k);
    }
    const bool held = owner < DEVICES || sharers,
               asks = x->cache && (wide || op == HMD_READ || op == HMD_OWN || (op == HMD_L_OWN && held));
    BENCH_CHECK(b, lines == (asks ? SB_LPB : 0) && (!asks || x->asked_kind == (all ? PROBE_WRITE : PROBE_CLEAN)),
                "block %u: of the last-level cache %u lines were probed", k, lines);
}

/* A transaction of the block has ended. */
static void sb_ended(bench_t *b, sb_t *s, unsigned k)
{
    sb_block_t *x = &s->block[k];
    for (unsigned d = 0; d < DEVICES; d++) {
        const uint8_t st = s->held[d][k].st;
        x->holder[d] = st == NMOESI_I ? SB_NONE : st == NMOESI_N || st == NMOESI_S ? SB_SHARER : SB_OWNER;
    }
    x->probes = x->answers = 0;
    memset(x->asked, 0, sizeof x->asked);
    x->cache_held = x->arriving = x->read = false;
    x->done = 0;
    x->first_answer = ~0ull;
    sb_single(b, s, k);
}

/* Requests of a block are served in their order, except those in queues: counts older requests that this one has passed. */
static void sb_passes(bench_t *b, sb_t *s, unsigned k, uint64_t order)
{
    for (unsigned d = 0; d < DEVICES; d++)
        if (s->held[d][k].taken && s->held[d][k].order < order)
            BENCH_CHECK(b, ++s->held[d][k].passed <= SB_PASSED, "device %u is passed over for block %u", d, k);
    for (unsigned l = 0; l < SB_LPB; l++)
        if (s->cache[k][l].taken && s->cache[k][l].order < order)
            BENCH_CHECK(b, ++s->cache[k][l].passed <= SB_PASSED, "the last-level cache is passed over for block %u", k);
}
#endif
