/* Program order: the bytes of a line when a request is in the L1D for good, and so the data of each load */
#ifndef VERIF_L1D_PROGRAM_H
#define VERIF_L1D_PROGRAM_H
#include "verif/cache/l1d/env.h"

/* The operand of an atomic (performed as an exchange), put into a line. Returns the old doubleword. */
static uint64_t exchange(line_data_t *line, uint64_t data, unsigned off)
{
    uint64_t old = line->w[off / 8];
    line->w[off / 8] = data;
    return old;
}

/* Bytes of a store, put into a line or a sector of it. */
static void put(void *to, const void *be, const void *data, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        if (((const uint8_t *)be)[i / 8] >> i % 8 & 1)
            ((uint8_t *)to)[i] = ((const uint8_t *)data)[i];
}

static void await(bench_t *b, env_t *e, const l1d_tag_t *tag, const void *want)
{
    for (unsigned i = 0; i < INSIDE; i++)
        if (!e->awaited[i].busy) {
            e->awaited[i].busy = true;
            e->awaited[i].tag = *tag;
            memcpy(e->awaited[i].want, want, SECTOR_BYTES);
            return;
        }
    BENCH_CHECK(b, false, "too many requests inside");
}

/* A request that is in the L1D for good, in program order. */
static void taken(bench_t *b, env_t *e, const l1d_req_t *r, bool early)
{
    unsigned k = r->op == L1D_INVAL ? POOL : find(e, r->line);
    if (r->op == L1D_LOAD) {
        await(b, e, &r->tag, e->prog[k].w + r->sector * (SECTOR_BYTES / 8));
    } else if (r->op == L1D_AMO) {
        uint64_t want[SECTOR_BYTES / 8] = {exchange(&e->prog[k], r->data.w[0], r->amo_off)};
        await(b, e, &r->tag, want);
    } else if (r->op == L1D_STORE) {
        put((uint8_t *)e->prog[k].w + r->sector * SECTOR_BYTES, &r->be, r->data.w, SECTOR_BYTES);
    }
    e->order[e->norder].op = r->op;
    e->order[e->norder].sector = r->sector;
    e->order[e->norder].early = early;
    e->order[e->norder++].k = k;
}
#endif
