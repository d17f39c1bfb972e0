/* The page of l2_tlb_mshr (docs/blocks/l2_tlb_mshr.md) as a program. Lists are rows of tickets, the first in front: one a port (in no list yet), one a kernel (waiting for a walk), one a walk. A
 * ticket carries all that is known of its miss; a place has no state of its own. What happened at an edge is noted for the bench's coverage, and the two promises of the reserve are kept as
 * numbers that the bench looks at: how many walks are free beyond those kept for kernels without one, and how long a kernel without one has waited. */
#ifndef VERIF_MMU_L2_TLB_MSHR_PAGE_H
#define VERIF_MMU_L2_TLB_MSHR_PAGE_H
#include "l2_tlb_mshr_ports.h"
#include "verif/common/scoreboard.h"

enum {
    NOTE_PORTS_PAGE,
    NOTE_SPACES,
    NOTE_SPACES_JOIN,
    NOTE_MERGE,
    NOTE_MERGE_OTHER,
    NOTE_MEETS_END,
    NOTE_MEETS_ENDED,
    NOTE_MEETS_VOID, /* by scope */
    NOTE_TWO_WALKS = NOTE_MEETS_VOID + 3,
    NOTE_LATE_JOIN,
    NOTE_LATE_MEETS_END,
    NOTE_HELD_JOIN,
    NOTE_QUEUES,
    NOTE_BEHIND,
    NOTE_PORT_TURN,
    NOTE_TAKEN,
    NOTE_RESERVE,
    NOTE_RESERVE_JOIN,
    NOTE_FIRST_ONE,
    NOTE_TURN,
    NOTE_FREED,
    NOTE_REUSED,
    NOTE_PLACES,
    NOTE_ALL_OPEN,
    NOTE_WAIT_LENGTHS,
    NOTE_WALK_LENGTHS,
    NOTE_ANS_WAITS,
    NOTE_ANS_ORDER,
    NOTE_ANS_FLOW,
    NOTE_FILL_JOINED,
    NOTE_FAULT, /* WALK_PAGE, WALK_ACCESS */
    NOTE_INV_END = NOTE_FAULT + 2, /* by scope, void */
    NOTE_INV_OTHER = NOTE_INV_END + 3,
    NOTE_INV_AGAIN,
    NOTE_INV_BEGIN,
    NOTE_INV_ENDED,
    NOTE_INV_AFTER,
    NOTE_OWNER,
    NOTE_IDLE,
    NOTES
};

enum {
    PLACES = CORES * TLB_MSHRS,
    /* The longest list of a kernel: one that has all places and all walks that it may have, of one page each. */
    LONGEST = PLACES > WALKS - KERNELS + 1 ? PLACES - (WALKS - KERNELS + 1) : 1
};

typedef struct {
    uint8_t core, id, access, warp;
    uint16_t asid;
    uint64_t vpn;
} ticket_t;
typedef struct {
    unsigned n;
    ticket_t t[PLACES];
} row_t;
typedef struct {
    bool valid, ended;
    unsigned kernel;
    uint64_t when; /* it ended */
    uint8_t result;
    leaf_t leaf;
    row_t row;
} work_t;

typedef struct {
    row_t port[L2_TLB_PORTS], kernel[KERNELS];
    work_t walk[WALKS];
    unsigned port_turn, turn, answers /* in a row */;
    uint64_t now;
    /* for the bench */
    bool did[NOTES], busy, place_used[PLACES], waited[PLACES + 1], joined[PLACES + 1], again[WALKS];
    unsigned starved[KERNELS], owner[CORES];
    uint16_t freed; /* walk, one more */
    l2_tlb_mshr_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    (void)p; /* nothing valid, nothing shown, turns 0 */
}

static void page_push(row_t *r, const ticket_t *t)
{
    r->t[r->n++] = *t;
}

static ticket_t page_pop(row_t *r)
{
    const ticket_t t = r->t[0];
    memmove(r->t, r->t + 1, --r->n * sizeof *r->t);
    return t;
}

static unsigned page_free(const page_t *p)
{
    unsigned n = 0;
    for (unsigned w = 0; w < WALKS; w++)
        n += !p->walk[w].valid;
    return n;
}

static unsigned page_walks_of(const page_t *p, unsigned kernel)
{
    unsigned n = 0;
    for (unsigned w = 0; w < WALKS; w++)
        n += p->walk[w].valid && p->walk[w].kernel == kernel;
    return n;
}

