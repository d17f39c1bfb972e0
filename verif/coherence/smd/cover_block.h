/* Coverage of smd: requests, probes, bytes, maintenance and the HMD's messages about a block. */
#ifndef VERIF_COHERENCE_SMD_COVER_BLOCK_H
#define VERIF_COHERENCE_SMD_COVER_BLOCK_H
#include "verif/coherence/smd/page.h"
#include "verif/coherence/smd/cover_points.h"

/* A READ in s1 that leaves. */
static void cover_read(bench_t *b, const page_t *p, const ev_smd_t *v)
{
    const page_wait_t *w = &p->w[p->s1.number];
    const page_entry_t *t = &p->table[page_place(w->line)];
    const char c = page_case(p);
    const unsigned op = w->op, least = op == HOME_N_READ; /* 0 READ, 1 N_READ */
    if (c == 'c' && v->smd_near) {
        const unsigned st = t->state == NMOESI_M ? 3 : t->state - 1u;
        BENCH_COVER(b, op == HOME_READ_OWN ? COV_NEAR_READ + 8 + (st == 3) : COV_NEAR_READ + 4 * least + st, true);
    }
    if (p->far && c == 'c' && v->smd_get) {
        const unsigned st = t->state == NMOESI_M ? 3 : t->state - 1u;
        BENCH_COVER(b, op == HOME_READ_OWN ? COV_GET + 8 + (st == 3) : COV_GET + 4 * least + st, true);
    }
    BENCH_COVER(b, COV_FAR_BEHIND, p->far && c == 'a' && page_together(w->line, p->job.probe.line));
    BENCH_COVER(b, COV_CASE + (unsigned)(c - 'a') * C_OPS + op, v->smd_read || !p->s1.first);
    if (c == 'b') {
        const page_x_t *x = &p->x[page_has(p, w->line)];
        if (page_case_b(p))
            BENCH_COVER(b, COV_B_IS + 2 * x->own + (op == HOME_READ_OWN ? 2 : least), true);
        else if (page_together(x->line, w->line))
            BENCH_COVER(b, COV_B_NOT + C_OPS * x->own + op, x->kind == PX_FETCH);
    } else if (c == 'c') {
        BENCH_COVER(
            b, op == HOME_READ_OWN ? COV_C_OWN + (t->state == NMOESI_M) : COV_C + C_HELD * least + t->state - 1u, true);
    } else if (c == 'd') {
        BENCH_COVER(b,
                    t->state == NMOESI_I    ? COV_D_EMPTY
                    : page_here(t, w->line) ? COV_D_SAME
                                            : COV_D_OTHER + t->state - 1u,
                    true);
        if (t->state == NMOESI_S || t->state == NMOESI_E)
            BENCH_COVER(b, COV_SAYS + 2 * (t->state == NMOESI_E) + page_gives(t), !page_here(t, w->line));
    }
    bool conflict = false;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        conflict |= p->w[k].state == PW_WAIT && page_place(p->w[k].line) == page_place(w->line)
                    && !page_together(p->w[k].line, w->line);
    BENCH_COVER(b, COV_CONFLICT, conflict);
    BENCH_COVER(b, COV_ALL_X, page_free_x(p) == SMD_TRANSACTIONS);
}

/* LOOK and LOOK2 of the probe that is being answered. */
static void cover_job(bench_t *b, const page_t *p)
{
    const page_job_t *j = &p->job;
    const page_entry_t *t = &p->table[page_place(j->probe.line)];
    const unsigned kind = j->probe.kind, x = page_has(p, j->probe.line);
    if (p->s1.what == P1_LOOK) {
        const bool here = t->state != NMOESI_I && page_here(t, j->probe.line);
        unsigned owners = 0;
        for (unsigned l = 0; l < PG_LPB; l++)
            owners += t->owner[l];
        if (p->far && here && kind != PROBE_READ)
            BENCH_COVER(b, COV_FAR_PROBE + 4 * (kind == PROBE_CLEAN) + (t->state == NMOESI_M ? 3 : t->state - 1u),
                        true);
        BENCH_COVER(b, here ? COV_PROBE + C_HELD * kind + t->state - 1u : COV_ABSENT + kind, true);
        if (here) {
            BENCH_COVER(b, COV_OWNERS, !owners);
            BENCH_COVER(b, COV_OWNERS + 1, owners == 1);
            BENCH_COVER(b, COV_OWNERS + 2, owners == PG_LPB);
        }
        if (here && x < SMD_TRANSACTIONS) {
            BENCH_COVER(b, COV_PROBE_FETCHED, p->x[x].kind == PX_FETCH && page_together(p->x[x].line, j->probe.line));
            BENCH_COVER(b, COV_PROBE_EVICTED, p->x[x].kind != PX_FLUSH && page_together(p->x[x].victim, j->probe.line));
            BENCH_COVER(b, COV_PROBE_FLUSHED, p->x[x].kind == PX_FLUSH);
        }
        return;
    }
    const uint8_t st = j->given ? page_touched(t->state) : t->state;
    BENCH_COVER(b, COV_FAR_GIVEN, p->far && j->given && t->state == NMOESI_S);
    BENCH_COVER(b, COV_FAR_GIVEN + 1, p->far && j->given && t->state == NMOESI_E);
    BENCH_COVER(b, COV_GIVEN_S, j->given && t->state == NMOESI_S);
    BENCH_COVER(b, COV_GIVEN_E, j->given && t->state == NMOESI_E);
    BENCH_COVER(b, COV_TO_PEER + C_HELD * kind + st - 1u, j->probe.to_peer);
    BENCH_COVER(b, j->probe.keep ? COV_KEEP : COV_KEEP_NOT, kind == PROBE_CLEAN && (st == NMOESI_E || st == NMOESI_M));
}

