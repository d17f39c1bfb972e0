/* See lsu.h. An edge in the order that lets each part see the state before it: inputs, results of look-ups, the front, its choice, look-ups,
 * then the steps that take effect over all of it. */
#include "sim_c/core/lsu.h"
#include "sim_c/core/lsu_state.h"
#include <string.h>

size_t lsu_size(void)
{
    return sizeof(struct lsu);
}

void lsu_reset(lsu_t *s)
{
    memset(s, 0, sizeof *s);
    s->front = NO_ROW;
    lookup_reset(&s->lookup);
}

static bool idle(const lsu_t *s)
{
    return !s->held && !s->xcount && !s->st.valid && !s->fr_valid && !s->entries && !s->unacked;
}

void lsu_out(const lsu_t *s, lsu_out_t *o)
{
    const view_t *v = &s->view;
    o->credit = s->credits != 0;
    lookup_out(&s->lookup, o);
    o->early = s->lookup.fk.valid && s->lookup.fk.early;
    o->pf_valid = s->pf_valid;
    if (s->pf_valid)
        o->pf = s->pf;
    o->inv_done = s->done;
    o->l1d_req_valid = v->req_valid;
    if (v->req_valid)
        o->l1d_req = v->req;
    o->spad_req_valid = v->spad_valid;
    if (v->spad_valid)
        o->spad_req = v->spad;
    o->trace_valid = v->trace_valid;
    if (v->trace_valid)
        o->trace = v->trace;
    o->sent_valid = s->sent_valid;
    if (s->sent_valid)
        o->sent = s->sent;
    o->l1d_rsp_ready = o->spad_rsp_ready = lsu_rsp_ready(s);
    o->lsu_res_valid = s->xcount != 0;
    if (s->xcount)
        o->lsu_res = s->x[0];
    o->fault_valid = s->fault_valid;
    if (s->fault_valid)
        o->fault = s->fault;
    o->unsent = s->rows.unsent;
    uint64_t rows = 0;
    if (COMPACTS)
        for EACH(k, s->rows.valid)
            rows |= BIT(s->rows.row[k].warp);
    o->rows = (__typeof__(o->rows))rows;
    o->idle = idle(s);
    o->ev = s->ev;
}

/* The front's next row. It has nothing to look for when it found none, and nothing has changed since. `used`: by look-up 2, at this edge. */
static void choose(lsu_t *s, unsigned fresh, unsigned used, bool entries_full, const ready_t *with)
{
    unsigned next = rows_choose(&s->rows, s->front, s->early, fresh, entries_full, with);
    s->early = (next == NO_ROW || next == fresh) && used != NO_ROW;
    if (s->early) {
        next = used;
        s->rows.row[used].traced = true;
    }
    s->front = (uint8_t)next;
    s->pre = s->post = false;
    s->lmask = s->lseen = s->pseen = 0;
    bool traced = !s->early && next != NO_ROW && s->rows.row[next].traced;
    s->sdone = traced ? ~0u : 0;
    s->tbeat = traced ? BEATS : 0;
}

/* `flt`: of before the edge. Threads that fault at this edge have an event of their own walk. */
static void resume(rows_t *rows, unsigned k, tmask_t flt)
{
    row_t *r = &rows->row[k];
    r->todo |= flt;
    r->flt &= ~flt;
    r->facc &= ~flt;
    r->reported = false;
    rows->reported &= ~BIT(k);
    rows->todo |= BIT(k);
}

static unsigned reported_row(const rows_t *rows, unsigned warp)
{
    for EACH(k, rows->reported)
        if (rows->row[k].warp == warp)
            return (unsigned)k;
    return NO_ROW;
}

static bool has_rows(const rows_t *rows, unsigned warp)
{
    bool some = false;
    for EACH(k, rows->valid)
        some |= rows->row[k].warp == warp;
    return some;
}

/* `left`: rows of the slot's last warp are here. They may be stores behind a faulted one, which must not go. */
static void begin_warp(lsu_t *s, const start_t *start, bool left)
{
    s->base[start->warp] = start->spad_base & ((1u << SPAD_W) - 1);
    if (!left)
        s->rows.dead &= ~BIT(start->warp);
    s->stirred |= s->rows.count != 0;
}

static void pop(lsu_t *s, unsigned k)
{
    rows_remove(&s->rows, k);
    s->credits += BEATS;
}

/* E3: threads with requests at the L1D are sent, in this frame. With up to two beats its trace has been shown by now. */
static void sent_early(lsu_t *s, const early_t *e, uint64_t frame)
{
    const uint64_t line = e->sent.line | frame << PAGE_LINE_W;
    if (s->sent_valid) {
        s->sent.with_warp = e->sent.warp;
        s->sent.with_seq = e->sent.seq;
        s->sent.with_threads = e->sent.threads;
        s->sent.with_line = line;
    } else {
        s->sent = e->sent;
        s->sent.line = line;
    }
    s->sent_valid = s->stirred = true;
    s->loads++;
    s->ev.lsu_lines++;
    s->ev.page_div_1++;
    rows_sent(&s->rows, e->row, ~0ull);
    if (BEATS <= 2)
        pop(s, e->row);
}

/* Threads of a row that is given up: their entry does not wait for them. */
static void drop(lsu_t *s, const dropped_t *d)
{
    entry_rec_t *e = &s->entry[d->entry];
    e->left &= ~d->threads;
    if (!e->left) {
        s->entries &= ~(1u << d->entry);
        s->entries_atomic &= ~(1u << d->entry);
    }
}

