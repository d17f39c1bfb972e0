/* The HMD's probes: the contents of BYTES and DONE. A probe must bring all bytes that were given before the last acknowledgement of the line. */
#ifndef VERIF_COHERENCE_SMD_SCOREBOARD_PROBES_H
#define VERIF_COHERENCE_SMD_SCOREBOARD_PROBES_H
#include "verif/coherence/smd/scoreboard_home.h"

/* A probe was taken by the SMD. */
static void sb_probed(sb_t *s, const smd_probe_t *p)
{
    const sb_line_t *l = sb_find(s, p->line);
    sb_block_t *b = &s->block[l->block];
    s->job_block = l->block;
    b->job = true;
    b->probe = *p;
    b->job_since = s->now;
    b->sent_peer = 0;
    b->none = b->tx == TX_ASKED || b->tx == TX_SELF ? b->req.op == SMD_EVICT && !b->req.bytes
                                                    : b->more && b->next.op == SMD_EVICT && !b->next.bytes;
    for (unsigned i = 0; i < SB_LPB; i++) {
        sb_line_t *x = &s->line[l->block * SB_LPB + i];
        x->ask = x->st != NMOESI_I;
        x->asked = x->got_valid = false;
        x->sent = x->late = (sb_mask_t){{0}};
        x->must = sb_fold(x);
        x->must_when = s->now;
    }
}

static const char *sb_bytes(sb_t *s, const smd_ack_t *a)
{
    const sb_mask_t mask = be_of_mask(&a->mask);
    sb_line_t *l = sb_find(s, a->line);
    if (l && s->block[l->block].none)
        return "BYTES of a block whose EVICT said that it has none";
    if (!l || !s->block[l->block].job || s->block[l->block].probe.kind == PROBE_READ)
        return "BYTES that nobody asked for";
    if (!l->got_valid || mask_none(mask) || !mask_none(l->sent) || !mask_same(mask, l->got))
        return "BYTES with another mask than the line has";
    if (!bytes_same(&a->data, &l->got_data, mask))
        return "BYTES with other bytes than the line has";
    l->sent = mask;
    l->flush = mask_or(mask_without(l->flush, mask), l->late);
    bytes_put(&l->home, &a->data, mask);
    return NULL;
}

/* ... and DONE of it: all that was given before the last acknowledgement is home, or before whatever the HMD asks the stack from now on. */
static const char *sb_put_all(sb_t *s, sb_line_t *l, bool takes)
{
    bool late = false;
    for (unsigned i = 0; i < l->count; i++) {
        sb_given_t *g = &l->given[(l->first + i) % SB_GIVEN];
        const bool spoken = takes || g->when <= l->must_when;
        if (spoken && !s->block[l->block].near)
            return "DONE before all bytes have been sent";
        g->known = g->known || !spoken ? g->known : s->now;
        late |= !g->known && g->when <= s->maint_since;
    }
    l->shared = 0;
    l->share &= late;
    return NULL;
}

/* DONE: returns the error, or NULL; sets the state that the HMD then has of the block. */
static const char *sb_done(sb_t *s, const smd_ack_t *a)
{
    sb_line_t *first = sb_find(s, a->line);
    if (!first || a->line % SB_LPB || !s->block[first->block].job)
        return "DONE that nobody asked for";
    sb_block_t *b = &s->block[first->block];
    const smd_probe_t *p = &b->probe;
    bool dirty = false;
    for (unsigned i = 0; i < SB_LPB; i++)
        dirty |= !s->far   ? !mask_none(first[i].must)
                 : b->near ? (first[i].shared && first[i].shared <= first[i].must_when)
                                 || sb_news(s, &first[i], first[i].must_when)
                           : first[i].shared != 0;
    const bool alone = b->held == HELD_ALONE, owned = b->held == HELD_OWNED,
               to_peer = p->to_peer && p->kind != PROBE_CLEAN && (alone || owned);
    const bool right = b->held == HELD_NONE ? a->state == NMOESI_I
                       : owned              ? a->state == NMOESI_O
                       : alone              ? a->state == NMOESI_M || (a->state == NMOESI_E && !dirty)
                                            : a->state == NMOESI_N || (a->state == NMOESI_S && !dirty);
    if (!right)
        return "DONE with a state that cannot be";
    if (a->sent != to_peer || (to_peer && b->sent_peer != SB_LPB))
        return "DONE that is wrong about the lines for the peer";
    for (unsigned i = 0; i < SB_LPB; i++) {
        sb_line_t *l = &first[i];
        const bool writable = l->st == NMOESI_E || l->st == NMOESI_M;
        if (l->ask && !l->asked)
            return "DONE, and the slice was not asked for a line that it holds";
        if (l->probed)
            return "DONE before the slice has answered";
        if (p->kind == PROBE_WRITE ? l->st != NMOESI_I : writable && !(p->kind == PROBE_CLEAN && p->keep && alone))
            return "DONE, and the slice holds a line that it may not";
        const char *why = s->far ? sb_put_all(s, l, p->kind == PROBE_WRITE) : NULL;
        if (why)
            return why;
        if (!s->far && p->kind != PROBE_READ && !to_peer
            && (!mask_within(l->must, l->sent) || (l->got_valid && !mask_same(l->got, l->sent))))
            return "DONE before all bytes have been sent";
        if (p->kind == PROBE_WRITE) {
            l->here = false;
            l->flush = l->late = (sb_mask_t){{0}};
            l->marks = l->to_clear; /* of the probe before, when the stack is slow */
            for (unsigned g = 0; g < l->count; g++) { /* lines without marks may be late */
                const sb_given_t *x = &l->given[(l->first + g) % SB_GIVEN];
                if (!b->near && (!x->whole || !mask_none(x->marks)))
                    return "DONE, and bytes of the block are still on their way to the stack";
            }
        }
    }
    b->held = b->held == HELD_NONE || p->kind == PROBE_WRITE ? HELD_NONE
              : p->kind == PROBE_CLEAN                       ? (alone && p->keep ? HELD_ALONE : HELD_SHARED)
              : a->state == NMOESI_M || a->state == NMOESI_O ? HELD_OWNED
                                                             : HELD_SHARED;
    if (p->kind == PROBE_WRITE)
        b->held_before = false;
    b->probing = b->job = false;
    b->done_since = s->now;
    return NULL;
}
#endif
