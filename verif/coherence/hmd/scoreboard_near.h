/* With memcpy and managed, memory is the stack of a block's home device (sb_home): the HMD's reads and writes there are in one order with its grants, and the home device itself
 * reads and writes it without messages. So a grant comes after all bytes that the HMD had been given for it. */
#ifndef VERIF_COHERENCE_HMD_SCOREBOARD_NEAR_H
#define VERIF_COHERENCE_HMD_SCOREBOARD_NEAR_H
#include "verif/coherence/hmd/scoreboard_blocks.h"

/* The home device reads or writes its stack. */
static void sb_near_get(bench_t *b, sb_t *s, unsigned d, unsigned k, unsigned l)
{
    sb_held_t *h = &s->held[d][k];
    for (unsigned i = 0; i < LINE_BYTES && !b->failed; i++) {
        const uint8_t byte = s->memory[k][l][i], truth = s->truth[k][l].byte[i];
        BENCH_CHECK(
            b, byte == truth || !(sb_alone(h->st) || s->truth[k][l].agent[i] == d) || !s->truth[k][l].when[i],
            "device %u finds line %u of block %u in its stack, and byte %u is not what agent %u has stored last", d, l,
            k, i, s->truth[k][l].agent[i]);
        h->line[l].byte[i] = byte;
        h->line[l].mask[i] = false;
    }
    h->have[l] = true;
}

static void sb_near_put(sb_t *s, unsigned d, unsigned k, unsigned l)
{
    sb_copy_t *c = &s->held[d][k].line[l];
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (c->mask[i]) {
            s->memory[k][l][i] = s->home[k][l].byte[i] = c->byte[i];
            s->home[k][l].when[i] = s->home[k][l].cache[i] = s->now;
            c->mask[i] = false;
        }
}
#endif
