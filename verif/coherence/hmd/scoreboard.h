/* What the protocol promises (docs/coherence.md, docs/home-seam.md), without directories, stages or queues: who holds each block and line in which state with which bytes,
 * the value that was stored last into each byte, and what has been sent about a block since its last transaction ended.
 *
 * Agents are the devices, and after them the host's last-level cache. Into a block that it does not hold alone an agent stores only into bytes of its own (byte number
 * modulo the number of agents), so that of two stores into a byte it is always known which one is older.
 *
 * With memory = zerocopy a device holds a right to a block, and lines of it that it has got one by one (GET); it gives bytes back (BYTES) at any time. A GET is
 * answered by what all BYTES that the HMD took before it have left there: `home`.
 *
 * With memcpy and managed memory is the stack of a block's home device (sb_home): what the HMD reads and writes there stands in one order with its grants, and the home device itself
 * reads and writes it without a word. So a grant comes after all bytes that the HMD had been given for it. */
#ifndef VERIF_COHERENCE_HMD_SCOREBOARD_H
#define VERIF_COHERENCE_HMD_SCOREBOARD_H
#include "hmd_ports.h"
#include "verif/common/scoreboard.h"

enum {
    SB_LPB = INTERLEAVE_BYTES / LINE_BYTES,
    SB_BLOCKS = 8,
    SB_CACHE = DEVICES, /* the last-level cache, as an agent */
    SB_AGENTS = DEVICES + 1,
    SB_PASSED = 2 * HMD_POOL,
    SB_TAKEN = 16
};
typedef struct {
    uint8_t byte[LINE_BYTES];
    bool mask[LINE_BYTES]; /* bytes that the home does not have */
} sb_copy_t;
/* A line that was asked for by GET. */
typedef struct {
    bool asked, taken; /* the HMD has it */
    uint64_t when, since;
    uint8_t want[LINE_BYTES];
} sb_get_t;
/* A block at a device. */
typedef struct {
    uint8_t st;
    sb_copy_t line[SB_LPB];
    bool have[SB_LPB]; /* zerocopy: the slice holds the line */
    sb_get_t get[SB_LPB];
    bool busy, taken; /* busy: from the request until ARRIVED; taken: the HMD has taken it */
    smd_req_t req;
    bool come[SB_LPB], granted, touched, probed;
    uint8_t gstate;
    unsigned passed;
    uint64_t since, order;
} sb_held_t;
/* A line at the last-level cache. */
typedef struct {
    uint8_t st, op, id, kind;
    sb_copy_t copy;
    bool awaited, taken, probed, offered; /* a read is under way; the HMD has it; a probe, a write-back not taken yet */
    uint64_t due, since, order, when;
    unsigned passed;
} sb_line_t;
typedef enum { SB_NONE, SB_SHARER, SB_OWNER } sb_holder_e;
typedef struct {
    uint64_t first; /* number of its first line */
    /* state when its last transaction ended */
    sb_holder_e holder[DEVICES];
    bool cache; /* the last-level cache may have lines of it */
    /* since then: probes of devices in their order, and of the last-level cache */
    unsigned probes, answers;
    struct {
        unsigned device;
        smd_probe_t probe;
        bool early; /* another probe had no answer at that time */
    } probe[DEVICES + 2];
    unsigned asked[SB_LPB], asked_kind;
    bool cache_held; /* an acknowledgement reported the line held */
    bool arriving; /* a grant has not arrived */
    bool read; /* memory has been read */
    uint64_t first_answer; /* cycle of the first answer to a probe; ~0: none */
    uint64_t done; /* the HMD took the last DONE */
} sb_block_t;
typedef struct {
    uint64_t now, awake, order; /* awake: cycles in which nothing was withheld */
    uint8_t policy; /* memory_e */
    bool far, stacks; /* not umh; memcpy or managed */
    sb_block_t block[SB_BLOCKS];
    sb_held_t held[DEVICES][SB_BLOCKS];
    sb_line_t cache[SB_BLOCKS][SB_LPB];
    struct {
        uint8_t byte[LINE_BYTES], agent[LINE_BYTES];
        uint64_t when[LINE_BYTES];
    } truth[SB_BLOCKS][SB_LPB];
    uint8_t memory[SB_BLOCKS][SB_LPB][LINE_BYTES];
    /* What memory will have when all BYTES have been written that the HMD has taken; when the last of them was taken, and when the last-level cache's last were written. */
    struct {
        uint8_t byte[LINE_BYTES];
        uint64_t when[LINE_BYTES], cache[LINE_BYTES];
    } home[SB_BLOCKS][SB_LPB];
    struct {
        uint64_t line;
        vl_bits_128 mask;
        vl_bits_1024 data;
        bool cache, ack; /* of the last-level cache: of a probe's acknowledgement */
        uint64_t when;
    } bytes[SB_TAKEN]; /* bytes that it has taken and not written */
    unsigned taken;
} sb_t;