/* Kernel slots other than this one that have no walk. */
static unsigned page_without(const page_t *p, unsigned but)
{
    unsigned n = 0;
    for (unsigned k = 0; k < KERNELS; k++)
        n += k != but && !page_walks_of(p, k);
    return n;
}

static bool page_may(const page_t *p, unsigned kernel)
{
    const unsigned free = page_free(p);
    return free && (!page_walks_of(p, kernel) || free > page_without(p, kernel));
}

static bool page_is(const work_t *w, const ticket_t *t)
{
    return w->valid && w->row.t[0].asid == t->asid && w->row.t[0].vpn == t->vpn;
}

/* The walk that this miss may join at an edge at which walk `ending` ends (WALKS: no walk); WALKS without one. */
static unsigned page_joins(const page_t *p, const ticket_t *t, unsigned ending)
{
    for (unsigned w = 0; w < WALKS; w++)
        if (w != ending && !p->walk[w].ended && page_is(&p->walk[w], t))
            return w;
    return WALKS;
}

static bool page_concerns(const inv_t *v, const ticket_t *t)
{
    return v->scope != INV_ASID || v->asid == t->asid;
}

static void page_note_meeting(page_t *p, const ticket_t *t, unsigned ending, bool late)
{
    for (unsigned w = 0; w < WALKS; w++) {
        const work_t *k = &p->walk[w];
        if (!k->valid)
            continue;
        p->did[late ? NOTE_LATE_MEETS_END : NOTE_MEETS_END] |= w == ending && page_is(k, t);
        p->did[NOTE_MEETS_ENDED] |= !late && k->ended && page_is(k, t);
        p->did[NOTE_SPACES] |= k->row.t[0].vpn == t->vpn && k->row.t[0].asid != t->asid;
    }
}

/* 3, decided by the state before the edge: the kernel, or KERNELS. */
static unsigned page_chosen(page_t *p)
{
    unsigned chosen = KERNELS, able = 0, held = 0;
    for (unsigned n = 0; n < KERNELS; n++) {
        const unsigned k = (p->turn + n) % KERNELS;
        if (!p->kernel[k].n)
            continue;
        if (!page_may(p, k)) {
            held += page_free(p) != 0;
            p->did[NOTE_RESERVE_JOIN] |= page_free(p) && page_joins(p, &p->kernel[k].t[0], WALKS) < WALKS;
            continue;
        }
        able++;
        if (chosen == KERNELS)
            chosen = k;
    }
    p->out.ev.l2m_reserved = held != 0;
    p->did[NOTE_RESERVE] |= held != 0;
    p->did[NOTE_TURN] |= able > 1;
    p->did[NOTE_TAKEN] |= !page_free(p);
    return chosen;
}

/* 3, of this kernel. */
static void page_allocate(page_t *p, unsigned kernel, unsigned ending)
{
    const ticket_t t = page_pop(&p->kernel[kernel]);
    p->starved[kernel] = 0;
    page_note_meeting(p, &t, ending, true);
    p->turn = (kernel + 1) % KERNELS;
    unsigned w = page_joins(p, &t, ending);
    if (w < WALKS) {
        page_push(&p->walk[w].row, &t);
        p->out.ev.l2m_merges++;
        p->did[NOTE_LATE_JOIN] = true;
        return;
    }
    for (unsigned i = 0; i < WALKS; i++)
        p->did[NOTE_TWO_WALKS] |= page_is(&p->walk[i], &t);
    for (w = 0; p->walk[w].valid;)
        w++;
    p->did[NOTE_FIRST_ONE] |= !page_walks_of(p, kernel) && page_free(p) <= page_without(p, kernel) + 1;
    p->did[NOTE_REUSED] |= w + 1u == p->freed;
    p->walk[w] = (work_t){.valid = true, .kernel = kernel};
    page_push(&p->walk[w].row, &t);
    p->again[w] = false;
    p->out.walk_req_valid = true;
    p->out.walk_req =
        (walk_req_t){.walk = (uint8_t)w, .core = t.core, .asid = t.asid, .vpn = t.vpn, .access = t.access};
    p->out.ev.l2m_walks++;
}

