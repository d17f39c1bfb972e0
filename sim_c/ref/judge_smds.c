/* Part of judge_coherence.h: messages that an SMD sends and takes, and the changes of state that it may show. */
#include "sim_c/ref/judge_blocks.h"
#include <inttypes.h>
#include <string.h>

/* For which message a block may go from one state to another; nothing else is a change of state. */
enum { BY_READ = 1, BY_WRITE = 2, BY_CLEAN = 4, BY_KEEP = 8, BY_GRANT = 16, BY_BYTES = 32 };
static const uint8_t moves[6][6] = {
    [NMOESI_I] = {[NMOESI_S] = BY_GRANT, [NMOESI_E] = BY_GRANT, [NMOESI_M] = BY_GRANT, [NMOESI_N] = BY_GRANT},
    [NMOESI_N] = {[NMOESI_I] = BY_WRITE, [NMOESI_S] = BY_CLEAN | BY_KEEP},
    [NMOESI_S] = {[NMOESI_I] = BY_WRITE, [NMOESI_N] = BY_BYTES},
    [NMOESI_E] = {[NMOESI_I] = BY_WRITE,
                  [NMOESI_S] = BY_READ | BY_CLEAN,
                  [NMOESI_M] = BY_BYTES,
                  [NMOESI_O] = BY_READ}, /* O: the slice has given bytes */
    [NMOESI_O] = {[NMOESI_I] = BY_WRITE, [NMOESI_S] = BY_CLEAN | BY_KEEP},
    [NMOESI_M] = {[NMOESI_I] = BY_WRITE, [NMOESI_S] = BY_CLEAN, [NMOESI_E] = BY_KEEP, [NMOESI_O] = BY_READ},
};

static bool whole(const holder_t *h)
{
    return h->granted && (h->op > SMD_OWN || h->thin || count(&h->come) == BLOCK_LINES);
}

void judge_block_asked(judge_t *j, unsigned smd, const smd_req_t *q)
{
    const unsigned party = party_of(smd);
    block_t *b = judge_record_of(j, q->line);
    if (!b)
        return;
    holder_t *h = &b->of[party];
    bool bytes = count(&b->held[party]);
    for (unsigned k = 0; k < BLOCK_LINES; k++)
        bytes |= !be_none(&h->must[k]);
    /* Before the DONE of a probe is sent, the request may be from before or after the probe. */
    const bool right = h->probed || (q->op == SMD_READ ? h->may == OF(I) : q->op != SMD_OWN || !(h->may & ALONE));
    if (!right || (q->thin && q->op > SMD_OWN) || (h->asks && !whole(h))
        || (q->op == SMD_EVICT && bytes && !q->bytes && !h->probed))
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "requests %s%s in %s%s",
                           q->op == SMD_READ    ? "READ"
                           : q->op == SMD_OWN   ? "OWN"
                           : q->op == SMD_EVICT ? "EVICT"
                                                : "FLUSH",
                           q->op == SMD_EVICT && !q->bytes ? " without bytes" : "", judge_states(h->may),
                           bytes ? ", though there are some" : "");
    h->gone = h->asks;
    h->gone_fetch = h->asks && h->op <= SMD_OWN;
    h->asks = true;
    h->op = q->op;
    h->granted = h->touched = false;
    if (q->op <= SMD_OWN)
        h->thin = q->thin;
    h->come = (lines_t){{0}};
}

void judge_block_probed(judge_t *j, unsigned smd, const smd_probe_t *p)
{
    block_t *b = judge_record_of(j, p->line);
    if (!b)
        return;
    holder_t *h = &b->of[party_of(smd)];
    h->probed = true;
    h->late = false;
    h->probe = *p;
    j->coherence->job[smd] = b->block;
    j->coherence->cause[smd] = p->kind == PROBE_READ    ? BY_READ
                               : p->kind == PROBE_WRITE ? BY_WRITE
                               : p->keep                ? BY_KEEP | BY_CLEAN
                                                        : BY_CLEAN;
}

/* Bytes leave a stack, for the home or for a peer: all that it must give, and no byte that was not stored. In a block without lines the
 * slice has given them just before; they may overlap with those that it gives next. */
static void give(judge_t *j, block_t *b, unsigned party, uint64_t line, const line_be_t *mask, const char *where)
{
    holder_t *h = &b->of[party];
    line_be_t *must = &h->must[off_of(line)], all = h->can[off_of(line)];
    const bool part = h->thin && !be_none(mask);
    be_add(&all, must);
    if ((!part && be_beyond(must, mask)) || be_beyond(mask, &all))
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "gives bytes %s of line %u %s; %s were stored",
                           judge_be_text(mask).s, off_of(line), where, judge_be_text(must).s);
    if (part) {
        be_add(&h->can[off_of(line)], mask);
        for (unsigned w = 0; w < BE_WORDS; w++)
            must->w[w] &= ~mask->w[w];
    } else {
        *must = (line_be_t){{0}};
    }
}

