/* Memory: the HMD's reads and writes there, and its bytes when nothing is under way. */
#ifndef VERIF_COHERENCE_HMD_SCOREBOARD_MEMORY_H
#define VERIF_COHERENCE_HMD_SCOREBOARD_MEMORY_H
#include "verif/coherence/hmd/scoreboard_blocks.h"
#include "verif/coherence/hmd/scoreboard_bytes.h"

static void sb_memory(bench_t *b, sb_t *s, const home_req_t *r)
{
    const bool write = r->op == HOME_WRITE_BACK;
    const unsigned k = sb_find(s, r->line);
    BENCH_CHECK(b, k < SB_BLOCKS, "memory is asked for a line that nobody named");
    if (b->failed)
        return;
    if (write) {
        bool found = false, cache = false;
        for (unsigned of = 0; of < 2 && !found;
             of++) { /* the oldest BYTES of this line, or those of the last-level cache */
            unsigned n = 0;
            while (n < s->taken && !(s->bytes[n].line == r->line && s->bytes[n].cache == of))
                n++;
            found = n < s->taken && !memcmp(&s->bytes[n].mask, &r->be, sizeof r->be);
            for (unsigned i = 0; i < LINE_BYTES && found; i++)
                found = !be_has(&r->be, i) || sb_byte(&r->data, i) == sb_byte(&s->bytes[n].data, i);
            cache = of;
            if (found)
                memmove(&s->bytes[n], &s->bytes[n + 1], (--s->taken - n) * sizeof *s->bytes);
        }
        BENCH_CHECK(b, found, "memory is written with bytes that nobody gave, or before what was given earlier");
        for (unsigned i = 0; i < LINE_BYTES && cache; i++)
            if (be_has(&r->be, i)) {
                s->home[k][r->line % SB_LPB].byte[i] = sb_byte(&r->data, i);
                s->home[k][r->line % SB_LPB].cache[i] = s->now;
            }
    }
    bool get = false;
    for (unsigned d = 0; d < DEVICES; d++)
        get |= s->held[d][k].get[r->line % SB_LPB].taken;
    if (!write && !get) { /* the line that was asked for is read first */
        bool asked = s->block[k].read || s->cache[k][r->line % SB_LPB].taken;
        for (unsigned d = 0; d < DEVICES; d++)
            asked |= s->held[d][k].taken && s->held[d][k].req.op <= SMD_OWN && s->held[d][k].req.line == r->line;
        BENCH_CHECK(b, asked, "block %u: another line is read before the one that was asked for", k);
        s->block[k].read = true;
    }
    for (unsigned i = 0; i < LINE_BYTES && k < SB_BLOCKS && write; i++)
        if (be_has(&r->be, i))
            s->memory[k][r->line % SB_LPB][i] = sb_byte(&r->data, i);
}

/* Nothing is under way: the last value of each byte is in its writer's copy, or in memory; and older bytes have not overwritten it in memory. A byte without a mask bit in
 * any copy is the same in every copy and in memory: a flush of all bytes does not ask the holder of a copy. */
static void sb_at_rest(bench_t *b, const sb_t *s)
{
    BENCH_CHECK(b, !s->taken, "bytes have been taken, and not written to memory as they were");
    for (unsigned k = 0; k < SB_BLOCKS; k++)
        for (unsigned l = 0; l < SB_LPB; l++)
            for (unsigned i = 0; i < LINE_BYTES && !b->failed; i++) {
                const uint8_t truth = s->truth[k][l].byte[i];
                unsigned has = 0, owners = 0, stale = SB_AGENTS;
                /* its bytes are home, and the others' copies will be taken */
                bool found = false, shared = false;
                for (unsigned a = 0; a < SB_AGENTS; a++) {
                    const sb_copy_t *c = a == SB_CACHE ? &s->cache[k][l].copy : &s->held[a][k].line[l];
                    const uint8_t st = a == SB_CACHE ? s->cache[k][l].st : s->held[a][k].st;
                    const bool far = s->far && a != SB_CACHE;
                    shared |= far && st == NMOESI_N;
                    stale = st != NMOESI_I && (!far || s->held[a][k].have[l]) && c->byte[i] != s->memory[k][l][i]
                                ? a
                                : stale;
                    if (st == NMOESI_I || !c->mask[i])
                        continue;
                    BENCH_CHECK(b, far || (st != NMOESI_S && st != NMOESI_E), "agent %u has marks in state %u", a, st);
                    has++;
                    owners += st == NMOESI_O || sb_alone(st);
                    found |= c->byte[i] == truth;
                }
                BENCH_CHECK(b, has ? found : s->memory[k][l][i] == truth,
                            "byte %u of line %u of block %u is lost: agent %u had stored it", i, l, k,
                            s->truth[k][l].agent[i]);
                BENCH_CHECK(b, has || shared || stale == SB_AGENTS || !sb_coherent(k),
                            "agent %u holds line %u of block %u, and byte %u is not what memory has", stale, l, k, i);
                BENCH_CHECK(b, has <= owners + 1, "byte %u of line %u of block %u: two have it in N", i, l, k);
            }
}
#endif
