/* Shared by the steps of an edge: the state before it, room in the queues, changes of an entry, the way of bytes. */
#ifndef VERIF_COHERENCE_SMD_PAGE_EDGE_H
#define VERIF_COHERENCE_SMD_PAGE_EDGE_H
#include "verif/coherence/smd/page_addresses.h"
#include "verif/coherence/smd/page_nmoesi.h"

/* Values passed between the steps of an edge. `was`: the state before. */
typedef struct {
    const page_t *was;
    const smd_in_t *in;
    bool sq_room, kq_room, left; /* sq, kq may still be entered; s1 leaves */
    bool woken[L2_MSHRS]; /* overrides `wake` of step 5 */
    ev_smd_t ev;
} page_edge_t;

static void page_to_stack(page_t *p, page_edge_t *e, stack_req_t r)
{
    p->sq[p->sq_n++] = r;
    e->sq_room = false;
}

static void page_to_hmd(page_t *p, page_edge_t *e, smd_ack_t a)
{
    p->kq[p->kq_n++] = a;
    e->kq_room = false;
}

static void page_wake_all(page_edge_t *e)
{
    for (unsigned k = 0; k < L2_MSHRS; k++)
        e->woken[k] |= e->was->w[k].state == PW_WAIT;
}

/* The transaction that has the line; SMD_TRANSACTIONS: none. */
static unsigned page_has(const page_t *p, uint64_t line)
{
    unsigned x = 0;
    while (x < SMD_TRANSACTIONS && !(p->x[x].valid && page_place(p->x[x].line) == page_place(line)))
        x++;
    return x;
}

static unsigned page_free_x(const page_t *p)
{
    unsigned x = 0;
    while (x < SMD_TRANSACTIONS && p->x[x].valid)
        x++;
    return x;
}

static bool page_job_at(const page_t *p, uint64_t line)
{
    return p->job.phase != PJ_NONE && page_place(p->job.probe.line) == page_place(line);
}

static void page_set(page_t *p, page_edge_t *e, page_entry_t *t, uint8_t state)
{
    if (t->state != state) {
        e->ev.smd_moved = true;
        e->ev.smd_from = t->state;
        e->ev.smd_to = state;
    }
    t->state = state;
    if (page_marked(state)) /* also if it was so before */
        p->some[(t - p->table) / 64] = true;
}

/* It may have bytes that the home has not, or get some from the slice. */
static bool page_gives(const page_entry_t *t)
{
    bool gives = t->state == NMOESI_N || t->state == NMOESI_O || t->state == NMOESI_M;
    for (unsigned l = 0; l < PG_LPB; l++)
        gives |= t->owner[l];
    return gives;
}

static bool page_none(line_be_t m)
{
    return be_none(&m);
}

/* Room for a write-back or a read of the slice. */
static bool page_way(const page_t *p, const page_edge_t *e, uint64_t line)
{
    return p->far && !page_near(p, line) ? e->kq_room : e->sq_room;
}

/* Bytes of the slice: home, or into the stack. */
static void page_gave(page_t *p, page_edge_t *e, uint64_t line, line_be_t be, const line_data_t *data)
{
    if (page_near(p, line)) {
        page_to_stack(p, e, (stack_req_t){.write = true, .line = page_home_line(p, line), .be = be, .data = *data});
    } else if (p->far) {
        page_to_hmd(p, e, (smd_ack_t){.kind = SMD_BYTES, .line = line, .mask = mask_of_be(&be), .data = *data});
        e->ev.smd_put = true;
    } else {
        page_to_stack(
            p, e,
            (stack_req_t){
                .write = true, .line = page_stack_line(p, line), .be = be, .marks = mask_of_be(&be), .data = *data});
    }
}
#endif