static bool sb_bit(vl_bits_128 m, unsigned i)
{
    return m.w[i / 64] >> i % 64 & 1;
}

static uint8_t sb_byte(const vl_bits_1024 *d, unsigned i)
{
    return (uint8_t)(d->w[i / 8] >> i % 8 * 8);
}

/* The bytes of a line, and its mask, as messages have them. `all`: bytes without a mask, too. */
static vl_bits_1024 sb_data(const sb_copy_t *c, bool all)
{
    vl_bits_1024 d = {{0}};
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (all || c->mask[i])
            d.w[i / 8] |= (uint64_t)c->byte[i] << i % 8 * 8;
    return d;
}

static vl_bits_128 sb_mask(const sb_copy_t *c)
{
    vl_bits_128 m = {{0}};
    for (unsigned i = 0; i < LINE_BYTES; i++)
        m.w[i / 64] |= (uint64_t)c->mask[i] << i % 64;
    return m;
}

/* In whose stack a block is at home. */
static unsigned sb_home(const sb_t *s, unsigned k)
{
    return s->policy == MEMORY_MEMCPY ? (unsigned)(s->block[k].first / SB_LPB / CHANNELS % DEVICES) : 0;
}

static bool sb_near(const sb_t *s, unsigned d, unsigned k)
{
    return s->stacks && sb_home(s, k) == d;
}

/* The last-level cache stores into such a block coherently only. */
static bool sb_coherent(unsigned k)
{
    return k % 2 == 0;
}

/* After bytes of its slice. */
static uint8_t sb_touched(uint8_t st)
{
    return st == NMOESI_S ? NMOESI_N : st == NMOESI_E ? NMOESI_M : st;
}

static bool sb_alone(uint8_t st)
{
    return st == NMOESI_E || st == NMOESI_M;
}

static unsigned sb_find(const sb_t *s, uint64_t line)
{
    unsigned k = 0;
    while (k < SB_BLOCKS && s->block[k].first != line / SB_LPB * SB_LPB)
        k++;
    return k;
}

/* Agent `a` stores at random into its copy of a line, whole grains unless it holds the line alone; true: something. */
static bool sb_store(sb_t *s, vl_rng_t *r, unsigned a, unsigned k, unsigned l, sb_copy_t *c, bool alone)
{
    const unsigned shape = vl_below(r, 5), one = vl_below(r, GRAINS);
    bool stored = false;
    for (unsigned g = 0; g < GRAINS; g++) {
        if ((shape == 0 && g != one) || (shape == 1 && vl_below(r, 8)) || (shape == 2 && (g ^ one) & GRAINS / 2)
            || (!alone && g % SB_AGENTS != a))
            continue;
        /* a part of it */
        const unsigned first = g * MASK_GRAIN, least = alone && MASK_GRAIN > 1 ? vl_below(r, MASK_GRAIN) : 0;
        memset(c->mask + first, true, MASK_GRAIN);
        for (unsigned i = first + least; i < first + MASK_GRAIN; i++) {
            c->byte[i] = s->truth[k][l].byte[i] = (uint8_t)vl_random(r);
            s->truth[k][l].agent[i] = (uint8_t)a;
            s->truth[k][l].when[i] = s->now;
        }
        stored = true;
    }
    return stored;
}

/* Whoever holds it in E or M holds it alone; one is owner at most. */
static void sb_single(bench_t *b, const sb_t *s, unsigned k)
{
    unsigned alone = 0, owner = 0, holders = 0;
    bool lines = false, line_alone = false;
    for (unsigned d = 0; d < DEVICES; d++) {
        const uint8_t st = s->held[d][k].st;
        alone += sb_alone(st);
        owner += sb_alone(st) || st == NMOESI_O;
        holders += st != NMOESI_I;
    }
    for (unsigned l = 0; l < SB_LPB; l++) {
        lines |= s->cache[k][l].st != NMOESI_I;
        line_alone |= sb_alone(s->cache[k][l].st);
    }
    BENCH_CHECK(b, owner <= 1 && (!alone || holders == 1), "block %u: somebody holds it in E or M, and not alone", k);
    BENCH_CHECK(b, !owner || !lines, "block %u: it has an owner, and the last-level cache lines of it", k);
    BENCH_CHECK(b, !line_alone || !holders,
                "block %u: the last-level cache holds a line alone, and a device holds the block", k);
}

