/* The page of perf (docs/blocks/perf.md) as a program: each counter is the plain sum of its row of the list. */
#ifndef VERIF_CORE_PERF_PAGE_H
#define VERIF_CORE_PERF_PAGE_H
#include "perf_ports.h"
#include "verif/common/scoreboard.h"
#include "vl_perf.h"

typedef struct {
    uint64_t sum[COUNTERS];
    perf_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    (void)p;
}

static void page_expect(page_t *p, const perf_in_t *in)
{
    p->out.rd_data = in->rd_idx < COUNTERS ? p->sum[in->rd_idx] & ((1ull << COUNTER_W) - 1) : 0;
#define PAGE_ADD(k, name, block, help) p->sum[k] = in->clear ? 0 : p->sum[k] + in->ev.block.name;
    VL_COUNTERS(PAGE_ADD)
#undef PAGE_ADD
}
#endif
