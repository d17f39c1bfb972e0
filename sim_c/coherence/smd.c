/* Twin of rtl/coherence/smd.sv: the directory of a stacked memory (docs/blocks/smd.md). Step numbers are the page's. The steps run in the page's order on
 * the state itself; values from before the edge that a step needs are in smd_edge_t. */
#include "sim_c/coherence/smd_state.h"
#include "sim_c/common/twin.h"

TWIN_STATE(smd)

static bool clearing(const smd_t *s)
{
    return s->init < SMD_PLACES;
}

static bool queued(const smd_t *s)
{
    unsigned all = 0;
    for (unsigned q = 0; q < SMD_QUEUES; q++)
        all |= s->count[q];
    return all;
}

/* Write-backs inside. */
static uint8_t writing(const smd_t *s)
{
    uint8_t n = s->s1.valid && s->s1.what == SMD_1_WRITE;
    for (unsigned k = 0; k < s->count[SMD_IN]; k++)
        n += s->in[k].op == HOME_WRITE_BACK;
    return n;
}

void smd_out(const smd_t *s, smd_out_t *o)
{
    o->home_req_ready = s->count[SMD_IN] < 2 && !clearing(s);
    o->home_ack_ready = s->count[SMD_AQ] < 2;
    o->smd_probe_ready = s->job.phase == SMD_J_NONE && !clearing(s);
    o->smd_data_ready = smd_takes_data(s);
    if ((o->home_probe_valid = s->count[SMD_PQ]))
        o->home_probe = s->pq[0];
    if ((o->stack_req_valid = s->count[SMD_SQ]))
        o->stack_req = s->sq[0];
    if ((o->smd_req_valid = s->count[SMD_RQ]))
        o->smd_req = s->rq[0];
    if ((o->smd_ack_valid = s->count[SMD_KQ]))
        o->smd_ack = s->kq[0];
    if ((o->smd_peer_valid = s->count[SMD_EQ]))
        o->smd_peer = s->eq[0];
    if ((o->home_rsp_valid = s->rsp_valid))
        o->home_rsp = s->rsp;
    o->maint_done = s->done;
    o->idle = !clearing(s) && !queued(s) && !s->waits && !s->sent && !s->far && !s->reads && !s->here && !s->valid
              && s->job.phase == SMD_J_NONE && !s->s1.valid && !s->rsp_valid && s->maint == SMD_M_NONE && !s->done;
    o->ev = s->ev;
}

/* The first element leaves a queue, and its place is 0 again. */
static void leave(smd_t *s, unsigned queue, void *first, size_t size)
{
    if (s->count[queue] == 2)
        memcpy(first, (char *)first + size, size);
    memset((char *)first + --s->count[queue] * size, 0, size);
}
#define LEAVE(s, queue, q) leave(s, queue, (s)->q, sizeof *(s)->q)

/* Outputs that are taken leave their queues. */
static void taken(smd_t *s, const smd_in_t *in)
{
    if (s->count[SMD_SQ] && in->stack_req_ready)
        LEAVE(s, SMD_SQ, sq);
    if (s->count[SMD_PQ] && in->home_probe_ready)
        LEAVE(s, SMD_PQ, pq);
    if (s->count[SMD_RQ] && in->smd_req_ready)
        LEAVE(s, SMD_RQ, rq);
    if (s->count[SMD_KQ] && in->smd_ack_ready)
        LEAVE(s, SMD_KQ, kq);
    if (s->count[SMD_EQ] && in->smd_peer_ready)
        LEAVE(s, SMD_EQ, eq);
}

/* Bytes of the slice go to the stack, or home. */
static void write_bytes(smd_t *s, smd_edge_t *e, uint64_t line, const line_be_t *be, const line_data_t *data)
{
    if (e->far && !smd_near(e, line)) {
        smd_to_home(s, e, &(smd_ack_t){.kind = SMD_BYTES, .line = line, .mask = mask_of(be), .data = *data});
        e->ev.smd_put = true;
        return;
    }
    smd_to_stack(s, e,
                 &(stack_req_t){.write = true,
                                .line = smd_stands(e, line),
                                .be = *be,
                                .marks = e->far ? (line_mask_t){0} : mask_of(be),
                                .data = *data});
}

