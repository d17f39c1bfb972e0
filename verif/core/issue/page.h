/* The page of issue (docs/blocks/issue.md) as a program: every output in every cycle, warp by warp and class by class, as on the page. */
#ifndef VERIF_CORE_ISSUE_PAGE_H
#define VERIF_CORE_ISSUE_PAGE_H
#include "isa_gen.h"
#include "issue_ports.h"
#include "verif/common/scoreboard.h"

typedef struct {
    predec_t p;
    uint32_t instr, reads; /* registers read, a bit each */
    unsigned rd;
    bool fault, tracked;
} page_entry_t;

typedef struct {
    page_entry_t entry[IBUF_DEPTH]; /* the head first */
    unsigned n, d, inflight;
    bool active, join, ctl, bar, ser, rpc_valid, busy[32];
    uint64_t pc, rpc, tmask, started;
    uint8_t seq;
} page_warp_t;

typedef struct {
    page_warp_t warp[WARPS];
    unsigned cr[PIPE_CTL], last;
    bool recent, fpu_before;
    unsigned recent_warp, recent_rd;
    int refill; /* a warp, or -1 */
    uint64_t starts;
    issue_out_t out;
} page_t;

enum { NOT_ACTIVE, BARRIER, CONTROL, SERIAL, JOIN, FETCH, DEPENDENCY, PIPE, READY, CLASSES };

static void page_begin(page_t *s)
{
    s->cr[PIPE_FPU] = FPU_RESULT_DEPTH;
    s->cr[PIPE_DIV] = s->cr[PIPE_FDIV] = BEATS;
    s->cr[PIPE_LSU] = LSU_IN_DEPTH;
    s->last = WARPS - 1;
    s->refill = -1;
    s->out.idle = true;
}

static page_entry_t page_decode(uint32_t instr, bool fault)
{
    page_entry_t e = {.instr = instr, .fault = fault};
    if (fault) {
        e.instr &= 1;
        e.p = (predec_t){.op = OP_ILLEGAL, .pipe = PIPE_CTL, .is_serial = true};
        return e;
    }
    e.p = isa_predecode(instr);
    e.rd = instr >> 7 & 31;
    e.reads = (e.p.use_rs1 ? 1u << (instr >> 15 & 31) : 0) | (e.p.use_rs2 ? 1u << (instr >> 20 & 31) : 0)
              | (e.p.use_rs3 ? 1u << isa_rs3(instr, e.p.op) : 0);
    e.tracked = e.p.pipe != PIPE_ALU && e.p.pipe != PIPE_CTL && (instr & 0x7f) != 0x23;
    return e;
}

static uint64_t page_lanes(uint64_t tmask, unsigned beat)
{
    uint64_t m = 0;
    for (unsigned l = 0; l < LANES; l++)
        m |= (tmask >> (beat * LANES + l) & 1) << l;
    return m;
}

/* The class of warp w; v is the view of a warp. */
static int page_class(const page_t *s, const issue_in_t *in, unsigned w, const page_warp_t *v, bool gone)
{
    const page_entry_t *h = &v->entry[0];
    if (!v->active)
        return NOT_ACTIVE;
    if (v->bar)
        return BARRIER;
    if (v->ctl || gone)
        return CONTROL;
    if (v->ser)
        return SERIAL;
    if (v->join)
        return JOIN;
    if (!v->d)
        return FETCH;
    if (h->p.is_serial && v->inflight)
        return SERIAL;
    for (unsigned x = 0; x < 32; x++)
        if (v->busy[x] && (h->reads >> x & 1 || (h->p.use_rd && h->rd == x)))
            return DEPENDENCY;
    if (BEATS == 1 && s->recent && s->recent_warp == w && h->reads >> s->recent_rd & 1)
        return DEPENDENCY;
    const bool fpu_now = s->out.issue_valid && s->out.issue.pipe == PIPE_FPU;
    switch (h->p.pipe) {
    case PIPE_CTL: return READY;
    case PIPE_ALU: return in->wb_hold ? PIPE : READY;
    case PIPE_DIV: return s->cr[PIPE_DIV] + in->credit.div < BEATS ? PIPE : READY;
    case PIPE_FDIV: return s->cr[PIPE_FDIV] + in->credit.fdiv < BEATS ? PIPE : READY;
    case PIPE_FPU: return s->cr[PIPE_FPU] + in->credit.fpu < BEATS ? PIPE : READY;
    case PIPE_MUL:
        return s->cr[PIPE_FPU] + in->credit.fpu < BEATS || s->fpu_before || (BEATS > 1 && fpu_now) ? PIPE : READY;
    default: return s->cr[PIPE_LSU] + in->lsu_credit < BEATS || !((uint64_t)in->mem_eligible >> w & 1) ? PIPE : READY;
    }
}

