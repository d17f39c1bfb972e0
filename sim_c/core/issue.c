/* Twin of rtl/core/issue.sv: instruction buffers, scoreboard, warp scheduler (docs/blocks/issue.md). Sets of warps are bit masks, kept up to
 * date as warps change, so that an edge costs the same with 4 warps and with 48. */
#include "isa_gen.h"
#include "issue_ports.h"
#include <string.h>

#define PC_MASK ((1ull << PA_W) - 1)
#define LANE_MASK (LANES == 64 ? ~0ull : (1ull << (LANES % 64)) - 1)
enum { PIPES = PIPE_CTL + 1 };

typedef struct {
    uint32_t instr, reads, regs; /* registers read; read or written: a bit each */
    uint8_t op, pipe, rd;
    bool use_rd, is_cf, is_serial, tracked, fault;
} head_t;

typedef struct {
    head_t buf[MAX_IBUF_DEPTH];
    uint8_t at, n, decoded; /* the first `decoded` entries are decoded */
    uint8_t seq, inflight;
    uint64_t pc, rpc, tmask;
    uint32_t busy;
    bool rpc_valid;
    uint64_t stamp; /* order of the warp's last start, for greedy-then-oldest */
} warp_t_;

struct issue {
    warp_t_ warp[WARPS];
    /* Sets of warps. The last four of these, and the next two, follow from the buffer, busy and inflight of a warp (see refresh). */
    uint64_t active, join, ctl, bar, ser, full, depends, serial, pipe[PIPES];
    uint64_t waiting, second; /* warps with entries, none decoded; with several, one decoded */
    uint64_t refill; /* the warp of which an entry is decoded at this edge: one bit, or 0 */
    int credit[PIPES]; /* MUL uses the credits of FPU */
    unsigned last;
    uint64_t stamps;
    bool recent, fpu_before;
    uint8_t recent_warp, recent_rd;
    bool issue_valid, pop_valid, still;
    uint8_t pop;
    uint64_t inflights; /* warps with an instruction in flight */
    issued_t issue;
    ev_issue_t ev;
};

size_t issue_size(void)
{
    return sizeof(struct issue);
}

static unsigned pool(unsigned pipe)
{
    return pipe == PIPE_MUL ? PIPE_FPU : pipe;
}

void issue_reset(issue_t *s)
{
    memset(s, 0, sizeof *s);
    s->credit[PIPE_FPU] = FPU_RESULT_DEPTH;
    s->credit[PIPE_DIV] = s->credit[PIPE_FDIV] = BEATS;
    s->credit[PIPE_LSU] = LSU_IN_DEPTH;
    s->last = WARPS - 1;
}

void issue_out(const issue_t *s, issue_out_t *o)
{
    if ((o->issue_valid = s->issue_valid))
        o->issue = s->issue;
    if ((o->pop_valid = s->pop_valid))
        o->pop = s->pop;
    o->idle = !s->active && !s->inflights && !s->issue_valid;
    o->ev = s->ev;
}

static void put(uint64_t *set, uint64_t bit, bool v)
{
    *set = v ? *set | bit : *set & ~bit;
}

/* The sets that follow from the state of warp w. */
static void refresh(issue_t *s, unsigned w)
{
    const warp_t_ *v = &s->warp[w];
    const head_t *h = &v->buf[v->at];
    uint64_t bit = 1ull << w;
    bool full = v->decoded != 0;
    put(&s->waiting, bit, v->n && !full);
    put(&s->second, bit, v->decoded == 1 && v->n > 1);
    put(&s->inflights, bit, v->inflight != 0);
    put(&s->full, bit, full);
    put(&s->serial, bit, full && h->is_serial && v->inflight);
    put(&s->depends, bit, full && (h->regs & v->busy));
    for (unsigned p = 0; p < PIPES; p++)
        put(&s->pipe[p], bit, full && h->pipe == p);
}

static head_t decode(uint32_t instr, bool fault)
{
    head_t h = {.instr = instr, .op = OP_ILLEGAL, .pipe = PIPE_CTL, .is_serial = true, .fault = fault};
    if (fault) {
        h.instr &= 1;
        return h;
    }
    predec_t p = isa_predecode(instr);
    h.op = (uint8_t)p.op;
    h.pipe = (uint8_t)p.pipe;
    h.is_serial = p.is_serial;
    h.is_cf = p.is_cf;
    h.use_rd = p.use_rd;
    h.rd = instr >> 7 & 31;
    if (p.use_rs1)
        h.reads |= 1u << (instr >> 15 & 31);
    if (p.use_rs2)
        h.reads |= 1u << (instr >> 20 & 31);
    if (p.use_rs3)
        h.reads |= 1u << isa_rs3(instr, p.op);
    h.regs = h.reads | (uint32_t)h.use_rd << h.rd;
    h.tracked = h.pipe != PIPE_ALU && h.pipe != PIPE_CTL && (instr & 0x7f) != 0x23;
    return h;
}