/* Step 2. */
static void slice_ack(smd_t *s, smd_edge_t *e)
{
    const home_ack_t *a = &s->aq[0];
    if (!e->count[SMD_AQ])
        return;
    if (!be_none(&a->be)) {
        if (!(e->far && !smd_near(e, a->line) ? e->kq : e->sq) || s->older[0])
            return;
        write_bytes(s, e, a->line, &a->be, &a->data);
        s->job.given = true;
    }
    LEAVE(s, SMD_AQ, aq);
    s->older[0] = s->older[1];
    s->older[1] = 0;
    s->job.out--;
}

/* Step 4: a line that the HMD has sent, for the read that awaits it. */
static void far_rsp(smd_t *s)
{
    for (uint64_t v = s->far; v; v &= v - 1) {
        unsigned k = (unsigned)__builtin_ctzll(v);
        if (s->w[k].line != s->fq[0].line)
            continue;
        s->rsp_valid = true;
        s->rsp = (home_rsp_t){.id = (uint8_t)(SMD_READ_ID | k), .state = s->w[k].grant, .data = s->fq[0].data};
        s->far &= ~(1ull << k);
        break;
    }
    LEAVE(s, SMD_FQ, fq);
}

/* Step 4. */
static void stack_rsp(smd_t *s, const smd_in_t *in, const smd_edge_t *e)
{
    const stack_rsp_t *r = &in->stack_rsp;
    if (s->rsp_valid)
        memset(&s->rsp, 0, sizeof s->rsp);
    s->rsp_valid = in->stack_rsp_valid && r->id < L2_MSHRS;
    if (s->rsp_valid) {
        s->rsp = (home_rsp_t){.id = (uint8_t)(SMD_READ_ID | r->id), .state = s->w[r->id].grant, .data = r->data};
        s->sent &= ~(1ull << r->id);
    } else if (in->stack_rsp_valid) {
        unsigned k = r->id - L2_MSHRS;
        s->slot[k].mask = r->marks;
        s->slot[k].data = r->data;
        s->reads &= (uint8_t)~(1u << k);
        s->here |= (uint8_t)(1u << k);
    }
    if (!s->rsp_valid && e->count[SMD_FQ])
        far_rsp(s);
}

/* Step 5, READ d: a transaction begins, if one is free. */
static void fetch(smd_t *s, smd_edge_t *e, uint64_t line, bool own)
{
    uint32_t place = smd_place(line);
    const smd_entry_t *t = &s->table[place];
    int x = smd_free(e);
    if (x < 0)
        return;
    smd_transaction_t n = {.kind = SMD_X_FETCH, .own = own, .line = line};
    if (t->state == NMOESI_I) {
        smd_clear(s, e, line);
    } else if (t->tag != smd_tag(line)) {
        n.victim = smd_line_at(t->tag, place, e->channel);
        n.bytes = smd_gives(t);
        smd_begin(s, (unsigned)x, SMD_T_OUT, &n);
        return;
    }
    smd_begin(s, (unsigned)x, SMD_T_ASK, &n);
}

/* Step 5: the way to the bytes of a line is free. */
static bool way(const smd_edge_t *e, uint64_t line)
{
    return e->far && !smd_near(e, line) ? e->kq && !smd_answers(e) : e->sq;
}

/* Step 5, READ: whether it leaves s1. */
static bool read_line(smd_t *s, smd_edge_t *e, bool *performed)
{
    unsigned k = s->s1.number;
    smd_read_t *w = &s->w[k];
    uint32_t place = smd_place(w->line);
    smd_entry_t *t = &s->table[place];
    int having = smd_having(s, e, place);
    bool own = w->op == HOME_READ_OWN, can;
    unsigned grant = w->op == HOME_READ ? NMOESI_S : NMOESI_N, state = t->state;

    s->wake &= ~(1ull << k);
    if (smd_job_at(s, e, place))
        return true;
    if (having >= 0) {
        const smd_transaction_t *x = &s->x[having];
        can = (e->at[SMD_T_WAIT] | e->at[SMD_T_END]) >> having & 1 && x->kind == SMD_X_FETCH
              && smd_same_block(x->line, w->line) && smd_has(&x->come, smd_off(w->line)) && (!own || x->own);
        if (can && x->own)
            grant = NMOESI_E;
    } else {
        can = t->tag == smd_tag(w->line) && nmoesi_hit(state, w->op);
        if (can && smd_alone(state))
            grant = NMOESI_E;
        else if (can && w->op == HOME_N_READ && state == NMOESI_S)
            state = NMOESI_N;
    }
    if (!can) {
        if (having < 0)
            fetch(s, e, w->line, own);
        return true;
    }
    if (!way(e, w->line)) {
        s->wake |= e->wake & 1ull << k;
        return false;
    }
    *performed = true;
    e->ev.smd_near = smd_near(e, w->line);
    if (e->far && !e->ev.smd_near) {
        smd_to_home(s, e, &(smd_ack_t){.kind = SMD_GET, .line = w->line});
        e->ev.smd_get = true;
        s->far |= 1ull << k;
    } else {
        smd_to_stack(s, e, &(stack_req_t){.id = (uint8_t)k, .line = smd_stands(e, w->line)});
        s->sent |= 1ull << k;
    }
    s->waits &= ~(1ull << k);
    w->grant = (uint8_t)grant;
    smd_put(&t->owner, smd_off(w->line), true);
    smd_set(s, e, place, state);
    return true;
}

