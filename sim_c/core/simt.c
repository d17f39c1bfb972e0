/* Twin of rtl/core/simt.sv: divergence and reconvergence (docs/blocks/simt.md). */
#include "simt_ports.h"
#include <string.h>

#define PC_MASK ((1ull << PA_W) - 1)

typedef struct {
    uint64_t pc, mask, rpc;
    bool rpc_valid, stay;
} entry_t_;

typedef struct {
    /* running: live threads that do not wait at the barrier at bar_pc for others of the warp */
    uint64_t live, running, bar_pc, rpc;
    unsigned sp;
    bool rpc_valid, left; /* left: some thread of the warp has ended */
    entry_t_ stack[SIMT_DEPTH];
} warp_state_t;

typedef struct {
    bool valid;
    uint64_t pc, target;
} way_t;

enum engine { IDLE, LOOK, DIV, POP };

struct simt {
    warp_state_t warp[WARPS];
    issued_t k[WARPS];
    cf_t c[WARPS];
    unsigned k_head, k_count, c_head, c_count;
    enum engine engine;
    cf_t d;
    way_t found[2]; /* the set of the reconvergence table for d, read when d was taken */
    bool alone, of_group; /* d comes from a GO_ALONE; d is a branch of a compacted group */
    unsigned p_warp;
    bool held_valid, meet_valid;
    go_t held;
    meet_t meet;
    way_t table[RECONV_SETS][2];
    bool redirect_valid, done_valid, arrive_valid, fault_valid, still;
    uint8_t done;
    redirect_t redirect;
    bar_arrive_t arrive;
    fault_t fault;
    ev_simt_t ev;
};

size_t simt_size(void)
{
    return sizeof(struct simt);
}

/* The table outlives a reset. Entries that no start or write has set are never read. */
void simt_reset(simt_t *s)
{
    s->k_head = s->k_count = s->c_head = s->c_count = 0;
    s->engine = IDLE;
    s->redirect_valid = s->done_valid = s->arrive_valid = s->fault_valid = s->still = false;
    s->held_valid = s->meet_valid = s->alone = false;
    memset(&s->ev, 0, sizeof s->ev);
}

void simt_out(const simt_t *s, simt_out_t *o)
{
    if ((o->redirect_valid = s->redirect_valid))
        o->redirect = s->redirect;
    if ((o->warp_done_valid = s->done_valid))
        o->warp_done = s->done;
    if ((o->arrive_valid = s->arrive_valid))
        o->arrive = s->arrive;
    if ((o->fault_valid = s->fault_valid))
        o->fault = s->fault;
    if ((o->meet_valid = s->meet_valid))
        o->meet = s->meet;
    o->go_ready = !s->held_valid;
    o->ev = s->ev;
}

static void go_on(simt_t *s, unsigned w, bool flush, uint64_t pc, uint64_t tmask)
{
    const warp_state_t *v = &s->warp[w];
    s->redirect_valid = true;
    s->redirect = (redirect_t){.warp = (uint8_t)w,
                               .flush = flush,
                               .pc = pc & PC_MASK,
                               .tmask = tmask,
                               .rpc_valid = v->rpc_valid,
                               .rpc = v->rpc};
    s->redirect.at_rpc = v->rpc_valid && s->redirect.pc == v->rpc;
}

static void raise(simt_t *s, unsigned cause, unsigned w, uint64_t pc, uint64_t value, uint64_t mask)
{
    s->fault_valid = true;
    s->fault = (fault_t){.cause = (uint8_t)cause, .warp = (uint8_t)w, .pc = pc, .value = value, .mask = mask};
}

static void tell(simt_t *s, meet_t meet)
{
    s->meet_valid = true;
    s->meet = meet;
}

static void push(simt_t *s, warp_state_t *v, uint64_t pc, uint64_t mask, bool stay)
{
    v->stack[v->sp++] = (entry_t_){.pc = pc, .mask = mask, .rpc = v->rpc, .rpc_valid = v->rpc_valid, .stay = stay};
    s->ev.simt_pushes++;
}

static void look_up(simt_t *s, const cf_t *q, bool alone, bool of_group)
{
    s->engine = LOOK;
    s->d = *q;
    s->alone = alone;
    s->of_group = of_group;
    memcpy(s->found, s->table[q->pc >> 2 & (RECONV_SETS - 1)], sizeof s->found);
}

/* grouped: warps of compacted groups. */
static void branch(simt_t *s, const cf_t *q, uint64_t grouped, bool alone)
{
    unsigned w = q->warp;
    warp_state_t *v = &s->warp[w];
    if (COMPACTS && grouped >> w & 1 && !q->misaligned && !q->indirect && !alone && !v->sp && v->running == v->live) {
        look_up(s, q, false, true); /* compacted groups, 2 */
    } else if (q->misaligned) {
        raise(s, FAULT_FETCH_MISALIGNED, w, q->pc, q->target, q->taken);
    } else if (!q->taken && !q->indirect) {
        go_on(s, w, false, q->pc + 4, q->tmask);
    } else if (q->taken == q->tmask) {
        go_on(s, w, true, q->target, q->tmask);
    } else if (q->indirect) {
        push(s, v, q->pc, q->tmask & ~q->taken, v->rpc_valid && q->pc == v->rpc);
        go_on(s, w, true, q->target, q->taken);
    } else {
        look_up(s, q, alone, false);
    }
}

