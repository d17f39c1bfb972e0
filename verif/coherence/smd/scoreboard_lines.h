/* Lines and blocks: their places in the stack, their state after a change of policy, and the bytes that are given to the SMD. */
#ifndef VERIF_COHERENCE_SMD_SCOREBOARD_LINES_H
#define VERIF_COHERENCE_SMD_SCOREBOARD_LINES_H
#include "verif/coherence/smd/scoreboard_state.h"
#include "verif/common/places.h"

static uint64_t sb_stack_line(const sb_t *s, const sb_line_t *l)
{
    return ((uint64_t)s->block[l->block].place * CHANNELS + s->channel) * SB_LPB + l->addr % SB_LPB;
}

/* Where a near line stands in the stack of its home device. */
static uint64_t sb_home_line(const sb_t *s, const sb_line_t *l)
{
    const uint64_t n = s->block[l->block].block, h = s->memory == MEMORY_MEMCPY ? n / DEVICES : n;
    return (h % (STACK_BYTES / INTERLEAVE_BYTES) * CHANNELS + s->channel) * SB_LPB + l->addr % SB_LPB;
}

/* A line stands at this line of the stack. */
static bool sb_stands(const sb_t *s, const sb_line_t *l, uint64_t stack_line)
{
    const sb_block_t *b = &s->block[l->block];
    return s->far ? b->near && !b->out && sb_home_line(s, l) == stack_line : sb_stack_line(s, l) == stack_line;
}

/* Another policy, when nothing is held: memory keeps its bytes. */
static void sb_policy(sb_t *s, uint8_t memory)
{
    for (unsigned i = 0; i < SB_LINES; i++)
        if (s->block[s->line[i].block].near)
            s->line[i].home = s->line[i].truth = s->line[i].cell;
    s->memory = memory;
    s->far = memory != MEMORY_UMH;
    for (unsigned k = 0; k < SB_BLOCKS; k++) {
        sb_block_t *b = &s->block[k];
        b->near = (memory == MEMORY_MEMCPY && b->block % DEVICES == s->device)
                  || (memory == MEMORY_MANAGED && s->device == 0);
        b->out = false;
        for (unsigned i = 0; i < k && b->near; i++)
            b->out |=
                s->block[i].near && sb_home_line(s, &s->line[i * SB_LPB]) == sb_home_line(s, &s->line[k * SB_LPB]);
    }
    for (unsigned i = 0; i < SB_LINES; i++)
        if (s->block[s->line[i].block].near) {
            s->line[i].cell = s->line[i].home;
            s->line[i].marks = s->line[i].to_clear = (sb_mask_t){{0}};
        }
}

static sb_line_t *sb_find(sb_t *s, uint64_t addr)
{
    for (unsigned b = 0; b < SB_BLOCKS; b++)
        if (s->line[b * SB_LPB].addr / SB_LPB == addr / SB_LPB)
            return &s->line[b * SB_LPB + addr % SB_LPB];
    return NULL;
}

static bool sb_alone(const sb_block_t *b)
{
    return b->held == HELD_ALONE || ((b->tx == TX_LINES || b->tx == TX_GRANTED) && b->req.op == SMD_OWN);
}

/* The marks when all that was given will have been written. */
static sb_mask_t sb_fold(const sb_line_t *l)
{
    sb_mask_t m = mask_without(l->marks, l->to_clear);
    for (unsigned i = 0; i < l->count; i++) {
        const sb_given_t *g = &l->given[(l->first + i) % SB_GIVEN];
        m = g->whole ? g->marks : mask_or(m, g->marks);
    }
    return m;
}

static const char *sb_give(sb_t *s, sb_line_t *l, bool whole, sb_mask_t be, sb_mask_t marks, const sb_data_t *data)
{
    if (l->count == SB_GIVEN)
        return "bytes are taken, and never written to the stack";
    l->given[(l->first + l->count++) % SB_GIVEN] =
        (sb_given_t){.whole = whole, .when = s->now, .be = be, .marks = marks, .data = *data};
    bytes_put(&l->truth, data, be);
    return NULL;
}
#endif
