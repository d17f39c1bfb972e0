/* The page of simt (docs/blocks/simt.md) as a program: the stack of every warp, which warp is answered when and how, messages of warps of compacted groups in both directions, every event. */
#ifndef VERIF_CORE_SIMT_PAGE_H
#define VERIF_CORE_SIMT_PAGE_H
#include "simt_ports.h"
#include "verif/common/scoreboard.h"

typedef struct {
    uint64_t pc, mask, rpc;
    bool rpc_valid, stay;
} page_entry_t;
typedef struct {
    uint64_t live, running, bar_pc, rpc;
    bool left, rpc_valid;
    unsigned sp;
    page_entry_t stack[2 * (THREADS - 1)];
} page_warp_t;
typedef struct {
    bool valid;
    uint64_t pc, target;
} page_row_t;

typedef struct {
    page_warp_t warp[WARPS];
    issued_t k[WARPS];
    cf_t c[WARPS];
    unsigned k_n, c_n, pop_warp;
    enum { PG_IDLE, PG_LOOK, PG_DIV, PG_POP } engine;
    cf_t d;
    bool asks, alone; /* d is of a warp that asks its group; one that a GO_ALONE gave back */
    bool held_valid;
    go_t held;
    uint64_t grouped, nested; /* of this edge */
    page_row_t read[2], table[RECONV_SETS][2];
    simt_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    p->out.go_ready = true;
}

static uint64_t page_next(uint64_t pc)
{
    return (pc + 4) & ((1ull << PA_W) - 1);
}

static void page_redirect(page_t *p, unsigned w, bool flush, uint64_t pc, uint64_t tmask)
{
    const page_warp_t *v = &p->warp[w];
    p->out.redirect_valid = true;
    p->out.redirect = (redirect_t){.warp = (uint8_t)w,
                                   .flush = flush,
                                   .pc = pc,
                                   .tmask = tmask,
                                   .rpc_valid = v->rpc_valid,
                                   .rpc = v->rpc_valid ? v->rpc : 0,
                                   .at_rpc = v->rpc_valid && pc == v->rpc};
}

static void page_fault(page_t *p, unsigned cause, unsigned w, uint64_t pc, uint64_t value, uint64_t mask)
{
    p->out.fault_valid = true;
    p->out.fault = (fault_t){.cause = (uint8_t)cause, .warp = (uint8_t)w, .pc = pc, .value = value, .mask = mask};
}

/* The warp's rpc is that of after the step; the entry has the one to restore. */
static void page_push(page_t *p, unsigned w, uint64_t pc, uint64_t mask, bool rpc_valid, uint64_t rpc)
{
    page_warp_t *v = &p->warp[w];
    v->stack[v->sp++] = (page_entry_t){pc, mask, rpc, rpc_valid, v->rpc_valid && pc == v->rpc};
    p->out.ev.simt_pushes++;
}

/* Reports a meet of a warp of a compacted group. */
static void page_tell(page_t *p, meet_t m)
{
    p->out.meet_valid = true;
    p->out.meet = m;
}

static void page_pop(page_t *p, unsigned w, bool flush)
{
    page_warp_t *v = &p->warp[w];
    if (!v->sp && p->grouped >> w & 1) { /* the compactor keeps what stands under its stack: step 6 */
        p->engine = PG_IDLE;
        page_tell(p, (meet_t){.warp = (uint8_t)w, .done = true});
        return;
    }
    const page_entry_t e = v->stack[--v->sp];
    p->out.ev.simt_pops = true;
    p->engine = PG_IDLE;
    if (!(e.mask & v->running)) {
        p->engine = PG_POP;
        p->pop_warp = w;
        return;
    }
    v->rpc_valid = e.rpc_valid;
    v->rpc = e.rpc;
    page_redirect(p, w, flush || !e.stay, e.pc, e.mask & v->running);
}

/* Threads of a compacted group leave the warp, to wait or as they have ended: 4, 5. */
static void page_leave(page_t *p, unsigned w, meet_t m)
{
    page_warp_t *v = &p->warp[w];
    v->live &= ~(uint64_t)m.tmask;
    v->running &= ~(uint64_t)m.tmask;
    m.done = !v->live || !v->sp;
    page_tell(p, m);
    if (!m.done)
        page_pop(p, w, true);
}

