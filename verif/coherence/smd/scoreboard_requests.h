/* The SMD's requests of the HMD, and where each begins and ends. */
#ifndef VERIF_COHERENCE_SMD_SCOREBOARD_REQUESTS_H
#define VERIF_COHERENCE_SMD_SCOREBOARD_REQUESTS_H
#include "verif/coherence/smd/scoreboard_maint.h"

/* The SMD asks. */
static const char *sb_asks(sb_t *s, const smd_req_t *r)
{
    sb_line_t *l = sb_find(s, r->line);
    if (!l)
        return "a request for a block that nobody named";
    sb_block_t *b = &s->block[l->block];
    if ((b->tx != TX_NONE && b->tx != TX_GRANTED) || b->more)
        return "a second request for a block";
    unsigned under_way = 1;
    for (unsigned i = 0; i < SB_BLOCKS; i++)
        under_way += (s->block[i].tx != TX_NONE && s->block[i].tx != TX_GRANTED) + s->block[i].more;
    if (under_way > SMD_TRANSACTIONS)
        return "more requests than there are places for them";
    if (r->op < SMD_EVICT ? r->bytes : r->op == SMD_FLUSH && !r->bytes)
        return "a block that is fetched has bytes, or one that is flushed has none";
    if (r->thin != (s->far && r->op <= SMD_OWN))
        return "a block is fetched with lines that nobody asked for, or without";
    for (unsigned i = 0; i < SB_LPB && r->op == SMD_EVICT && !r->bytes; i++) {
        const sb_line_t *x = &s->line[l->block * SB_LPB + i];
        const bool given = b->near && sb_news(s, x, s->now);
        if (x->st != NMOESI_I || ((x->shared || given) && !b->job))
            return "EVICT says that the block has no bytes, and it may have some, or has given some";
    }
    if (r->op >= SMD_EVICT && r->line % SB_LPB)
        return "EVICT and FLUSH name the first line of a block";
    if (r->op == SMD_FLUSH && !(s->maint && s->order.op <= L2_FLUSH_ALL && sb_in_scope(s, r->line)))
        return "FLUSH without maintenance";
    if (r->op <= SMD_OWN && (!l->awaited || (l->op == HOME_READ_OWN) != (r->op == SMD_OWN)))
        return "a block is fetched that nobody waits for in this way";
    b->more = b->tx == TX_GRANTED;
    b->next = *r;
    if (!b->more) {
        b->tx = TX_ASKED;
        b->req = *r;
    }
    return NULL;
}

/* The HMD begins with it: all probes of the block have been answered. */
static const char *sb_begins(const sb_t *s, unsigned k)
{
    const sb_block_t *b = &s->block[k];
    if (b->req.op > SMD_OWN)
        return NULL;
    if (b->req.op == SMD_READ ? b->held != HELD_NONE : b->held == HELD_ALONE)
        return "a block is fetched that is held";
    for (unsigned i = 0; i < SB_BLOCKS; i++)
        if (i != k && s->block[i].place == b->place && s->block[i].held != HELD_NONE && !s->block[i].probing)
            return "a block is fetched, and another one is still held in its place";
    return NULL;
}

static const char *sb_arrived(sb_t *s, const smd_ack_t *a)
{
    const sb_line_t *l = sb_find(s, a->line);
    if (!l || s->block[l->block].tx != TX_GRANTED)
        return "ARRIVED before the grant and all lines";
    sb_block_t *b = &s->block[l->block];
    b->tx = b->more ? TX_ASKED : TX_NONE;
    b->req = b->next;
    b->more = false;
    return NULL;
}
#endif