/* Step 5, WRITE: whether it leaves s1. */
static bool write_line(smd_t *s, smd_edge_t *e)
{
    const home_req_t *r = &s->s1.req;
    uint32_t place = smd_place(r->line);
    smd_entry_t *t = &s->table[place];
    bool touches = !be_none(&r->be);
    if (!way(e, r->line))
        return false;
    e->ev.smd_near = smd_near(e, r->line);
    if (touches || !e->far || e->ev.smd_near)
        write_bytes(s, e, r->line, &r->be, &r->data);
    if (!r->keep)
        smd_put(&t->owner, smd_off(r->line), false);
    smd_set(s, e, place, touches ? smd_touched(t->state) : t->state);
    int x = smd_having(s, e, place);
    if (touches && x >= 0 && (e->at[SMD_T_WAIT] | e->at[SMD_T_END]) >> x & 1 && s->x[x].kind == SMD_X_FETCH
        && smd_same_block(s->x[x].line, r->line))
        s->x[x].touched = true;
    return true;
}

static bool inval(const smd_t *s)
{
    return s->mreq.op >= L2_INVAL_LINE;
}

static bool all(const smd_t *s)
{
    return s->mreq.op == L2_FLUSH_ALL || s->mreq.op == L2_INVAL_ALL;
}

/* Step 5, STEP. */
static void maint_step(smd_t *s, smd_edge_t *e)
{
    uint64_t line = s->s1.req.line;
    uint32_t place = smd_place(line);
    const smd_entry_t *t = &s->table[place];
    bool ours = channel_of(line) == e->channel && (all(s) || t->tag == smd_tag(line));
    bool due = ours && (inval(s) ? t->state != NMOESI_I : smd_dirty(t->state));
    int x = smd_free(e);
    if ((ours && (smd_having(s, e, place) >= 0 || smd_job_at(s, e, place))) || (due && x < 0))
        return;
    if (all(s) && s->step % 64 == 0)
        smd_forget_some(s, s->step);
    s->step++;
    if (!due)
        return;
    line = smd_line_at(t->tag, place, e->channel);
    const smd_transaction_t n = {
        .kind = inval(s) ? SMD_X_EVICT : SMD_X_FLUSH, .bytes = smd_gives(t), .line = line, .victim = line};
    smd_begin(s, (unsigned)x, inval(s) ? SMD_T_OUT : SMD_T_ASK, &n);
    s->of_maint |= (uint16_t)(1u << x);
}

/* Step 5. */
static void stage1(smd_t *s, smd_edge_t *e)
{
    unsigned k = s->s1.number;
    bool performed = false;
    e->left = true;
    switch (s->s1.what) {
    case SMD_1_LOOK:
    case SMD_1_LOOK2:
    case SMD_1_SET: smd_job_table(s, e); break;
    case SMD_1_CLEAR:
        smd_clear(s, e, s->x[k].line);
        smd_move(s, k, SMD_T_CLEAR, SMD_T_ASK);
        break;
    case SMD_1_END:
        smd_set(s, e, smd_place(s->x[k].line), s->x[k].touched ? smd_touched(s->x[k].gstate) : s->x[k].gstate);
        smd_move(s, k, SMD_T_END, SMD_T_ARRIVE);
        break;
    case SMD_1_READ:
        e->left = read_line(s, e, &performed);
        e->ev.smd_read = s->s1.first && e->left;
        e->ev.smd_hit = s->s1.first && performed;
        break;
    case SMD_1_WRITE: e->ev.smd_write = e->left = write_line(s, e); break;
    default: maint_step(s, e); break;
    }
}

