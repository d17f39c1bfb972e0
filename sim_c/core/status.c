/* Twin of rtl/core/status.sv: faults and rest of a core (docs/blocks/status.md). */
#include "status_ports.h"
#include "sim_c/common/twin.h"

struct status {
    status_out_t o;
    uint8_t pending; /* parts of a shootdown: tlb, itlb, ptw, lsu */
};

TWIN_STATE(status)

void status_out(const status_t *s, status_out_t *o)
{
    *o = s->o;
}

void status_tick(status_t *s, const status_in_t *in)
{
    const fault_t *first = in->simt_fault_valid      ? &in->simt_fault
                           : in->lsu_fault_valid     ? &in->lsu_fault
                           : in->barrier_fault_valid ? &in->barrier_fault
                           : in->fpu_fault_valid     ? &in->fpu_fault
                                                     : NULL;
    bool quiet = in->lsu_idle && in->l1d_idle && in->mem_idle && in->itlb_idle && in->tlb_mshr_idle && in->ptw_idle
                 && (s->o.halt || (in->issue_idle && in->launch_idle));
    if (first && !s->o.faulted) { /* step 2 */
        s->o.faulted = true;
        s->o.fault = *first;
    }
    s->o.halt = s->o.halt || in->halt_all || first; /* step 3 */
    s->o.quiet = quiet;                             /* step 4 */
    uint8_t pending =
        in->inv_valid
            ? 15
            : s->pending & ~(in->tlb_done | in->itlb_done << 1 | in->ptw_done << 2 | in->lsu_done << 3); /* step 5 */
    s->o.ev.shootdown_cycles = in->inv_valid || s->pending || s->o.inv_done; /* step 6 */
    s->o.inv_done = s->pending && !pending;
    s->pending = pending;
}

/* Follows its level inputs: the composition ticks it whenever they move. */
bool status_idle(const status_t *s)
{
    (void)s;
    return false;
}