/* Nothing but rows that wait for walks, or for something new. */
static bool rests(const lsu_t *s)
{
    ev_lsu_t same = {.lsu_waiting = (uint8_t)__builtin_popcountll(s->rows.wait)};
    return !s->in_valid && !s->ek.valid && s->front == NO_ROW && !s->stirred && !s->xcount && !s->l_valid
           && !s->sp_valid && !s->fr_valid && !s->st.valid && !s->credits && !s->fault_valid && !s->pf_valid
           && !s->sent_valid && !s->sd && !s->done && lookup_rests(&s->lookup, &s->rows)
           && !memcmp(&s->ev, &same, sizeof same);
}

/* Something comes in, is delivered or goes on at this edge, whatever the rows do. */
static bool stirs(const lsu_t *s, const lsu_in_t *in)
{
    return s->in_valid || in->ops_valid || s->credits || s->halt != in->halt || s->fault_valid || s->done
           || s->sent_valid || s->ek.valid || s->lookup.fk.valid || s->xcount || s->l_valid || s->sp_valid
           || s->fr_valid || in->l1d_rsp_valid || in->spad_rsp_valid || in->l1d_ack || in->start_valid || in->inv_valid
           || in->resume_valid || (s->pf_valid && in->pf_ready) || !lsu_front_waits(s, in);
}

void lsu_tick(lsu_t *s, const lsu_in_t *in)
{
    rows_t *rows = &s->rows;
    const bool fr_was = s->fr_valid, give = s->credits != 0, full = s->entries == ALL_ENTRIES, pf_was = s->pf_valid;
    const ready_t with = {.dead = rows->dead, .overlap = in->mode == TLB_OVERLAP, .halt = in->halt, .pf = pf_was};
    const uint64_t busy = in->mode == TLB_BLOCKING ? lookup_busy(&s->lookup, rows) : 0;
    const unsigned resumed = in->resume_valid ? reported_row(rows, in->resume) : NO_ROW;
    const tmask_t resumed_flt = resumed != NO_ROW ? rows->row[resumed].flt : 0;
    const bool left = in->start_valid && has_rows(rows, in->start.warp);
    const ev_lsu_t ev_was = s->ev;
    bool still = !stirs(s, in);
    memset(&s->ev, 0, sizeof s->ev);
    s->core = in->core;
    s->ev.lsu_stall_l1d = s->view.req_valid && !in->l1d_req_ready;
    s->ev.lsu_stall_spad = s->view.spad_valid && !in->spad_req_ready;
    s->ev.lsu_waiting = (uint8_t)__builtin_popcountll(rows->wait);
    s->ev.lsu_resumed = resumed != NO_ROW;
    s->fault_valid = s->done = s->sent_valid = false;
    if (s->halt != in->halt) {
        s->halt = in->halt;
        s->stirred = true;
    }

    const early_t early = s->ek;
    const bool kept = lookup_kept(&s->lookup, in);
    s->ek.valid = false;
    unsigned used = lookup_used(&s->lookup, rows, in, busy, with.dead);
    if (used != NO_ROW && !rows_early(rows, used))
        used = NO_ROW;

    unsigned fresh = s->in_valid ? rows_gather(rows, &s->in, in, s->base) : NO_ROW;
    if (s->lookup.fk.valid) {
        lookup_found(&s->lookup, rows, in);
        s->stirred = true;
    }
    const bool another = s->view.step == WAIT_ENTRY && rows->seen && rows_seen_ready(rows, s->front, &with);

    const unsigned front = s->front;
    const bool visited = s->early;
    dropped_t dropped = {0};
    enum fate fate = lsu_front(s, in, another, &dropped);
    if (front == NO_ROW ? s->stirred || fresh != NO_ROW || used != NO_ROW : fate >= PASSES) {
        bool died = rows->dead != with.dead;
        still = false;
        choose(s, fresh, used, full, &with);
        s->stirred = died;
    } else if (fate == LEAVES) {
        s->front = NO_ROW;
        s->stirred = true;
    }
    if (lookup_tick(&s->lookup, rows, in, s->ek.valid, busy, with.dead, &s->ev)) {
        s->stirred = true;
        still = false;
    }
    if (fate == POPS) {
        pop(s, front);
        s->stirred |= visited; /* when the front chose, younger rows of this warp were still behind this one */
    }
    if (kept)
        sent_early(s, &early, in->found[0].ppn);
    else if (early.valid)
        s->entries &= ~(1u << early.entry);
    if (resumed != NO_ROW && rows->reported >> resumed & 1) {
        resume(rows, resumed, resumed_flt);
        s->stirred = true;
    }
    if (s->view.shootdown && in->l1d_req_ready) {
        s->sd = false;
        s->done = true;
    }
    if (in->inv_valid) {
        s->sd = s->stirred = true;
        if (in->root.sv48)
            lookup_invalidate(&s->lookup, rows);
    }
    if (pf_was && in->pf_ready) {
        s->pf_valid = false;
        s->stirred = true;
    }

    lsu_results(s, in, fr_was);
    if (dropped.threads)
        drop(s, &dropped);
    s->in_valid = in->ops_valid && in->ops.pipe == PIPE_LSU;
    if (s->in_valid) {
        s->in = in->ops;
        s->held++;
    }
    if (give) {
        s->credits--;
        s->held--;
    }
    s->unacked -= in->l1d_ack;
    if (in->start_valid)
        begin_warp(s, &in->start, left);
    still &= fate == STAYS && !memcmp(&s->ev, &ev_was, sizeof ev_was);
    s->still = still || rests(s);
    lsu_show(s, in);
}

bool lsu_idle(const lsu_t *s)
{
    return s->still;
}
