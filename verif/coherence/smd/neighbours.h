/* Who stands around the SMD in its bench, at random but by the rules: above it a slice (docs/home-seam.md), below it a stack that performs the requests of a line in
 * their order, beyond it an HMD (docs/coherence.md, H1 to H7) for which other devices read, store and evict. What they do is told to the scoreboard. */
#ifndef VERIF_COHERENCE_SMD_NEIGHBOURS_H
#define VERIF_COHERENCE_SMD_NEIGHBOURS_H
#include "verif/coherence/smd/scoreboard.h"

enum { STACK_DEPTH = 16, ACKS = 4 * SB_LPB, PROBES = 4, MEMS = 16 };
/* How they behave for a while; chances are of 256. */
typedef struct {
    unsigned ask, store, drop, write, keep, own, n_read, reads; /* slice: reads at most */
    unsigned rsp_ready, ack, ack_latency; /* takes probes; offers acknowledgements */
    unsigned stack_ready, stack_depth, stack_latency;
    unsigned rq, kq, eq; /* the HMD and peers take */
    /* HMD: begins a grant, sends lines, the requested line first; probes; probes that no HMD would send */
    unsigned begin, data, first, probe, wild;
    unsigned peers, others;
    unsigned mem, mem_reads; /* the HMD reads and writes what is at home here */
    unsigned base, span; /* blocks */
    unsigned maint; /* one in so many cycles, 0: none; */
    unsigned walks; /* one in so many of these of all blocks */
    bool no_grants, drain, chain, eager; /* eager: what is granted is stored into and given back at once */
} style_t;
typedef struct {
    sb_t sb;
    style_t style;
    bool req_valid, ack_valid, probe_valid, data_valid;
    /* at this edge bytes were given that the table does not have yet: of a block in E, or of one being fetched */
    bool gave;
    home_req_t req;
    home_ack_t ack;
    smd_probe_t probe;
    smd_data_t data;
    struct {
        sb_line_t *line;
        uint8_t kind;
        uint64_t due;
    } asked[ACKS];
    unsigned asks;
    sb_line_t *chain; /* was given back to be owned */
    sb_line_t *fresh; /* has just been granted */
    struct {
        stack_req_t req;
        uint64_t due;
    } stack[STACK_DEPTH];
    unsigned stacked;
    /* The stack's lines, by block of the bench: those of one place are one. */
    sb_data_t held[SB_LINES];
    sb_mask_t marks[SB_LINES];
    smd_probe_t probes[PROBES];
    unsigned to_probe;
    sb_line_t *get[L2_MSHRS]; /* far: lines that were asked for */
    unsigned gets;
    smd_data_t mem[MEMS]; /* to be read and written in the stack, in this order */
    unsigned mems;
    bool reading[HOST_READERS]; /* ids of reads under way */
} world_t;

static sb_line_t *some_line(bench_t *b, world_t *w)
{
    unsigned k = (w->style.base + vl_below(&b->rng, w->style.span)) % SB_BLOCKS;
    while (w->sb.block[k].out)
        k = (k + 1) % SB_BLOCKS;
    return &w->sb.line[k * SB_LPB + vl_below(&b->rng, SB_LPB)];
}

/* Bytes at random: a few, half, all, one. */
static sb_mask_t some_bytes(bench_t *b)
{
    sb_mask_t m = {{0}};
    switch (vl_below(&b->rng, 4)) {
    case 0: m = (sb_mask_t){{~0ull, ~0ull}}; break;
    case 1: m.w[vl_below(&b->rng, 2)] = 1ull << vl_below(&b->rng, 64); break;
    case 2: m.w[vl_below(&b->rng, 2)] = ~0ull; break;
    default: m = (sb_mask_t){{vl_random(&b->rng), vl_random(&b->rng)}};
    }
    return m;
}

/* ... and whole grains. */
static sb_mask_t some_whole(bench_t *b)
{
    return whole_grains(some_bytes(b));
}

/* ---- the slice -------------------------------------------------------------------------------------------------------------------------- */

