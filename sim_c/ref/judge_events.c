/* See judge_events.h. */
#include "sim_c/ref/judge_events.h"
#include "sim_c/ref/judge_code.h"
#include "sim_c/ref/judge_groups.h"
#include "sim_c/ref/judge_homes.h"
#include "sim_c/ref/judge_memory.h"
#include "sim_c/ref/judge_pages.h"
#include "sim_c/ref/judge_report.h"
#include "sim_c/ref/judge_step.h"
#include <inttypes.h>
#include <string.h>

/* Something that faults where it would issue: it cannot be fetched (judge_code.c), or is no instruction. */
static void on_illegal(judge_t *j, unsigned core, const issued_t *s, const insn_t *now)
{
    warp_state_t *w = &j->core[core].warp[s->warp];
    w->illegal.pc = s->pc;
    w->illegal.word = s->instr;
    w->illegal.mask = s->tmask;
    w->illegal.fetch = s->fetch_fault;
    if (!s->fetch_fault && isa_op(s->instr) != OP_ILLEGAL)
        judge_differ(j, core, s->warp, now, "issued as illegal, but it is a legal instruction");
}

void judge_issued(judge_t *j, unsigned core, const issued_t *s)
{
    core_state_t *c = &j->core[core];
    warp_state_t *w = &c->warp[s->warp];
    if (!s->first || s->op == OP_JOIN)
        return;
    const insn_t now = {.instr = s->instr, .pc = s->pc, .cycle = j->cycle};
    if (s->op == OP_ILLEGAL) {
        judge_popped(j, core, s, &now);
        on_illegal(j, core, s, &now);
        return;
    }
    insn_t *i = &w->ring[s->seq];
    if (COMPACTS && (s->tmask & ~w->runs || (w->nested && s->tmask & w->early))) {
        judge_differ(j, core, s->warp, &now, "issued for threads 0x%" PRIx64 ", which %s",
                     (uint64_t)s->tmask & (~w->runs | w->early),
                     s->tmask & ~w->runs ? "are not in this warp" : "wait at a barrier");
        return;
    }
    if (!w->active || w->waiting || s->seq != w->tail || i->used) {
        if (!w->active || w->waiting)
            judge_differ(j, core, s->warp, &now,
                         w->active ? "issued before its workgroup has passed the barrier"
                                   : "issued by a warp that has not begun");
        else if (s->seq != w->tail)
            judge_differ(j, core, s->warp, &now, "sequence number %u, expected %u", s->seq, w->tail);
        else
            judge_differ(
                j, core, s->warp, i,
                "not complete when its sequence number %u is issued again (results written of threads 0x%" PRIx64 ")",
                s->seq, i->written);
        return;
    }
    memset(i, 0, sizeof *i);
    *i = (insn_t){.used = true,
                  .pipe = s->pipe,
                  .op = s->op,
                  .rd = s->rd_we ? s->instr >> 7 & 31 : 0,
                  .instr = s->instr,
                  .pc = s->pc,
                  .cycle = j->cycle,
                  .tmask = s->tmask,
                  .number = ++j->instructions,
                  .begin = versions_count(j->performed[viewer_of(core)]),
                  .before = j->accesses};
    i->went_on[0] = j->cycle;
    w->tail++;
    judge_popped(j, core, s, i);
    if (s->op != isa_op(s->instr))
        judge_differ(j, core, s->warp, i, "decoded as operation %u, expected %u", s->op, isa_op(s->instr));
    else if (!s->tmask)
        judge_differ(j, core, s->warp, i, "issued for no thread");
    if (i->op == OP_VL_BARRIER || i->op == OP_VL_EXIT)
        judge_barrier_meets(c, w, i);
    if (i->op == OP_VL_BARRIER)
        judge_reach_barrier(j, core, w, i);
    if (i->op == OP_VL_EXIT)
        judge_reach_exit(c, w, i);
    judge_advance(j, core, s->warp, w);
}

/* Facts of the access so far: its address, and its way. */
static void let_go(judge_t *j, unsigned core, unsigned warp, warp_state_t *w, insn_t *i, unsigned t)
{
    const uint64_t va = i->addr[t], pa = i->phys[t];
    bool load = is_load(i) || i->op == OP_LR_W || i->op == OP_LR_D;
    if (!in_spad(va)
        && (((va ^ pa) & 0xfff & ~(uint64_t)(LINE_BYTES - 1))
            || !judge_frame_legal(j, core, va, load ? REF_USE_LOAD : REF_USE_STORE, pa >> 12)))
        judge_differ(j, core, warp, i,
                     "thread %u accesses 0x%" PRIx64 " at physical address 0x%" PRIx64
                     ", which no legal translation gives",
                     t, va, pa);
    judge_access(j, core, warp, w, i, t);
}

