/* Maintenance: bytes that must be at home, and blocks that may not be held, when it is done. */
#ifndef VERIF_COHERENCE_SMD_SCOREBOARD_MAINT_H
#define VERIF_COHERENCE_SMD_SCOREBOARD_MAINT_H
#include "verif/coherence/smd/scoreboard_home.h"

static bool sb_in_scope(const sb_t *s, uint64_t block_first)
{
    switch (s->order.op) {
    case L2_FLUSH_ALL:
    case L2_INVAL_ALL: return true;
    case L2_FLUSH_LINE:
    case L2_INVAL_LINE: return s->order.line / SB_LPB == block_first / SB_LPB;
    default: {
        const uint64_t page = 4096 / LINE_BYTES, p = s->order.line / page;
        return SB_LPB >= page ? p * page / SB_LPB == block_first / SB_LPB : block_first / page == p;
    }
    }
}

static void sb_maintain(sb_t *s, const maint_t *m)
{
    s->maint = true;
    s->maint_since = s->now;
    s->order = *m;
    for (unsigned b = 0; b < SB_BLOCKS; b++) {
        sb_block_t *k = &s->block[b];
        const bool in = sb_in_scope(s, s->line[b * SB_LPB].addr), flush = m->op <= L2_FLUSH_ALL;
        k->held_before = in && !flush && (k->held != HELD_NONE || (k->tx != TX_NONE && k->req.op <= SMD_OWN));
        for (unsigned i = 0; i < SB_LPB; i++) {
            sb_line_t *l = &s->line[b * SB_LPB + i];
            l->flush = l->late = (sb_mask_t){{0}};
            l->share = s->far && in && flush && (l->shared || sb_news(s, l, s->now));
            if (!in || !flush || s->far)
                continue;
            const bool read = k->job && l->got_valid;
            l->flush = mask_same(l->sent, l->to_clear) ? mask_without(l->marks, l->to_clear) : l->marks;
            for (unsigned g = 0; g < l->count; g++) {
                const sb_given_t *x = &l->given[(l->first + g) % SB_GIVEN];
                l->flush = x->whole ? x->marks : mask_or(l->flush, x->be);
                l->late = read ? mask_or(l->late, x->be) : l->late;
            }
        }
    }
}

static const char *sb_maintained(sb_t *s)
{
    if (!s->maint)
        return "maintenance done that nobody asked for";
    s->maint = false;
    for (unsigned i = 0; i < SB_LINES; i++) {
        const sb_line_t *l = &s->line[i];
        if (l->share && !(s->block[l->block].job && !l->probed)) /* DONE may be on its way */
            return "others may have copies without bytes that were given before maintenance";
        const bool going = s->block[l->block].job && l->got_valid; /* BYTES may be on their way */
        if (!mask_none(mask_or(going ? mask_without(l->flush, l->got) : l->flush, l->late)))
            return "bytes are not at home after maintenance";
    }
    for (unsigned b = 0; b < SB_BLOCKS; b++)
        if (s->block[b].held_before
            && !(s->block[b].job && s->block[b].probe.kind == PROBE_WRITE)) /* DONE may be on its way */
            return "a block is still held after maintenance";
    return NULL;
}
#endif
