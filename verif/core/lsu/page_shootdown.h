/* The page's section "Shootdown", over all other steps of its edge. */
#ifndef LSU_BENCH_PAGE_SHOOTDOWN_H
#define LSU_BENCH_PAGE_SHOOTDOWN_H
#include "verif/core/lsu/page_rows.h"

/* `done`: the L1D has taken its INVAL. */
static void page_shootdown(lsu_page_t *s, const lsu_in_t *in, bool done)
{
    if (done) {
        s->sd = false;
        s->out.inv_done = true;
    }
    if (!in->inv_valid)
        return;
    s->sd = true;
    if (!in->root.sv48)
        return;
    s->lk.ports = s->fk.ports = 0;
    s->mqs = s->slots = 0;
    s->ap = s->lrow = NO_ROW;
    for (unsigned k = 0; k < LSU_ROWS; k++) {
        page_row_t *r = &s->row[k];
        const uint64_t asked = s->asked.row == k ? s->asked.threads : 0;
        r->ok = r->ans = 0;
        if (r->valid)
            r->todo = r->unsent & ~(r->flt | r->wait | asked);
    }
}
#endif