/* Agent `a` has been granted line l of block k, with these bytes. `exact`: nobody else has bytes of it; else what others have in their masks, or stored after the
 * first of them had answered, need not be there. */
static void sb_compare(bench_t *b, const sb_t *s, unsigned a, unsigned k, unsigned l, const sb_copy_t *c, bool exact)
{
    for (unsigned i = 0; i < LINE_BYTES && !b->failed; i++) {
        if (c->byte[i] == s->truth[k][l].byte[i])
            continue;
        bool excused = s->truth[k][l].when[i] >= s->block[k].first_answer;
        for (unsigned d = 0; d < DEVICES; d++)
            excused |= d != a && s->held[d][k].st != NMOESI_I && s->held[d][k].line[l].mask[i];
        excused |= a != SB_CACHE && s->cache[k][l].copy.mask[i];
        if (s->far) /* given back, and not received yet, or just now */
            excused |= s->home[k][l].byte[i] != s->truth[k][l].byte[i] || s->home[k][l].when[i] >= s->cache[k][l].when;
        BENCH_CHECK(b, excused && !exact,
                    "agent %u is granted line %u of block %u, and byte %u is not what agent %u has stored last", a, l,
                    k, i, s->truth[k][l].agent[i]);
    }
}

/* ---- probes ----------------------------------------------------------------------------------------------------------------------------- */

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

/* Everybody must give the block up: bytes come home, and somebody may have a copy without them (H2, H5, H6, H8). */
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

/* Who had to be probed is whom the page of the protocol says. op: of hmd_op_e; i: of a device. sent: the owner has sent its lines to i. */
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

/* Requests of a block are served in their order, but for what is in queues: who was asked after this one was served before it. */
static void sb_passes(bench_t *b, sb_t *s, unsigned k, uint64_t order)
{
    for (unsigned d = 0; d < DEVICES; d++)
        if (s->held[d][k].taken && s->held[d][k].order < order)
            BENCH_CHECK(b, ++s->held[d][k].passed <= SB_PASSED, "device %u is passed over for block %u", d, k);
    for (unsigned l = 0; l < SB_LPB; l++)
        if (s->cache[k][l].taken && s->cache[k][l].order < order)
            BENCH_CHECK(b, ++s->cache[k][l].passed <= SB_PASSED, "the last-level cache is passed over for block %u", k);
}

/* ---- answers ---------------------------------------------------------------------------------------------------------------------------- */

/* A device has the grant and all lines. */
static void sb_complete(bench_t *b, sb_t *s, unsigned d, unsigned k)
{
    sb_held_t *h = &s->held[d][k];
    const bool fetch = h->req.op <= SMD_OWN;
    for (unsigned l = 0; l < SB_LPB && fetch && !h->req.thin; l++) {
        sb_compare(b, s, d, k, l, &h->line[l], h->gstate != NMOESI_S);
        h->come[l] = false;
    }
    if (fetch)
        h->st = h->touched ? sb_touched(h->gstate) : h->gstate;
    h->busy = h->taken = h->granted = h->touched = false; /* the transaction ends when ARRIVED is taken */
}

static bool sb_whole(const sb_held_t *h)
{
    bool all = h->granted;
    for (unsigned l = 0; l < SB_LPB && h->req.op <= SMD_OWN && !h->req.thin; l++)
        all &= h->come[l];
    return all;
}

/* The HMD has taken GET, or BYTES. */
static void sb_get(sb_t *s, unsigned d, const smd_ack_t *a)
{
    const unsigned k = sb_find(s, a->line), l = (unsigned)(a->line % SB_LPB);
    sb_get_t *g = &s->held[d][k].get[l];
    g->taken = true;
    g->when = s->now;
    g->since = s->awake;
    memcpy(g->want, s->home[k][l].byte, sizeof g->want);
}

/* Bytes have been taken that are to be written to memory once. */
static void sb_pend(bench_t *b, sb_t *s, uint64_t line, vl_bits_128 mask, const vl_bits_1024 *data, bool cache,
                    bool ack)
{
    BENCH_CHECK(b, s->taken < SB_TAKEN, "bytes are taken, and never written to memory");
    if (b->failed || !(mask.w[0] || mask.w[1]))
        return;
    s->bytes[s->taken].line = line;
    s->bytes[s->taken].mask = mask;
    s->bytes[s->taken].cache = cache;
    s->bytes[s->taken].ack = ack;
    s->bytes[s->taken].when = s->now;
    s->bytes[s->taken++].data = *data;
}

