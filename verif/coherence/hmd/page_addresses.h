/* The page's section "Addresses": a line's block, its entry, its home, its transaction; and small questions of the steps. */
#ifndef VERIF_COHERENCE_HMD_PAGE_ADDRESSES_H
#define VERIF_COHERENCE_HMD_PAGE_ADDRESSES_H
#include "sim_c/common/line_be.h"
#include "verif/coherence/hmd/page_state.h"

static uint64_t page_block(uint64_t line)
{
    return line / PG_LPB;
}

/* Where a line stands in the channel's memory (page, Addresses). */
static uint64_t page_host_line(uint64_t line)
{
    const uint64_t block = page_block(line);
    return ((block / HOST_CHANNELS * CHANNELS + block % HOST_CHANNELS) * PG_LPB + line % PG_LPB)
           % (1ull << LINE_ADDR_W);
}

/* memory = memcpy, managed: requests of memory go to stacks. */
static bool page_stacks(const page_state_t *s)
{
    return s->memory == MEMORY_MEMCPY || s->memory == MEMORY_MANAGED;
}

static unsigned page_home(const page_state_t *s, uint64_t line)
{
    return s->memory == MEMORY_MEMCPY ? page_block(line) / CHANNELS % DEVICES : 0;
}

static page_entry_t *page_entry(page_t *p, uint64_t line)
{
    return &p->table[page_block(line) / HOST_CHANNELS % PG_ENTRIES];
}

/* The transaction of a line's block; HMD_TRANSACTIONS: none. */
static unsigned page_of(const page_state_t *s, uint64_t line)
{
    unsigned x = 0;
    while (x < HMD_TRANSACTIONS && !(s->x[x].valid && page_block(s->x[x].job.line) == page_block(line)))
        x++;
    return x;
}

static bool page_llc(page_op_e op)
{
    return op == PO_L_READ || op == PO_L_OWN;
}

static bool page_any(const bool *bits, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (bits[i])
            return true;
    return false;
}

static bool page_masked(line_be_t m)
{
    return !be_none(&m);
}
#endif
