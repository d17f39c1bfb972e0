/* Reports of faulted threads (docs/blocks/lsu.md: front, steps 2 and 6). */
#include "sim_c/core/lsu_state.h"
#include "sim_c/core/memop.h"

void lsu_fault(lsu_t *s, const row_t *r)
{
    tmask_t bad = row_bad(r);
    unsigned t = lowest(bad);
    bool load = r->kind == MEMOP_LOAD || (r->kind == MEMOP_ATOMIC && memop_amo(r->op) == AMO_LR);
    bool mis = r->misaligned >> t & 1, page = r->page >> t & 1;
    s->fault_valid = true;
    s->fault = (fault_t){.cause = page   ? (load ? FAULT_LOAD_PAGE : FAULT_STORE_PAGE)
                                  : mis  ? (load ? FAULT_LOAD_MISALIGNED : FAULT_STORE_MISALIGNED)
                                  : load ? FAULT_LOAD_ACCESS
                                         : FAULT_STORE_ACCESS,
                         .warp = r->warp,
                         .pc = r->pc,
                         .value = r->addr[t],
                         .mask = bad};
    s->rows.dead |= BIT(r->warp);
    s->stirred = true;
}

void lsu_report(lsu_t *s, row_t *r)
{
    unsigned t = lowest(r->flt);
    s->pf_valid = true;
    s->pf = (page_fault_t){.access = r->facc >> t & 1,
                           .store = r->write,
                           .warp = r->warp,
                           .pc = r->pc,
                           .value = r->addr[t] & (BIT(PA_W) - 1),
                           .threads = r->flt};
    r->reported = true;
    s->rows.reported |= BIT(s->front);
    s->ev.lsu_page_faults = true;
}