/* Values passed between the steps of an edge. */
typedef struct {
    bool gone; /* the redirect at this edge flushes or stops */
    uint64_t rbit; /* its warp: one bit, or 0 */
    bool mul_meets; /* a beat of MUL that began now would meet a beat of FPU at their result queue */
    bool moved;
    uint64_t refilling; /* the warp of which an entry is decoded at this edge */
    uint64_t first, later; /* one bit or 0: warps that decode next before, and after, the warp that pops */
    uint64_t decided, popped; /* one bit, or 0 */
    ev_issue_t ev;
} edge_t;

/* Sets of active warps, one a class ("Class"): each is in one. */
typedef struct {
    uint64_t control, serial, joins, fetch, depends, pipe, ready; /* ready: joins are among these */
} classes_t;

/* "Decoding": who decodes next; a pop may still come before the last. */
static void find_refill(const issue_t *s, const issue_in_t *in, bool pushed, edge_t *e)
{
    e->refilling = s->refill;
    e->first = s->waiting & ~e->refilling;
    e->later = s->second & ~e->refilling;
    e->first &= -e->first;
    e->later &= -e->later;
    if (pushed && in->push.n > 1 && !s->warp[in->push.warp].n)
        e->first = 1ull << in->push.warp;
    e->moved |= e->refilling || e->first || e->later;
}

/* The page's primed values: releases and credits count at once. */
static void take_releases(issue_t *s, const issue_in_t *in, edge_t *e)
{
    if (in->wb_valid && in->wb.res.last && in->wb.pipe != PIPE_ALU) {
        warp_t_ *v = &s->warp[in->wb.res.warp];
        if (in->wb.res.rd)
            v->busy &= ~(1u << in->wb.res.rd);
        v->inflight--;
        s->ser &= ~(1ull << in->wb.res.warp);
        refresh(s, in->wb.res.warp);
        e->moved = true;
    }
    int add[PIPES] = {[PIPE_DIV] = in->credit.div,
                      [PIPE_FPU] = in->credit.fpu,
                      [PIPE_FDIV] = in->credit.fdiv,
                      [PIPE_LSU] = in->lsu_credit};
    for (unsigned p = PIPE_MUL; p < PIPE_CTL; p++) {
        s->credit[p] += add[p];
        e->moved |= add[p];
    }
}

/* "Slot": no new instruction, the next beat follows. */
static void next_beat(issue_t *s, ev_issue_t *ev)
{
    unsigned b = s->issue.beat + 1u;
    ev->issue_beats = true;
    s->issue.beat = b;
    s->issue.first = false;
    s->issue.last = b == BEATS - 1;
    s->issue.mask = (uint64_t)s->issue.tmask >> (b * LANES % 64) & LANE_MASK;
}

/* "Class", the first that fits. */
static classes_t classify(const issue_t *s, const issue_in_t *in, const edge_t *e)
{
    uint64_t ctl = s->ctl & ~e->rbit, join = (s->join & ~e->rbit) | (e->rbit && in->redirect.at_rpc ? e->rbit : 0);
    uint64_t rest = s->active & ~s->bar;
    classes_t c;
    c.control = rest & (ctl | (e->gone ? e->rbit : 0));
    rest &= ~c.control;
    c.serial = rest & s->ser;
    rest &= ~c.serial;
    c.joins = rest & join;
    rest &= ~c.joins;
    c.fetch = rest & ~s->full;
    rest &= s->full;
    c.serial |= rest & s->serial;
    rest &= ~s->serial;
    c.depends = rest & s->depends;
    if (BEATS == 1 && s->recent) {
        const warp_t_ *v = &s->warp[s->recent_warp];
        uint64_t bit = 1ull << s->recent_warp;
        if ((rest & bit) && v->buf[v->at].reads >> s->recent_rd & 1)
            c.depends |= bit;
    }
    rest &= ~c.depends;
    uint64_t pipes = in->wb_hold ? s->pipe[PIPE_ALU] : 0;
    for (unsigned p = PIPE_MUL; p < PIPE_CTL; p++)
        if (s->credit[pool(p)] < BEATS || (p == PIPE_MUL && e->mul_meets))
            pipes |= s->pipe[p];
    pipes |= s->pipe[PIPE_LSU] & ~(uint64_t)in->mem_eligible;
    c.pipe = rest & pipes;
    c.ready = c.joins | (rest & ~c.pipe);
    return c;
}

