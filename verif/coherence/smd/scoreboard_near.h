/* Blocks that are *near* (memcpy, managed: at home here), without messages about their bytes: the slice's bytes and reads go to the stack, and so do the HMD's (`mem`), each once.
 * The older of two requests for a line is performed first: two of the HMD's; one of the HMD's and one of the slice's that was taken later, or that had to wait for a
 * grant behind it; and bytes that DONE has reported and one of the HMD's that came after it. */
#ifndef VERIF_COHERENCE_SMD_SCOREBOARD_NEAR_H
#define VERIF_COHERENCE_SMD_SCOREBOARD_NEAR_H
#include "verif/coherence/smd/scoreboard_home.h"

static sb_mask_t sb_all(sb_mask_t m)
{
    return mask_none(m) ? be_all() : m;
}

/* The stack has taken a request, and is home of the line. */
static const char *sb_near(sb_t *s, const stack_req_t *r)
{
    sb_line_t *l = NULL;
    sb_mem_t *m = NULL; /* the HMD's oldest request for the line */
    for (unsigned i = 0; i < SB_LINES && !l; i++)
        l = sb_stands(s, &s->line[i], r->line) ? &s->line[i] : NULL;
    if (!l)
        return "the stack is used for a line that is not at home here";
    for (unsigned i = 0; i < s->mems && !m; i++)
        m = s->mem[i].line == l && !s->mem[i].performed ? &s->mem[i] : NULL;
    const sb_given_t *g = &l->given[l->first];
    const sb_block_t *b = &s->block[l->block];
    if (!r->write && r->id < L2_MSHRS) {
        const uint64_t since = b->granted_since > l->taken_since ? b->granted_since : l->taken_since;
        if (!l->awaited || (l->id & ((1u << (HOME_ID_W - 1)) - 1)) != r->id)
            return "the stack is read for the slice, which did not ask for that line";
        if (m && m->when <= since)
            return "a read of the slice passes what the HMD asked for before";
        const char *why = sb_reads(s, l);
        l->get = GET_COME;
        l->fetched = l->cell;
        return why;
    }
    if (!r->write) {
        if (!m || m->ask.mem != SMD_MEM_READ)
            return "the stack is read for the HMD, which did not ask for that line, or for something else before";
        if (sb_known(l, m->when))
            return "a read of the HMD passes bytes that it had been told of";
        m->performed = true;
        m->got = l->cell;
        return NULL;
    }
    if (mask_any(&r->marks))
        return "bytes that are home are marked";
    if (mask_none(r->be))
        return NULL; /* a write-back without bytes */
    if (l->count && mask_same(g->be, r->be) && bytes_same(&g->data, &r->data, r->be)) {
        if (m && m->when <= g->when)
            return "bytes of the slice pass what the HMD asked for before";
        bytes_put(&l->cell, &r->data, r->be);
        return sb_home(s, l);
    }
    if (!m || m->ask.mem != SMD_MEM_WRITE || !mask_same(sb_all(be_of_mask(&m->ask.mask)), r->be)
        || !bytes_same(&m->ask.data, &r->data, r->be))
        return "something is written where it is at home that nobody gave, or before what was given earlier";
    if (sb_known(l, m->when))
        return "a write of the HMD passes bytes that it had been told of";
    bytes_put(&l->cell, &r->data, r->be);
    memmove(m, m + 1, (size_t)(s->mem + --s->mems - m) * sizeof *m);
    return NULL;
}

/* The HMD reads or writes the stack. */
static const char *sb_hmd_asks(sb_t *s, const smd_data_t *d)
{
    if (s->mems == SB_MEMS)
        return "reads and writes of the HMD are taken, and never performed";
    s->mem[s->mems++] = (sb_mem_t){.line = sb_find(s, d->line), .ask = *d, .when = s->now};
    return NULL;
}

/* The answer to a read of the HMD's. */
static const char *sb_answers(sb_t *s, const smd_peer_t *a)
{
    for (unsigned i = 0; i < s->mems; i++) {
        sb_mem_t *m = &s->mem[i];
        if (!m->performed || m->ask.id != a->id)
            continue;
        if (a->line != m->line->addr || a->device || mask_any(&a->mask) || memcmp(&a->data, &m->got, sizeof m->got))
            return "the HMD's read is answered with another line than the stack had";
        memmove(m, m + 1, (--s->mems - i) * sizeof *m);
        return NULL;
    }
    return "an answer to the HMD, which did not ask, or before the stack has been read";
}
#endif
