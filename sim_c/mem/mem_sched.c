/* Twin of mem_sched, step numbers are the page's. Everything is decided from the values before the edge first; only then does it change.
 * A queue is gone through only when something is chosen, or when it has changed since it was last looked at. */
#include "sim_c/mem/mem_sched.h"
#include "sim_c/common/line_be.h"
#include "sim_c/common/twin.h"
#include "sim_c/mem/mem_sched_state.h"
#include "sim_c/common/memory_map.h"
#include "vl_dram.h"
#include <string.h>

enum { G, D, NEVER = -1 };

TWIN_STATE(mem_sched)

void mem_sched_kind(mem_sched_t *s, unsigned kind)
{
    s->kind = kind;
}

static unsigned depth_of(unsigned queue)
{
    const unsigned depth[SQ_N] = {SCHED_GOLDEN, SCHED_SILVER, SCHED_NORMAL, SCHED_WRITES};
    return depth[queue];
}

static bool empty(const mem_sched_t *s)
{
    return !s->q[SQ_GOLDEN].count && !s->q[SQ_SILVER].count && !s->q[SQ_NORMAL].count && !s->q[SQ_WRITES].count;
}

/* Nothing inside, except reads that `dram_ctrl` has. */
static bool calm(const mem_sched_t *s)
{
    for (unsigned k = 0; k < L2_SLICES; k++)
        if (s->in_count[k])
            return false;
    return !s->r[G].valid && !s->r[D].valid && !s->w.valid && !s->txn_valid && !s->rsp_valid && !s->choice.valid
           && empty(s);
}

void mem_sched_out(const mem_sched_t *s, mem_sched_out_t *o)
{
    o->home_req_ready = 0;
    for (unsigned k = 0; k < L2_SLICES; k++)
        o->home_req_ready |= (unsigned)(s->in_count[k] < 2) << k;
    o->home_rsp_valid = (unsigned)s->rsp_valid << s->rsp_slice;
    if (s->rsp_valid)
        for (unsigned k = 0; k < L2_SLICES; k++)
            o->home_rsp[k] = s->rsp;
    o->txn_valid = s->txn_valid;
    if (s->txn_valid)
        o->txn = s->txn;
    o->idle = calm(s) && !s->out;
    o->ev = s->ev;
}

static bool same(const place_t *a, const place_t *b)
{
    return a->bank == b->bank && a->row == b->row && a->line == b->line;
}

static int find(const sched_queue_t *q, const place_t *p)
{
    if (q->banks >> p->bank & 1)
        for (unsigned i = 0; i < q->count; i++)
            if (same(&q->e[i].place, p))
                return (int)i;
    return NEVER;
}

static void push(mem_sched_t *s, unsigned queue, sq_entry_t e)
{
    sched_queue_t *q = &s->q[queue];
    e.stamp = s->time >> 4;
    q->e[q->count++] = e;
    q->of_bank[e.place.bank]++;
    q->banks |= 1ull << e.place.bank;
    if (queue == SQ_WRITES)
        s->r[G].known = s->r[D].known = s->w.known_found = false;
    else
        s->w.known_read = false;
}

static void pop(mem_sched_t *s, unsigned queue, unsigned i)
{
    sched_queue_t *q = &s->q[queue];
    if (!--q->of_bank[q->e[i].place.bank])
        q->banks &= ~(1ull << q->e[i].place.bank);
    memmove(q->e + i, q->e + i + 1, (--q->count - i) * sizeof *q->e);
    if (queue == SQ_WRITES)
        s->r[G].known = s->r[D].known = s->w.known_found = false;
    else
        s->w.known_read = false;
}

/* The move of a read in g or d at this edge, and that of a write in w. */
typedef enum { STAY_ORDER, STAY, ANSWER, ENTER } move_t;
typedef struct {
    move_t move;
    bool urgent;
} read_plan_t;

static bool covered(const mem_sched_t *s, int i)
{
    return be_whole(&s->slot_be[s->q[SQ_WRITES].e[i].slot]);
}