/* "Choice", among warps that are ready. */
static uint64_t choose(const issue_t *s, uint64_t ready, bool sched)
{
    if (sched == SCHED_LRR) {
        uint64_t after = s->last == 63 ? 0 : ready >> (s->last + 1) << (s->last + 1);
        return after ? after & -after : ready & -ready;
    }
    if (ready >> s->last & 1)
        return 1ull << s->last;
    uint64_t best = ready & -ready;
    for (uint64_t m = ready; m; m &= m - 1)
        if (s->warp[__builtin_ctzll(m)].stamp < s->warp[__builtin_ctzll(best)].stamp)
            best = m & -m;
    return best;
}

/* "ev_o": why no warp is chosen. */
static void note_stall(const issue_t *s, const issue_in_t *in, const classes_t *c, ev_issue_t *ev)
{
    if (in->halt) {
        ev->stall_halt = true;
    } else if (!s->active) {
        ev->stall_idle = true;
    } else {
        ev->stall_pipe = c->pipe != 0;
        ev->stall_dependency = !c->pipe && c->depends;
        ev->stall_serial = !c->pipe && !c->depends && c->serial;
        ev->stall_control = !c->pipe && !c->depends && !c->serial && c->control;
        ev->stall_fetch = !c->pipe && !c->depends && !c->serial && !c->control && c->fetch;
        ev->stall_barrier = !c->pipe && !c->depends && !c->serial && !c->control && !c->fetch;
    }
}

/* "Decision" for a warp that reconverges. */
static void decide_join(issue_t *s, const issue_in_t *in, edge_t *e)
{
    s->issue.op = OP_JOIN;
    s->issue.pipe = PIPE_CTL;
    s->issue.ctl = CTL_JOIN;
    s->issue.last = true;
    s->ctl |= e->decided;
    e->ev.joins = true;
    if (e->decided == e->rbit)
        put(&s->join, e->decided, in->redirect.at_rpc);
}

/* "Decision" for the head entry of a warp. */
static void decide_head(issue_t *s, const issue_in_t *in, edge_t *e, unsigned w, uint64_t tmask)
{
    warp_t_ *v = &s->warp[w];
    const head_t *h = &v->buf[v->at];
    const bool here = e->decided == e->rbit, is_ctl = h->pipe == PIPE_CTL;
    s->issue.instr = h->instr;
    s->issue.op = h->op;
    s->issue.pipe = h->pipe;
    s->issue.ctl = h->op == OP_VL_EXIT ? CTL_EXIT : h->op == OP_VL_BARRIER ? CTL_BARRIER : CTL_ILLEGAL;
    s->issue.last = BEATS == 1 || is_ctl;
    s->issue.rd_we = h->use_rd;
    s->issue.mask = is_ctl ? 0 : tmask & LANE_MASK;
    s->issue.fetch_fault = h->fault;
    s->pop_valid = true;
    s->pop = (uint8_t)w;
    v->pc = (v->pc + 4) & PC_MASK;
    v->seq++;
    bool rpc_valid = here ? in->redirect.rpc_valid : v->rpc_valid;
    uint64_t rpc = here ? in->redirect.rpc : v->rpc;
    put(&s->join, e->decided, rpc_valid && v->pc == rpc);
    put(&s->ctl, e->decided, h->is_cf || (is_ctl && h->op != OP_VL_BARRIER));
    if (h->op == OP_VL_BARRIER)
        s->bar |= e->decided;
    if (h->is_serial && !is_ctl)
        s->ser |= e->decided;
    v->inflight += h->tracked;
    if (h->use_rd && h->pipe != PIPE_ALU)
        v->busy |= 1u << h->rd;
    if (h->pipe != PIPE_ALU && !is_ctl)
        s->credit[pool(h->pipe)] -= BEATS;
    if (h->pipe == PIPE_ALU && h->use_rd) {
        s->recent = true;
        s->recent_warp = (uint8_t)w;
        s->recent_rd = h->rd;
    }
    e->ev.warp_instructions = true;
    e->ev.thread_instructions = (uint8_t)__builtin_popcountll(tmask);
    if (v->n > v->decoded + ((e->refilling & e->decided) != 0))
        e->popped = e->decided;
    v->at = (v->at + 1) % IBUF_DEPTH;
    v->n--;
    v->decoded--;
    refresh(s, w);
}

