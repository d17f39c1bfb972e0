/* The stack: a write has the oldest bytes given for its line, or clears the marks of bytes that go to the home; a read for a probe has all bytes given before it. */
#ifndef VERIF_COHERENCE_SMD_SCOREBOARD_STACK_H
#define VERIF_COHERENCE_SMD_SCOREBOARD_STACK_H
#include "verif/coherence/smd/scoreboard_near.h"

static const char *sb_clears(sb_line_t *l, const stack_req_t *r)
{
    if (!mask_same(r->be, l->to_clear))
        return "marks are cleared of other bytes than were sent";
    if (!bytes_same(&r->data, &l->cell, r->be))
        return "clearing marks changes bytes";
    l->marks = mask_without(l->marks, r->be);
    l->to_clear = (sb_mask_t){{0}};
    return NULL;
}

/* The stack has taken a request. */
static const char *sb_stack(sb_t *s, const stack_req_t *r)
{
    if (s->memory == MEMORY_MEMCPY || s->memory == MEMORY_MANAGED)
        return sb_near(s, r);
    if (s->far)
        return "the stack is used";
    for (unsigned i = 0; i < SB_LINES; i++) {
        sb_line_t *l = &s->line[i];
        if (sb_stack_line(s, l) != r->line)
            continue;
        if (!r->write) {
            if (r->id < L2_MSHRS || l->block != s->job_block || !s->block[l->block].job)
                continue;
            if (l->count && l->given[l->first].when <= l->must_when)
                return "the stack is read for a probe before older bytes are written";
            if (!mask_within(l->must, l->marks) || !mask_none(l->to_clear) || l->got_valid)
                return "the stack is read for a probe too soon, or twice";
            l->got_valid = true;
            l->got = l->marks;
            l->got_data = l->cell;
            for (unsigned k = 0; k < l->count; k++) {
                const sb_given_t *g = &l->given[(l->first + k) % SB_GIVEN];
                if (s->maint && g->when <= s->maint_since)
                    l->late = mask_or(l->late, mask_without(l->flush, mask_without(l->flush, g->be)));
            }
            sb_block_t *b = &s->block[l->block];
            const sb_held_e held = b->held;
            static const sb_mask_t none;
            if (b->probe.to_peer && b->probe.kind != PROBE_CLEAN && (held == HELD_ALONE || held == HELD_OWNED)) {
                if (s->peers == SB_PEERS)
                    return "lines for peers are read, and never sent";
                s->peer[s->peers].since = s->now;
                s->peer[s->peers++].line =
                    (smd_peer_t){.device = b->probe.peer,
                                 .line = l->addr,
                                 .mask = mask_of_be(b->probe.kind == PROBE_READ ? &none : &l->got),
                                 .data = l->got_data};
                b->sent_peer++;
            } else if (b->probe.kind == PROBE_CLEAN) {
                l->to_clear = l->got;
            }
            return NULL;
        }
        const sb_given_t *g = &l->given[l->first];
        if (!mask_none(l->to_clear) && !mask_any(&r->marks) && mask_same(r->be, l->to_clear))
            return sb_clears(l, r); /* checked before writes of the same form */
        if (l->count && mask_same(g->be, r->be) && mask_same(g->marks, be_of_mask(&r->marks))
            && bytes_same(&g->data, &r->data, r->be)) {
            if (!mask_none(l->to_clear))
                return "bytes are written to the stack between those that were sent and their clearing";
            bytes_put(&l->cell, &r->data, r->be);
            l->marks = g->whole ? g->marks : mask_or(l->marks, g->marks);
            l->first = (l->first + 1) % SB_GIVEN;
            l->count--;
            return NULL;
        }
        if (!mask_none(l->to_clear) && !mask_any(&r->marks))
            return sb_clears(l, r);
        if (r->write && mask_none(r->be))
            return NULL; /* a write-back without bytes */
    }
    return r->write           ? "something is written to the stack that nobody gave, or before what was given earlier"
           : r->id < L2_MSHRS ? NULL
                              : "the stack is read for a probe of another block";
}
#endif
