/* The page of compactor (docs/blocks/compactor.md) as a program. A group is a list of threads: each knows its home and place, in which warp it runs, and what it is doing; an entry of a stack is a
 * list of those that it has. What a warp stands at, and who waits for whom, is found by asking the threads. Blocks without compaction have no bench of it. */
#ifndef VERIF_CORE_COMPACTOR_PAGE_H
#define VERIF_CORE_COMPACTOR_PAGE_H
#include "compactor_ports.h"
#include "isa_gen.h"
#include "verif/common/scoreboard.h"

#define PAGE_PC_MASK ((1ull << PA_W) - 1)
enum { ELSEWHERE, RUNS, STANDS, ARRIVED }; /* REST, RUN, BRANCH, BAR of the page */
enum { NO_SIDE, TAKES, PASSES };
enum { E_IDLE, E_ALONE, E_DIV, E_SIDE, E_POP, E_FORM, E_ADMIT, E_BACK, E_DONE };
enum { NOBODY = -1 };

typedef struct {
    bool live, waits, form;
    int side;
} thread_s;

typedef struct {
    thread_s thread[THREADS]; /* of this warp as a home */
    bool in, gone;
    uint64_t wpc;
    /* of this warp as a place to run */
    int state, slot, fly, home[THREADS];
    meet_t at;
} warp_s;

typedef struct {
    uint64_t pc, rpc;
    bool rpc_valid, has[WARPS][THREADS];
} entry_s;

typedef struct {
    int size, started, level;
    bool on, aware, left, rpc_valid, some, mixed;
    uint64_t rpc, pc;
    entry_s stack[BLOCK_STACK];
} group_s;

typedef struct {
    warp_s warp[WARPS];
    group_s group[GROUPS];
    int engine, g, turn;
    uint64_t fpc;
    bool todo[WARPS], member[WARPS];
    int place[THREADS]; /* of the warp that ADMIT fills: a home, or NOBODY */
    meet_t d;
    bool flt_valid, stalled; /* stalled: the bench's: a warp of ADMIT waited for go */
    go_t flt;
    compactor_out_t out;
    /* what the last edge did, for coverage */
    struct {
        /* ready groups; reason of GO_ALONE; 1 + value of a fault; entries that were skipped */
        int ready, alone_for, fault, popped;
        bool fresh, both, at_target, at_next;
        int joined; /* the home that ADMIT took, or NOBODY */
    } did;
} page_t;

static void page_begin(page_t *p)
{
    memset(p, 0, sizeof *p);
}

static bool page_of(const page_t *p, int w, int g)
{
    return p->warp[w].in && p->warp[w].slot == g;
}

static int page_count(const page_t *p, int g, int state)
{
    int n = 0;
    for (int w = 0; w < WARPS; w++)
        n += page_of(p, w, g) && p->warp[w].state == state;
    return n;
}

static bool page_side(const page_t *p, int g, int side)
{
    for (int h = 0; h < WARPS; h++)
        for (int t = 0; t < THREADS; t++)
            if (page_of(p, h, g) && p->warp[h].thread[t].side == side)
                return true;
    return false;
}

static bool page_waits(const page_t *p, int h)
{
    for (int t = 0; t < THREADS; t++)
        if (p->warp[h].thread[t].waits)
            return true;
    return false;
}

enum { P_NOT, P_STIRS, P_ALONE, P_DIVIDES, P_POPS };

/* Step 5. why: the first reason to go on alone. */
static int page_ready(const page_t *p, const compactor_in_t *in, int g, int *why)
{
    const group_s *q = &p->group[g];
    const int stand = page_count(p, g, STANDS), rest = page_count(p, g, ELSEWHERE), bar = page_count(p, g, ARRIVED);
    if (!q->on || q->started != q->size || page_count(p, g, RUNS) || !(stand + rest + bar))
        return P_NOT;
    *why = bar                          ? 1
           : q->mixed                   ? 2
           : !page_side(p, g, TAKES)    ? 3
           : !page_side(p, g, PASSES)   ? 4
           : q->level + 2 > BLOCK_STACK ? 5
                                        : 0;
    if (stand && *why)
        return P_ALONE;
    if (!stand && bar)
        return P_NOT;
    for (int w = 0; w < WARPS; w++)
        if (page_of(p, w, g) && (p->warp[w].fly || (uint64_t)in->rows >> w & 1))
            return P_STIRS;
    return stand ? P_DIVIDES : P_POPS;
}

