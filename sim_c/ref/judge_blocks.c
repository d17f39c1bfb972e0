/* See judge_blocks.h and judge_coherence.h: the records, their words, and who may hold a block together. */
#include "sim_c/ref/judge_blocks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block's state after a probe: what another's reading or storing does to it (paper, NMOESI table; O stays O, docs/coherence.md), and the home's asking for bytes. */
const uint8_t judge_after_probe[3][6] = {
    [PROBE_READ] = {[NMOESI_I] = NMOESI_I,
                    [NMOESI_N] = NMOESI_N,
                    [NMOESI_S] = NMOESI_S,
                    [NMOESI_E] = NMOESI_S,
                    [NMOESI_O] = NMOESI_O,
                    [NMOESI_M] = NMOESI_O},
    [PROBE_WRITE] = {[NMOESI_I] = NMOESI_I,
                     [NMOESI_N] = NMOESI_I,
                     [NMOESI_S] = NMOESI_I,
                     [NMOESI_E] = NMOESI_I,
                     [NMOESI_O] = NMOESI_I,
                     [NMOESI_M] = NMOESI_I},
    [PROBE_CLEAN] = {[NMOESI_I] = NMOESI_I,
                     [NMOESI_N] = NMOESI_S,
                     [NMOESI_S] = NMOESI_S,
                     [NMOESI_E] = NMOESI_S,
                     [NMOESI_O] = NMOESI_S,
                     [NMOESI_M] = NMOESI_S},
};

judge_coherence_t *judge_coherence_new(void)
{
    return calloc(1, sizeof(judge_coherence_t));
}

void judge_coherence_free(judge_coherence_t *c)
{
    if (!c)
        return;
    map_free(&c->of);
    free(c->block);
    free(c);
}

void judge_coherence_reset(judge_t *j)
{
    judge_coherence_t *c = j->coherence;
    map_clear(&c->of);
    c->blocks = 0;
    memset(c->read, 0, sizeof c->read);
    memset(c->cause, 0, sizeof c->cause);
    memset(c->fetches, 0, sizeof c->fetches);
    c->tells = false;
}

block_t *judge_record_of(judge_t *j, uint64_t line)
{
    judge_coherence_t *c = j->coherence;
    uint64_t *number = map_put(&c->of, line / BLOCK_LINES);
    if (number && !*number) {
        block_t *at = judge_room(j, c->block, c->blocks, &c->room, sizeof *at);
        if (at) {
            c->block = at;
            *number = ++c->blocks;
            memset(&at[*number - 1], 0, sizeof *at);
            at[*number - 1].block = line / BLOCK_LINES;
            for (unsigned d = 0; d < DEVICES; d++)
                at[*number - 1].of[d].may = OF(I);
        }
    } else if (!number) {
        judge_out_of_memory(j);
    }
    return number && *number ? &c->block[*number - 1] : NULL;
}

const char *judge_state_name(unsigned s)
{
    static const char *const name[] = {"I", "N", "S", "E", "O", "M"};
    return s < 6 ? name[s] : "an unknown state";
}

const char *judge_states(unsigned set)
{
    static _Thread_local char text[8][32];
    static _Thread_local unsigned k;
    char *to = text[k++ % 8];
    unsigned n = 0;
    to[0] = 0;
    for (unsigned s = 0; s < 6; s++)
        if (set >> s & 1)
            n += (unsigned)snprintf(to + n, sizeof text[0] - n, "%s%s", n ? " or " : "", judge_state_name(s));
    return to;
}

const char *judge_everybody(const block_t *b)
{
    static _Thread_local char text[64 * PARTIES];
    unsigned n = 0;
    for (unsigned d = 0; d < DEVICES; d++)
        n += (unsigned)snprintf(text + n, sizeof text - n, "device %u has it in %s, its slice %u lines; ", d,
                                judge_states(b->of[d].may), count(&b->held[d]));
    snprintf(text + n, sizeof text - n, "the host %u lines", count(&b->held[HOST]));
    return text;
}

void judge_check_alone(judge_t *j, const block_t *b, unsigned party, const char *why)
{
    unsigned holders = 0, owners = 0, exclusive = 0;
    for (unsigned d = 0; d < DEVICES; d++) {
        holders += b->of[d].may != OF(I);
        owners += (b->of[d].may & OWNERS) != 0;
        exclusive += (b->of[d].may & ALONE) != 0;
    }
    const bool host = count(&b->held[HOST]), host_alone = count(&b->alone[HOST]);
    if ((exclusive && (holders > 1 || host)) || owners > 1 || (owners && host) || (host_alone && holders))
        judge_differ_block(j, b->block * INTERLEAVE_BYTES, party, "%s: %s", why, judge_everybody(b));
}

void judge_check_home(judge_t *j, block_t *b)
{
    const bool several = b->gave & (b->gave - 1);
    for (unsigned d = 0; d < DEVICES && b->gave; d++)
        if (b->of[d].may != OF(I) && (several || !(b->gave >> d & 1)))
            judge_differ_block(j, b->block * INTERLEAVE_BYTES, d, "holds the block, but bytes of %s have come home: %s",
                               several ? "several devices" : "another device", judge_everybody(b));
    b->gave = 0;
}