/* Step 8: this comes into s1. */
static void enter(smd_t *s, unsigned what, unsigned number)
{
    memset(&s->s1, 0, sizeof s->s1);
    s->s1.valid = true;
    s->s1.what = (uint8_t)what;
    s->s1.number = (uint8_t)number;
}

/* Step 8, 5: the head of `in`; false: it is stalled. */
static bool request(smd_t *s, const smd_edge_t *e)
{
    const home_req_t *r = &s->in[0];
    unsigned k = r->id & (SMD_READ_ID - 1);
    if (r->op == HOME_WRITE_BACK) {
        if ((e->phase == SMD_J_LOOK2 || e->phase == SMD_J_SEND || e->phase == SMD_J_SET)
            && smd_same_block(r->line, s->job.probe.line))
            return false;
        enter(s, SMD_1_WRITE, 0);
        s->s1.req = *r;
    } else {
        enter(s, SMD_1_READ, k);
        s->s1.first = true;
        s->w[k].line = r->line;
        s->w[k].op = r->op;
        s->waits |= 1ull << k;
    }
    LEAVE(s, SMD_IN, in);
    return true;
}

/* Steps of a maintenance. */
static uint32_t steps(const smd_t *s)
{
    enum { PAGE = INTERLEAVE_BYTES < 4096 ? 4096 / INTERLEAVE_BYTES : 1 };
    return all(s) ? SMD_PLACES : s->mreq.op == L2_FLUSH_PAGE || s->mreq.op == L2_INVAL_PAGE ? PAGE : 1;
}

/* Step 8, 6. Transactions that are not of maintenance are fetches. */
static bool walk(smd_t *s, const smd_edge_t *e)
{
    uint64_t line = s->mreq.line;
    if (all(s)) {
        if (s->mreq.op == L2_FLUSH_ALL && e->step % 64 == 0 && !e->some && !(e->valid & ~e->of_maint)
            && e->phase == SMD_J_NONE) {
            s->step += 64;
            return false;
        }
        line = smd_line_at(0, e->step, e->channel);
    } else if (steps(s) > 1) {
        line = (line & ~(uint64_t)(PAGE_LINES - 1)) + (uint64_t)e->step * BLOCK_LINES;
    }
    enter(s, SMD_1_STEP, 0);
    s->s1.req.line = line;
    return true;
}

/* Step 8. `what`, `number`: of s1 if it leaves at this edge, -1 otherwise. */
static bool next(smd_t *s, smd_edge_t *e)
{
    const int what = s->s1.valid ? s->s1.what : -1;
    const uint64_t self = 1ull << s->s1.number;
    static const uint8_t of_phase[] = {[SMD_J_LOOK] = SMD_1_LOOK, [SMD_J_LOOK2] = SMD_1_LOOK2, [SMD_J_SET] = SMD_1_SET};
    if (e->phase == SMD_J_LOOK || e->phase == SMD_J_LOOK2 || e->phase == SMD_J_SET)
        if (what != of_phase[e->phase]) {
            enter(s, of_phase[e->phase], 0);
            return true;
        }
    uint64_t clear = e->at[SMD_T_CLEAR] & ~(what == SMD_1_CLEAR ? self : 0);
    uint64_t read = e->wake & ~(what == SMD_1_READ ? self : 0);
    uint64_t end = e->at[SMD_T_END] & ~(what == SMD_1_END ? self : 0);
    if (clear || read || end) {
        enter(s,
              clear  ? SMD_1_CLEAR
              : read ? SMD_1_READ
                     : SMD_1_END,
              (unsigned)__builtin_ctzll(clear  ? clear
                                        : read ? read
                                               : end));
        return true;
    }
    if (e->count[SMD_IN]) {
        if (request(s, e))
            return true;
        e->ev.smd_stall = true;
    }
    if (e->maint == SMD_M_WALK && !clearing(s) && !e->count[SMD_IN] && what < 0 && e->step < steps(s))
        return walk(s, e);
    return false;
}