static void sent_of(judge_t *j, unsigned core, const sent_t *s)
{
    core_state_t *c = &j->core[core];
    warp_state_t *w = c->ghost[s->warp] ? c->ghost[s->warp] : &c->warp[s->warp];
    insn_t *i = &w->ring[s->seq];
    if (!i->used || i->stepped || i->pipe != PIPE_LSU) {
        judge_differ(j, core, s->warp, NULL,
                     "threads 0x%" PRIx64
                     " of sequence number %u go to memory, which is no memory instruction in flight",
                     (uint64_t)s->threads, s->seq);
        return;
    }
    judge_order_kept(j, core, s->warp, w, i);
    for (uint64_t m = s->threads; m && !j->verdict; m &= m - 1) {
        unsigned t = (unsigned)__builtin_ctzll(m);
        if (!(i->tmask >> t & 1) || i->sent >> t & 1)
            judge_differ(j, core, s->warp, i, "thread %u goes to memory %s", t,
                         i->sent >> t & 1 ? "twice" : "but is not active");
        i->sent |= 1ull << t;
        i->phys[t] |= s->line * LINE_BYTES;
        if (i->traced >> t & 1)
            let_go(j, core, s->warp, w, i, t);
    }
    judge_advance(j, core, s->warp, w);
    if (w == c->ghost[s->warp])
        judge_settle_ghost(j, core, s->warp);
}

void judge_sent(judge_t *j, unsigned core, const sent_t *s)
{
    sent_of(j, core, s);
    if (s->with_threads && !j->verdict)
        sent_of(j, core,
                &(sent_t){.warp = s->with_warp, .seq = s->with_seq, .threads = s->with_threads, .line = s->with_line});
}

/* It has asked for what its beat says now. */
static void asked_right(judge_t *j, unsigned core, unsigned warp, const insn_t *i, unsigned t, uint64_t addr,
                        uint64_t data)
{
    const bool lr = i->op == OP_LR_W || i->op == OP_LR_D;
    if ((addr ^ i->phys[t]) % LINE_BYTES || (!lr && (data ^ i->data[t]) & size_mask(size_of(i))))
        judge_differ(j, core, warp, i,
                     "thread %u has requested an atomic at 0x%" PRIx64 " with operand 0x%" PRIx64
                     ", its beat has 0x%" PRIx64 " and 0x%" PRIx64,
                     t, i->phys[t], i->data[t], addr, data);
}

void judge_traced(judge_t *j, unsigned core, const memtrace_t *s)
{
    core_state_t *c = &j->core[core];
    /* the ghost's accesses come first: the LSU keeps the order */
    warp_state_t *w = c->ghost[s->warp] ? c->ghost[s->warp] : &c->warp[s->warp];
    insn_t *i = &w->ring[s->seq];
    if (!i->used || i->stepped || i->pipe != PIPE_LSU) {
        judge_differ(j, core, s->warp, NULL,
                     "a memory access of sequence number %u, which is no memory instruction in flight", s->seq);
        return;
    }
    judge_order_kept(j, core, s->warp, w, i);
    for (unsigned l = 0; l < LANES && !j->verdict; l++) {
        unsigned t = s->beat * LANES + l;
        if (!(s->mask >> l & 1))
            continue;
        if (!(i->tmask >> t & 1) || i->traced >> t & 1)
            judge_differ(j, core, s->warp, i, "thread %u accesses memory %s", t,
                         i->traced >> t & 1 ? "twice" : "but is not active");
        i->traced |= 1ull << t;
        if (i->asked >> t & 1) /* an atomic with a request faster than its beat */
            asked_right(j, core, s->warp, i, t, s->addr[l], s->data[l]);
        i->addr[t] = s->addr[l];
        i->data[t] = s->data[l];
        i->phys[t] |= s->addr[l] % LINE_BYTES;
        if (in_spad(i->addr[t]) || i->sent >> t & 1)
            let_go(j, core, s->warp, w, i, t);
    }
    judge_advance(j, core, s->warp, w);
    if (w == c->ghost[s->warp])
        judge_settle_ghost(j, core, s->warp);
}

void judge_result(judge_t *j, unsigned core, const wb_t *s)
{
    const result_t *r = &s->res;
    warp_state_t *w = &j->core[core].warp[r->warp];
    insn_t *i = &w->ring[r->seq];
    if (!i->used) {
        /* A record that writes nothing may follow the end of what matters (bookkeeping, a beat without threads). */
        if (r->rd && r->mask)
            judge_differ(j, core, r->warp, NULL, "a result for sequence number %u, which is not in flight", r->seq);
        return;
    }
    if (r->rd) {
        if (r->rd != i->rd)
            judge_differ(j, core, r->warp, i, "x%u is written instead of x%u", r->rd, i->rd);
        for (unsigned l = 0; l < LANES; l++) {
            unsigned t = r->beat * LANES + l;
            if (!(r->mask >> l & 1))
                continue;
            if (!(i->tmask >> t & 1) || i->written >> t & 1)
                judge_differ(j, core, r->warp, i, "thread %u's result is written %s", t,
                             i->written >> t & 1 ? "twice" : "though it is not active");
            i->written |= 1ull << t;
            i->result[t] = r->data[l];
            if (i->stepped && !(i->expected >> t & 1))
                judge_differ(j, core, r->warp, i, "thread %u writes a result, the reference does not", t);
            else if (i->stepped)
                judge_compare(j, core, r->warp, w, i, t);
        }
    }
    i->last_seen |= r->last;
    if (r->last && is_fence(i)) {
        judge_barrier_kept(j, core, r->warp, w, i);
        judge_earlier_done(j, core, r->warp, i, "is not performed when a later fence is complete");
    }
    judge_advance(j, core, r->warp, w);
    if (i->stepped)
        judge_finish(i);
}