/* The home device reads or writes its stack. */
static void sb_near_get(bench_t *b, sb_t *s, unsigned d, unsigned k, unsigned l)
{
    sb_held_t *h = &s->held[d][k];
    for (unsigned i = 0; i < LINE_BYTES && !b->failed; i++) {
        const uint8_t byte = s->memory[k][l][i], truth = s->truth[k][l].byte[i];
        BENCH_CHECK(
            b, byte == truth || !(sb_alone(h->st) || s->truth[k][l].agent[i] == d) || !s->truth[k][l].when[i],
            "device %u finds line %u of block %u in its stack, and byte %u is not what agent %u has stored last", d, l,
            k, i, s->truth[k][l].agent[i]);
        h->line[l].byte[i] = byte;
        h->line[l].mask[i] = false;
    }
    h->have[l] = true;
}

static void sb_near_put(sb_t *s, unsigned d, unsigned k, unsigned l)
{
    sb_copy_t *c = &s->held[d][k].line[l];
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (c->mask[i]) {
            s->memory[k][l][i] = s->home[k][l].byte[i] = c->byte[i];
            s->home[k][l].when[i] = s->home[k][l].cache[i] = s->now;
            c->mask[i] = false;
        }
}

static void sb_bytes(bench_t *b, sb_t *s, const smd_ack_t *a)
{
    const unsigned k = sb_find(s, a->line), l = (unsigned)(a->line % SB_LPB);
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (mask_has(&a->mask, i)) {
            s->home[k][l].byte[i] = sb_byte(&a->data, i);
            s->home[k][l].when[i] = s->now;
        }
    sb_pend(b, s, a->line, be_of_mask(&a->mask), &a->data, false, false);
}

/* The answer to a GET. */
static void sb_fetched(bench_t *b, sb_t *s, unsigned d, const smd_data_t *a)
{
    const unsigned k = sb_find(s, a->line), l = (unsigned)(a->line % SB_LPB);
    BENCH_CHECK(b, k < SB_BLOCKS && d < DEVICES && s->held[d][k].get[l].taken,
                "a line comes that was not asked for by GET");
    if (b->failed)
        return;
    sb_held_t *h = &s->held[d][k];
    sb_get_t *g = &h->get[l];
    for (unsigned i = 0; i < LINE_BYTES && !b->failed; i++) {
        const uint8_t byte = sb_byte(&a->data, i), truth = s->truth[k][l].byte[i];
        BENCH_CHECK(b, !mask_has(&a->mask, i), "a line of the home has marks");
        BENCH_CHECK(b, byte == g->want[i] || s->home[k][l].cache[i] >= g->when,
                    "device %u gets line %u of block %u, and byte %u is not what home had", d, l, k, i);
        BENCH_CHECK(b, byte == truth || !(sb_alone(h->st) || s->truth[k][l].agent[i] == d) || !s->truth[k][l].when[i],
                    "device %u gets line %u of block %u, and byte %u is not what agent %u has stored last", d, l, k, i,
                    s->truth[k][l].agent[i]);
        h->line[l].byte[i] = byte;
        h->line[l].mask[i] = false;
    }
    g->asked = g->taken = false;
    h->have[l] = true;
}

/* A line comes to a device, from the HMD or another device. */
static void sb_comes(bench_t *b, sb_t *s, unsigned d, uint64_t line, const vl_bits_1024 *data, line_mask_t mask,
                     bool home)
{
    const unsigned k = sb_find(s, line), l = (unsigned)(line % SB_LPB);
    BENCH_CHECK(b, k < SB_BLOCKS && d < DEVICES, "a line that nobody named, or for nobody");
    if (b->failed)
        return;
    sb_held_t *h = &s->held[d][k];
    BENCH_CHECK(b, h->taken && h->req.op <= SMD_OWN && !h->come[l],
                "device %u: line %u of block %u, which it does not wait for", d, l, k);
    BENCH_CHECK(b, h->st == NMOESI_I, "device %u holds block %u, and a line of it comes", d, k);
    h->come[l] = true;
    for (unsigned i = 0; i < LINE_BYTES; i++) {
        h->line[l].byte[i] = sb_byte(data, i);
        h->line[l].mask[i] = mask_has(&mask, i);
        BENCH_CHECK(b, !home || !h->line[l].mask[i], "a line of the home has marks");
        BENCH_CHECK(b, h->req.op == SMD_OWN || !h->line[l].mask[i], "a line to be read has marks");
    }
}

