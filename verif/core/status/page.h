/* The page of status (docs/blocks/status.md) as a program. */
#ifndef VERIF_CORE_STATUS_PAGE_H
#define VERIF_CORE_STATUS_PAGE_H
#include "status_ports.h"
#include "verif/common/scoreboard.h"

typedef struct {
    bool pending[4];
    status_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    (void)p;
}

static void page_expect(page_t *p, const status_in_t *in)
{
    const status_out_t was = p->out;
    status_out_t *o = &p->out;
    const struct {
        bool valid;
        const fault_t *fault;
    } from[] = {{in->simt_fault_valid, &in->simt_fault},
                {in->lsu_fault_valid, &in->lsu_fault},
                {in->barrier_fault_valid, &in->barrier_fault},
                {in->fpu_fault_valid, &in->fpu_fault}};
    const bool done[4] = {in->tlb_done, in->itlb_done, in->ptw_done, in->lsu_done};
    bool before = false, after = false;
    o->halt |= in->halt_all;
    for (unsigned k = 0; k < 4; k++) {
        o->halt |= from[k].valid;
        if (from[k].valid && !o->faulted) {
            o->faulted = true;
            o->fault = *from[k].fault;
        }
        before |= p->pending[k];
        p->pending[k] = in->inv_valid || (p->pending[k] && !done[k]);
        after |= p->pending[k];
    }
    o->quiet = in->lsu_idle && in->l1d_idle && in->mem_idle && in->itlb_idle && in->tlb_mshr_idle && in->ptw_idle
               && (was.halt || (in->issue_idle && in->launch_idle));
    o->inv_done = before && !after;
    o->ev.shootdown_cycles = in->inv_valid || before || was.inv_done;
}
#endif
