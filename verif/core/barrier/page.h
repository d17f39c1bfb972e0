/* The page of barrier (docs/blocks/barrier.md) as a program: which group goes and when, who faults, the events. Counts are taken by looking at the warps. */
#ifndef VERIF_CORE_BARRIER_PAGE_H
#define VERIF_CORE_BARRIER_PAGE_H
#include "barrier_ports.h"
#include "verif/common/scoreboard.h"

typedef struct {
    unsigned slot[WARPS], size[GROUPS], arrived[GROUPS], ended[GROUPS];
    bool waits[WARPS];
    bar_arrive_t came[WARPS];
    barrier_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    (void)p;
}

static fault_t page_fault(const bar_arrive_t *a)
{
    return (fault_t){.cause = FAULT_BARRIER, .warp = a->warp, .pc = a->pc, .value = 1, .mask = a->tmask};
}

static void page_expect(page_t *p, const barrier_in_t *in)
{
    barrier_out_t o = {0};
    int end_slot = -1, goes = -1;

    /* Step 4, on the state before the edge. */
    for (int g = GROUPS - 1; g >= 0; g--) {
        bool held = false;
        for (unsigned w = 0; w < WARPS; w++)
            held |= p->waits[w] && p->slot[w] == (unsigned)g && (uint64_t)in->unsent >> w & 1;
        if (p->arrived[g] && p->arrived[g] == p->size[g] && !held)
            goes = g;
    }
    for (unsigned w = 0; w < WARPS; w++)
        o.ev.barrier_wait += p->waits[w];
    o.ev.barriers = o.release_valid = goes >= 0;

    if (in->warp_done_valid) {
        const unsigned s = p->slot[in->warp_done];
        end_slot = (int)s;
        for (unsigned w = WARPS; w-- > 0;)
            if (p->waits[w] && p->slot[w] == s) {
                o.fault_valid = true;
                o.fault = page_fault(&p->came[w]);
            }
    }
    if (in->arrive_valid) {
        const unsigned s = p->slot[in->arrive.warp];
        if (!o.fault_valid && (p->ended[s] || end_slot == (int)s)) {
            o.fault_valid = true;
            o.fault = page_fault(&in->arrive);
        }
    }

    for (unsigned w = 0; w < WARPS && goes >= 0; w++)
        if (p->waits[w] && p->slot[w] == (unsigned)goes) {
            o.release |= (uint64_t)1 << w;
            p->waits[w] = false;
        }
    if (goes >= 0)
        p->arrived[goes] = 0;
    if (end_slot >= 0)
        p->ended[end_slot] = (p->ended[end_slot] + 1) % p->size[end_slot];
    if (in->arrive_valid) {
        p->came[in->arrive.warp] = in->arrive;
        p->waits[in->arrive.warp] = true;
        p->arrived[p->slot[in->arrive.warp]]++;
    }
    if (in->start_valid) {
        p->slot[in->start.warp] = in->start.slot;
        p->size[in->start.slot] = in->start.group_warps;
    }
    p->out = o;
}
#endif