static void sb_granted(bench_t *b, sb_t *s, unsigned d, const smd_data_t *g)
{
    const unsigned k = sb_find(s, g->line);
    BENCH_CHECK(b, k < SB_BLOCKS && d < DEVICES && s->held[d][k].taken && !s->held[d][k].granted,
                "a grant that nobody waits for");
    if (b->failed)
        return;
    sb_held_t *h = &s->held[d][k];
    sb_block_t *x = &s->block[k];
    const bool wide = sb_wide(s, k, HMD_READ + h->req.op, d);
    bool sent, others = x->cache && x->cache_held;
    for (unsigned i = 0; i < DEVICES; i++)
        others |= i != d && x->holder[i] != SB_NONE;
    const unsigned want = h->req.op == SMD_READ  ? others && !wide ? NMOESI_S : NMOESI_E
                          : h->req.op == SMD_OWN ? NMOESI_M
                                                 : NMOESI_I;
    BENCH_CHECK(b, g->state == want, "device %u is granted state %u of block %u, and %u is right", d, g->state, k,
                want);
    sb_judge(b, s, k, HMD_READ + h->req.op, d, &sent);
    for (unsigned i = 0; i < s->taken && s->stacks; i++)
        BENCH_CHECK(b,
                    s->bytes[i].line / SB_LPB != g->line / SB_LPB
                        || !(s->bytes[i].cache ? s->bytes[i].ack : s->bytes[i].when <= x->done),
                    "device %u is granted block %u before bytes of it are on their way to its stack", d, k);
    for (unsigned l = 0; l < SB_LPB && h->req.op <= SMD_OWN && !h->req.thin; l++)
        BENCH_CHECK(b, sent || h->come[l], "device %u: block %u is granted before its lines have been sent", d, k);
    if (wide || h->req.op == SMD_OWN || (h->req.op == SMD_READ && !x->cache_held))
        x->cache = false;
    sb_passes(b, s, k, h->order);
    x->arriving = true;
    h->granted = true;
    h->gstate = (uint8_t)g->state;
}

static void sb_response(bench_t *b, sb_t *s, const home_rsp_t *r)
{
    unsigned at = 0;
    const unsigned n = SB_BLOCKS * SB_LPB;
    while (at < n && !(s->cache[at / SB_LPB][at % SB_LPB].taken && s->cache[at / SB_LPB][at % SB_LPB].id == r->id))
        at++;
    BENCH_CHECK(b, at < n, "a response that nobody waits for");
    if (b->failed)
        return;
    const unsigned k = at / SB_LPB, l = at % SB_LPB;
    sb_line_t *c = &s->cache[k][l];
    sb_block_t *x = &s->block[k];
    bool sent, holders = false;
    for (unsigned i = 0; i < DEVICES; i++)
        holders |= x->holder[i] != SB_NONE;
    const bool own = c->op == HOME_READ_OWN, kept = holders && !sb_wide(s, k, own ? HMD_L_OWN : HMD_L_READ, 0);
    const unsigned want = own ? NMOESI_M : kept ? NMOESI_S : NMOESI_E;
    BENCH_CHECK(b, r->state == want, "the last-level cache is granted state %u, and %u is right", r->state, want);
    BENCH_CHECK(b, !c->probed && !x->arriving, "a response before an acknowledgement, or before a grant has arrived");
    sb_judge(b, s, k, own ? HMD_L_OWN : HMD_L_READ, 0, &sent);
    for (unsigned i = 0; i < LINE_BYTES; i++) {
        c->copy.byte[i] = sb_byte(&r->data, i);
        c->copy.mask[i] = false;
    }
    sb_compare(b, s, SB_CACHE, k, l, &c->copy, want != NMOESI_S);
    sb_passes(b, s, k, c->order);
    c->st = (uint8_t)want;
    c->awaited = c->taken = false;
    x->cache = true;
    sb_ended(b, s, k);
}

/* ---- memory ----------------------------------------------------------------------------------------------------------------------------- */