static void page_no_sides(page_t *p, int g)
{
    for (int h = 0; h < WARPS; h++)
        for (int t = 0; t < THREADS; t++)
            if (page_of(p, h, g))
                p->warp[h].thread[t].side = NO_SIDE;
}

static void page_decide(page_t *p, const compactor_in_t *in, compactor_out_t *o)
{
    int is[GROUPS], why[GROUPS] = {0}, ready = 0, stirs = 0;
    for (int g = 0; g < GROUPS; g++) {
        is[g] = page_ready(p, in, g, &why[g]);
        ready += is[g] > P_STIRS;
        stirs += is[g] == P_STIRS;
    }
    p->did.ready = ready;
    o->ev.compact_waits = !ready && stirs;
    if (!ready)
        return;
    int g = p->turn;
    while (is[g] <= P_STIRS)
        g = (g + 1) % GROUPS;
    group_s *q = &p->group[g];
    p->g = g;
    p->turn = (g + 1) % GROUPS;
    p->engine = is[g] == P_ALONE ? E_ALONE : is[g] == P_DIVIDES ? E_DIV : E_POP;
    bool first = true;
    for (int w = 0; w < WARPS; w++) {
        const bool stands = page_of(p, w, g) && p->warp[w].state == STANDS;
        if (is[g] == P_ALONE)
            p->todo[w] = stands;
        if (is[g] == P_DIVIDES && stands && first) {
            p->d = p->warp[w].at;
            first = false;
        }
        if (is[g] == P_DIVIDES && page_of(p, w, g))
            p->warp[w].state = ELSEWHERE;
    }
    if (is[g] == P_ALONE) {
        p->did.alone_for = why[g];
        page_no_sides(p, g);
    }
    if (is[g] != P_POPS)
        q->some = q->mixed = false;
}

static void page_push(page_t *p, group_s *q, uint64_t pc, bool rpc_valid, uint64_t rpc, bool takers_alone)
{
    entry_s *e = &q->stack[q->level++];
    e->pc = pc;
    e->rpc_valid = rpc_valid;
    e->rpc = rpc;
    for (int h = 0; h < WARPS; h++)
        for (int t = 0; t < THREADS; t++) {
            const int side = page_of(p, h, p->g) ? p->warp[h].thread[t].side : NO_SIDE;
            e->has[h][t] = takers_alone ? side == TAKES : side != NO_SIDE;
        }
}

static bool page_to_form(const page_t *p)
{
    for (int h = 0; h < WARPS; h++)
        for (int t = 0; t < THREADS; t++)
            if (p->warp[h].thread[t].form)
                return true;
    return false;
}

static int page_first_todo(page_t *p)
{
    int w = 0;
    while (!p->todo[w])
        w++;
    p->todo[w] = false;
    bool more = false;
    for (int k = 0; k < WARPS; k++)
        more |= p->todo[k];
    if (!more)
        p->engine = E_IDLE;
    return w;
}

static void page_formed(const page_t *p, compactor_out_t *o, int w, uint64_t mask, bool nested)
{
    int homes[THREADS], n = 0;
    o->formed_valid = true;
    o->formed.warp = (uint8_t)w;
    o->formed.mask = mask;
    o->formed.nested = nested;
    for (int t = 0; t < THREADS; t++) {
        o->formed.homes[t] = p->warp[w].home[t];
        if (mask >> t & 1)
            homes[n++] = p->warp[w].home[t];
    }
    o->ev.compact_warps = true;
    o->ev.compact_threads = n;
    for (int k = 1; k < n; k++)
        o->ev.compact_mixed |= homes[k] != homes[0];
}

static void page_go(compactor_out_t *o, go_t go)
{
    o->go_valid = true;
    o->go = go;
}