static void cover_write(bench_t *b, const page_t *p)
{
    const home_req_t *r = &p->s1.write;
    const page_entry_t *t = &p->table[page_place(r->line)];
    const unsigned x = page_has(p, r->line);
    BENCH_COVER(b, COV_WRITE_NONE, page_none(r->be));
    BENCH_COVER(b, page_none(r->be) ? COV_NEAR_NONE : COV_NEAR_WRITE + r->keep, page_near(p, r->line));
    if (page_none(r->be))
        return;
    BENCH_COVER(b, COV_WRITE + C_STATES * r->keep + t->state, true);
    if (x < SMD_TRANSACTIONS && p->x[x].kind == PX_FETCH && page_together(p->x[x].line, r->line)) {
        BENCH_COVER(b, COV_TOUCHED_WAIT, p->x[x].stage == PX_WAIT);
        BENCH_COVER(b, COV_TOUCHED_END, p->x[x].stage == PX_END);
    }
}

static void cover_step(bench_t *b, const page_t *p)
{
    const page_step_e is = page_step_is(p);
    const unsigned op = p->order.op - p->order.op / 4; /* 0 to 5 */
    BENCH_COVER(b, COV_STEP + C_STATES * op + p->table[page_place(p->s1.line)].state, is == PT_PASS || is == PT_MAKES);
    if (p->far && is == PT_MAKES && page_order_flush(p))
        BENCH_COVER(b,
                    (page_near(p, p->s1.line) ? COV_NEAR_STEP : COV_FAR_STEP)
                        + (p->table[page_place(p->s1.line)].state == NMOESI_M),
                    true);
    BENCH_COVER(b, COV_STEP_X, is == PT_BUSY && page_has(p, p->s1.line) < SMD_TRANSACTIONS);
    BENCH_COVER(b, COV_STEP_JOB, is == PT_BUSY && page_job_at(p, p->s1.line));
    BENCH_COVER(b, COV_STEP_FULL, is == PT_FULL);
    BENCH_COVER(b, COV_STEP_OTHER, is == PT_OTHER);
    BENCH_COVER(b, COV_STEP_FIRST, (is == PT_BUSY || is == PT_FULL) && page_order_all(p) && p->step % 64 == 0);
}

/* FLUSH_ALL comes, and bytes that it must flush are not in the table yet. */
static void cover_flush(bench_t *b, const page_t *p)
{
    for (unsigned i = 0; i < SMD_TRANSACTIONS; i++)
        BENCH_COVER(b, COV_MAINT_TOUCHED, p->x[i].valid && p->x[i].touched && p->x[i].stage <= PX_END);
    BENCH_COVER(b, COV_MAINT_GIVEN,
                p->job.phase != PJ_NONE && p->job.given && p->table[page_place(p->job.probe.line)].state == NMOESI_E);
    for (unsigned i = 0; i < p->in_n; i++)
        BENCH_COVER(b, COV_MAINT_IN, p->in[i].op == HOME_WRITE_BACK);
    BENCH_COVER(b, COV_MAINT_S1, p->s1.valid && p->s1.what == P1_WRITE);
}

static void cover_data(bench_t *b, const page_t *p, const smd_data_t *d)
{
    for (unsigned i = 0; i < SMD_TRANSACTIONS && !d->grant; i++) {
        const page_x_t *x = &p->x[i];
        if (!x->valid || x->kind != PX_FETCH || x->stage != PX_WAIT || !page_together(x->line, d->line))
            continue;
        unsigned count = 0;
        for (unsigned l = 0; l < PG_LPB; l++)
            count += x->come[l];
        BENCH_COVER(b, x->granted ? COV_LINE_AFTER : COV_LINE_BEFORE, true);
        BENCH_COVER(b, COV_LINE_ORDER, page_off(d->line) && !x->come[page_off(d->line) - 1]);
        BENCH_COVER(b, COV_LINE_LAST, d->line == x->line && count == PG_LPB - 1);
    }
}
#endif
