/* s1, the stage that reads and writes the table: its occupant (step 5), and its next one (step 8). */
#ifndef VERIF_COHERENCE_SMD_PAGE_S1_H
#define VERIF_COHERENCE_SMD_PAGE_S1_H
#include "verif/coherence/smd/page_maint.h"
#include "verif/coherence/smd/page_reads.h"

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

/* Step 5. Returns whether s1 leaves. */
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

static bool page_stalled(const page_t *p)
{
    const bool writing = p->job.phase == PJ_LOOK2 || p->job.phase == PJ_SEND || p->job.phase == PJ_SET;
    return p->in_n && p->in[0].op == HOME_WRITE_BACK && writing && page_together(p->in[0].line, p->job.probe.line);
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
#endif