static void page_look(page_t *p, const cf_t *c, bool asks, bool alone)
{
    p->engine = PG_LOOK;
    p->d = *c;
    p->asks = asks;
    p->alone = alone;
    memcpy(p->read, p->table[c->pc / 4 % RECONV_SETS], sizeof p->read);
}

static void page_cf(page_t *p, const cf_t *c, bool alone)
{
    page_warp_t *v = &p->warp[c->warp];
    if (c->misaligned) {
        page_fault(p, FAULT_FETCH_MISALIGNED, c->warp, c->pc, c->target, c->taken);
    } else if (p->grouped >> c->warp & 1 && !c->indirect && !alone && !v->sp && v->running == v->live) {
        page_look(p, c, true, false);
    } else if (!c->taken && !c->indirect) {
        page_redirect(p, c->warp, false, page_next(c->pc), c->tmask);
    } else if (c->taken == c->tmask) {
        page_redirect(p, c->warp, true, c->target, c->tmask);
    } else if (!c->indirect) {
        page_look(p, c, false, alone);
    } else {
        page_push(p, c->warp, c->pc, (uint64_t)(c->tmask & ~c->taken), v->rpc_valid, v->rpc);
        page_redirect(p, c->warp, true, c->target, c->taken);
    }
}

static void page_divide(page_t *p)
{
    const cf_t *d = &p->d;
    page_warp_t *v = &p->warp[d->warp];
    const page_row_t *row = NULL;
    for (unsigned way = 2; way-- > 0;)
        if (p->read[way].valid && p->read[way].pc == d->pc)
            row = &p->read[way];
    const bool fresh = row && !(v->rpc_valid && row->target == v->rpc), at_t = row && d->target == row->target,
               at_f = row && page_next(d->pc) == row->target;
    const bool both = !at_t && !at_f, old_valid = v->rpc_valid;
    const uint64_t old = v->rpc;
    p->engine = PG_IDLE;
    const bool parts = d->taken && d->taken != d->tmask;
    p->out.ev.simt_divergences = parts && !p->alone;
    p->out.ev.reconv_misses = parts && !p->alone && !row;
    if (p->asks && row) {
        page_tell(p, (meet_t){.warp = d->warp,
                              .branch = true,
                              .pc = d->pc,
                              .target = d->target,
                              .meeting = row->target,
                              .tmask = d->tmask,
                              .taken = d->taken});
        return;
    }
    if (!parts) {
        page_redirect(p, d->warp, d->taken, d->taken ? d->target : page_next(d->pc), d->tmask);
        return;
    }
    if (row) {
        v->rpc_valid = true;
        v->rpc = row->target;
    }
    if (fresh)
        page_push(p, d->warp, row->target, d->tmask, old_valid, old);
    if (both)
        page_push(p, d->warp, d->target, d->taken, v->rpc_valid, v->rpc);
    if (at_f && !at_t)
        page_redirect(p, d->warp, true, d->target, d->taken);
    else
        page_redirect(p, d->warp, false, page_next(d->pc), (uint64_t)(d->tmask & ~d->taken));
}

static void page_end(page_t *p, uint8_t w)
{
    p->out.redirect_valid = p->out.warp_done_valid = true;
    p->out.redirect = (redirect_t){.warp = w, .stop = true};
    p->out.warp_done = w;
}