static void slice_store(bench_t *b, sb_line_t *l, bool coherent)
{
    sb_data_t data;
    const bool owned = l->st == NMOESI_M || coherent;
    const sb_mask_t m = owned ? some_bytes(b) : some_whole(b);
    vl_random_wide(&b->rng, 1024, data.w);
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

/* A write-back. What is kept is then as the home has it. */
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

/* What the slice does of its own: stores, and one request at most. */
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

/* ---- the stack -------------------------------------------------------------------------------------------------------------------------- */

/* The first line of the bench that stands there. */
static unsigned stack_index(const world_t *w, uint64_t stack_line)
{
    unsigned i = 0;
    while (i < SB_LINES && !sb_stands(&w->sb, &w->sb.line[i], stack_line))
        i++;
    return i;
}

static void stack(bench_t *b, world_t *w, const smd_out_t *out, smd_in_t *in)
{
    const style_t *y = &w->style;
    in->stack_rsp_valid = false;
    const unsigned from = w->stacked ? vl_below(&b->rng, w->stacked) : 0;
    for (unsigned n = 0; n < w->stacked; n++) {
        const unsigned i = (from + n) % w->stacked;
        const stack_req_t *r = &w->stack[i].req;
        bool first = w->stack[i].due <= b->cycle;
        for (unsigned k = 0; k < i; k++)
            first &= w->stack[k].req.line != r->line;
        if (!first)
            continue;
        const unsigned at = stack_index(w, r->line);
        if (r->write) {
            bytes_put(&w->held[at], &r->data, r->be);
            for (unsigned k = 0; k < 2; k++)
                w->marks[at].w[k] = (w->marks[at].w[k] & ~r->be.w[k]) | (be_of_mask(&r->marks).w[k] & r->be.w[k]);
        } else {
            in->stack_rsp_valid = true;
            in->stack_rsp = (stack_rsp_t){.id = r->id, .marks = mask_of_be(&w->marks[at]), .data = w->held[at]};
        }
        memmove(&w->stack[i], &w->stack[i + 1], (--w->stacked - i) * sizeof *w->stack);
        break;
    }
    in->stack_req_ready = w->stacked < y->stack_depth && (y->drain || vl_chance(&b->rng, y->stack_ready));
    if (!out->stack_req_valid || !in->stack_req_ready)
        return;
    const stack_req_t *r = &out->stack_req;
    BENCH_CHECK(b, stack_index(w, r->line) < SB_LINES, "a line of the stack where no block stands");
    for (unsigned i = 0; i < w->stacked; i++)
        BENCH_CHECK(b, r->write || w->stack[i].req.write || w->stack[i].req.id != r->id,
                    "a read of the stack under a used id");
    const char *why = sb_stack(&w->sb, r);
    BENCH_CHECK(b, !why, "%s", why);
    w->stack[w->stacked].req = *r;
    w->stack[w->stacked++].due = b->cycle + 1 + vl_below(&b->rng, y->stack_latency);
}

/* ---- the HMD, and other devices --------------------------------------------------------------------------------------------------------- */

static void hmd_probe(world_t *w, unsigned k, uint8_t kind, bool to_peer, bool peer, bool keep)
{
    w->sb.block[k].probing = true;
    w->probes[w->to_probe++] = (smd_probe_t){
        .kind = kind, .line = w->sb.line[k * SB_LPB].addr, .to_peer = to_peer, .peer = peer, .keep = keep};
}

/* Another policy: the stack has what is at home there. */
static void policy(world_t *w, uint8_t memory)
{
    sb_policy(&w->sb, memory);
    w->chain = w->fresh = NULL; /* the request may be visible now */
    for (unsigned i = 0; i < SB_LINES; i++)
        if (w->sb.block[w->sb.line[i].block].near)
            w->held[i] = w->sb.line[i].home;
}

/* The HMD writes others' bytes of a line that is at home here, or reads it: for others, or for the last-level cache. */
static void hmd_writes(bench_t *b, world_t *w, const sb_line_t *l)
{
    if (w->mems == MEMS)
        return;
    smd_data_t *d = &w->mem[w->mems];
    const sb_mask_t m = some_whole(b);
    *d = (smd_data_t){.mem = SMD_MEM_WRITE, .line = l->addr};
    vl_random_wide(&b->rng, 1024, d->data.w);
    if (mask_none(m))
        return;
    if (~(m.w[0] & m.w[1]))
        d->mask = mask_of_be(&m);
    w->mems++;
}

static void hmd_reads(bench_t *b, world_t *w, const sb_line_t *l)
{
    unsigned id = vl_below(&b->rng, HOST_READERS);
    for (unsigned n = 0; n < HOST_READERS && w->reading[id]; n++)
        id = (id + 1) % HOST_READERS;
    if (w->reading[id] || w->mems == MEMS)
        return;
    w->reading[id] = true;
    w->mem[w->mems++] = (smd_data_t){.mem = SMD_MEM_READ, .line = l->addr, .id = (uint8_t)id};
}

/* The HMD reads and writes for other agents only in blocks that this device neither holds alone nor is being granted. */
static void hmd_asks(bench_t *b, world_t *w)
{
    const style_t *y = &w->style;
    const sb_line_t *l = some_line(b, w);
    const sb_block_t *x = &w->sb.block[l->block];
    if (y->drain || !x->near || x->held == HELD_ALONE || x->tx == TX_LINES || !vl_chance(&b->rng, y->mem))
        return;
    if (vl_chance(&b->rng, y->mem_reads))
        hmd_reads(b, w, l);
    else
        hmd_writes(b, w, l);
}

/* Reads or writes of the block are not sent yet. */
static bool hmd_asks_of(const world_t *w, unsigned k)
{
    for (unsigned i = 0; i < w->mems; i++)
        if (w->mem[i].line / SB_LPB == w->sb.line[k * SB_LPB].addr / SB_LPB)
            return true;
    return false;
}

/* Others have stored: bytes that neither the SMD nor its slice has of its own. */
static void others_store(bench_t *b, world_t *w, unsigned k)
{
    if (w->sb.block[k].probing || sb_peers_of(&w->sb, k))
        return; /* bytes on their way to the home are older */
    for (unsigned i = 0; i < SB_LPB; i++) {
        sb_line_t *l = &w->sb.line[k * SB_LPB + i];
        if (vl_below(&b->rng, 2))
            continue;
        if (w->sb.block[k].near) {
            hmd_writes(b, w, l);
            continue;
        }
        sb_data_t data;
        sb_mask_t m = mask_without(mask_without(some_whole(b), sb_fold(l)), l->own);
        if (l->offered)
            continue;
        vl_random_wide(&b->rng, 1024, data.w);
        bytes_put(&l->home, &data, m);
        bytes_put(&l->truth, &data, m);
    }
}

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

/* What is sent next on smd_data: a line of a fetch, or a grant. */
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
            vl_random_wide(&b->rng, 1024, data.w);
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
        const char *why =
            sb_give(&w->sb, l, true, (sb_mask_t){{~0ull, ~0ull}}, be_of_mask(&w->data.mask), &w->data.data);
        BENCH_CHECK(b, !why, "%s", why);
    }
    bool all = x->granted;
    for (unsigned i = 0; i < SB_LPB && x->req.op <= SMD_OWN && !x->req.thin; i++)
        all &= w->sb.line[l->block * SB_LPB + i].here;
    if (all)
        x->tx = TX_GRANTED;
    w->data_valid = false;
}

/* Others read, store and evict: a block whose transaction has not begun is probed. */
static void others_ask(bench_t *b, world_t *w)
{
    const style_t *y = &w->style;
    if (y->drain || w->to_probe == PROBES || !vl_chance(&b->rng, y->probe))
        return;
    const unsigned k = some_line(b, w)->block;
    sb_block_t *x = &w->sb.block[k];
    if (x->probing || (x->tx != TX_NONE && x->tx != TX_ASKED))
        return;
    const bool wild = vl_chance(&b->rng, y->wild), owner = x->held == HELD_OWNED || x->held == HELD_ALONE;
    if (!wild && x->held == HELD_NONE)
        return;
    uint8_t kind = owner || wild ? (uint8_t)vl_below(&b->rng, 3) : PROBE_WRITE;
    if (w->sb.far && kind == PROBE_READ) /* that is for peers */
        kind = PROBE_CLEAN;
    hmd_probe(w, k, kind, (owner || wild) && !w->sb.far && vl_chance(&b->rng, y->peers), vl_below(&b->rng, 2),
              kind == PROBE_CLEAN && wild && vl_below(&b->rng, 2));
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
