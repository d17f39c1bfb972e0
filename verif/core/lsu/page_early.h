/* The page's section "Early visit": a request that goes with its look-up (E2), and its answer (E3). */
#ifndef LSU_BENCH_PAGE_EARLY_H
#define LSU_BENCH_PAGE_EARLY_H
#include "verif/core/lsu/page_send.h"

/* Reports an early request in `sent`: alone, or as the second. */
static void page_sent_early(lsu_page_t *s, const page_row_t *r, uint64_t threads, uint64_t line)
{
    sent_t *o = &s->out.sent;
    if (s->out.sent_valid) {
        o->with_warp = (uint8_t)r->warp;
        o->with_seq = (uint8_t)r->seq;
        o->with_threads = threads;
        o->with_line = line;
    } else {
        *o = (sent_t){.warp = (uint8_t)r->warp, .seq = (uint8_t)r->seq, .threads = threads, .line = line};
        s->out.sent_valid = true;
    }
}

/* E2, E3: `taken` an early request at this edge, `hit` that of the last cycle. Returns the row that has gone. */
static unsigned page_early(lsu_page_t *s, const page_before_t *b, const lsu_in_t *in, bool taken, bool hit,
                           page_end_e end, ev_lsu_t *ev)
{
    const page_ek_t ek = s->ek;
    const unsigned at = b->front;
    unsigned gone = NO_ROW;
    s->ek.valid = false;
    if (taken) {
        const page_row_t *r = &s->row[at];
        const l1d_req_t *q = &s->out.l1d_req;
        s->entry[q->tag.entry] =
            (page_entry_t){.valid = true, .warp = r->warp, .seq = r->seq, .rd = r->rd, .left = r->active};
        s->ek = (page_ek_t){.valid = true, .entry = q->tag.entry, .row = at, .threads = r->active, .line = q->line};
    }
    if (ek.valid && hit) {
        page_row_t *r = &s->row[ek.row];
        r->unsent = 0;
        s->loads++;
        ev->lsu_lines++;
        ev->page_div_1++;
        page_sent_early(s, r, ek.threads, in->found[0].ppn * PAGE_LINES | ek.line);
        if (!(s->early && at == ek.row) || end == LEAVE)
            gone = ek.row;
    } else if (ek.valid) {
        s->entry[ek.entry].valid = false;
    }
    if (b->visit == VISIT_EARLY && end == LEAVE && !s->row[at].unsent)
        gone = at;
    return gone;
}
#endif