/* Steps 6, FORM and ADMIT: the next warp has a thread of this home at each place. */
static void page_make(page_t *p, compactor_out_t *o, const int *place)
{
    int w = 0;
    bool nested = p->group[p->g].level != 0;
    uint64_t mask = 0;
    while (!p->todo[w])
        w++;
    p->todo[w] = false;
    for (int k = 0; k < WARPS; k++)
        nested |= page_of(p, k, p->g) && page_waits(p, k);
    for (int t = 0; t < THREADS; t++) {
        p->warp[w].home[t] = place[t] == NOBODY ? w : place[t];
        mask |= (uint64_t)(place[t] != NOBODY) << t;
    }
    const group_s *q = &p->group[p->g];
    p->warp[w].state = RUNS;
    page_go(o, (go_t){.kind = GO_FORM,
                      .warp = (uint8_t)w,
                      .pc = p->fpc,
                      .rpc_valid = q->rpc_valid,
                      .rpc = q->rpc,
                      .tmask = mask});
    page_formed(p, o, w, mask, nested);
    p->engine = page_to_form(p) ? E_FORM : E_IDLE;
}

/* FORM, not aware. Each place is filled on its own. */
static void page_form(page_t *p, compactor_out_t *o)
{
    int place[THREADS];
    for (int t = 0; t < THREADS; t++) {
        int h = 0;
        while (h < WARPS && !p->warp[h].thread[t].form)
            h++;
        place[t] = h < WARPS ? h : NOBODY;
        if (h < WARPS)
            p->warp[h].thread[t].form = false;
    }
    page_make(p, o, place);
}

/* Places that only this home could fill: it alone has a thread for the place. */
static int page_fits(const page_t *p, int h)
{
    int n = 0;
    for (int t = 0; t < THREADS; t++)
        n += p->warp[h].thread[t].form && p->place[t] == NOBODY;
    return n;
}

static void page_join(page_t *p, int h)
{
    p->member[h] = true;
    for (int t = 0; t < THREADS; t++)
        if (p->warp[h].thread[t].form && p->place[t] == NOBODY) {
            p->place[t] = h;
            p->warp[h].thread[t].form = false;
        }
}

/* Has this home touched the pages of all that are in the warp? */
static bool page_common(const page_t *p, const compactor_in_t *in, int h)
{
    bool all = true;
    for (int m = 0; m < WARPS; m++)
        all &= !p->member[m] || (uint64_t)in->common[h] >> m & 1;
    return all;
}

/* FORM, aware. */
static void page_leads(page_t *p)
{
    for (int t = 0; t < THREADS; t++)
        p->place[t] = NOBODY;
    memset(p->member, 0, sizeof p->member);
    int leader = 0;
    while (!page_fits(p, leader))
        leader++;
    page_join(p, leader);
    p->engine = E_ADMIT;
}

static void page_admit(page_t *p, const compactor_in_t *in, compactor_out_t *o, bool room)
{
    bool apart = false;
    for (int h = 0; h < WARPS; h++) {
        if (p->member[h] || !page_fits(p, h))
            continue;
        if (page_common(p, in, h)) {
            page_join(p, h);
            p->did.joined = h;
            return;
        }
        apart = true;
    }
    if (!room)
        return;
    page_make(p, o, p->place);
    o->ev.compact_apart = apart;
}

static void page_back(page_t *p, compactor_out_t *o)
{
    const int h = page_first_todo(p);
    warp_s *v = &p->warp[h];
    uint64_t live = 0;
    for (int t = 0; t < THREADS; t++) {
        v->home[t] = h;
        live |= (uint64_t)v->thread[t].live << t;
    }
    v->state = RUNS;
    page_go(o, (go_t){.kind = GO_FORM, .warp = (uint8_t)h, .pc = v->wpc, .tmask = live});
    page_formed(p, o, h, live, false);
    if (p->engine == E_IDLE)
        p->group[p->g].rpc_valid = false, p->group[p->g].rpc = 0;
}

/* Steps 6 that need no place for a go. */
static void page_divide(page_t *p, compactor_out_t *o)
{
    group_s *q = &p->group[p->g];
    o->ev.compact_divisions = true;
    p->did.fresh = !(q->rpc_valid && q->rpc == p->d.meeting);
    if (p->did.fresh)
        page_push(p, q, p->d.meeting, q->rpc_valid, q->rpc, false);
    q->rpc_valid = true;
    q->rpc = p->d.meeting;
    p->engine = E_SIDE;
}