/* Step D. */
static void diverge(simt_t *s)
{
    const cf_t *d = &s->d;
    unsigned w = d->warp;
    warp_state_t *v = &s->warp[w];
    bool hit = false;
    uint64_t meet = 0, next = (d->pc + 4) & PC_MASK, others = d->tmask & ~d->taken;
    for (unsigned k = 2; k-- > 0;)
        if (s->found[k].valid && s->found[k].pc == d->pc)
            hit = true, meet = s->found[k].target;
    bool fresh = hit && !(v->rpc_valid && v->rpc == meet);
    bool at_target = hit && d->target == meet, at_next = hit && next == meet, both = !at_target && !at_next;
    const bool parts = d->taken && others;
    s->engine = IDLE;
    s->ev.simt_divergences = parts && !s->alone;
    s->ev.reconv_misses = parts && !s->alone && !hit;
    s->alone = false;
    if (s->of_group && hit) { /* compacted groups, 3 */
        tell(s, (meet_t){.warp = d->warp,
                         .branch = true,
                         .pc = d->pc,
                         .target = d->target,
                         .meeting = meet,
                         .tmask = d->tmask,
                         .taken = d->taken});
        return;
    }
    if (s->of_group && !parts) {
        go_on(s, w, d->taken != 0, d->taken ? d->target : next, d->tmask);
        return;
    }
    if (fresh)
        push(s, v, meet, d->tmask, true);
    if (hit)
        v->rpc_valid = true, v->rpc = meet;
    if (both)
        push(s, v, d->target, d->taken, v->rpc_valid && d->target == v->rpc);
    if (at_next && !at_target)
        go_on(s, w, true, d->target, d->taken);
    else
        go_on(s, w, false, next, others);
}

/* Step P. */
static void pop(simt_t *s, unsigned w, bool flush)
{
    warp_state_t *v = &s->warp[w];
    /* An empty stack does not happen; the RTL then reads its last place, and so do we. */
    v->sp = v->sp ? v->sp - 1 : SIMT_DEPTH - 1;
    const entry_t_ *e = &v->stack[v->sp];
    uint64_t m = e->mask & v->running;
    s->ev.simt_pops = true;
    if (!m) {
        s->engine = POP;
        s->p_warp = w;
        return;
    }
    s->engine = IDLE;
    v->rpc_valid = e->rpc_valid;
    v->rpc = e->rpc;
    go_on(s, w, flush || !e->stay, e->pc, m);
}

static void end(simt_t *s, unsigned w)
{
    s->redirect_valid = s->done_valid = true;
    s->redirect = (redirect_t){.warp = (uint8_t)w, .stop = true};
    s->done = (uint8_t)w;
}

/* Compacted groups, 1: threads that the compactor gave back. */
static void act(simt_t *s, const go_t *q)
{
    warp_state_t *v = &s->warp[q->warp];
    switch (q->kind) {
    case GO_FORM:
        v->live = v->running = q->tmask;
        v->left = false;
        v->sp = 0;
        v->rpc_valid = q->rpc_valid;
        v->rpc = q->rpc;
        go_on(s, q->warp, true, q->pc, q->tmask);
        break;
    case GO_ALONE: {
        const cf_t d = {.warp = q->warp, .pc = q->pc, .tmask = q->tmask, .taken = q->taken, .target = q->target};
        branch(s, &d, 0, true);
        break;
    }
    case GO_DONE: end(s, q->warp); break;
    default: raise(s, FAULT_BARRIER, q->warp, q->pc, q->value, q->tmask);
    }
}

/* Threads of a warp of a compacted group have ended, or wait (compacted groups, 4 and 5). */
static void part(simt_t *s, const issued_t *q, meet_t meet)
{
    warp_state_t *v = &s->warp[q->warp];
    v->live &= ~(uint64_t)q->tmask;
    v->running &= ~(uint64_t)q->tmask;
    meet.warp = q->warp;
    meet.pc = q->pc;
    meet.tmask = q->tmask;
    meet.done = !v->live || !v->sp;
    tell(s, meet);
    if (!meet.done)
        pop(s, q->warp, true);
}

