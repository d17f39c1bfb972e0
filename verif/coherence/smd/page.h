/* The page of smd (docs/blocks/smd.md) as a program: the directory, fetches and evictions, the answer to a probe, maintenance; every output and event of each
 * cycle. Step numbers, phases and stages are the page's; blocks are numbers here, not tags, and lines are looked up by division. The rules of NMOESI are written
 * by hand, from docs/coherence.md. */
#ifndef VERIF_COHERENCE_SMD_PAGE_H
#define VERIF_COHERENCE_SMD_PAGE_H
#include "smd_ports.h"
#include "verif/coherence/grains.h"
#include "verif/common/scoreboard.h"
#include "verif/common/places.h"

enum {
    PG_LPB = INTERLEAVE_BYTES / LINE_BYTES,
    PG_PLACES = STACK_BYTES / INTERLEAVE_BYTES,
    PG_GROUPS = (PG_PLACES + 63) / 64,
    PG_PAGE_LINES = 4096 / LINE_BYTES,
    PG_TOP = 1 << (HOME_ID_W - 1),
    PG_SLOTS = 4
};

typedef struct {
    uint64_t block; /* of this channel; its place is its remainder */
    uint8_t state;
    bool owner[PG_LPB];
} page_entry_t;
typedef enum { PW_FREE, PW_WAIT, PW_SENT, PW_FAR } page_w_e;
typedef struct {
    page_w_e state;
    bool wake;
    uint8_t op, grant;
    uint64_t line;
} page_wait_t;
typedef enum { PX_FETCH, PX_FLUSH, PX_EVICT } page_kind_e;
typedef enum { PX_OUT, PX_LEAVE, PX_LEFT, PX_CLEAR, PX_ASK, PX_WAIT, PX_END, PX_ARRIVE } page_stage_e;
typedef struct {
    bool valid, own, maint, granted, touched, bytes;
    page_kind_e kind;
    page_stage_e stage;
    uint8_t gstate;
    uint64_t line, victim;
    bool come[PG_LPB];
} page_x_t;
typedef enum { PJ_NONE, PJ_LOOK, PJ_ASK, PJ_DRAIN, PJ_LOOK2, PJ_SEND, PJ_SET, PJ_DONE } page_phase_e;
typedef enum { PS_FREE, PS_READ, PS_HERE } page_slot_e;
typedef struct {
    page_phase_e phase;
    smd_probe_t probe;
    bool asks[PG_LPB], given, to_peer, marked;
    unsigned out, next;
    uint8_t st;
    struct {
        page_slot_e state;
        unsigned off;
        line_mask_t mask;
        vl_bits_1024 data;
        bool mem; /* a read of the HMD's, of this line, with this id */
        uint64_t line;
        unsigned id;
    } slot[PG_SLOTS];
} page_job_t;
typedef enum { P1_LOOK, P1_LOOK2, P1_SET, P1_CLEAR, P1_READ, P1_END, P1_WRITE, P1_STEP } page_what_e;
typedef struct {
    bool valid, first;
    page_what_e what;
    unsigned number;
    home_req_t write;
    uint64_t line; /* STEP */
} page_s1_t;
typedef enum { PM_NONE, PM_WALK, PM_DRAIN } page_maint_e;

typedef struct {
    unsigned cleared, channel, device, memory;
    bool far, serve;
    page_entry_t table[PG_PLACES];
    bool some[PG_GROUPS];
    smd_data_t fq[2];
    home_req_t in[2];
    home_ack_t aq[2];
    unsigned older[2]; /* of aq */
    stack_req_t sq[2];
    home_probe_t pq[2];
    smd_req_t rq[2];
    smd_ack_t kq[2];
    smd_peer_t eq[2];
    unsigned fq_n, in_n, aq_n, sq_n, pq_n, rq_n, kq_n, eq_n;
    page_wait_t w[L2_MSHRS];
    page_x_t x[SMD_TRANSACTIONS];
    page_job_t job;
    page_s1_t s1;
    page_maint_e maint;
    maint_t order;
    uint64_t step;
    bool done, rsp_valid;
    home_rsp_t rsp;
    smd_out_t out;
} page_t;

/* ---- NMOESI, by hand ------------------------------------------------------------------------------------------------------------------ */

static bool page_permits(uint8_t state, uint8_t op)
{
    return op == HOME_READ_OWN ? state == NMOESI_E || state == NMOESI_M : state != NMOESI_I;
}

/* After a probe. */
static uint8_t page_after(uint8_t state, const smd_probe_t *probe)
{
    const bool alone = state == NMOESI_E || state == NMOESI_M;
    if (state == NMOESI_I || probe->kind == PROBE_WRITE)
        return NMOESI_I;
    if (probe->kind == PROBE_CLEAN)
        return alone && probe->keep ? NMOESI_E : NMOESI_S;
    return state == NMOESI_M ? NMOESI_O : state == NMOESI_E ? NMOESI_S : state;
}