static void sb_memory(bench_t *b, sb_t *s, const home_req_t *r)
{
    const bool write = r->op == HOME_WRITE_BACK;
    const unsigned k = sb_find(s, r->line);
    BENCH_CHECK(b, k < SB_BLOCKS, "memory is asked for a line that nobody named");
    if (b->failed)
        return;
    if (write) {
        bool found = false, cache = false;
        for (unsigned of = 0; of < 2 && !found;
             of++) { /* the oldest BYTES of this line, or those of the last-level cache */
            unsigned n = 0;
            while (n < s->taken && !(s->bytes[n].line == r->line && s->bytes[n].cache == of))
                n++;
            found = n < s->taken && !memcmp(&s->bytes[n].mask, &r->be, sizeof r->be);
            for (unsigned i = 0; i < LINE_BYTES && found; i++)
                found = !sb_bit(r->be, i) || sb_byte(&r->data, i) == sb_byte(&s->bytes[n].data, i);
            cache = of;
            if (found)
                memmove(&s->bytes[n], &s->bytes[n + 1], (--s->taken - n) * sizeof *s->bytes);
        }
        BENCH_CHECK(b, found, "memory is written with bytes that nobody gave, or before what was given earlier");
        for (unsigned i = 0; i < LINE_BYTES && cache; i++)
            if (sb_bit(r->be, i)) {
                s->home[k][r->line % SB_LPB].byte[i] = sb_byte(&r->data, i);
                s->home[k][r->line % SB_LPB].cache[i] = s->now;
            }
    }
    bool get = false;
    for (unsigned d = 0; d < DEVICES; d++)
        get |= s->held[d][k].get[r->line % SB_LPB].taken;
    if (!write && !get) { /* the line that was asked for is read first */
        bool asked = s->block[k].read || s->cache[k][r->line % SB_LPB].taken;
        for (unsigned d = 0; d < DEVICES; d++)
            asked |= s->held[d][k].taken && s->held[d][k].req.op <= SMD_OWN && s->held[d][k].req.line == r->line;
        BENCH_CHECK(b, asked, "block %u: another line is read before the one that was asked for", k);
        s->block[k].read = true;
    }
    for (unsigned i = 0; i < LINE_BYTES && k < SB_BLOCKS && write; i++)
        if (sb_bit(r->be, i))
            s->memory[k][r->line % SB_LPB][i] = sb_byte(&r->data, i);
}

/* Nothing is under way: each byte that was stored last is with whom stored it, or in memory; and what memory has is not overwritten by older bytes. A byte that nobody has
 * in its mask is in every copy as in memory: who holds the copy is not asked when all bytes are flushed. */
static void sb_at_rest(bench_t *b, const sb_t *s)
{
    BENCH_CHECK(b, !s->taken, "bytes have been taken, and not written to memory as they were");
    for (unsigned k = 0; k < SB_BLOCKS; k++)
        for (unsigned l = 0; l < SB_LPB; l++)
            for (unsigned i = 0; i < LINE_BYTES && !b->failed; i++) {
                const uint8_t truth = s->truth[k][l].byte[i];
                unsigned has = 0, owners = 0, stale = SB_AGENTS;
                /* its bytes are home, and the others' copies will be taken */
                bool found = false, shared = false;
                for (unsigned a = 0; a < SB_AGENTS; a++) {
                    const sb_copy_t *c = a == SB_CACHE ? &s->cache[k][l].copy : &s->held[a][k].line[l];
                    const uint8_t st = a == SB_CACHE ? s->cache[k][l].st : s->held[a][k].st;
                    const bool far = s->far && a != SB_CACHE;
                    shared |= far && st == NMOESI_N;
                    stale = st != NMOESI_I && (!far || s->held[a][k].have[l]) && c->byte[i] != s->memory[k][l][i]
                                ? a
                                : stale;
                    if (st == NMOESI_I || !c->mask[i])
                        continue;
                    BENCH_CHECK(b, far || (st != NMOESI_S && st != NMOESI_E), "agent %u has marks in state %u", a, st);
                    has++;
                    owners += st == NMOESI_O || sb_alone(st);
                    found |= c->byte[i] == truth;
                }
                BENCH_CHECK(b, has ? found : s->memory[k][l][i] == truth,
                            "byte %u of line %u of block %u is lost: agent %u had stored it", i, l, k,
                            s->truth[k][l].agent[i]);
                BENCH_CHECK(b, has || shared || stale == SB_AGENTS || !sb_coherent(k),
                            "agent %u holds line %u of block %u, and byte %u is not what memory has", stale, l, k, i);
                BENCH_CHECK(b, has <= owners + 1, "byte %u of line %u of block %u: two have it in N", i, l, k);
            }
}
#endif