/* Step 2, without the queue's own room. */
static read_plan_t plan_read(mem_sched_t *s, sched_read_t *r, bool may_answer)
{
    if (s->w.valid && r->first && same(&s->w.place, &r->place))
        return (read_plan_t){STAY_ORDER, false};
    if (!r->known) {
        r->found = find(&s->q[SQ_WRITES], &r->place);
        r->known = true;
    }
    if (r->found < 0)
        return (read_plan_t){ENTER, false};
    if (covered(s, r->found))
        return (read_plan_t){may_answer ? ANSWER : STAY, false};
    return (read_plan_t){STAY_ORDER, true};
}

/* Step 4: STAY, or ENTER (merged if w.found is an entry). */
static move_t plan_write(mem_sched_t *s, bool write_goes)
{
    for (unsigned k = G; k <= D; k++)
        if (s->r[k].valid && !s->r[k].first && same(&s->r[k].place, &s->w.place))
            return STAY_ORDER;
    if (!s->w.known_read) {
        s->w.blocked = false;
        for (unsigned k = SQ_GOLDEN; k <= SQ_NORMAL && !s->w.blocked; k++)
            s->w.blocked = find(&s->q[k], &s->w.place) >= 0;
        s->w.known_read = true;
    }
    if (s->w.blocked)
        return STAY_ORDER;
    if (!s->w.waited)
        return STAY;
    if (!s->w.known_found) {
        s->w.found = find(&s->q[SQ_WRITES], &s->w.place);
        s->w.known_found = true;
    }
    if (s->w.found >= 0)
        return write_goes ? STAY : ENTER;
    return s->q[SQ_WRITES].count == SCHED_WRITES ? STAY : ENTER;
}

/* Step 6. */
static bool hits(const mem_sched_t *s, const mem_sched_in_t *in, const place_t *p)
{
    if (s->txn_valid && s->txn.bank == p->bank)
        return s->txn.row == p->row;
    return in->status[p->bank].open && s->row[p->bank] == p->row;
}

static bool oldest(mem_sched_t *s, const mem_sched_in_t *in, unsigned queue, uint64_t free)
{
    const sched_queue_t *q = &s->q[queue];
    int can = NEVER;
    if (!(q->banks & free))
        return false;
    for (unsigned i = 0; i < q->count; i++) {
        if (!(free >> q->e[i].place.bank & 1))
            continue;
        if (hits(s, in, &q->e[i].place)) {
            can = (int)i;
            break;
        }
        if (can < 0)
            can = (int)i;
    }
    s->choice.queue = (uint8_t)queue;
    s->choice.entry = (uint16_t)can;
    return true;
}

static bool look(mem_sched_t *s, const mem_sched_in_t *in, const bool urgent[2])
{
    const sched_queue_t *q = s->q;
    uint64_t free = 0;
    for (uint64_t v = q[0].banks | q[1].banks | q[2].banks | q[3].banks; v; v &= v - 1) {
        unsigned bank = (unsigned)__builtin_ctzll(v);
        free |= (uint64_t)(in->status[bank].room > (s->txn_valid && s->txn.bank == bank)) << bank;
    }
    s->choice.late = s->choice.urgent = false;
    if (!free)
        return false;
    if (in->policy.bound) {
        unsigned greatest = 0;
        for (unsigned k = 0; k < SQ_N; k++) {
            unsigned age = ((s->time >> 4) - q[k].e[0].stamp) & 4095;
            if (q[k].count && free >> q[k].e[0].place.bank & 1 && age >= in->policy.bound && age > greatest) {
                greatest = age;
                s->choice.late = true;
                s->choice.queue = (uint8_t)k;
                s->choice.entry = 0;
            }
        }
        if (s->choice.late)
            return true;
    }
    for (unsigned k = G; k <= D; k++)
        if (urgent[k] && free >> s->r[k].place.bank & 1 && (!s->choice.urgent || s->r[k].found < s->choice.entry)) {
            s->choice.urgent = true;
            s->choice.queue = SQ_WRITES;
            s->choice.entry = (uint16_t)s->r[k].found;
        }
    if (s->choice.urgent)
        return true;
    if (q[SQ_GOLDEN].count && free >> q[SQ_GOLDEN].e[0].place.bank & 1) {
        s->choice.queue = SQ_GOLDEN;
        s->choice.entry = 0;
        return true;
    }
    if (s->drain)
        return oldest(s, in, SQ_WRITES, free);
    if (oldest(s, in, SQ_SILVER, free) || oldest(s, in, SQ_NORMAL, free))
        return true;
    return !q[SQ_GOLDEN].count && !q[SQ_SILVER].count && !q[SQ_NORMAL].count && oldest(s, in, SQ_WRITES, free);
}