static uint8_t page_touched(uint8_t state)
{
    return state == NMOESI_S ? NMOESI_N : state == NMOESI_E ? NMOESI_M : state;
}

static bool page_marked(uint8_t state)
{
    return state == NMOESI_N || state == NMOESI_O || state == NMOESI_M;
}

static bool page_none(vl_bits_128 m)
{
    return !(m.w[0] | m.w[1]);
}

/* ---- addresses ------------------------------------------------------------------------------------------------------------------------- */

static uint64_t page_block(uint64_t line)
{
    return line / PG_LPB / CHANNELS;
}

static unsigned page_place(uint64_t line)
{
    return (unsigned)(page_block(line) % PG_PLACES);
}

static unsigned page_off(uint64_t line)
{
    return (unsigned)(line % PG_LPB);
}

/* Blocks of other channels have other numbers here. */
static bool page_together(uint64_t a, uint64_t b)
{
    return a / PG_LPB == b / PG_LPB;
}

static uint64_t page_line(const page_t *p, uint64_t block, unsigned off)
{
    return (block * CHANNELS + p->channel) * PG_LPB + off;
}

static uint64_t page_stack_line(const page_t *p, uint64_t line)
{
    return page_line(p, page_place(line), page_off(line));
}

/* With memcpy and managed. */
static bool page_near(const page_t *p, uint64_t line)
{
    return (p->memory == MEMORY_MEMCPY && page_block(line) % DEVICES == p->device)
           || (p->memory == MEMORY_MANAGED && p->device == 0);
}

static uint64_t page_home_line(const page_t *p, uint64_t line)
{
    const uint64_t h = p->memory == MEMORY_MEMCPY ? page_block(line) / DEVICES : page_block(line);
    return page_line(p, h % PG_PLACES, page_off(line));
}

static page_entry_t *page_entry(page_t *p, uint64_t line)
{
    return &p->table[page_place(line)];
}

static bool page_here(const page_entry_t *e, uint64_t line)
{
    return e->block == page_block(line);
}

/* ---- outputs --------------------------------------------------------------------------------------------------------------------------- */

/* A write-back of the block has been taken and not been performed. */
static bool page_write_inside(const page_t *p, uint64_t line)
{
    bool is = p->s1.valid && p->s1.what == P1_WRITE && page_together(p->s1.write.line, line);
    for (unsigned i = 0; i < p->in_n; i++)
        is |= p->in[i].op == HOME_WRITE_BACK && page_together(p->in[i].line, line);
    return is;
}

