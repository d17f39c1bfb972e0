/* The slice's side: its requests and their answers, probes of it and its acknowledgements. */
#ifndef VERIF_COHERENCE_SMD_SCOREBOARD_SLICE_H
#define VERIF_COHERENCE_SMD_SCOREBOARD_SLICE_H
#include "verif/coherence/smd/scoreboard_lines.h"

static const char *sb_request(sb_t *s, const home_req_t *r)
{
    sb_line_t *l = sb_find(s, r->line);
    if (r->op != HOME_WRITE_BACK) {
        l->get = GET_NONE;
        l->taken_since = s->now;
        return NULL;
    }
    l->offered = false;
    if (l->st == NMOESI_I)
        l->ask = false;
    return mask_none(r->be) ? NULL : sb_give(s, l, false, r->be, r->be, &r->data);
}

static const char *sb_response(sb_t *s, const home_rsp_t *r)
{
    sb_line_t *l = NULL;
    for (unsigned i = 0; i < SB_LINES && !l; i++)
        if (s->line[i].awaited && s->line[i].id == r->id)
            l = &s->line[i];
    if (!l)
        return "an answer that nobody waits for";
    if (l->probed)
        return "a line is granted while a probe of it has no acknowledgement";
    if (s->far ? l->get != GET_COME : !l->here)
        return "a line is granted that the SMD does not hold";
    if (r->state == NMOESI_I || r->state == NMOESI_O || r->state > NMOESI_M)
        return "a grant of I or O";
    if (l->op == HOME_READ_OWN && r->state != NMOESI_E && r->state != NMOESI_M)
        return "READ_OWN is answered with less than E";
    if ((r->state == NMOESI_E || r->state == NMOESI_M) && !sb_alone(&s->block[l->block]))
        return "E is granted, and the SMD does not hold the block alone";
    if (l->count)
        return "a line is granted without bytes that were given before";
    if (memcmp(&r->data, s->far ? &l->fetched : &l->cell, sizeof l->cell))
        return "a line is granted with other bytes than it has";
    l->awaited = false;
    l->st = l->op == HOME_READ_OWN ? NMOESI_M : r->state;
    l->own = (sb_mask_t){{0}};
    l->bytes = r->data;
    s->answered = l;
    return NULL;
}

static const char *sb_asked(sb_t *s, const home_probe_t *p)
{
    sb_line_t *l = sb_find(s, p->line);
    if (!l || l->block != s->job_block || !s->block[l->block].job)
        return "the slice is asked for a line that nobody asked for";
    if (l->asked)
        return "the slice is asked twice";
    if (p->kind != (s->block[l->block].probe.kind == PROBE_WRITE ? PROBE_WRITE : PROBE_CLEAN))
        return "the slice is asked for something else";
    l->asked = l->probed = true;
    return NULL;
}

static const char *sb_acked(sb_t *s, const home_ack_t *a)
{
    sb_line_t *l = sb_find(s, a->line);
    l->probed = false;
    const char *why = mask_none(a->be) ? NULL : sb_give(s, l, false, a->be, a->be, &a->data);
    l->must = sb_fold(l);
    l->must_when = s->now;
    return why;
}
#endif
