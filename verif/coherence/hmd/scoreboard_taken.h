/* With memory = zerocopy a device holds a right to a block, and lines of it that it has got one by one (GET); it gives bytes back (BYTES) at any time. A GET is
 * answered with the home's bytes after all BYTES that the HMD took before it: `home`. */
#ifndef VERIF_COHERENCE_HMD_SCOREBOARD_TAKEN_H
#define VERIF_COHERENCE_HMD_SCOREBOARD_TAKEN_H
#include "verif/coherence/hmd/scoreboard_blocks.h"
#include "verif/coherence/hmd/scoreboard_bytes.h"

/* The HMD has taken GET, or BYTES. */
static void sb_get(sb_t *s, unsigned d, const smd_ack_t *a)
{
    const unsigned k = sb_find(s, a->line), l = (unsigned)(a->line % SB_LPB);
    sb_get_t *g = &s->held[d][k].get[l];
    g->taken = true;
    g->when = s->now;
    g->since = s->awake;
    memcpy(g->want, s->home[k][l].byte, sizeof g->want);
}

/* Bytes have been taken that are to be written to memory once. */
static void sb_pend(bench_t *b, sb_t *s, uint64_t line, line_be_t mask, const line_data_t *data, bool cache, bool ack)
{
    BENCH_CHECK(b, s->taken < SB_TAKEN, "bytes are taken, and never written to memory");
    if (b->failed || be_none(&mask))
        return;
    s->bytes[s->taken].line = line;
    s->bytes[s->taken].mask = mask;
    s->bytes[s->taken].cache = cache;
    s->bytes[s->taken].ack = ack;
    s->bytes[s->taken].when = s->now;
    s->bytes[s->taken++].data = *data;
}

static void sb_bytes(bench_t *b, sb_t *s, const smd_ack_t *a)
{
    const unsigned k = sb_find(s, a->line), l = (unsigned)(a->line % SB_LPB);
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (mask_has(&a->mask, i)) {
            s->home[k][l].byte[i] = sb_byte(&a->data, i);
            s->home[k][l].when[i] = s->now;
        }
    sb_pend(b, s, a->line, be_of_mask(&a->mask), &a->data, false, false);
}

/* The answer to a GET. */
static void sb_fetched(bench_t *b, sb_t *s, unsigned d, const smd_data_t *a)
{
    const unsigned k = sb_find(s, a->line), l = (unsigned)(a->line % SB_LPB);
    BENCH_CHECK(b, k < SB_BLOCKS && d < DEVICES && s->held[d][k].get[l].taken,
                "a line comes that was not asked for by GET");
    if (b->failed)
        return;
    sb_held_t *h = &s->held[d][k];
    sb_get_t *g = &h->get[l];
    for (unsigned i = 0; i < LINE_BYTES && !b->failed; i++) {
        const uint8_t byte = sb_byte(&a->data, i), truth = s->truth[k][l].byte[i];
        BENCH_CHECK(b, !mask_has(&a->mask, i), "a line of the home has marks");
        BENCH_CHECK(b, byte == g->want[i] || s->home[k][l].cache[i] >= g->when,
                    "device %u gets line %u of block %u, and byte %u is not what home had", d, l, k, i);
        BENCH_CHECK(b, byte == truth || !(sb_alone(h->st) || s->truth[k][l].agent[i] == d) || !s->truth[k][l].when[i],
                    "device %u gets line %u of block %u, and byte %u is not what agent %u has stored last", d, l, k, i,
                    s->truth[k][l].agent[i]);
        h->line[l].byte[i] = byte;
        h->line[l].mask[i] = false;
    }
    g->asked = g->taken = false;
    h->have[l] = true;
}
#endif
