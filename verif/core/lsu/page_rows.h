/* Threads of a row, as the page's sections speak of them: those of a beat, those in look-up, those alike; the lowest free entry, and a pop. */
#ifndef LSU_BENCH_PAGE_ROWS_H
#define LSU_BENCH_PAGE_ROWS_H
#include "verif/core/lsu/env.h"

static uint64_t page_beat(unsigned beat)
{
    return ALL_LANES << beat * LANES;
}

static bool page_overlap(const lsu_in_t *in)
{
    return in->mode == TLB_OVERLAP;
}

static uint64_t page_phys(const page_row_t *r, unsigned t)
{
    return r->frame[t] << 12 | (r->addr[t] & 4095);
}

/* Threads in look-up: in lk, fk, mq, asked. */
static uint64_t page_in_look(const page_row_t *r)
{
    return r->unsent & ~(r->todo | r->wait | r->ans | r->ok | r->flt);
}

/* Threads of `from` that share the `bits` upper bits of the lowest one's address. */
static uint64_t page_alike(const page_row_t *r, uint64_t from, uint64_t with, unsigned bits, bool phys)
{
    uint64_t set = 0;
    const unsigned l = lowest(with);
    for EACH(t, from)
        if ((phys ? page_phys(r, (unsigned)t) ^ page_phys(r, l) : r->addr[t] ^ r->addr[l]) >> bits == 0)
            set |= BIT(t);
    return set;
}

static unsigned page_free_entry(const lsu_page_t *s)
{
    unsigned k = 0;
    while (k < LSU_ENTRIES && s->entry[k].valid)
        k++;
    return k;
}

static void page_pop(lsu_page_t *s, unsigned k)
{
    page_row_t *r = &s->row[k];
    r->valid = r->complete = false;
    r->unsent = r->todo = r->wait = r->ans = r->ok = r->flt = 0;
    s->pending += BEATS;
}
#endif
