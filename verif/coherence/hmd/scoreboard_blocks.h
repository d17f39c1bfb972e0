/* Blocks: their homes, their legal holders, and the bytes of these. */
#ifndef VERIF_COHERENCE_HMD_SCOREBOARD_BLOCKS_H
#define VERIF_COHERENCE_HMD_SCOREBOARD_BLOCKS_H
#include "verif/coherence/hmd/scoreboard_state.h"

/* The home device of a block, which has it in its stack. */
static unsigned sb_home(const sb_t *s, unsigned k)
{
    return s->policy == MEMORY_MEMCPY ? (unsigned)(s->block[k].first / SB_LPB / CHANNELS % DEVICES) : 0;
}

static bool sb_near(const sb_t *s, unsigned d, unsigned k)
{
    return s->stacks && sb_home(s, k) == d;
}

/* The last-level cache stores into such a block coherently only. */
static bool sb_coherent(unsigned k)
{
    return k % 2 == 0;
}

/* After bytes of its slice. */
static uint8_t sb_touched(uint8_t st)
{
    return st == NMOESI_S ? NMOESI_N : st == NMOESI_E ? NMOESI_M : st;
}

static bool sb_alone(uint8_t st)
{
    return st == NMOESI_E || st == NMOESI_M;
}

static unsigned sb_find(const sb_t *s, uint64_t line)
{
    unsigned k = 0;
    while (k < SB_BLOCKS && s->block[k].first != line / SB_LPB * SB_LPB)
        k++;
    return k;
}

/* Whoever holds it in E or M holds it alone; one is owner at most. */
static void sb_single(bench_t *b, const sb_t *s, unsigned k)
{
    unsigned alone = 0, owner = 0, holders = 0;
    bool lines = false, line_alone = false;
    for (unsigned d = 0; d < DEVICES; d++) {
        const uint8_t st = s->held[d][k].st;
        alone += sb_alone(st);
        owner += sb_alone(st) || st == NMOESI_O;
        holders += st != NMOESI_I;
    }
    for (unsigned l = 0; l < SB_LPB; l++) {
        lines |= s->cache[k][l].st != NMOESI_I;
        line_alone |= sb_alone(s->cache[k][l].st);
    }
    BENCH_CHECK(b, owner <= 1 && (!alone || holders == 1), "block %u: somebody holds it in E or M, and not alone", k);
    BENCH_CHECK(b, !owner || !lines, "block %u: it has an owner, and the last-level cache lines of it", k);
    BENCH_CHECK(b, !line_alone || !holders,
                "block %u: the last-level cache holds a line alone, and a device holds the block", k);
}

/* Agent `a` has been granted line l of block k, with these bytes. `exact`: no other agent has bytes of it; else bytes that others have in their masks, or stored after
 * the first of them had answered, may be missing. */
static void sb_compare(bench_t *b, const sb_t *s, unsigned a, unsigned k, unsigned l, const sb_copy_t *c, bool exact)
{
    for (unsigned i = 0; i < LINE_BYTES && !b->failed; i++) {
        if (c->byte[i] == s->truth[k][l].byte[i])
            continue;
        bool excused = s->truth[k][l].when[i] >= s->block[k].first_answer;
        for (unsigned d = 0; d < DEVICES; d++)
            excused |= d != a && s->held[d][k].st != NMOESI_I && s->held[d][k].line[l].mask[i];
        excused |= a != SB_CACHE && s->cache[k][l].copy.mask[i];
        if (s->far) /* given back, and not received yet, or just now */
            excused |= s->home[k][l].byte[i] != s->truth[k][l].byte[i] || s->home[k][l].when[i] >= s->cache[k][l].when;
        BENCH_CHECK(b, excused && !exact,
                    "agent %u is granted line %u of block %u, and byte %u is not what agent %u has stored last", a, l,
                    k, i, s->truth[k][l].agent[i]);
    }
}
#endif