static void page_sides(page_t *p)
{
    group_s *q = &p->group[p->g];
    const uint64_t next = (p->d.pc + 4) & PAGE_PC_MASK;
    const bool at_target = p->d.target == q->rpc, at_next = next == q->rpc;
    if (!at_target && !at_next)
        page_push(p, q, p->d.target, true, q->rpc, true);
    const int goes = at_next && !at_target ? TAKES : PASSES;
    p->fpc = goes == TAKES ? p->d.target : next;
    for (int h = 0; h < WARPS; h++)
        for (int t = 0; t < THREADS; t++)
            p->warp[h].thread[t].form = page_of(p, h, p->g) && p->warp[h].thread[t].side == goes;
    page_no_sides(p, p->g);
    for (int w = 0; w < WARPS; w++)
        p->todo[w] = page_of(p, w, p->g);
    p->did.at_target = at_target, p->did.at_next = at_next, p->did.both = !at_target && !at_next;
    p->engine = E_FORM;
}

static void page_pop(page_t *p)
{
    group_s *q = &p->group[p->g];
    bool waits = false;
    for (int w = 0; w < WARPS; w++) {
        p->todo[w] = page_of(p, w, p->g);
        waits |= p->todo[w] && page_waits(p, w);
    }
    if (!q->level) {
        for (int w = 0; w < WARPS; w++)
            for (int t = 0; t < THREADS && p->todo[w]; t++)
                p->warp[w].thread[t].waits = false;
        p->engine = waits ? E_BACK : E_DONE;
        return;
    }
    const entry_s *e = &q->stack[--q->level];
    for (int h = 0; h < WARPS; h++)
        for (int t = 0; t < THREADS; t++) {
            thread_s *x = &p->warp[h].thread[t];
            x->form = e->has[h][t] && x->live && !x->waits && page_of(p, h, p->g);
        }
    p->did.popped++;
    if (!page_to_form(p))
        return;
    p->fpc = e->pc;
    q->rpc_valid = e->rpc_valid;
    q->rpc = e->rpc;
    p->engine = E_FORM;
}

/* Step 2, what is wrong with it: 1 + value, or 0. */
static int page_wrong(const page_t *p, const meet_t *m)
{
    const int g = p->warp[m->warp].slot;
    bool gone = false, waits = false, apart = false, others = page_count(p, g, ARRIVED) != 0;
    for (int w = 0; w < WARPS; w++)
        others |= page_of(p, w, g) && page_waits(p, w);
    for (int t = 0; t < THREADS; t++) {
        if (!((uint64_t)m->tmask >> t & 1))
            continue;
        const int h = p->warp[m->warp].home[t];
        gone |= p->warp[h].gone;
        waits |= page_waits(p, h);
        apart |= page_waits(p, h) && p->warp[h].wpc != m->pc;
    }
    if ((m->barrier || m->waits) && p->group[g].left)
        return gone ? 1 : 2;
    if (m->waits && apart)
        return 1;
    if (m->ended && others)
        return waits ? 1 : 2;
    return 0;
}

static void page_meet(page_t *p, const meet_t *m)
{
    warp_s *w = &p->warp[m->warp];
    group_s *q = &p->group[w->slot];
    if (m->branch) {
        w->state = STANDS;
        w->at = *m;
        q->mixed |= q->some && q->pc != m->pc;
        if (!q->some)
            q->pc = m->pc;
        q->some = true;
    } else if (m->barrier) {
        w->state = ARRIVED;
    } else if (m->done) {
        w->state = ELSEWHERE;
    }
    for (int t = 0; t < THREADS; t++) {
        if (!((uint64_t)m->tmask >> t & 1))
            continue;
        warp_s *h = &p->warp[w->home[t]];
        if (m->branch)
            h->thread[t].side = (uint64_t)m->taken >> t & 1 ? TAKES : PASSES;
        if (m->ended) {
            h->thread[t].live = false;
            h->gone = q->left = true;
        }
        if (m->waits) {
            h->thread[t].waits = true;
            h->wpc = m->pc;
        }
    }
}

