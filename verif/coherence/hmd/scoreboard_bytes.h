/* Bytes of lines, as messages have them and as they are stored. Into a block that it does not hold alone an agent stores only into bytes of its own (byte number modulo the
 * number of agents), so that of two stores into a byte it is always known which one is older. */
#ifndef VERIF_COHERENCE_HMD_SCOREBOARD_BYTES_H
#define VERIF_COHERENCE_HMD_SCOREBOARD_BYTES_H
#include "verif/coherence/hmd/scoreboard_state.h"
#include "verif/coherence/grains.h"

static uint8_t sb_byte(const line_data_t *d, unsigned i)
{
    return (uint8_t)(d->w[i / 8] >> i % 8 * 8);
}

/* The bytes of a line, and its mask, as messages have them. `all`: bytes without a mask, too. */
static line_data_t sb_data(const sb_copy_t *c, bool all)
{
    line_data_t d = {{0}};
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (all || c->mask[i])
            d.w[i / 8] |= (uint64_t)c->byte[i] << i % 8 * 8;
    return d;
}

static line_be_t sb_mask(const sb_copy_t *c)
{
    line_be_t m = {{0}};
    for (unsigned i = 0; i < LINE_BYTES; i++)
        m.w[i / 64] |= (uint64_t)c->mask[i] << i % 64;
    return m;
}

/* Agent `a` stores at random into its copy of a line, whole grains unless it holds the line alone; true: something. */
static bool sb_store(sb_t *s, vl_rng_t *r, unsigned a, unsigned k, unsigned l, sb_copy_t *c, bool alone)
{
    const unsigned shape = vl_below(r, 5), one = vl_below(r, GRAINS);
    bool stored = false;
    for (unsigned g = 0; g < GRAINS; g++) {
        if ((shape == 0 && g != one) || (shape == 1 && vl_below(r, 8)) || (shape == 2 && (g ^ one) & GRAINS / 2)
            || (!alone && g % SB_AGENTS != a))
            continue;
        /* a part of it */
        const unsigned first = g * MASK_GRAIN, least = alone && MASK_GRAIN > 1 ? vl_below(r, MASK_GRAIN) : 0;
        memset(c->mask + first, true, MASK_GRAIN);
        for (unsigned i = first + least; i < first + MASK_GRAIN; i++) {
            c->byte[i] = s->truth[k][l].byte[i] = (uint8_t)vl_random(r);
            s->truth[k][l].agent[i] = (uint8_t)a;
            s->truth[k][l].when[i] = s->now;
        }
        stored = true;
    }
    return stored;
}
#endif