/* Step 3: is it Silver? */
static bool silver(const mem_sched_t *s, const sched_policy_t *p)
{
    if (p->mode != SCHED_MASK || !s->left)
        return false;
    for (unsigned a = 0; a < APPS; a++)
        if (p->app_valid >> a & 1 && p->app_asid[a] == s->r[D].asid)
            return a == s->turn;
    return false;
}

/* Step 3: a read has entered SILVER or NORMAL. True: the turn passed to an application. */
static bool turns(mem_sched_t *s, const mem_sched_in_t *in, bool to_silver)
{
    const sched_policy_t *p = &in->policy;
    if (to_silver) {
        s->left--;
        s->skipped = 0;
    } else {
        s->skipped += s->skipped < 1023;
    }
    if (p->app_valid >> s->turn & 1 && s->left && !(p->turn_skip && s->skipped >= p->turn_skip))
        return false;
    s->left = s->skipped = 0;
    for (unsigned k = 1; k <= APPS; k++) {
        unsigned a = (s->turn + k) % APPS;
        if (p->app_valid >> a & 1 && in->thresh[a]) {
            s->turn = (uint8_t)a;
            s->left = in->thresh[a];
            return true;
        }
    }
    return false;
}

static void write_leaves(mem_sched_t *s, ev_mem_sched_t *ev)
{
    unsigned slot = 0;
    if (s->w.found >= 0) {
        ev->sched_merges = true;
        slot = s->q[SQ_WRITES].e[s->w.found].slot;
        be_put(&s->slot_data[slot], &s->w.data, &s->w.be, 0);
        be_add(&s->slot_be[slot], &s->w.be);
    } else {
        ev->sched_writes = true;
        while (!~s->used[slot / 64])
            slot += 64;
        slot += (unsigned)__builtin_ctzll(~s->used[slot / 64]);
        s->used[slot / 64] |= 1ull << slot % 64;
        s->slot_be[slot] = s->w.be;
        s->slot_data[slot] = s->w.data;
        push(s, SQ_WRITES, (sq_entry_t){.place = s->w.place, .slot = (uint16_t)slot});
    }
    s->w.valid = s->w.waited = s->r[G].first = s->r[D].first = false;
}

/* Step 1: the request at the head of a queue goes into its register; -1: that is not free. */
static int queue_for(const mem_sched_t *s, const home_req_t *r, bool mask)
{
    if (r->op == HOME_WRITE_BACK)
        return s->w.valid ? NEVER : 2;
    unsigned kind = r->cls && mask ? G : D;
    return s->r[kind].valid ? NEVER : (int)kind;
}

static void take(mem_sched_t *s, unsigned slice, int kind, bool w_stays)
{
    const home_req_t *r = &s->in[slice][0];
    if (kind == 2) {
        s->w.valid = true;
        s->w.known_found = s->w.known_read = false;
        s->w.place = place_in(s->kind, r->line);
        s->w.be = r->be;
        s->w.data = r->data;
    } else {
        s->r[kind] = (sched_read_t){.valid = true,
                                    .first = w_stays,
                                    .place = place_in(s->kind, r->line),
                                    .id = (uint8_t)(slice << HOME_ID_W | r->id),
                                    .asid = r->asid};
    }
    s->in[slice][0] = s->in[slice][1];
    s->in_count[slice]--;
    s->rr = (slice + 1) % L2_SLICES;
}

/* Values passed between the steps of an edge. Conditions are those of before the edge. */
typedef struct {
    bool mask, write_goes; /* mode SCHED_MASK; the entry chosen is a write */
    unsigned to[2]; /* the queues that reads enter */
    read_plan_t plan[2];
    move_t w_move;
    ev_mem_sched_t ev;
} edge_t;

