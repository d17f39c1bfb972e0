/* The HMD's side: the SMD's acknowledgements, and lines for peers. */
#ifndef VERIF_COHERENCE_SMD_SCOREBOARD_HMD_H
#define VERIF_COHERENCE_SMD_SCOREBOARD_HMD_H
#include "verif/coherence/smd/scoreboard_near.h"
#include "verif/coherence/smd/scoreboard_probes.h"
#include "verif/coherence/smd/scoreboard_requests.h"

/* GET: home's bytes of this moment are the answer's. */
static const char *sb_get(sb_t *s, const smd_ack_t *a)
{
    sb_line_t *l = sb_find(s, a->line);
    if (!s->far || !l || !l->awaited || s->block[l->block].near)
        return "GET of a line that nobody waits for, or that is at home here";
    const char *why = sb_reads(s, l);
    l->get = GET_ASKED;
    l->fetched = l->home;
    return why;
}

/* BYTES of a far line: the oldest that were given. */
static const char *sb_put(sb_t *s, const smd_ack_t *a)
{
    sb_line_t *l = sb_find(s, a->line);
    if (!l || !l->count || s->block[l->block].near)
        return "BYTES that nobody gave, or that are at home here";
    const sb_given_t *g = &l->given[l->first];
    if (!mask_same(be_of_mask(&a->mask), g->be) || !bytes_same(&a->data, &g->data, g->be))
        return "other BYTES than the oldest that were given";
    return sb_home(s, l);
}

static const char *sb_acknowledged(sb_t *s, const smd_ack_t *a)
{
    const bool bytes = a->kind == SMD_BYTES, done = a->kind == SMD_DONE;
    static const sb_data_t zero;
    if ((!done && (a->state != NMOESI_I || a->sent))
        || (!bytes && (mask_any(&a->mask) || memcmp(&a->data, &zero, sizeof zero))))
        return "an acknowledgement that says more than that";
    if (a->kind == SMD_GET)
        return sb_get(s, a);
    return bytes ? (s->far ? sb_put(s, a) : sb_bytes(s, a)) : done ? sb_done(s, a) : sb_arrived(s, a);
}

static const char *sb_peer(sb_t *s, const smd_peer_t *a)
{
    if (a->mem != SMD_MEM_NONE)
        return a->mem == SMD_MEM_LINE ? sb_answers(s, a) : "another message to the HMD than an answer";
    for (unsigned i = 0; i < s->peers && !s->far; i++) {
        const smd_peer_t *x = &s->peer[i].line;
        if (x->line != a->line || x->device != a->device || memcmp(&x->mask, &a->mask, sizeof a->mask)
            || memcmp(&x->data, &a->data, sizeof a->data))
            continue;
        sb_line_t *l = sb_find(s, a->line);
        if (s->block[l->block].none && mask_any(&a->mask))
            return "bytes for a peer of a block whose EVICT said that it has none";
        bytes_put(&l->home, &a->data, be_of_mask(&a->mask)); /* they will be taken from the peer later */
        s->peer[i] = s->peer[--s->peers];
        return NULL;
    }
    return "a line goes to a peer that nobody asked for, or with other bytes or marks than it has";
}

/* Lines of the block are still on their way to a peer: the home does not have their bytes. */
static bool sb_peers_of(const sb_t *s, unsigned block)
{
    for (unsigned i = 0; i < s->peers; i++)
        if (s->peer[i].line.line / SB_LPB == s->line[block * SB_LPB].addr / SB_LPB)
            return true;
    return false;
}
#endif
