/* The HMD reads and writes lines that are at home in the stack, for others and for the last-level cache. */
#ifndef VERIF_COHERENCE_SMD_NEIGHBOURS_MEMORY_H
#define VERIF_COHERENCE_SMD_NEIGHBOURS_MEMORY_H
#include "verif/coherence/smd/neighbours_world.h"

/* The HMD writes others' bytes of a line that is at home here, or reads it: for others, or for the last-level cache. */
static void hmd_writes(bench_t *b, world_t *w, const sb_line_t *l)
{
    if (w->mems == MEMS)
        return;
    smd_data_t *d = &w->mem[w->mems];
    const sb_mask_t m = some_whole(b);
    *d = (smd_data_t){.mem = SMD_MEM_WRITE, .line = l->addr};
    vl_random_wide(&b->rng, LINE_BITS, d->data.w);
    if (mask_none(m))
        return;
    if (!be_whole(&m))
        d->mask = mask_of_be(&m);
    w->mems++;
}

static void hmd_reads(bench_t *b, world_t *w, const sb_line_t *l)
{
    unsigned id = vl_below(&b->rng, HOST_READERS);
    for (unsigned n = 0; n < HOST_READERS && w->reading[id]; n++)
        id = (id + 1) % HOST_READERS;
    if (w->reading[id] || w->mems == MEMS)
        return;
    w->reading[id] = true;
    w->mem[w->mems++] = (smd_data_t){.mem = SMD_MEM_READ, .line = l->addr, .id = (uint8_t)id};
}

/* The HMD reads and writes for other agents only in blocks that this device neither holds alone nor is being granted. */
static void hmd_asks(bench_t *b, world_t *w)
{
    const style_t *y = &w->style;
    const sb_line_t *l = some_line(b, w);
    const sb_block_t *x = &w->sb.block[l->block];
    if (y->drain || !x->near || x->held == HELD_ALONE || x->tx == TX_LINES || !vl_chance(&b->rng, y->mem))
        return;
    if (vl_chance(&b->rng, y->mem_reads))
        hmd_reads(b, w, l);
    else
        hmd_writes(b, w, l);
}

/* Reads or writes of the block are not sent yet. */
static bool hmd_asks_of(const world_t *w, unsigned k)
{
    for (unsigned i = 0; i < w->mems; i++)
        if (w->mem[i].line / SB_LPB == w->sb.line[k * SB_LPB].addr / SB_LPB)
            return true;
    return false;
}
#endif