/* Steps 2 and 4: the requests that leave their registers, and the queues that they enter. */
static void plan_moves(mem_sched_t *s, const mem_sched_in_t *in, edge_t *e)
{
    bool may_answer = !in->txn_rsp_valid && !e->write_goes;
    e->to[G] = SQ_GOLDEN;
    e->to[D] = silver(s, &in->policy) ? SQ_SILVER : SQ_NORMAL;
    for (unsigned k = G; k <= D; k++)
        if (s->r[k].valid) {
            e->plan[k] = plan_read(s, &s->r[k], may_answer);
            may_answer &= e->plan[k].move != ANSWER;
            e->ev.sched_order |= e->plan[k].move == STAY_ORDER;
            if (e->plan[k].move == ENTER && s->q[e->to[k]].count == depth_of(e->to[k]))
                e->plan[k].move = STAY;
        }
    if (s->w.valid) {
        e->w_move = plan_write(s, e->write_goes);
        e->ev.sched_order |= e->w_move == STAY_ORDER;
    }
    e->ev.sched_wait_g = s->r[G].valid && e->plan[G].move <= STAY;
    e->ev.sched_wait_d = s->r[D].valid && e->plan[D].move <= STAY;
    e->ev.sched_wait_w = s->w.valid && e->w_move != ENTER;
}

/* Step 1: the slice of the request that is taken, and the register that it enters; NEVER: none. */
static int asks(const mem_sched_t *s, bool mask, unsigned *slice)
{
    int kind = NEVER;
    for (unsigned k = 0; k < L2_SLICES && kind < 0; k++) {
        *slice = (s->rr + k) % L2_SLICES;
        kind = s->in_count[*slice] ? queue_for(s, &s->in[*slice][0], mask) : NEVER;
    }
    return kind;
}

/* Whose read comes in, for the counters. */
static void note(const mem_sched_in_t *in, unsigned slice, ev_mem_sched_t *ev)
{
    const home_req_t *r = &in->home_req[slice];
    if (!DRAM_DETAIL || r->op == HOME_WRITE_BACK)
        return;
    ev->read_in |= 1u << slice;
    ev->read_id[slice] = r->id;
    ev->read_cls[slice] = r->cls;
    for (unsigned a = 0; a < APPS; a++)
        ev->read_app[slice] |= (unsigned)(in->policy.app_valid >> a & 1 && in->policy.app_asid[a] == r->asid) << a;
}

/* Step 1: it leaves its input queue, and new requests enter at the end. */
static void arrive(mem_sched_t *s, const mem_sched_in_t *in, int kind, unsigned slice, ev_mem_sched_t *ev)
{
    if (kind >= 0)
        take(s, slice, kind, s->w.valid);
    for (unsigned k = 0; k < L2_SLICES; k++)
        if (in->home_req_valid >> k & 1 && s->in_count[k] + (kind >= 0 && slice == k) < 2) {
            s->in[k][s->in_count[k]++] = in->home_req[k];
            note(in, k, ev);
        }
}

/* Step 7: `row` and `drain`. */
static void rest(mem_sched_t *s, const mem_sched_in_t *in)
{
    const unsigned writes = s->q[SQ_WRITES].count;
    if (s->txn_valid)
        s->row[s->txn.bank] = s->txn.row;
    if (writes == SCHED_WRITES || (writes && writes >= in->policy.write_high))
        s->drain = true;
    else if (writes <= in->policy.write_low)
        s->drain = false;
}

/* Step 2: answers of memory, and of WRITES. */
static void answer(mem_sched_t *s, const mem_sched_in_t *in, edge_t *e)
{
    s->rsp_valid = in->txn_rsp_valid;
    if (in->txn_rsp_valid) {
        s->rsp_slice = in->txn_rsp.id >> HOME_ID_W;
        s->rsp =
            (home_rsp_t){.id = in->txn_rsp.id & ((1u << HOME_ID_W) - 1), .state = NMOESI_E, .data = in->txn_rsp.data};
        s->out--;
        e->ev.read_done = DRAM_DETAIL;
        e->ev.read_done_id = DRAM_DETAIL ? in->txn_rsp.id : 0;
    }
    for (unsigned k = G; k <= D; k++)
        if (e->plan[k].move == ANSWER) {
            s->rsp_valid = e->ev.sched_forwards = true;
            s->rsp_slice = s->r[k].id >> HOME_ID_W;
            s->rsp = (home_rsp_t){.id = s->r[k].id & ((1u << HOME_ID_W) - 1),
                                  .state = NMOESI_E,
                                  .data = s->slot_data[s->q[SQ_WRITES].e[s->r[k].found].slot]};
            s->r[k].valid = false;
        }
}

