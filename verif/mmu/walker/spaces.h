/* Kernels' address spaces, and the owner of each core. */
#ifndef VERIF_MMU_WALKER_SPACES_H
#define VERIF_MMU_WALKER_SPACES_H
#include "verif/mmu/walker/env.h"

/* A kernel's address space: a root, perhaps that of another kernel, under a number that is near to or that of another one's; and its memory, perhaps with a limit that goes through a table. */
static void give_space(bench_t *b, env_t *e, unsigned k)
{
    const unsigned o = vl_below(&b->rng, KERNELS), frame = vl_below(&b->rng, 4);
    root_t *r = &e->space[k];
    *r = (root_t){.sv48 = true, .asid = (uint16_t)vl_random_bits(&b->rng, ASID_W)};
    r->ppn = e->tables.frame[frame == 3 && vl_below(&b->rng, 2) ? TABLES - 1 - vl_below(&b->rng, 4) : 4 * frame + 3];
    if (o != k && e->space[o].sv48) {
        if (vl_below(&b->rng, 2))
            r->ppn = e->space[o].ppn;
        r->asid =
            (uint16_t)(vl_below(&b->rng, 4) ? e->space[o].asid ^ 1u << vl_below(&b->rng, ASID_W) : ~e->space[o].asid);
        if (vl_below(&b->rng, 6) == 0)
            *r = e->space[o];
    }
    window_t *m = &e->window[k];
    *m = e->whole;
    const uint64_t line = e->tables.frame[vl_below(&b->rng, TABLES)] * PAGE_LINES + vl_below(&b->rng, PAGE_LINES + 1);
    if (vl_below(&b->rng, 2))
        *(vl_below(&b->rng, 2) ? &m->base : &m->limit) = line;
    if (m->base >= m->limit)
        *m = e->whole;
}

static void give_cores(env_t *e)
{
    for (unsigned c = 0; c < CORES; c++)
        e->root[c] = e->space[e->owner[c]];
}

/* T10's tables (docs/blocks/ptw.md): the path of three pages, and nothing valid beside it in the root. The lone walk of a flood takes the first. */
static const uint16_t t10[3][4] = {{0x03, 0xac, 0x0c, 0xb9}, {0x04, 0xac, 0x0c, 0xb9}, {0x05, 0xad, 0x0c, 0xb9}};
static void set_tables(env_t *e)
{
    static const uint8_t table[3][4] = {{0, 1, 2, 3}, {0, 1, 2, 3}, {4, 1, 2, 3}};
    tables_t *t = &e->tables;
    for (unsigned k = 0; k < 3; k++)
        for (unsigned l = 0; l < 4; l++)
            t->pte[table[k][l]][(int)t->slot[t10[k][l]]] = (pte_t){
                .now = l ? t->frame[table[k][l - 1]] << 10 | PTE_V : t->frame[k] << 10 | PTE_V | PTE_R | PTE_U | PTE_A};
    for (unsigned k = 0; k < KERNELS; k++) {
        e->window[k] = e->whole;
        e->space[k].ppn = t->frame[3];
        e->space[k].asid = (uint16_t)(e->space[0].asid ^ k);
    }
    for (unsigned c = 0; c < CORES; c++) /* one core to kernel 0 */
        e->owner[c] = (uint8_t)(c == 0 || KERNELS == 1 ? 0 : 1 + c % (KERNELS - 1));
    give_cores(e);
}
#endif
