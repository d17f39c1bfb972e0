/* The page's section "Front", its steps: the fate of the row at work; and a resume. */
#ifndef LSU_BENCH_PAGE_FRONT_H
#define LSU_BENCH_PAGE_FRONT_H
#include "verif/core/lsu/page_choice.h"
#include "verif/core/lsu/page_send.h"

static page_end_e page_faulted(lsu_page_t *s, const page_before_t *b, const lsu_in_t *in, page_row_t *r, ev_lsu_t *ev)
{
    if (in->halt) { /* step 6 */
        s->dead[r->warp] = true;
        if (r->seen && r->kind != MEMOP_STORE) {
            page_entry_t *e = &s->entry[r->entry];
            e->left &= ~r->unsent;
            e->valid = e->left != 0;
        }
        return POP;
    }
    if (r->reported || b->pf)
        return LEAVE;
    const unsigned t = lowest(r->flt);
    s->out.pf_valid = true;
    s->out.pf = (page_fault_t){.access = r->facc >> t & 1,
                               .store = r->write,
                               .warp = (uint8_t)r->warp,
                               .pc = r->pc,
                               .value = r->addr[t],
                               .threads = r->flt};
    r->reported = ev->lsu_page_faults = true;
    return LEAVE;
}

/* The first of the steps 1 to 8 that applies. */
static page_end_e page_step(lsu_page_t *s, const page_before_t *b, const lsu_in_t *in, bool st_taken, ev_lsu_t *ev)
{
    page_row_t *r = &s->row[s->front % LSU_ROWS];
    const bool inval = s->out.l1d_req_valid && s->out.l1d_req.op == L1D_INVAL && !b->sd_shows,
               done = inval && in->l1d_req_ready;
    switch (b->visit) {
    case VISIT_NONE: return LEAVE;
    case VISIT_EARLY:
        ev->lsu_loads = s->tbeat == 0;
        s->tbeat++;
        return s->tbeat == BEATS ? LEAVE : STAY;
    case VISIT_DROP: return b->row[b->front].in_look ? LEAVE : POP;
    case VISIT_FAULT: s->dead[r->warp] = s->out.fault_valid = true; return POP;
    case VISIT_WG:
    case VISIT_FENCE:
        ev->lsu_stall_fence = b->visit == VISIT_FENCE && !inval;
        if (b->visit == VISIT_WG ? b->fr : !done)
            return STAY;
        s->fr = true;
        s->fr_warp = r->warp;
        s->fr_seq = r->seq;
        ev->lsu_fences = true;
        return POP;
    case VISIT_POST: ev->lsu_stall_fence = !inval; return done ? POP : STAY;
    case VISIT_FAULTED: return page_faulted(s, b, in, r, ev);
    case VISIT_RELEASE:
        ev->lsu_stall_fence = !inval;
        s->pre = done;
        return STAY;
    case VISIT_WAIT:
        ev->lsu_stall_entry = true;
        for (unsigned k = 0; k < LSU_ROWS; k++) {
            bool entry;
            if (k != b->front && b->row[k].seen && page_row_ready(s, b, in, k, &entry) && page_first(s, b, k, NO_ROW)) {
                ev->lsu_parked = true;
                return LEAVE;
            }
        }
        return STAY;
    default: return page_send(s, b, in, r, st_taken, ev);
    }
}

/* The front sees the threads as they were. */
static page_end_e page_front(lsu_page_t *s, const page_before_t *b, const lsu_in_t *in, bool st_taken, ev_lsu_t *ev)
{
    if (b->front == NO_ROW)
        return LEAVE;
    page_row_t *r = &s->row[b->front];
    const page_row_t held = *r;
    r->unsent = b->row[b->front].unsent;
    r->ok = b->row[b->front].ok;
    r->flt = b->row[b->front].flt;
    r->reported = b->row[b->front].reported;
    const page_end_e end = page_step(s, b, in, st_taken, ev);
    const uint64_t went = b->row[b->front].unsent & ~r->unsent;
    r->unsent = held.unsent & ~went;
    r->ok = held.ok & ~went;
    r->flt = held.flt;
    r->reported = held.reported || (r->reported && !b->row[b->front].reported);
    return end;
}

static void page_resume(lsu_page_t *s, const page_before_t *b, const lsu_in_t *in, ev_lsu_t *ev)
{
    if (!in->resume_valid)
        return;
    for (unsigned k = 0; k < LSU_ROWS; k++)
        if (b->row[k].valid && b->row[k].reported && s->row[k].warp == in->resume) {
            s->row[k].todo |= b->row[k].flt;
            s->row[k].flt &= ~b->row[k].flt;
            s->row[k].reported = false;
            ev->lsu_resumed = true;
        }
}
#endif
