/* Lines and grants, to devices and to the last-level cache. */
#ifndef VERIF_COHERENCE_HMD_SCOREBOARD_GRANTS_H
#define VERIF_COHERENCE_HMD_SCOREBOARD_GRANTS_H
#include "verif/coherence/hmd/scoreboard_bytes.h"
#include "verif/coherence/hmd/scoreboard_probes.h"

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

/* A line comes to a device, from the HMD or another device. */
static void sb_comes(bench_t *b, sb_t *s, unsigned d, uint64_t line, const line_data_t *data, line_mask_t mask,
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
#endif