/* Steps 2 to 4: what enters a queue. */
static void enter(mem_sched_t *s, const mem_sched_in_t *in, edge_t *e)
{
    if (e->w_move == ENTER)
        write_leaves(s, &e->ev);
    for (unsigned k = G; k <= D; k++)
        if (e->plan[k].move == ENTER) {
            push(s, e->to[k], (sq_entry_t){.place = s->r[k].place, .id = s->r[k].id});
            e->ev.sched_golden |= k == G;
            e->ev.sched_silver |= e->to[k] == SQ_SILVER;
            e->ev.sched_normal |= e->to[k] == SQ_NORMAL;
            if (k == D && e->mask)
                e->ev.sched_turns = turns(s, in, e->to[k] == SQ_SILVER);
            s->r[k].valid = false;
        }
}

/* Step 5: the entry chosen goes. */
static void go(mem_sched_t *s, edge_t *e)
{
    const sq_entry_t *chosen = &s->q[s->choice.queue].e[s->choice.entry];
    s->txn = (txn_t){
        .write = e->write_goes, .bank = chosen->place.bank, .row = chosen->place.row, .line = chosen->place.line};
    if (e->write_goes) {
        s->txn.be = s->slot_be[chosen->slot];
        s->txn.data = s->slot_data[chosen->slot];
        s->used[chosen->slot / 64] &= ~(1ull << chosen->slot % 64);
    } else {
        s->txn.id = chosen->id;
        s->out++;
    }
    e->ev.sched_hits = s->choice.hit;
    e->ev.sched_late = s->choice.late;
    e->ev.sched_urgent = s->choice.urgent;
    e->ev.sched_reads_out = !e->write_goes;
    e->ev.sched_writes_out = e->write_goes;
    pop(s, s->choice.queue, s->choice.entry);
}

void mem_sched_tick(mem_sched_t *s, const mem_sched_in_t *in)
{
    const bool none_waits = empty(s), goes = s->choice.valid;
    edge_t e;
    memset(&e, 0, sizeof e); /* padding too: states are compared byte by byte */
    e.mask = in->policy.mode == SCHED_MASK;
    e.write_goes = goes && s->choice.queue == SQ_WRITES;
    e.plan[G].move = e.plan[D].move = e.w_move = STAY;
    e.ev.sched_drain = s->drain;
    e.ev.sched_none = !goes && s->looked;
    e.ev.occ_golden = (uint16_t)s->q[SQ_GOLDEN].count;
    e.ev.occ_silver = (uint16_t)s->q[SQ_SILVER].count;
    e.ev.occ_normal = (uint16_t)s->q[SQ_NORMAL].count;
    e.ev.occ_writes = (uint16_t)s->q[SQ_WRITES].count;
    bool chosen = false;
    unsigned slice = 0;

    plan_moves(s, in, &e);
    const int kind = asks(s, e.mask, &slice);
    if (!goes && !none_waits) { /* step 6 */
        chosen = look(s, in, (const bool[]){e.plan[G].urgent, e.plan[D].urgent});
        s->choice.hit = chosen && hits(s, in, &s->q[s->choice.queue].e[s->choice.entry].place);
    }
    rest(s, in);
    answer(s, in, &e); /* before WRITES changes */
    /* A merge keeps places in WRITES, a push goes to the tail: both before the entry chosen earlier leaves. */
    enter(s, in, &e);
    s->txn_valid = goes;
    if (goes)
        go(s, &e);
    s->choice.valid = chosen;
    s->looked = !goes && !none_waits;
    s->w.waited = s->w.valid;
    arrive(s, in, kind, slice, &e.ev);
    s->time += !none_waits;
    s->ev = e.ev;
}

bool mem_sched_idle(const mem_sched_t *s)
{
    static const ev_mem_sched_t none;
    return calm(s) && !s->drain && !s->looked && !memcmp(&s->ev, &none, sizeof none);
}