static void control(simt_t *s, const issued_t *q, uint64_t grouped, uint64_t nested)
{
    unsigned w = q->warp;
    warp_state_t *v = &s->warp[w];
    const bool group = COMPACTS && grouped >> w & 1;
    switch (q->op) {
    case OP_VL_BARRIER: {
        bool waits = v->running != v->live;
        if (group && nested >> w & 1 && !v->left) {
            part(s, q, (meet_t){.waits = true});
        } else if (v->left || (waits && q->pc != v->bar_pc)) { /* the missing threads never arrive here: a fault */
            raise(s, FAULT_BARRIER, w, q->pc, 0, q->tmask);
        } else if (q->tmask != v->running) {
            v->running &= ~(uint64_t)q->tmask;
            v->bar_pc = q->pc;
            pop(s, w, true);
        } else if (waits) {
            v->running = v->live;
            v->sp = 0;
            v->rpc_valid = false;
            v->rpc = 0;
            go_on(s, w, true, q->pc, v->live);
        } else {
            s->arrive_valid = true;
            s->arrive = (bar_arrive_t){.warp = q->warp, .pc = q->pc, .tmask = q->tmask};
            if (group)
                tell(s, (meet_t){.warp = q->warp, .barrier = true, .pc = q->pc, .tmask = q->tmask});
        }
        break;
    }
    case OP_VL_EXIT:
        if (v->running != v->live) {
            raise(s, FAULT_BARRIER, w, v->bar_pc, 0, v->live & ~v->running);
            break;
        }
        v->left = true;
        if (group) {
            part(s, q, (meet_t){.ended = true});
            break;
        }
        v->live &= ~(uint64_t)q->tmask;
        v->running = v->live;
        if (v->live)
            pop(s, w, true);
        else
            end(s, w);
        break;
    case OP_JOIN:
        if (group && !v->sp)
            tell(s, (meet_t){.warp = q->warp, .done = true}); /* compacted groups, 6 */
        else
            pop(s, w, false);
        break;
    default:
        if (q->fetch_fault)
            raise(s, q->instr & 1 ? FAULT_FETCH_PAGE : FAULT_FETCH_ACCESS, w, q->pc, q->pc, q->tmask);
        else
            raise(s, FAULT_ILLEGAL, w, q->pc, q->instr, q->tmask);
    }
}

void simt_tick(simt_t *s, const simt_in_t *in)
{
    bool ctl = in->issue_valid && in->issue.pipe == PIPE_CTL, cf = in->cf_valid;
    bool waits = s->k_count || s->c_count;
    bool moved = s->redirect_valid || s->done_valid || s->arrive_valid || s->fault_valid || in->start_valid || ctl || cf
                 || in->tw_valid || s->engine != IDLE || s->ev.simt_waits != waits || s->meet_valid || in->go_valid;
    const bool taken = COMPACTS && in->go_valid && !s->held_valid;
    s->redirect_valid = s->done_valid = s->arrive_valid = s->fault_valid = s->meet_valid = false;
    s->ev = (ev_simt_t){.simt_waits = waits};

    if (in->start_valid) {
        const start_t *t = &in->start;
        warp_state_t *v = &s->warp[t->warp];
        v->live = v->running = t->tmask;
        v->left = false;
        v->sp = 0;
        v->rpc_valid = false;
        v->rpc = 0;
        go_on(s, t->warp, true, t->pc, t->tmask);
        s->redirect.start = true;
    } else if (s->engine == LOOK) {
        s->engine = DIV;
    } else if (s->engine == DIV) {
        diverge(s);
    } else if (s->engine == POP) {
        if (COMPACTS && in->grouped >> s->p_warp & 1 && !s->warp[s->p_warp].sp) {
            tell(s, (meet_t){.warp = (uint8_t)s->p_warp, .done = true}); /* compacted groups, 6 */
            s->engine = IDLE;
        } else {
            pop(s, s->p_warp, true);
        }
    } else if (!in->halt) {
        if (s->held_valid) {
            s->held_valid = false;
            moved = true;
            act(s, &s->held);
        } else if (s->k_count) {
            const issued_t *q = &s->k[s->k_head];
            s->k_head = (s->k_head + 1) % WARPS;
            s->k_count--;
            moved = true;
            control(s, q, in->grouped, in->nested);
        } else if (ctl) {
            control(s, &in->issue, in->grouped, in->nested);
            ctl = false;
        } else if (s->c_count) {
            const cf_t *q = &s->c[s->c_head];
            s->c_head = (s->c_head + 1) % WARPS;
            s->c_count--;
            moved = true;
            branch(s, q, in->grouped, false);
        } else if (cf) {
            branch(s, &in->cf, in->grouped, false);
            cf = false;
        }
    }
    if (ctl)
        s->k[(s->k_head + s->k_count++) % WARPS] = in->issue;
    if (cf)
        s->c[(s->c_head + s->c_count++) % WARPS] = in->cf;
    if (taken) {
        s->held_valid = true;
        s->held = in->go;
    }
    if (in->tw_valid)
        s->table[in->tw.index][in->tw.way] = (way_t){in->tw.valid, in->tw.pc, in->tw.target};
    s->still = !moved;
}

bool simt_idle(const simt_t *s)
{
    return s->still;
}