static void page_start(page_t *p, const compactor_in_t *in)
{
    const start_t *s = &in->start;
    warp_s *w = &p->warp[s->warp];
    group_s *q = &p->group[s->slot];
    if (q->started == q->size)
        *q = (group_s){.size = s->group_warps,
                       .on = in->policy == COMPACT_TBC || in->policy == COMPACT_TLB,
                       .aware = in->policy == COMPACT_TLB};
    q->started++;
    w->in = q->on;
    w->slot = s->slot;
    w->gone = false;
    w->state = q->on ? RUNS : ELSEWHERE;
    for (int t = 0; t < THREADS; t++) {
        w->home[t] = s->warp;
        w->thread[t] = (thread_s){.live = q->on && (uint64_t)s->tmask >> t & 1};
    }
}

static void page_expect(page_t *p, const compactor_in_t *in)
{
    compactor_out_t o = {0};
    const compactor_out_t *was = &p->out;
    const int wrong = in->meet_valid && !p->flt_valid ? page_wrong(p, &in->meet) : 0;
    const go_t flt = {
        .kind = GO_FAULT, .warp = in->meet.warp, .pc = in->meet.pc, .value = wrong == 2, .tmask = in->meet.tmask};
    const bool open = !was->go_valid || in->go_ready;
    memset(&p->did, 0, sizeof p->did);
    p->did.joined = NOBODY;
    p->did.fault = wrong;
    if (!open)
        page_go(&o, was->go);
    bool room = open;
    if (open && p->flt_valid) {
        page_go(&o, p->flt);
        p->flt_valid = room = false;
    }
    switch (p->engine) { /* steps 5, 6 */
    case E_IDLE: page_decide(p, in, &o); break;
    case E_DIV: page_divide(p, &o); break;
    case E_SIDE: page_sides(p); break;
    case E_POP: page_pop(p); break;
    case E_ALONE:
        if (room) {
            const int w = page_first_todo(p);
            const meet_t *a = &p->warp[w].at;
            p->warp[w].state = RUNS;
            o.ev.compact_alone = true;
            page_go(&o, (go_t){.kind = GO_ALONE,
                               .warp = (uint8_t)w,
                               .pc = a->pc,
                               .target = a->target,
                               .tmask = a->tmask,
                               .taken = a->taken});
        }
        break;
    case E_FORM:
        if (p->group[p->g].aware)
            page_leads(p);
        else if (room)
            page_form(p, &o);
        break;
    case E_ADMIT: page_admit(p, in, &o, room); break;
    case E_BACK:
        if (room)
            page_back(p, &o);
        break;
    case E_DONE:
        if (room) {
            const int w = page_first_todo(p);
            p->warp[w].in = false;
            page_go(&o, (go_t){.kind = GO_DONE, .warp = (uint8_t)w});
        }
        break;
    }
    for (int w = 0; w < WARPS; w++)
        if (in->release_valid && (uint64_t)in->release >> w & 1 && p->warp[w].state == ARRIVED)
            p->warp[w].state = RUNS;
    if (in->meet_valid)
        page_meet(p, &in->meet);
    if (wrong)
        p->flt_valid = true, p->flt = flt;
    for (int w = 0; w < WARPS; w++) { /* step 4 */
        const issued_t *i = &in->issue;
        p->warp[w].fly += in->issue_valid && i->warp == w && i->first && i->pipe != PIPE_ALU && i->pipe != PIPE_CTL
                          && i->instr % 128 != 35;
        p->warp[w].fly -= in->wb_valid && in->wb.res.warp == w && in->wb.res.last && in->wb.pipe != PIPE_ALU;
    }
    if (in->start_valid)
        page_start(p, in);
    for (int w = 0; w < WARPS; w++) {
        o.grouped |= (__typeof__(o.grouped))((uint64_t)p->warp[w].in << w);
        bool waits = false;
        for (int h = 0; h < WARPS; h++)
            waits |= page_of(p, h, p->warp[w].slot) && page_waits(p, h);
        o.nested |=
            (__typeof__(o.nested))((uint64_t)(p->warp[w].in && (p->group[p->warp[w].slot].level || waits)) << w);
        for (int t = 0; t < THREADS && w < HOME_WARPS; t++)
            o.homes[w % HOME_WARPS][t % HOME_PLACES] = (uint8_t)p->warp[w].home[t];
    }
    p->out = o;
}
#endif
