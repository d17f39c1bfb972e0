/* Reads of the slice: the stack's answers (step 4), and READ in s1 (step 5), case by case. */
#ifndef VERIF_COHERENCE_SMD_PAGE_READS_H
#define VERIF_COHERENCE_SMD_PAGE_READS_H
#include "verif/coherence/smd/page_edge.h"

/* Step 4. */
static void page_stack(page_t *p, page_edge_t *e)
{
    const stack_rsp_t *r = &e->in->stack_rsp;
    p->rsp_valid = e->in->stack_rsp_valid && r->id < L2_MSHRS;
    if (p->rsp_valid) {
        p->rsp = (home_rsp_t){.id = (uint8_t)(PG_TOP | r->id), .state = e->was->w[r->id].grant, .data = r->data};
        p->w[r->id].state = PW_FREE;
    } else if (e->in->stack_rsp_valid) {
        const unsigned i = (unsigned)r->id - L2_MSHRS;
        p->job.slot[i].state = PS_HERE;
        p->job.slot[i].mask = r->marks;
        p->job.slot[i].data = r->data;
    }
    if (p->rsp_valid || !e->was->fq_n)
        return;
    const smd_data_t *d = &e->was->fq[0];
    unsigned k = 0;
    while (k < L2_MSHRS && !(e->was->w[k].state == PW_FAR && e->was->w[k].line == d->line))
        k++;
    p->rsp_valid = true;
    p->rsp = (home_rsp_t){.id = (uint8_t)(PG_TOP | k), .state = e->was->w[k % L2_MSHRS].grant, .data = d->data};
    p->w[k % L2_MSHRS].state = PW_FREE;
    memmove(p->fq, p->fq + 1, sizeof *p->fq);
    p->fq_n--;
}

/* Step 5, READ. */
static bool page_perform(page_t *p, page_edge_t *e, unsigned k, uint8_t grant)
{
    const uint64_t line = e->was->w[k].line;
    const bool near_ = page_near(p, line), get = p->far && !near_;
    if (!page_way(p, e, line))
        return false;
    p->w[k].state = get ? PW_FAR : PW_SENT;
    if (get) {
        page_to_hmd(p, e, (smd_ack_t){.kind = SMD_GET, .line = line});
        e->ev.smd_get = true;
    } else {
        page_to_stack(
            p, e, (stack_req_t){.id = (uint8_t)k, .line = near_ ? page_home_line(p, line) : page_stack_line(p, line)});
    }
    e->ev.smd_near = near_;
    p->w[k].grant = grant;
    page_entry(p, line)->owner[page_off(line)] = true;
    e->ev.smd_hit = e->was->s1.first;
    return true;
}

/* The case of a READ in s1, by its letter. */
static char page_case(const page_t *was)
{
    const page_wait_t *w = &was->w[was->s1.number];
    const page_entry_t *t = &was->table[page_place(w->line)];
    const unsigned x = page_has(was, w->line);
    return page_job_at(was, w->line)                                ? 'a'
           : x < SMD_TRANSACTIONS                                   ? 'b'
           : page_here(t, w->line) && page_permits(t->state, w->op) ? 'c'
           : page_free_x(was) < SMD_TRANSACTIONS                    ? 'd'
                                                                    : 'e';
}

static bool page_case_b(const page_t *was)
{
    const page_wait_t *w = &was->w[was->s1.number];
    const page_x_t *t = &was->x[page_has(was, w->line)];
    return t->kind == PX_FETCH && (t->stage == PX_WAIT || t->stage == PX_END) && page_together(t->line, w->line)
           && t->come[page_off(w->line)] && (w->op != HOME_READ_OWN || t->own);
}

static bool page_read(page_t *p, page_edge_t *e)
{
    const page_t *was = e->was;
    const unsigned k = was->s1.number;
    const page_wait_t *w = &was->w[k];
    page_entry_t *t = page_entry(p, w->line);
    const uint8_t least = w->op == HOME_READ ? NMOESI_S : NMOESI_N;
    switch (page_case(was)) {
    case 'b':
        if (page_case_b(was)) {
            if (!page_perform(p, e, k, was->x[page_has(was, w->line)].own ? NMOESI_E : least))
                return false;
            page_set(p, e, t, t->state);
            return true;
        }
        break;
    case 'c': {
        const uint8_t state = t->state;
        if (!page_perform(p, e, k, state == NMOESI_E || state == NMOESI_M ? NMOESI_E : least))
            return false;
        page_set(p, e, t, w->op == HOME_N_READ && state == NMOESI_S ? NMOESI_N : state);
        return true;
    }
    case 'd': {
        page_x_t *x = &p->x[page_free_x(was)];
        *x = (page_x_t){.valid = true, .own = w->op == HOME_READ_OWN, .line = w->line, .stage = PX_ASK};
        if (t->state == NMOESI_I) {
            *t = (page_entry_t){.block = page_block(w->line)};
        } else if (!page_here(t, w->line)) {
            x->stage = PX_OUT;
            x->victim = page_line(p, t->block, 0);
            x->bytes = page_gives(t);
        }
        break;
    }
    default: break;
    }
    p->w[k].wake = false;
    return true;
}
#endif