static void page_ctl(page_t *p, const issued_t *i)
{
    page_warp_t *v = &p->warp[i->warp];
    const bool grouped = p->grouped >> i->warp & 1;
    switch (i->ctl) {
    case CTL_BARRIER:
        if (grouped && p->nested >> i->warp & 1 && !v->left) {
            page_leave(p, i->warp, (meet_t){.warp = i->warp, .waits = true, .pc = i->pc, .tmask = i->tmask});
        } else if (v->left || (v->running != v->live && i->pc != v->bar_pc)) {
            page_fault(p, FAULT_BARRIER, i->warp, i->pc, 0, i->tmask);
        } else if (i->tmask != v->running) {
            v->running &= ~(uint64_t)i->tmask;
            v->bar_pc = i->pc;
            page_pop(p, i->warp, true);
        } else if (v->running != v->live) {
            v->running = v->live;
            v->sp = 0;
            v->rpc_valid = false;
            page_redirect(p, i->warp, true, i->pc, v->live);
        } else {
            p->out.arrive_valid = true;
            p->out.arrive = (bar_arrive_t){i->warp, i->pc, i->tmask};
            if (grouped)
                page_tell(p, (meet_t){.warp = i->warp, .barrier = true, .pc = i->pc, .tmask = i->tmask});
        }
        break;
    case CTL_EXIT:
        if (v->running != v->live) {
            page_fault(p, FAULT_BARRIER, i->warp, v->bar_pc, 0, v->live & ~v->running);
            break;
        }
        v->left = true;
        if (grouped) {
            page_leave(p, i->warp, (meet_t){.warp = i->warp, .ended = true, .pc = i->pc, .tmask = i->tmask});
            break;
        }
        v->live &= ~(uint64_t)i->tmask;
        v->running = v->live;
        if (v->live) {
            page_pop(p, i->warp, true);
            break;
        }
        page_end(p, i->warp);
        break;
    case CTL_JOIN: page_pop(p, i->warp, false); break;
    default:
        if (i->fetch_fault)
            page_fault(p, i->instr & 1 ? FAULT_FETCH_PAGE : FAULT_FETCH_ACCESS, i->warp, i->pc, i->pc, i->tmask);
        else
            page_fault(p, FAULT_ILLEGAL, i->warp, i->pc, i->instr, i->tmask);
    }
}

static void page_go(page_t *p, const go_t *g)
{
    page_warp_t *v = &p->warp[g->warp];
    p->held_valid = false;
    switch (g->kind) {
    case GO_FORM:
        *v = (page_warp_t){.live = g->tmask, .running = g->tmask, .rpc_valid = g->rpc_valid, .rpc = g->rpc};
        page_redirect(p, g->warp, true, g->pc, g->tmask);
        break;
    case GO_ALONE:
        page_cf(p, &(cf_t){.warp = g->warp, .pc = g->pc, .tmask = g->tmask, .taken = g->taken, .target = g->target},
                true);
        break;
    case GO_DONE: page_end(p, g->warp); break;
    default: page_fault(p, FAULT_BARRIER, g->warp, g->pc, g->value, g->tmask);
    }
}

static void page_expect(page_t *p, const simt_in_t *in)
{
    const bool taken = in->go_valid && p->out.go_ready;
    bool k_comes = in->issue_valid && in->issue.pipe == PIPE_CTL, c_comes = in->cf_valid;
    const bool waits = p->k_n || p->c_n;
    p->out = (simt_out_t){0};
    p->grouped = in->grouped;
    p->nested = in->nested;
    if (in->start_valid) {
        page_warp_t *v = &p->warp[in->start.warp];
        *v = (page_warp_t){.live = in->start.tmask, .running = in->start.tmask};
        page_redirect(p, in->start.warp, true, in->start.pc, in->start.tmask);
        p->out.redirect.start = true;
    } else if (p->engine == PG_LOOK) {
        p->engine = PG_DIV;
    } else if (p->engine == PG_DIV) {
        page_divide(p);
    } else if (p->engine == PG_POP) {
        page_pop(p, p->pop_warp, true);
    } else if (!in->halt) {
        if (p->held_valid) {
            page_go(p, &p->held);
        } else if (p->k_n) {
            const issued_t i = p->k[0];
            memmove(p->k, p->k + 1, --p->k_n * sizeof *p->k);
            page_ctl(p, &i);
        } else if (k_comes) {
            k_comes = false;
            page_ctl(p, &in->issue);
        } else if (p->c_n) {
            const cf_t c = p->c[0];
            memmove(p->c, p->c + 1, --p->c_n * sizeof *p->c);
            page_cf(p, &c, false);
        } else if (c_comes) {
            c_comes = false;
            page_cf(p, &in->cf, false);
        }
    }
    if (k_comes)
        p->k[p->k_n++] = in->issue;
    if (c_comes)
        p->c[p->c_n++] = in->cf;
    if (in->tw_valid)
        p->table[in->tw.index][in->tw.way] = (page_row_t){in->tw.valid, in->tw.pc, in->tw.target};
    p->out.ev.simt_waits = waits;
    if (taken) {
        p->held_valid = true;
        p->held = in->go;
    }
    p->out.go_ready = !p->held_valid;
}
#endif