/* 2. */
static void page_sort(page_t *p, const l2_tlb_mshr_in_t *in, unsigned ending, unsigned voided)
{
    for (unsigned n = 0; n < L2_TLB_PORTS; n++) {
        const unsigned q = (p->port_turn + n) % L2_TLB_PORTS;
        if (!p->port[q].n)
            continue;
        p->did[NOTE_PORT_TURN] = n != 0;
        const ticket_t t = page_pop(&p->port[q]);
        p->port_turn = (q + 1) % L2_TLB_PORTS;
        page_note_meeting(p, &t, ending, false);
        const unsigned w = page_joins(p, &t, ending), k = in->owner[t.core];
        if (w == WALKS) {
            page_push(&p->kernel[k], &t);
            return;
        }
        page_push(&p->walk[w].row, &t);
        p->out.ev.l2m_merges++;
        p->did[NOTE_MERGE] = true;
        p->did[NOTE_MERGE_OTHER] = p->walk[w].kernel != k;
        if (w == voided)
            p->did[NOTE_MEETS_VOID + in->inv.scope] = true;
        for (unsigned i = 0; i < WALKS; i++)
            p->did[NOTE_SPACES_JOIN] |=
                p->walk[i].valid && p->walk[i].row.t[0].vpn == t.vpn && p->walk[i].row.t[0].asid != t.asid;
        return;
    }
}

/* 5, for walks that ended before the edge. */
static void page_answer(page_t *p, const l2_tlb_mshr_in_t *in)
{
    const bool stays = p->out.ans_valid && !in->ans_ready;
    p->did[NOTE_ANS_WAITS] |= stays;
    p->freed = 0;
    if (stays)
        return;
    unsigned first = WALKS, ended = 0;
    for (unsigned w = 0; w < WALKS; w++)
        if (p->walk[w].valid && p->walk[w].ended) {
            ended++;
            if (first == WALKS || p->walk[w].when < p->walk[first].when)
                first = w;
        }
    p->answers = first < WALKS ? p->answers + 1 : 0;
    p->out.ans_valid = first < WALKS;
    if (first == WALKS)
        return;
    for (unsigned w = 0; w < first; w++)
        p->did[NOTE_ANS_ORDER] |= p->walk[w].valid && p->walk[w].ended;
    work_t *w = &p->walk[first];
    const ticket_t t = page_pop(&w->row);
    p->out.ans = (translate_ans_t){.core = t.core, .rsp = {.id = t.id, .result = w->result, .leaf = w->leaf}};
    p->did[NOTE_ANS_FLOW] |= p->answers > 2 && ended > 1;
    p->did[NOTE_INV_ENDED] |= in->inv_valid;
    if (!w->row.n) {
        w->valid = w->ended = false;
        p->freed = (uint16_t)(first + 1);
        for (unsigned k = 0; k < KERNELS; k++)
            p->did[NOTE_FREED] |= p->kernel[k].n != 0;
    }
}

/* 4. The walk that ends at this edge, or WALKS; in *voided the walk with a void response. */
static unsigned page_ending(page_t *p, const l2_tlb_mshr_in_t *in, unsigned *voided)
{
    *voided = WALKS;
    if (!in->walk_rsp_valid)
        return WALKS;
    const unsigned w = in->walk_rsp.walk;
    const bool concerned = in->inv_valid && page_concerns(&in->inv, &p->walk[w].row.t[0]);
    p->did[NOTE_INV_OTHER] |= in->inv_valid && !concerned;
    p->did[NOTE_INV_AGAIN] |= !concerned && p->again[w];
    if (!concerned)
        return w;
    p->did[NOTE_INV_END + in->inv.scope] = true;
    p->again[w] = true;
    *voided = w;
    return WALKS;
}

static void page_end(page_t *p, const l2_tlb_mshr_in_t *in, unsigned ending)
{
    p->out.fill_valid = false;
    if (ending == WALKS)
        return;
    work_t *w = &p->walk[ending];
    w->ended = true;
    w->when = p->now;
    w->result = in->walk_rsp.result;
    w->leaf = in->walk_rsp.leaf;
    if (w->result == WALK_OK) {
        p->out.fill_valid = true;
        const ticket_t *t = &w->row.t[0]; /* the one that it was begun for */
        for (unsigned i = 1; i < w->row.n; i++)
            p->did[NOTE_FILL_JOINED] |= w->row.t[i].warp != t->warp;
        p->out.fill = (l2_fill_t){.asid = t->asid, .vpn = t->vpn, .leaf = w->leaf, .core = t->core, .warp = t->warp};
    } else {
        p->did[NOTE_FAULT + (w->result == WALK_ACCESS)] = true;
    }
}