/* "Slot": a decision may be made. */
static void decide(issue_t *s, const issue_in_t *in, edge_t *e)
{
    const classes_t c = classify(s, in, e);
    s->issue_valid = s->recent = false;
    if (in->halt || !c.ready) {
        note_stall(s, in, &c, &e->ev);
        return;
    }
    e->decided = choose(s, c.ready, in->policy.sched);
    unsigned w = (unsigned)__builtin_ctzll(e->decided);
    const warp_t_ *v = &s->warp[w];
    uint64_t tmask = e->decided == e->rbit ? in->redirect.tmask : v->tmask; /* redirected at this very edge */
    e->moved = s->issue_valid = true;
    s->last = w;
    s->issue = (issued_t){.warp = (uint8_t)w, .seq = v->seq, .pc = v->pc, .first = true, .tmask = tmask};
    if (c.joins & e->decided)
        decide_join(s, in, e);
    else
        decide_head(s, in, e, w, tmask);
}

/* "Decoding". */
static void refill(issue_t *s, const edge_t *e)
{
    if (e->refilling) {
        unsigned w = (unsigned)__builtin_ctzll(e->refilling);
        s->warp[w].decoded++;
        refresh(s, w);
    }
    s->refill = (e->first ? e->first : e->popped ? e->popped : e->later) & ~(e->gone ? e->rbit : 0);
}

/* "Inputs": a redirect, after the decision. */
static void redirect(issue_t *s, const redirect_t *rd, const edge_t *e)
{
    const uint64_t rbit = e->rbit;
    unsigned w = rd->warp;
    warp_t_ *v = &s->warp[w];
    if (rd->stop) {
        put(&s->active, rbit, false);
        put(&s->join, rbit, false);
        put(&s->ctl, rbit, false);
        v->n = v->decoded = 0;
    } else {
        v->tmask = rd->tmask;
        v->rpc_valid = rd->rpc_valid;
        v->rpc = rd->rpc;
        if (e->decided != rbit) {
            put(&s->join, rbit, rd->at_rpc);
            put(&s->ctl, rbit, false);
            put(&s->bar, rbit, false);
        }
        if (rd->flush) {
            v->n = v->decoded = 0;
            v->pc = rd->pc;
        }
        if (rd->start) {
            s->active |= rbit;
            v->seq = 0;
            v->busy = 0;
            v->inflight = 0;
            put(&s->ser, rbit, false);
            v->stamp = ++s->stamps;
        }
    }
    refresh(s, w);
}

/* "Inputs": a push. */
static void push(issue_t *s, const push_t *p)
{
    warp_t_ *v = &s->warp[p->warp];
    if (!v->n)
        v->decoded = 1;
    for (unsigned i = 0; i < p->n; i++)
        v->buf[(v->at + v->n++) % IBUF_DEPTH] = decode(p->instr[i], p->fault);
    refresh(s, p->warp);
}

void issue_tick(issue_t *s, const issue_in_t *in)
{
    const redirect_t *rd = &in->redirect;
    const bool fpu_now = s->issue_valid && s->issue.pipe == PIPE_FPU;
    edge_t e = {.gone = in->redirect_valid && (rd->flush || rd->stop),
                .rbit = in->redirect_valid ? 1ull << rd->warp : 0,
                .mul_meets = s->fpu_before || (BEATS > 1 && fpu_now),
                .moved = in->redirect_valid || in->push_valid || in->bar_release_valid || s->issue_valid || s->pop_valid
                         || s->recent || s->fpu_before,
                .ev = {.warps_active = (uint8_t)__builtin_popcountll(s->active)}};
    const bool pushed = in->push_valid && !(e.gone && in->push.warp == rd->warp);
    s->fpu_before = fpu_now;
    s->pop_valid = false;

    find_refill(s, in, pushed, &e);
    take_releases(s, in, &e);
    if (s->issue_valid && !s->issue.last)
        next_beat(s, &e.ev);
    else
        decide(s, in, &e);
    refill(s, &e);
    if (in->redirect_valid)
        redirect(s, rd, &e);
    if (pushed)
        push(s, &in->push);
    if (in->bar_release_valid)
        s->bar &= ~(uint64_t)in->bar_release;

    s->still = !e.moved && !memcmp(&e.ev, &s->ev, sizeof e.ev);
    s->ev = e.ev;
}

bool issue_idle(const issue_t *s)
{
    return s->still;
}
