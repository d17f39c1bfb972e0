/* Lines without marks in the stack (zerocopy, memcpy, managed): given bytes go home once, in their order (BYTES); a line is asked for once (GET), with the right to
 * its block and behind its bytes, and has the home's bytes of that moment. Bytes that went home since the block was asked for them last are `shared`: copies of other devices lack them. */
#ifndef VERIF_COHERENCE_SMD_SCOREBOARD_HOME_H
#define VERIF_COHERENCE_SMD_SCOREBOARD_HOME_H
#include "verif/coherence/smd/scoreboard_lines.h"

/* A line is asked for, or read at its home: returns the error, or NULL. */
static const char *sb_reads(const sb_t *s, const sb_line_t *l)
{
    const sb_block_t *b = &s->block[l->block];
    if (l->get != GET_NONE)
        return "a line is read at home that was read before";
    if (b->held == HELD_NONE || (l->op == HOME_READ_OWN && b->held != HELD_ALONE))
        return "a line is read at home without the right to the block";
    if (l->probed)
        return "a line is read at home while the slice is asked for it";
    const smd_req_t *r = b->more ? &b->next : &b->req;
    if ((b->more || b->tx == TX_ASKED || b->tx == TX_SELF) && r->op == SMD_EVICT && !r->bytes)
        return "a line is read at home of a block whose EVICT said that it has no bytes";
    return l->count ? "a line is read at home before bytes that were given earlier" : NULL;
}

/* Bytes of the slice are home. */
static const char *sb_home(const sb_t *s, sb_line_t *l)
{
    const sb_given_t *g = &l->given[l->first];
    const sb_block_t *b = &s->block[l->block];
    if (b->job && b->none && g->when > b->job_since)
        return "bytes come home of a block whose EVICT said that it has none";
    bytes_put(&l->home, &g->data, g->be);
    if (!l->shared && (!b->near || (!g->known && g->when > b->done_since)))
        l->shared = g->when;
    l->first = (l->first + 1) % SB_GIVEN;
    l->count--;
    return NULL;
}

/* The line has bytes under way that no DONE reported; of a near block, given after the last DONE. (Those given in its cycle may be reported or not.) */
static bool sb_news(const sb_t *s, const sb_line_t *l, uint64_t until)
{
    const sb_block_t *b = &s->block[l->block];
    bool news = false;
    for (unsigned i = 0; i < l->count; i++) {
        const sb_given_t *g = &l->given[(l->first + i) % SB_GIVEN];
        news |= !b->near || (!g->known && g->when > b->done_since && g->when <= until);
    }
    return news;
}

/* Bytes of the slice that DONE had reported by then are not in the stack. */
static bool sb_known(const sb_line_t *l, uint64_t when)
{
    return l->count && l->given[l->first].known && l->given[l->first].known <= when;
}
#endif