/* The warp that goes, or -1. */
static int page_choose(const page_t *s, const page_warp_t *v, const bool *ready, bool gto)
{
    int best = -1;
    for (unsigned k = 1; k <= WARPS; k++) {
        const unsigned w = (s->last + k) % WARPS;
        if (!ready[w])
            continue;
        if (!gto)
            return (int)w;
        if (w == s->last)
            return (int)w;
        if (best < 0 || v[w].started < v[best].started)
            best = (int)w;
    }
    return best;
}

/* Next to be decoded, from the state before the edge. */
static int page_refill(const page_t *s, const issue_in_t *in, bool gone, int head_leaves)
{
    const push_t *p = &in->push;
    if (in->push_valid && p->n > 1 && !s->warp[p->warp].n && !(gone && p->warp == in->redirect.warp))
        return p->warp;
    for (int w = 0; w < WARPS; w++)
        if (s->warp[w].n && !s->warp[w].d && w != s->refill)
            return w;
    if (head_leaves >= 0 && s->warp[head_leaves].n > s->warp[head_leaves].d + (s->refill == head_leaves))
        return head_leaves;
    for (int w = 0; w < WARPS; w++)
        if (s->warp[w].d == 1 && s->warp[w].n > 1 && w != s->refill)
            return w;
    return -1;
}

