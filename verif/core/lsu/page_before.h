/* The state before the edge, which decides the page's steps: rows without their addresses, and the front's visit. */
#ifndef LSU_BENCH_PAGE_BEFORE_H
#define LSU_BENCH_PAGE_BEFORE_H
#include "verif/core/lsu/page_show.h"

/* The state before the edge: rows without their addresses. */
typedef struct {
    struct {
        bool valid, complete, seen, traced, reported;
        uint64_t unsent, todo, wait, ans, ok, flt, in_look;
    } row[LSU_ROWS];
    bool dead[WARPS], entry_free, pf, fr, sd_shows, overlap, blocking;
    bool found_valid; /* fk */
    bool left; /* rows of the old warp in a slot that a new one gets */
    unsigned front, lrow, slots, head, entry;
    uint64_t unacked, found; /* found: threads that look-up 4 makes ok */
    unsigned found_row;
    page_visit_e visit;
} page_before_t;

static void page_remember(const lsu_page_t *s, const lsu_in_t *in, page_before_t *b)
{
    b->left = false;
    for (unsigned k = 0; k < LSU_ROWS; k++) {
        const page_row_t *r = &s->row[k];
        b->left |= in->start_valid && r->valid && r->warp == in->start.warp;
        b->row[k].valid = r->valid;
        b->row[k].complete = r->complete;
        b->row[k].seen = r->seen;
        b->row[k].traced = r->traced;
        b->row[k].reported = r->reported;
        b->row[k].unsent = r->unsent;
        b->row[k].todo = r->todo;
        b->row[k].wait = r->wait;
        b->row[k].ans = r->ans;
        b->row[k].ok = r->ok;
        b->row[k].flt = r->flt;
        b->row[k].in_look = page_in_look(r);
    }
    memcpy(b->dead, s->dead, sizeof b->dead);
    b->entry = page_free_entry(s);
    b->entry_free = b->entry != NO_ENTRY;
    b->pf = s->out.pf_valid;
    b->fr = s->fr;
    b->sd_shows = page_sd_shows(s);
    b->overlap = page_overlap(in);
    b->blocking = in->mode == TLB_BLOCKING;
    b->front = s->front;
    b->lrow = s->lrow;
    b->slots = s->slots;
    b->head = s->slot_head;
    b->unacked = s->unacked;
    b->found_valid = s->fk.ports != 0;
    b->found = 0;
    b->found_row = NO_ROW;
    b->visit = page_visit(s, b->overlap);
}
#endif