/* Step 9. */
static void maintain(smd_t *s, const smd_in_t *in, const smd_edge_t *e, bool stepping)
{
    s->done = false;
    if (e->maint == SMD_M_WALK && e->step >= steps(s) && !stepping)
        s->maint = SMD_M_DRAIN;
    if (e->maint == SMD_M_DRAIN && !e->of_maint) {
        s->maint = SMD_M_NONE;
        s->step = 0;
        memset(&s->mreq, 0, sizeof s->mreq);
        s->done = true;
    }
    if (in->maint_valid) {
        s->maint = SMD_M_WALK;
        s->mreq = in->maint;
        s->step = 0;
    }
}

void smd_tick(smd_t *s, const smd_in_t *in)
{
    smd_edge_t e = {.channel = in->channel,
                    .device = in->device,
                    .memory = in->memory,
                    .far = in->memory != MEMORY_UMH,
                    .sq = s->count[SMD_SQ] < 2,
                    .kq = s->count[SMD_KQ] < 2,
                    .slots = s->reads | s->here,
                    .takes_data = in->smd_data_valid && smd_takes_data(s),
                    .phase = s->job.phase,
                    .out = s->job.out,
                    .given = s->job.given,
                    .maint = s->maint,
                    .waits = s->waits,
                    .wake = s->wake,
                    .granted = s->sent | s->far,
                    .valid = s->valid,
                    .of_maint = s->of_maint,
                    .whole = s->whole,
                    .step = s->step,
                    .some = s->maint == SMD_M_WALK && s->step < SMD_PLACES && smd_some(s, s->step),
                    .came = -1};
    memcpy(e.count, s->count, sizeof e.count);
    memcpy(e.at, s->at, sizeof e.at);
    const bool stepping = s->s1.valid && s->s1.what == SMD_1_STEP, was_clearing = clearing(s);
    const uint8_t was_writing = in->home_ack_valid ? writing(s) : 0;

    taken(s, in);
    smd_data(s, in, &e); /* 1 */
    slice_ack(s, &e); /* 2 */
    smd_slots(s, &e); /* 3 */
    stack_rsp(s, in, &e); /* 4 */
    if (s->s1.valid)
        stage1(s, &e); /* 5 */
    smd_ask(s, &e); /* 6 */
    smd_job_next(s, in, &e); /* 7 */
    if (s->rsp_valid)
        memset(&s->w[s->rsp.id & (SMD_READ_ID - 1)], 0, sizeof s->w[0]);
    if ((e.left || !s->s1.valid) && !next(s, &e) && e.left) /* 8 */
        memset(&s->s1, 0, sizeof s->s1);
    maintain(s, in, &e, stepping); /* 9 */

    smd_data_end(s, in, &e);
    s->wake = (s->wake | e.wakes) & s->waits;
    if (in->home_req_valid && smd_room(&e, SMD_IN) && !was_clearing)
        s->in[s->count[SMD_IN]++] = in->home_req;
    for (unsigned k = 0; k < s->count[SMD_AQ]; k++)
        s->older[k] -= s->older[k] && e.ev.smd_write;
    if (in->home_ack_valid && smd_room(&e, SMD_AQ)) {
        s->older[s->count[SMD_AQ]] = (uint8_t)(was_writing - e.ev.smd_write);
        s->aq[s->count[SMD_AQ]++] = in->home_ack;
    }
    s->init += was_clearing;
    s->serve = in_stacks(in->memory);
    s->ev = e.ev;
}

bool smd_idle(const smd_t *s)
{
    static const ev_smd_t none;
    /* Transactions may wait for the HMD, or for a place in a full queue. */
    unsigned moves = s->at[SMD_T_OUT] | s->at[SMD_T_LEFT] | s->at[SMD_T_CLEAR] | s->at[SMD_T_ASK] | s->at[SMD_T_END]
                     | s->at[SMD_T_ARRIVE] | s->whole;
    if (clearing(s) || s->count[SMD_FQ] || s->count[SMD_IN] || s->count[SMD_AQ] || s->s1.valid || s->wake || moves
        || s->rsp_valid || s->done || s->here || memcmp(&s->ev, &none, sizeof none))
        return false;
    switch (s->job.phase) {
    case SMD_J_NONE: break;
    case SMD_J_DRAIN:
        if (!s->job.out)
            return false;
        break;
    case SMD_J_SEND:
        if (!s->reads || (s->job.next < BLOCK_LINES && s->reads != (1u << SMD_SLOTS) - 1))
            return false;
        break;
    default: return false;
    }
    return s->maint == SMD_M_NONE || (s->maint == SMD_M_DRAIN && s->of_maint);
}