static void page_expect(page_t *s, const issue_in_t *in)
{
    const redirect_t *rd = &in->redirect;
    const bool gone = in->redirect_valid && (rd->flush || rd->stop), slot = !s->out.issue_valid || s->out.issue.last;
    const bool fpu_now = s->out.issue_valid && s->out.issue.pipe == PIPE_FPU;
    page_warp_t v[WARPS];
    int class[WARPS], w = -1, leaves = -1;
    bool ready[WARPS], any[CLASSES] = {0};
    issue_out_t o = {0};

    /* The view of a warp. */
    memcpy(v, s->warp, sizeof v);
    if (in->wb_valid && in->wb.res.last && in->wb.pipe != PIPE_ALU) {
        page_warp_t *x = &v[in->wb.res.warp];
        if (in->wb.res.rd)
            x->busy[in->wb.res.rd] = false;
        x->inflight--;
        x->ser = false;
    }
    if (in->redirect_valid) {
        v[rd->warp].ctl = false;
        v[rd->warp].join = rd->at_rpc;
    }
    for (unsigned k = 0; k < WARPS; k++) {
        class[k] = page_class(s, in, k, &v[k], gone && rd->warp == k);
        any[class[k]] = true;
        ready[k] = class[k] == READY || class[k] == JOIN;
        o.ev.warps_active += s->warp[k].active;
    }

    /* Choice and decision. */
    if (slot && !in->halt)
        w = page_choose(s, v, ready, in->policy.sched != SCHED_LRR);
    s->cr[PIPE_FPU] += in->credit.fpu, s->cr[PIPE_DIV] += in->credit.div, s->cr[PIPE_FDIV] += in->credit.fdiv,
        s->cr[PIPE_LSU] += in->lsu_credit;
    s->recent = false;
    if (w >= 0) {
        page_warp_t *x = &v[w];
        const bool redir = in->redirect_valid && rd->warp == w;
        s->last = (unsigned)w;
        o.issue_valid = true;
        o.issue = (issued_t){
            .warp = (uint8_t)w, .seq = x->seq, .pc = x->pc, .first = true, .tmask = redir ? rd->tmask : x->tmask};
        if (class[w] == JOIN) {
            o.issue.op = OP_JOIN, o.issue.pipe = PIPE_CTL, o.issue.ctl = CTL_JOIN, o.issue.last = true;
            x->ctl = true;
            o.ev.joins = true;
        } else {
            const page_entry_t h = x->entry[0];
            const bool ctl = h.p.pipe == PIPE_CTL, rpc_valid = redir ? rd->rpc_valid : x->rpc_valid;
            o.issue.instr = h.instr, o.issue.op = h.p.op, o.issue.pipe = h.p.pipe;
            o.issue.ctl = h.p.op == OP_VL_EXIT ? CTL_EXIT : h.p.op == OP_VL_BARRIER ? CTL_BARRIER : CTL_ILLEGAL;
            o.issue.last = BEATS == 1 || ctl;
            o.issue.rd_we = h.p.use_rd;
            o.issue.mask = ctl ? 0 : page_lanes(o.issue.tmask, 0);
            o.issue.fetch_fault = h.fault;
            o.pop_valid = true;
            o.pop = (uint8_t)w;
            leaves = w;
            x->pc = (x->pc + 4) & ((1ull << PA_W) - 1);
            x->seq++;
            x->join = rpc_valid && x->pc == (redir ? rd->rpc : x->rpc);
            x->bar |= h.p.op == OP_VL_BARRIER;
            x->ctl = h.p.is_cf || (ctl && h.p.op != OP_VL_BARRIER);
            x->ser |= h.p.is_serial && !ctl;
            x->inflight += h.tracked;
            if (h.p.use_rd && h.p.pipe != PIPE_ALU)
                x->busy[h.rd] = true;
            if (!ctl && h.p.pipe != PIPE_ALU)
                s->cr[h.p.pipe == PIPE_MUL ? PIPE_FPU : h.p.pipe] -= BEATS;
            if (h.p.pipe == PIPE_ALU && h.p.use_rd)
                s->recent = true, s->recent_warp = (unsigned)w, s->recent_rd = h.rd;
            o.ev.warp_instructions = true;
            o.ev.thread_instructions = (uint8_t)__builtin_popcountll(o.issue.tmask);
        }
    } else if (!slot) {
        o.issue_valid = true;
        o.issue = s->out.issue;
        o.issue.beat = s->out.issue.beat + 1u;
        o.issue.first = false;
        o.issue.last = o.issue.beat == BEATS - 1;
        o.issue.mask = page_lanes(o.issue.tmask, o.issue.beat);
    }

    /* Events. */
    o.ev.issue_beats = !slot;
    if (slot && w < 0) {
        bool *const stall[] = {&o.ev.stall_pipe,    &o.ev.stall_dependency, &o.ev.stall_serial,
                               &o.ev.stall_control, &o.ev.stall_fetch,      &o.ev.stall_barrier};
        static const int order[] = {PIPE, DEPENDENCY, SERIAL, CONTROL, FETCH, BARRIER};
        if (in->halt)
            o.ev.stall_halt = true;
        else if (!o.ev.warps_active)
            o.ev.stall_idle = true;
        else
            for (unsigned k = 0; k < 6; k++)
                if (any[order[k]]) {
                    *stall[k] = true;
                    break;
                }
    }

    /* Buffers: instructions that leave, are decoded, arrive. */
    const int refill = page_refill(s, in, gone, leaves);
    if (leaves >= 0) {
        page_warp_t *x = &v[leaves];
        memmove(x->entry, x->entry + 1, sizeof x->entry - sizeof *x->entry);
        x->n--;
        x->d--;
    }
    if (s->refill >= 0)
        v[s->refill].d++;
    if (in->push_valid && !(gone && in->push.warp == rd->warp)) {
        page_warp_t *x = &v[in->push.warp];
        if (!x->n)
            x->d = 1;
        for (unsigned k = 0; k < in->push.n && x->n < IBUF_DEPTH; k++)
            x->entry[x->n++] = page_decode(in->push.instr[k], in->push.fault);
    }
    s->refill = gone && refill == rd->warp ? -1 : refill;

    /* Redirect and release of a barrier. */
    if (in->redirect_valid) {
        page_warp_t *x = &v[rd->warp];
        if (gone)
            x->n = x->d = 0;
        if (rd->stop) {
            x->active = x->join = x->ctl = false;
        } else {
            x->tmask = rd->tmask;
            x->rpc_valid = rd->rpc_valid;
            x->rpc = rd->rpc;
            if (rd->flush) {
                x->pc = rd->pc;
                x->bar = false;
            }
            if (rd->start) {
                x->active = true;
                x->seq = 0;
                memset(x->busy, 0, sizeof x->busy);
                x->inflight = 0;
                x->ser = false;
                x->started = ++s->starts;
            }
        }
    }
    for (unsigned k = 0; k < WARPS; k++)
        if (in->bar_release_valid && (uint64_t)in->bar_release >> k & 1)
            v[k].bar = false;

    memcpy(s->warp, v, sizeof v);
    s->fpu_before = fpu_now;
    o.idle = !o.issue_valid;
    for (unsigned k = 0; k < WARPS; k++)
        o.idle &= !v[k].active && !v[k].inflight;
    s->out = o;
}
#endif
