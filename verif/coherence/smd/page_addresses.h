/* The page's section "Addresses": blocks, places, and where a line lies in a stack. Lines are looked up by division. */
#ifndef VERIF_COHERENCE_SMD_PAGE_ADDRESSES_H
#define VERIF_COHERENCE_SMD_PAGE_ADDRESSES_H
#include "verif/coherence/smd/page_state.h"

static uint64_t page_block(uint64_t line)
{
    return line / PG_LPB / CHANNELS;
}

static unsigned page_place(uint64_t line)
{
    return (unsigned)(page_block(line) % PG_PLACES);
}

static unsigned page_off(uint64_t line)
{
    return (unsigned)(line % PG_LPB);
}

/* Blocks of other channels have other numbers here. */
static bool page_together(uint64_t a, uint64_t b)
{
    return a / PG_LPB == b / PG_LPB;
}

static uint64_t page_line(const page_t *p, uint64_t block, unsigned off)
{
    return (block * CHANNELS + p->channel) * PG_LPB + off;
}

static uint64_t page_stack_line(const page_t *p, uint64_t line)
{
    return page_line(p, page_place(line), page_off(line));
}

/* With memcpy and managed. */
static bool page_near(const page_t *p, uint64_t line)
{
    return (p->memory == MEMORY_MEMCPY && page_block(line) % DEVICES == p->device)
           || (p->memory == MEMORY_MANAGED && p->device == 0);
}

static uint64_t page_home_line(const page_t *p, uint64_t line)
{
    const uint64_t h = p->memory == MEMORY_MEMCPY ? page_block(line) / DEVICES : page_block(line);
    return page_line(p, h % PG_PLACES, page_off(line));
}

static page_entry_t *page_entry(page_t *p, uint64_t line)
{
    return &p->table[page_place(line)];
}

static bool page_here(const page_entry_t *e, uint64_t line)
{
    return e->block == page_block(line);
}
#endif