/* The DONE of a probe: the state before and after it. */
static void done(judge_t *j, block_t *b, unsigned smd, const smd_ack_t *a)
{
    const unsigned party = party_of(smd), kind = b->of[party].probe.kind % 3;
    holder_t *h = &b->of[party];
    const bool sends = h->probe.to_peer && kind != PROBE_CLEAN && a->state < 6 && OF(I) << a->state & OWNERS;
    if (!h->probed || a->state > NMOESI_M || !(h->may >> a->state & 1) || a->sent != sends) {
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "answers %s in %s%s; it was in %s",
                           !h->probed            ? "a probe that was not sent"
                           : kind == PROBE_READ  ? "PROBE_READ"
                           : kind == PROBE_WRITE ? "PROBE_WRITE"
                                                 : "PROBE_CLEAN",
                           judge_state_name(a->state), a->sent ? ", sent to a peer" : "", judge_states(h->may));
        return;
    }
    const bool stays = kind == PROBE_CLEAN && h->probe.keep && (a->state == NMOESI_E || a->state == NMOESI_M);
    const unsigned to = stays ? NMOESI_E : judge_after_probe[kind][a->state];
    if (count(&b->asked[party]) || (to == NMOESI_I ? count(&b->held[party]) : !stays && count(&b->alone[party])))
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party,
                           "goes from %s to %s, but has not probed its slice for all lines", judge_state_name(a->state),
                           judge_state_name(to));
    for (unsigned k = 0; k < BLOCK_LINES && kind != PROBE_READ && !sends; k++)
        if (!be_none(&h->must[k]))
            give(j, b, party, k, &(line_be_t){{0}}, "to the home");
    h->may = (uint8_t)(OF(I) << to);
    if (h->late)
        h->may = touched(h->may);
    h->probed = false;
    if (j->coherence->job[smd] == b->block) /* unless the next probe was taken before this DONE was sent */
        j->coherence->cause[smd] = 0;
}

void judge_block_answered(judge_t *j, unsigned smd, const smd_ack_t *a)
{
    const unsigned party = party_of(smd);
    block_t *b = judge_record_of(j, a->line);
    if (!b)
        return;
    holder_t *h = &b->of[party];
    if (a->kind == SMD_BYTES) {
        const line_be_t mask = judge_bytes_of(&a->mask);
        give(j, b, party, a->line, &mask, "to the home");
        if (!be_none(&mask) && !h->thin)
            b->gave |= (uint8_t)(1u << party);
    } else if (a->kind == SMD_DONE) {
        done(j, b, smd, a);
    } else if (a->kind == SMD_GET) {
        const bool here = judge_at_home(j, party, a->line);
        if (!h->thin || h->may == OF(I) || has(&h->gets, a->line) || here)
            judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "sends GET for line %u%s, in %s", off_of(a->line),
                               here                     ? ", which is at home there"
                               : has(&h->gets, a->line) ? " again"
                                                        : "",
                               judge_states(h->may));
        put(&h->gets, a->line, true);
    } else {
        const bool fetch = h->gone ? h->gone_fetch : h->op <= SMD_OWN;
        j->coherence->fetches[smd] -= fetch && j->coherence->fetches[smd];
    }
    if (a->kind == SMD_ARRIVED && h->gone) {
        h->gone = false;
    } else if (a->kind == SMD_ARRIVED) {
        if (!h->asks || !whole(h))
            judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "sends ARRIVED with %u of %u lines",
                               count(&h->come), BLOCK_LINES);
        h->asks = false;
    }
}

void judge_block_peer(judge_t *j, unsigned smd, const smd_peer_t *p)
{
    const unsigned party = party_of(smd);
    block_t *b = judge_record_of(j, p->line);
    if (!b)
        return;
    holder_t *h = &b->of[party];
    const line_be_t mask = judge_bytes_of(&p->mask);
    if (h->probe.kind == PROBE_WRITE) {
        give(j, b, party, p->line, &mask, "to a peer");
        b->moving[off_of(p->line)] = mask;
    } else if (!be_none(&mask) || !h->probe.to_peer) {
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "sends line %u with marks to a peer that only reads",
                           off_of(p->line));
    }
}

void judge_block_came(judge_t *j, unsigned smd, const smd_data_t *d)
{
    const unsigned party = party_of(smd);
    block_t *b = judge_record_of(j, d->line);
    if (!b)
        return;
    holder_t *h = &b->of[party];
    const line_be_t mask = judge_bytes_of(&d->mask);
    line_be_t *moving = &b->moving[off_of(d->line)];
    if (!d->grant && h->thin && has(&h->gets, d->line) && be_none(&mask)) {
        put(&h->gets, d->line, false);
        return;
    }
    if (!h->asks || (d->grant ? h->granted : h->op > SMD_OWN || h->thin || has(&h->come, d->line))) {
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "gets %s that it has not requested",
                           d->grant ? "a grant" : "a line");
    } else if (d->grant) {
        h->granted = true;
        if (h->op <= SMD_OWN) {
            if (h->thin)
                memset(h->can, 0, sizeof h->can);
            h->may = (uint8_t)(OF(I) << d->state);
            if (h->touched)
                h->may = touched(h->may);
            j->coherence->fetches[smd]++;
            judge_check_alone(j, b, party, "a grant arrives beside other holders");
        }
    } else {
        put(&h->come, d->line, true);
        if (be_beyond(&mask, moving) || be_beyond(moving, &mask))
            judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "gets line %u with other marks than were sent",
                               off_of(d->line));
        h->must[off_of(d->line)] = mask;
        h->can[off_of(d->line)] = *moving = (line_be_t){{0}};
    }
}

void judge_block_moved(judge_t *j, unsigned smd, unsigned from, unsigned to)
{
    const unsigned cause = j->coherence->cause[smd] | (j->coherence->fetches[smd] ? BY_GRANT : 0) | BY_BYTES;
    if (from > NMOESI_M || to > NMOESI_M || !(moves[from][to] & cause))
        judge_differ_block(j, 0, party_of(smd), "its SMD %u changes a block from %s to %s%s, which nothing permits",
                           smd, judge_state_name(from), judge_state_name(to),
                           cause & BY_WRITE ? " for PROBE_WRITE" : "");
}
