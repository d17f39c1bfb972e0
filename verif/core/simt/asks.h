/* Requests of a warp to simt: a branch or a jump, or a record of JOIN, EXIT, a barrier or an illegal instruction; and the expected answer */
#ifndef VERIF_SIMT_ASKS_H
#define VERIF_SIMT_ASKS_H
#include "verif/core/simt/cover.h"
#include "verif/core/simt/env.h"
#include "verif/core/simt/table.h"

/* What warp w asks next. */
static void ask(bench_t *b, env_t *e, simt_in_t *in, unsigned w, bool want_cf)
{
    vl_rng_t *r = &b->rng;
    warp_env_t *v = &e->warp[w];
    bool deep = b->mode == 1 || b->mode == 3 || peels(b);
    bool join = v->at_rpc || (v->rpc_valid && vl_chance(r, peels(b) ? 2 : deep ? 20 : 60));
    v->fills &= count(v->tmask) > 1;
    join &= !v->fills || v->at_rpc;
    if ((peels(b) || v->fills) && !v->at_rpc && !v->met && !want_cf && count(v->tmask) > 1)
        return;
    const bool base = v->grouped && v->rpc_valid; /* a meeting point that is not on its own stack */
    v->climbs &= !v->at_rpc && !v->met && (v->rpc_valid || v->climbed != 1); /* the table may have changed */
    if (v->climbs && want_cf != (count(v->tmask) > 1))
        return;
    if (v->climbs && !want_cf)
        join = v->climbed == 1;
    if (want_cf) {
        if (v->at_rpc || v->met)
            return;
        cf_t *q = &in->cf;
        in->cf_valid = true;
        cf_t_random(r, q);
        q->warp = (uint8_t)w;
        q->pc = pool_pc(b, e);
        bool fill = (peels(b) || v->fills) && count(v->tmask) > 1;
        q->tmask = v->tmask;
        q->indirect = vl_chance(r, fill ? 2 : 30);
        q->misaligned = !fill && vl_chance(r, 2);
        uint64_t all = q->tmask, some = vl_random(r) & all;
        unsigned kind = vl_below(r, 8);
        if ((kind < 5 || fill) && (all & (all - 1))) /* divergent */
            while (!some || some == all)
                some = vl_random(r) & all;
        else
            some = kind & 1 ? all : q->indirect || q->misaligned ? all & -all : 0;
        q->taken = some;
        uint64_t meet = pool_pc(b, e);
        for (unsigned k = 0; k < 2; k++) {
            const entry_env_t *t = &e->table[set_of(q->pc)][k];
            if (t->valid && t->pc == q->pc)
                meet = t->target;
        }
        q->target = kind & 2 ? meet : vl_chance(r, 40) ? q->pc + 4 : pool_pc(b, e);
        if (fill && !q->indirect && peel(e, v, q))
            q->taken = q->tmask & -q->tmask;
        if (v->climbs) {
            q->indirect = !v->climbed && base;
            q->misaligned = false;
            v->climbs = q->indirect || peel(e, v, q);
            q->taken = q->indirect ? q->tmask & -q->tmask : q->tmask & (q->tmask - 1);
            v->climbed += !v->climbed;
        }
        q->target &= (1ull << PA_W) - 1;
        if (q->misaligned)
            q->target |= 2;
        v->answer = GO;
        v->writes = e->writes;
        v->pushes = q->taken && q->taken != q->tmask && q->indirect;
        if (q->taken && q->taken != q->tmask && !q->indirect) {
            const entry_env_t *t = e->table[set_of(q->pc)];
            const bool hit[2] = {t[0].valid && t[0].pc == q->pc, t[1].valid && t[1].pc == q->pc};
            const uint64_t r = hit[0] ? t[0].target : t[1].target, next = (q->pc + 4) & ((1ull << PA_W) - 1);
            v->pushes = (hit[0] || hit[1]) ? !(v->rpc_valid && v->rpc == r) + (q->target != r && next != r) : 1;
        }
        v->branches = !q->indirect;
        v->met_at = *q;
        if (q->misaligned)
            must_fault(v, FAULT_FETCH_MISALIGNED, q->pc, q->target, q->taken);
        move(v, q->tmask & ~q->taken, q->indirect ? q->pc : (q->pc + 4) & ((1ull << PA_W) - 1));
        move(v, q->taken, q->target);
    } else {
        issued_t *q = &in->issue;
        in->issue_valid = true;
        v->branches = false;
        v->pushes = 0;
        v->writes = e->writes;
        issued_t_random(r, q);
        q->warp = (uint8_t)w;
        q->pipe = PIPE_CTL;
        q->first = q->last = true;
        q->beat = 0;
        q->mask = 0;
        q->tmask = v->tmask;
        q->fetch_fault = false;
        q->pc = v->at_rpc || v->met ? v->pc : pool_pc(b, e);
        unsigned k = vl_below(r, 64);
        if (v->met) {
            q->op = OP_VL_BARRIER;
        } else if (join) {
            q->op = OP_JOIN;
            q->pc = v->rpc;
            v->climbed += v->climbs;
        } else if (v->climbs) {
            q->op = OP_VL_EXIT;
        } else if (k < (peels(b) ? 1 : deep ? 4 : 24)) {
            q->op = v->waiting && !vl_chance(r, 10) ? OP_VL_BARRIER : OP_VL_EXIT;
        } else if (k < 50) {
            q->op = v->left && !vl_chance(r, v->grouped ? 80 : 10) ? OP_VL_EXIT : OP_VL_BARRIER;
        } else if (k < 51) {
            q->op = OP_ILLEGAL;
            q->fetch_fault = vl_chance(r, 128);
        } else {
            in->issue_valid = false;
            return;
        }
        q->ctl = q->op == OP_JOIN         ? CTL_JOIN
                 : q->op == OP_VL_EXIT    ? CTL_EXIT
                 : q->op == OP_VL_BARRIER ? CTL_BARRIER
                                          : CTL_ILLEGAL;
        if (q->op == OP_VL_BARRIER && v->waiting && !vl_chance(r, 10))
            q->pc = v->bar_pc;
        v->exit = q->op == OP_VL_EXIT;
        v->answer = GO;
        move(v, v->tmask, q->pc);
        if (q->op == OP_ILLEGAL) {
            if (q->fetch_fault)
                must_fault(v, q->instr & 1 ? FAULT_FETCH_PAGE : FAULT_FETCH_ACCESS, q->pc, q->pc, v->tmask);
            else
                must_fault(v, FAULT_ILLEGAL, q->pc, q->instr, v->tmask);
        } else if (v->exit && v->waiting) {
            must_fault(v, FAULT_BARRIER, v->bar_pc, 0, v->waiting);
            BENCH_COVER(b, COV_BAR_EXIT, true);
        } else if (v->exit) {
            v->live &= ~v->tmask;
            v->left = true;
            v->answer = v->live || v->grouped ? GO : STOP;
        } else if (q->op == OP_VL_BARRIER && (v->left || (v->waiting && v->bar_pc != q->pc))) {
            must_fault(v, FAULT_BARRIER, q->pc, 0, v->tmask);
            BENCH_COVER(b, COV_BAR_LEFT, v->left);
            BENCH_COVER(b, COV_BAR_OTHER, !v->left);
            BENCH_COVER(b, COV_LEFT_NESTED, v->left && v->grouped && v->nested);
        } else if (q->op == OP_VL_BARRIER && v->grouped && v->nested) {
            v->live &= ~v->tmask; /* they continue with the group */
        } else if (q->op == OP_VL_BARRIER && v->tmask == v->live) {
            v->answer = ARRIVE;
            BENCH_COVER(b, COV_BAR_AGAIN, v->met);
            v->met = false;
        } else if (q->op == OP_VL_BARRIER) {
            BENCH_COVER(b, COV_BAR_EARLY, !v->waiting);
            BENCH_COVER(b, COV_BAR_PARTS, v->grouped);
            BENCH_COVER(b, COV_BAR_MORE, v->waiting && (v->waiting | v->tmask) != v->live);
            v->waiting |= v->tmask;
            v->bar_pc = q->pc;
            if (v->waiting == v->live) {
                v->answer = MEET;
                v->waiting = 0;
                BENCH_COVER(b, COV_BAR_MEET, true);
            }
        }
    }
    v->state = ASKED;
}
#endif