/* 1. */
static void page_misses(page_t *p, const l2_tlb_mshr_in_t *in)
{
    unsigned same = 0, queues = 0;
    for (unsigned q = 0; q < L2_TLB_PORTS; q++) {
        queues += p->port[q].n != 0;
        if (!(in->miss_valid >> q & 1))
            continue;
        const translate_req_t *r = &in->miss[q];
        const ticket_t t = {
            .core = r->core, .id = r->id, .asid = r->asid, .vpn = r->vpn, .access = r->access, .warp = r->warp};
        p->place_used[r->core * TLB_MSHRS + r->id] = true;
        p->did[NOTE_BEHIND] |= p->port[q].n > 1;
        page_push(&p->port[q], &t);
        p->out.ev.l2m_misses++;
        same += in->miss_valid & 1 && t.asid == in->miss[0].asid && t.vpn == in->miss[0].vpn;
        p->did[NOTE_INV_AFTER] |= in->inv_valid;
    }
    p->did[NOTE_PORTS_PAGE] |= same == L2_TLB_PORTS;
    p->did[NOTE_QUEUES] |= queues == L2_TLB_PORTS;
}

static void page_note_lists(page_t *p, const l2_tlb_mshr_in_t *in)
{
    unsigned open = 0;
    for (unsigned q = 0; q < L2_TLB_PORTS; q++)
        open += p->port[q].n;
    for (unsigned k = 0; k < KERNELS; k++) {
        open += p->kernel[k].n;
        p->waited[p->kernel[k].n] = true;
        const bool starves = p->kernel[k].n && !page_walks_of(p, k);
        p->starved[k] = starves ? p->starved[k] + 1 : 0;
    }
    for (unsigned w = 0; w < WALKS; w++)
        if (p->walk[w].valid) {
            open += p->walk[w].row.n;
            p->joined[p->walk[w].row.n] = true;
        }
    bool waits = true, joins = true, places = true;
    for (unsigned n = 1; n <= PLACES; n++) {
        waits &= n > LONGEST || p->waited[n];
        joins &= p->joined[n];
        places &= p->place_used[n - 1];
    }
    p->did[NOTE_ALL_OPEN] = open == PLACES;
    p->did[NOTE_WAIT_LENGTHS] = waits;
    p->did[NOTE_WALK_LENGTHS] = joins;
    p->did[NOTE_PLACES] = places;
    for (unsigned c = 0; c < CORES; c++) {
        p->did[NOTE_OWNER] |= open && p->now && p->owner[c] != in->owner[c];
        p->owner[c] = in->owner[c];
    }
    const bool busy = open || p->out.ans_valid || p->out.fill_valid;
    p->did[NOTE_IDLE] = p->busy && !busy;
    p->busy = busy;
}

/* The numbered edge. */
static void page_expect(page_t *p, const l2_tlb_mshr_in_t *in)
{
    memset(p->did, 0, sizeof p->did);
    memset(&p->out.ev, 0, sizeof p->out.ev);
    p->did[NOTE_INV_BEGIN] = in->inv_valid && p->out.walk_req_valid;
    p->out.walk_req_valid = false;
    p->out.ev.l2m_busy = (uint8_t)(WALKS - page_free(p));
    unsigned waits = 0, voided;
    for (unsigned k = 0; k < KERNELS; k++)
        waits += p->kernel[k].n;
    p->out.ev.l2m_waits = (__typeof__(p->out.ev.l2m_waits))waits;
    const unsigned ending = page_ending(p, in, &voided), kernel = page_chosen(p);
    /* 3 sees lists of before 2, and 2 walks of before 3: a join of 3 leaves 2 nothing to do, and a new walk is made last. */
    const ticket_t *first = kernel < KERNELS ? &p->kernel[kernel].t[0] : NULL;
    if (first && page_joins(p, first, ending) < WALKS) {
        for (unsigned q = 0; q < L2_TLB_PORTS; q++)
            p->did[NOTE_HELD_JOIN] |= p->port[q].n != 0;
        page_allocate(p, kernel, ending);
    } else {
        page_sort(p, in, ending, voided);
        if (first)
            page_allocate(p, kernel, ending);
    }
    page_answer(p, in);
    page_end(p, in, ending);
    page_misses(p, in);
    page_note_lists(p, in);
    for (unsigned k = 0; k < KERNELS; k++)
        p->out.walks[k] = (uint8_t)page_walks_of(p, k);
    p->now++;
}
#endif