static void page_show(page_t *p)
{
    smd_out_t *o = &p->out;
    const bool clear = p->cleared == PG_PLACES;
    o->home_req_ready = p->in_n < 2 && clear;
    o->home_ack_ready = p->aq_n < 2;
    o->smd_probe_ready = p->job.phase == PJ_NONE && clear;
    bool slot = false, slots = true;
    for (unsigned i = 0; i < PG_SLOTS; i++) {
        slot |= p->job.slot[i].state == PS_FREE;
        slots &= p->job.slot[i].state == PS_FREE;
    }
    o->smd_data_ready = p->sq_n < 2 && p->fq_n < 2 && (!p->serve || slot);
#define PAGE_HEAD(port, q) \
    o->port##_valid = p->q##_n != 0; \
    if (p->q##_n) \
        o->port = p->q[0]
    PAGE_HEAD(home_probe, pq);
    PAGE_HEAD(stack_req, sq);
    PAGE_HEAD(smd_req, rq);
    PAGE_HEAD(smd_ack, kq);
    PAGE_HEAD(smd_peer, eq);
#undef PAGE_HEAD
    o->home_rsp_valid = p->rsp_valid;
    o->home_rsp = p->rsp;
    o->maint_done = p->done;
    o->idle = clear && slots && !(p->fq_n + p->in_n + p->aq_n + p->sq_n + p->pq_n + p->rq_n + p->kq_n + p->eq_n)
              && p->job.phase == PJ_NONE && !p->s1.valid && !p->rsp_valid && p->maint == PM_NONE && !p->done;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        o->idle &= p->w[k].state == PW_FREE;
    for (unsigned x = 0; x < SMD_TRANSACTIONS; x++)
        o->idle &= !p->x[x].valid;
}

static void page_begin(page_t *p)
{
    for (unsigned i = 0; i < PG_PLACES; i++)
        p->table[i].block = i; /* tag 0 */
    page_show(p);
}

/* ---- the edge -------------------------------------------------------------------------------------------------------------------------- */

/* What one edge gives from step to step. `was`: the state before. */
typedef struct {
    const page_t *was;
    const smd_in_t *in;
    bool sq_room, kq_room, left; /* sq, kq may still be entered; s1 leaves */
    bool woken[L2_MSHRS]; /* stronger than what step 5 says of `wake` */
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

static bool page_stalled(const page_t *p)
{
    const bool writing = p->job.phase == PJ_LOOK2 || p->job.phase == PJ_SEND || p->job.phase == PJ_SET;
    return p->in_n && p->in[0].op == HOME_WRITE_BACK && writing && page_together(p->in[0].line, p->job.probe.line);
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

/* Step 1, what the HMD asks of this stack. */
static void page_serve(page_t *p, page_edge_t *e, const smd_data_t *d)
{
    unsigned i = 0;
    if (d->mem == SMD_MEM_WRITE) {
        e->ev.smd_mem_write = true;
        page_to_stack(p, e,
                      (stack_req_t){.write = true,
                                    .line = page_home_line(p, d->line),
                                    .be = mask_any(&d->mask) ? be_of_mask(&d->mask) : (vl_bits_128){{~0ull, ~0ull}},
                                    .data = d->data});
        return;
    }
    e->ev.smd_mem_read = true;
    while (i < PG_SLOTS - 1 && e->was->job.slot[i].state != PS_FREE)
        i++;
    page_to_stack(p, e, (stack_req_t){.id = (uint8_t)(L2_MSHRS + i), .line = page_home_line(p, d->line)});
    p->job.slot[i].state = PS_READ;
    p->job.slot[i].mem = true;
    p->job.slot[i].line = d->line;
    p->job.slot[i].id = d->id;
}

/* Step 1. */
static void page_data(page_t *p, page_edge_t *e)
{
    const page_t *was = e->was;
    const smd_data_t *d = &e->in->smd_data;
    if (!e->in->smd_data_valid || !was->out.smd_data_ready)
        return;
    if (d->mem != SMD_MEM_NONE) {
        page_serve(p, e, d);
        return;
    }
    e->ev.smd_line = !d->grant;
    if (!d->grant && was->far) {
        p->fq[p->fq_n++] = *d;
        return;
    }
    if (!d->grant) {
        page_to_stack(p, e,
                      (stack_req_t){.write = true,
                                    .line = page_stack_line(p, d->line),
                                    .be = {{~0ull, ~0ull}},
                                    .marks = d->mask,
                                    .data = d->data});
        for (unsigned k = 0; k < L2_MSHRS; k++)
            e->woken[k] |= was->w[k].state == PW_WAIT && was->w[k].line == d->line;
    }
    for (unsigned i = 0; i < SMD_TRANSACTIONS; i++) {
        const page_x_t *x = &was->x[i];
        if (!x->valid)
            continue;
        const bool fetches = x->stage == PX_WAIT && page_together(x->line, d->line);
        if (!d->grant)
            p->x[i].come[page_off(d->line)] |= fetches && x->kind == PX_FETCH;
        else if (x->stage == PX_LEAVE && page_together(x->victim, d->line))
            p->x[i].stage = PX_LEFT;
        else if (fetches && x->kind == PX_FLUSH)
            p->x[i].stage = PX_ARRIVE;
        else if (fetches) {
            p->x[i].granted = true;
            p->x[i].gstate = d->state;
        }
    }
}

/* The room that what the slice gives or reads needs. */
static bool page_way(const page_t *p, const page_edge_t *e, uint64_t line)
{
    return p->far && !page_near(p, line) ? e->kq_room : e->sq_room;
}

/* Bytes of the slice: home, or into the stack. */
static void page_gave(page_t *p, page_edge_t *e, uint64_t line, vl_bits_128 be, const vl_bits_1024 *data)
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

/* Step 2. */
static void page_acked(page_t *p, page_edge_t *e)
{
    const page_t *was = e->was;
    const home_ack_t *a = &was->aq[0];
    if (!was->aq_n)
        return;
    if (!page_none(a->be)) {
        if (!page_way(p, e, a->line) || was->older[0])
            return;
        page_gave(p, e, a->line, a->be, &a->data);
        p->job.given = true;
    }
    memmove(p->aq, p->aq + 1, sizeof *p->aq);
    p->older[0] = p->older[1];
    p->aq_n--;
    p->job.out--;
}

/* Step 3. */
static void page_send(page_t *p, page_edge_t *e)
{
    const page_t *was = e->was;
    const page_job_t *j = &was->job;
    for (unsigned i = 0; i < PG_SLOTS && was->eq_n < 2; i++) {
        if (j->slot[i].state != PS_HERE || !j->slot[i].mem)
            continue;
        p->eq[p->eq_n++] = (smd_peer_t){
            .mem = SMD_MEM_LINE, .id = (uint8_t)j->slot[i].id, .line = j->slot[i].line, .data = j->slot[i].data};
        p->job.slot[i].state = PS_FREE;
        p->job.slot[i].mem = false;
        break;
    }
    if (j->phase != PJ_SEND)
        return;
    unsigned here = 0, room = 0, busy = 0;
    while (here < PG_SLOTS && j->slot[here].state != PS_HERE)
        here++;
    while (room < PG_SLOTS && j->slot[room].state != PS_FREE)
        room++;
    for (unsigned i = 0; i < PG_SLOTS; i++)
        busy += j->slot[i].state != PS_FREE;
    const uint64_t block = page_block(j->probe.line);
    if (here < PG_SLOTS) {
        const uint64_t line = page_line(p, block, j->slot[here].off);
        const line_mask_t mask = j->slot[here].mask, none = {0};
        const bool clean = j->probe.kind == PROBE_CLEAN;
        if (j->to_peer) {
            if (was->eq_n < 2) {
                p->eq[p->eq_n++] = (smd_peer_t){.device = j->probe.peer,
                                                .line = line,
                                                .mask = j->probe.kind == PROBE_READ ? none : mask,
                                                .data = j->slot[here].data};
                e->ev.smd_peer = true;
                p->job.slot[here].state = PS_FREE;
            }
        } else if (!mask_any(&mask)) {
            p->job.slot[here].state = PS_FREE;
        } else if (e->kq_room && (!clean || e->sq_room)) {
            page_to_hmd(p, e, (smd_ack_t){.kind = SMD_BYTES, .line = line, .mask = mask, .data = j->slot[here].data});
            e->ev.smd_bytes = true;
            if (clean)
                page_to_stack(p, e,
                              (stack_req_t){.write = true,
                                            .line = page_stack_line(p, line),
                                            .be = be_of_mask(&mask),
                                            .data = j->slot[here].data});
            p->job.slot[here].state = PS_FREE;
        }
    }
    if (j->next < PG_LPB && room < PG_SLOTS && e->sq_room) {
        page_to_stack(
            p, e,
            (stack_req_t){.id = (uint8_t)(L2_MSHRS + room), .line = page_stack_line(p, page_line(p, block, j->next))});
        p->job.slot[room].state = PS_READ;
        p->job.slot[room].off = j->next;
        p->job.next++;
    }
    if (j->next == PG_LPB && !busy)
        p->job.phase = PJ_SET;
}

/* Step 4. */
static void page_stack(page_t *p, page_edge_t *e)
{
    const stack_rsp_t *r = &e->in->stack_rsp;
    p->rsp_valid = e->in->stack_rsp_valid && r->id < L2_MSHRS;
    if (p->rsp_valid) {
        p->rsp = (home_rsp_t){.id = (uint8_t)(PG_TOP | r->id), .state = e->was->w[r->id].grant, .data = r->data};
        p->w[r->id].state = PW_FREE;
    } else if (e->in->stack_rsp_valid) {
        const unsigned i = (unsigned)r->id - L2_MSHRS;
        p->job.slot[i].state = PS_HERE;
        p->job.slot[i].mask = r->marks;
        p->job.slot[i].data = r->data;
    }
    if (p->rsp_valid || !e->was->fq_n)
        return;
    const smd_data_t *d = &e->was->fq[0];
    unsigned k = 0;
    while (k < L2_MSHRS && !(e->was->w[k].state == PW_FAR && e->was->w[k].line == d->line))
        k++;
    p->rsp_valid = true;
    p->rsp = (home_rsp_t){.id = (uint8_t)(PG_TOP | k), .state = e->was->w[k % L2_MSHRS].grant, .data = d->data};
    p->w[k % L2_MSHRS].state = PW_FREE;
    memmove(p->fq, p->fq + 1, sizeof *p->fq);
    p->fq_n--;
}

/* Step 5, READ. */
static bool page_perform(page_t *p, page_edge_t *e, unsigned k, uint8_t grant)
{
    const uint64_t line = e->was->w[k].line;
    const bool near_ = page_near(p, line), get = p->far && !near_;
    if (!page_way(p, e, line))
        return false;
    p->w[k].state = get ? PW_FAR : PW_SENT;
    if (get) {
        page_to_hmd(p, e, (smd_ack_t){.kind = SMD_GET, .line = line});
        e->ev.smd_get = true;
    } else {
        page_to_stack(
            p, e, (stack_req_t){.id = (uint8_t)k, .line = near_ ? page_home_line(p, line) : page_stack_line(p, line)});
    }
    e->ev.smd_near = near_;
    p->w[k].grant = grant;
    page_entry(p, line)->owner[page_off(line)] = true;
    e->ev.smd_hit = e->was->s1.first;
    return true;
}

/* It may have bytes that the home has not, or get some from the slice. */
static bool page_gives(const page_entry_t *t)
{
    bool gives = t->state == NMOESI_N || t->state == NMOESI_O || t->state == NMOESI_M;
    for (unsigned l = 0; l < PG_LPB; l++)
        gives |= t->owner[l];
    return gives;
}

/* The case of a READ in s1, by its letter. */
static char page_case(const page_t *was)
{
    const page_wait_t *w = &was->w[was->s1.number];
    const page_entry_t *t = &was->table[page_place(w->line)];
    const unsigned x = page_has(was, w->line);
    return page_job_at(was, w->line)                                ? 'a'
           : x < SMD_TRANSACTIONS                                   ? 'b'
           : page_here(t, w->line) && page_permits(t->state, w->op) ? 'c'
           : page_free_x(was) < SMD_TRANSACTIONS                    ? 'd'
                                                                    : 'e';
}

static bool page_case_b(const page_t *was)
{
    const page_wait_t *w = &was->w[was->s1.number];
    const page_x_t *t = &was->x[page_has(was, w->line)];
    return t->kind == PX_FETCH && (t->stage == PX_WAIT || t->stage == PX_END) && page_together(t->line, w->line)
           && t->come[page_off(w->line)] && (w->op != HOME_READ_OWN || t->own);
}

static bool page_read(page_t *p, page_edge_t *e)
{
    const page_t *was = e->was;
    const unsigned k = was->s1.number;
    const page_wait_t *w = &was->w[k];
    page_entry_t *t = page_entry(p, w->line);
    const uint8_t least = w->op == HOME_READ ? NMOESI_S : NMOESI_N;
    switch (page_case(was)) {
    case 'b':
        if (page_case_b(was)) {
            if (!page_perform(p, e, k, was->x[page_has(was, w->line)].own ? NMOESI_E : least))
                return false;
            page_set(p, e, t, t->state);
            return true;
        }
        break;
    case 'c': {
        const uint8_t state = t->state;
        if (!page_perform(p, e, k, state == NMOESI_E || state == NMOESI_M ? NMOESI_E : least))
            return false;
        page_set(p, e, t, w->op == HOME_N_READ && state == NMOESI_S ? NMOESI_N : state);
        return true;
    }
    case 'd': {
        page_x_t *x = &p->x[page_free_x(was)];
        *x = (page_x_t){.valid = true, .own = w->op == HOME_READ_OWN, .line = w->line, .stage = PX_ASK};
        if (t->state == NMOESI_I) {
            *t = (page_entry_t){.block = page_block(w->line)};
        } else if (!page_here(t, w->line)) {
            x->stage = PX_OUT;
            x->victim = page_line(p, t->block, 0);
            x->bytes = page_gives(t);
        }
        break;
    }
    default: break;
    }
    p->w[k].wake = false;
    return true;
}

/* Step 5, WRITE. */
static bool page_write(page_t *p, page_edge_t *e)
{
    const home_req_t *r = &e->was->s1.write;
    page_entry_t *t = page_entry(p, r->line);
    if (!page_way(p, e, r->line))
        return false;
    e->ev.smd_near = page_near(p, r->line);
    if (!p->far || e->ev.smd_near || !page_none(r->be))
        page_gave(p, e, r->line, r->be, &r->data);
    t->owner[page_off(r->line)] &= r->keep;
    page_set(p, e, t, page_none(r->be) ? t->state : page_touched(t->state));
    if (!page_none(r->be)) {
        for (unsigned i = 0; i < SMD_TRANSACTIONS; i++) {
            const page_x_t *x = &e->was->x[i];
            p->x[i].touched |= x->valid && x->kind == PX_FETCH && (x->stage == PX_WAIT || x->stage == PX_END)
                               && page_together(x->line, r->line);
        }
    }
    return true;
}

static bool page_order_all(const page_t *p)
{
    return p->order.op == L2_FLUSH_ALL || p->order.op == L2_INVAL_ALL;
}

static bool page_order_flush(const page_t *p)
{
    return p->order.op == L2_FLUSH_LINE || p->order.op == L2_FLUSH_PAGE || p->order.op == L2_FLUSH_ALL;
}

/* Step 5, STEP: what becomes of it. */
typedef enum { PT_OTHER, PT_BUSY, PT_FULL, PT_PASS, PT_MAKES } page_step_e;
static page_step_e page_step_is(const page_t *was)
{
    const uint64_t line = was->s1.line;
    const page_entry_t *t = &was->table[page_place(line)];
    if (line / PG_LPB % CHANNELS != was->channel || !(page_order_all(was) || page_here(t, line)))
        return PT_OTHER;
    if (page_has(was, line) < SMD_TRANSACTIONS || page_job_at(was, line))
        return PT_BUSY;
    if (page_order_flush(was) ? !page_marked(t->state) : t->state == NMOESI_I)
        return PT_PASS;
    return page_free_x(was) < SMD_TRANSACTIONS ? PT_MAKES : PT_FULL;
}

static void page_step(page_t *p, page_edge_t *e)
{
    const page_step_e is = page_step_is(e->was);
    if (is == PT_BUSY || is == PT_FULL)
        return;
    if (page_order_all(p) && p->step % 64 == 0)
        p->some[p->step / 64] = false;
    p->step++;
    if (is == PT_MAKES) {
        const bool flush = page_order_flush(p);
        const page_entry_t *t = page_entry(p, e->was->s1.line);
        const uint64_t first = page_line(p, t->block, 0);
        p->x[page_free_x(e->was)] = (page_x_t){.valid = true,
                                               .maint = true,
                                               .kind = flush ? PX_FLUSH : PX_EVICT,
                                               .stage = flush ? PX_ASK : PX_OUT,
                                               .bytes = page_gives(t),
                                               .line = first,
                                               .victim = first};
    }
}

/* Step 5, what is left. Whether s1 leaves. */
static bool page_s1(page_t *p, page_edge_t *e)
{
    const page_t *was = e->was;
    const page_s1_t *s = &was->s1;
    const page_job_t *j = &was->job;
    page_x_t *x = &p->x[s->number % SMD_TRANSACTIONS];
    page_entry_t *t = page_entry(p, j->probe.line);
    switch (s->what) {
    case P1_LOOK:
        p->job.to_peer = false;
        p->job.st = NMOESI_I;
        p->job.phase = PJ_DONE;
        if (t->state != NMOESI_I && page_here(t, j->probe.line)) {
            memcpy(p->job.asks, t->owner, sizeof t->owner);
            p->job.phase = PJ_ASK;
        }
        return true;
    case P1_LOOK2: {
        const uint8_t st = j->given ? page_touched(t->state) : t->state;
        p->job.st = st;
        p->job.to_peer =
            j->probe.to_peer && j->probe.kind != PROBE_CLEAN && (st == NMOESI_E || st == NMOESI_O || st == NMOESI_M);
        p->job.marked = !p->far && !p->job.to_peer && j->probe.kind != PROBE_READ && page_marked(st);
        p->job.next = 0;
        p->job.phase = p->job.to_peer || p->job.marked ? PJ_SEND : PJ_SET;
        return true;
    }
    case P1_SET:
        page_set(p, e, t, page_after(j->st, &j->probe));
        if (j->probe.kind == PROBE_WRITE)
            memset(t->owner, 0, sizeof t->owner);
        p->job.phase = PJ_DONE;
        return true;
    case P1_CLEAR:
        t = page_entry(p, x->line);
        page_set(p, e, t, NMOESI_I);
        t->block = page_block(x->line);
        memset(t->owner, 0, sizeof t->owner);
        x->stage = PX_ASK;
        return true;
    case P1_END:
        page_set(p, e, page_entry(p, x->line), x->touched ? page_touched(x->gstate) : x->gstate);
        x->stage = PX_ARRIVE;
        return true;
    case P1_READ: {
        const bool leaves = page_read(p, e);
        e->ev.smd_read = leaves && s->first;
        return leaves;
    }
    case P1_WRITE: return e->ev.smd_write = page_write(p, e);
    default: page_step(p, e); return true;
    }
}

/* Step 6. */
static void page_out(page_t *p, page_edge_t *e)
{
    const page_t *was = e->was;
    for (unsigned i = 0; i < SMD_TRANSACTIONS && was->rq_n < 2; i++) {
        const page_x_t *x = &was->x[i];
        const bool out = x->stage == PX_OUT;
        if (!x->valid || !(out || x->stage == PX_ASK))
            continue;
        const unsigned op = out ? SMD_EVICT : x->kind == PX_FLUSH ? SMD_FLUSH : x->own ? SMD_OWN : SMD_READ;
        p->rq[p->rq_n++] = (smd_req_t){.op = (uint8_t)op,
                                       .bytes = out ? x->bytes : op == SMD_FLUSH,
                                       .line = out ? x->victim : x->line,
                                       .thin = was->far && op <= SMD_OWN};
        p->x[i].stage = out ? PX_LEAVE : PX_WAIT;
        e->ev.smd_fetch = op == SMD_READ;
        e->ev.smd_own = op == SMD_OWN;
        e->ev.smd_evict = op == SMD_EVICT;
        e->ev.smd_flush = op == SMD_FLUSH;
        break;
    }
    if (e->kq_room) {
        if (was->job.phase == PJ_DONE) {
            page_to_hmd(p, e,
                        (smd_ack_t){.kind = SMD_DONE,
                                    .line = was->job.probe.line / PG_LPB * PG_LPB,
                                    .state = was->job.st,
                                    .sent = was->job.to_peer});
            p->job.phase = PJ_NONE;
            page_wake_all(e);
        } else {
            for (unsigned i = 0; i < SMD_TRANSACTIONS; i++) {
                const page_x_t *x = &was->x[i];
                if (!x->valid || !(x->stage == PX_LEFT || x->stage == PX_ARRIVE))
                    continue;
                page_to_hmd(p, e, (smd_ack_t){.kind = SMD_ARRIVED, .line = x->stage == PX_LEFT ? x->victim : x->line});
                if (x->stage == PX_LEFT && x->kind == PX_FETCH) {
                    p->x[i].stage = PX_CLEAR;
                } else {
                    p->x[i].valid = false;
                    page_wake_all(e);
                }
                break;
            }
        }
    }
    for (unsigned i = 0; i < SMD_TRANSACTIONS; i++) {
        const page_x_t *x = &was->x[i];
        bool all = x->valid && x->kind == PX_FETCH && x->stage == PX_WAIT && x->granted;
        for (unsigned l = 0; l < PG_LPB; l++)
            all &= x->come[l] || was->far;
        if (all)
            p->x[i].stage = PX_END;
    }
}

/* Step 7. */
static void page_probe(page_t *p, page_edge_t *e)
{
    const page_t *was = e->was;
    const page_job_t *j = &was->job;
    if (e->in->smd_probe_valid && was->out.smd_probe_ready) {
        p->job.probe = e->in->smd_probe;
        p->job.phase = PJ_LOOK;
        p->job.given = false;
        p->job.out = 0;
        e->ev.smd_probe = true;
        e->ev.smd_probe_kind = e->in->smd_probe.kind;
    }
    if (j->phase == PJ_ASK) {
        unsigned l = 0;
        bool sent = false;
        while (l < PG_LPB && !j->asks[l])
            l++;
        for (unsigned k = 0; k < L2_MSHRS; k++)
            sent |= was->w[k].state >= PW_SENT && page_together(was->w[k].line, j->probe.line);
        if (l == PG_LPB) {
            p->job.phase = PJ_DRAIN;
        } else if (was->pq_n < 2 && !sent) {
            p->pq[p->pq_n++] = (home_probe_t){.kind = j->probe.kind == PROBE_WRITE ? PROBE_WRITE : PROBE_CLEAN,
                                              .line = page_line(p, page_block(j->probe.line), l)};
            p->job.asks[l] = false;
            p->job.out++;
            e->ev.smd_ask = true;
        }
    }
    if (j->phase == PJ_DRAIN && !j->out && !page_write_inside(was, j->probe.line))
        p->job.phase = PJ_LOOK2;
}

/* Maintenance: how many steps, and the line of one. */
static uint64_t page_steps(const page_t *p)
{
    if (page_order_all(p))
        return PG_PLACES;
    const bool page = p->order.op == L2_FLUSH_PAGE || p->order.op == L2_INVAL_PAGE;
    return page && PG_LPB < PG_PAGE_LINES ? PG_PAGE_LINES / PG_LPB : 1;
}

static uint64_t page_step_line(const page_t *p)
{
    if (page_order_all(p))
        return page_line(p, p->step, 0);
    const bool page = p->order.op == L2_FLUSH_PAGE || p->order.op == L2_INVAL_PAGE;
    return page ? p->order.line / PG_PAGE_LINES * PG_PAGE_LINES + p->step * PG_LPB : p->order.line;
}

/* Step 8. */
static void page_next(page_t *p, page_edge_t *e)
{
    const page_t *was = e->was;
    const page_s1_t *s = &was->s1;
    const bool clear = was->cleared == PG_PLACES;
    if (s->valid && !e->left)
        return;
    memset(&p->s1, 0, sizeof p->s1);
#define PAGE_LEAVES(w, n) (s->valid && s->what == (w) && s->number == (n))
    const page_phase_e phase = was->job.phase;
    const page_what_e look = phase == PJ_LOOK ? P1_LOOK : phase == PJ_LOOK2 ? P1_LOOK2 : P1_SET;
    if ((phase == PJ_LOOK || phase == PJ_LOOK2 || phase == PJ_SET) && !PAGE_LEAVES(look, 0)) {
        p->s1 = (page_s1_t){.valid = true, .what = look};
        return;
    }
    for (unsigned i = 0; i < SMD_TRANSACTIONS; i++)
        if (was->x[i].valid && was->x[i].stage == PX_CLEAR && !PAGE_LEAVES(P1_CLEAR, i)) {
            p->s1 = (page_s1_t){.valid = true, .what = P1_CLEAR, .number = i};
            return;
        }
    for (unsigned k = 0; k < L2_MSHRS; k++)
        if (was->w[k].state == PW_WAIT && was->w[k].wake && !PAGE_LEAVES(P1_READ, k)) {
            p->s1 = (page_s1_t){.valid = true, .what = P1_READ, .number = k};
            return;
        }
    for (unsigned i = 0; i < SMD_TRANSACTIONS; i++)
        if (was->x[i].valid && was->x[i].stage == PX_END && !PAGE_LEAVES(P1_END, i)) {
            p->s1 = (page_s1_t){.valid = true, .what = P1_END, .number = i};
            return;
        }
#undef PAGE_LEAVES
    e->ev.smd_stall = page_stalled(was);
    if (was->in_n && !e->ev.smd_stall) {
        const home_req_t *h = &was->in[0];
        p->s1 = (page_s1_t){.valid = true, .what = P1_WRITE, .write = *h};
        if (h->op != HOME_WRITE_BACK) {
            const unsigned k = h->id & (PG_TOP - 1);
            p->s1 = (page_s1_t){.valid = true, .what = P1_READ, .number = k, .first = true};
            p->w[k] = (page_wait_t){.state = PW_WAIT, .op = h->op, .line = h->line};
        }
        memmove(p->in, p->in + 1, sizeof *p->in);
        p->in_n--;
        return;
    }
    if (was->maint == PM_WALK && clear && !was->in_n && !s->valid && was->step < page_steps(was)) {
        bool fetching = false;
        for (unsigned i = 0; i < SMD_TRANSACTIONS; i++)
            fetching |= was->x[i].valid && was->x[i].kind == PX_FETCH;
        const bool begins = page_order_all(was) && was->step % 64 == 0;
        if (begins && page_order_flush(was) && !was->some[was->step / 64] && phase == PJ_NONE && !fetching) {
            p->step += 64;
            return;
        }
        p->s1 = (page_s1_t){.valid = true, .what = P1_STEP, .line = page_step_line(was)};
    }
}

/* Step 9. */
static void page_maintain(page_t *p, page_edge_t *e)
{
    const page_t *was = e->was;
    bool busy = false;
    for (unsigned i = 0; i < SMD_TRANSACTIONS; i++)
        busy |= was->x[i].valid && was->x[i].maint;
    p->done = was->maint == PM_DRAIN && !busy;
    if (p->done)
        p->maint = PM_NONE;
    if (was->maint == PM_WALK && was->step >= page_steps(was) && !(was->s1.valid && was->s1.what == P1_STEP))
        p->maint = PM_DRAIN;
    if (e->in->maint_valid) {
        p->maint = PM_WALK;
        p->order = e->in->maint;
        p->step = 0;
    }
}

/* What was taken of the queues, which all move before anything enters. */
static void page_taken(page_t *p, const page_t *was, const smd_in_t *in)
{
#define PAGE_TAKEN(port, q) \
    if (was->q##_n && in->port##_ready) { \
        memmove(p->q, p->q + 1, sizeof *p->q); \
        p->q##_n--; \
    }
    PAGE_TAKEN(home_probe, pq)
    PAGE_TAKEN(stack_req, sq)
    PAGE_TAKEN(smd_req, rq)
    PAGE_TAKEN(smd_ack, kq)
    PAGE_TAKEN(smd_peer, eq)
#undef PAGE_TAKEN
}

static void page_expect(page_t *p, const smd_in_t *in)
{
    static page_t before;
    memcpy(&before, p, sizeof before);
    page_edge_t e = {.was = &before, .in = in, .sq_room = before.sq_n < 2, .kq_room = before.kq_n < 2};
    p->channel = before.channel = in->channel;
    p->device = before.device = in->device;
    p->memory = before.memory = in->memory;
    p->far = before.far = in->memory != MEMORY_UMH;
    p->serve = in->memory == MEMORY_MEMCPY || in->memory == MEMORY_MANAGED;
    page_taken(p, &before, in);
    page_data(p, &e);
    page_acked(p, &e);
    page_send(p, &e);
    page_stack(p, &e);
    page_out(p, &e); /* what goes to the HMD for step 6 goes before GET and BYTES of step 5 */
    if (before.s1.valid)
        e.left = page_s1(p, &e);
    page_probe(p, &e);
    page_next(p, &e);
    for (unsigned k = 0; k < L2_MSHRS; k++)
        p->w[k].wake |= e.woken[k];
    if (in->home_req_valid && before.out.home_req_ready)
        p->in[p->in_n++] = in->home_req;
    for (unsigned i = 0; i < 2; i++)
        p->older[i] -= p->older[i] && e.ev.smd_write;
    if (in->home_ack_valid && before.out.home_ack_ready) {
        p->older[p->aq_n] = (before.s1.valid && before.s1.what == P1_WRITE) - e.ev.smd_write;
        for (unsigned i = 0; i < before.in_n; i++)
            p->older[p->aq_n] += before.in[i].op == HOME_WRITE_BACK;
        p->aq[p->aq_n++] = in->home_ack;
    }
    page_maintain(p, &e);
    p->cleared += p->cleared < PG_PLACES;
    p->out.ev = e.ev;
    page_show(p);
}
#endif
