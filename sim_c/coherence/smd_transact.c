/* Transactions of an SMD with the HMDs: blocks that it fetches, evicts, or flushes (docs/blocks/smd.md). */
#include "sim_c/coherence/smd_state.h"

int smd_having(const smd_t *s, const smd_edge_t *e, uint32_t place)
{
    for (unsigned v = e->valid; v; v &= v - 1)
        if (smd_place(s->x[__builtin_ctz(v)].line) == place)
            return __builtin_ctz(v);
    return -1;
}

int smd_free(const smd_edge_t *e)
{
    unsigned free = ~(unsigned)e->valid & ((1u << SMD_TRANSACTIONS) - 1);
    return free ? __builtin_ctz(free) : -1;
}

void smd_begin(smd_t *s, unsigned x, unsigned stage, const smd_transaction_t *t)
{
    s->x[x] = *t;
    s->x[x].missing = BLOCK_LINES;
    s->valid |= (uint16_t)(1u << x);
    s->at[stage] |= (uint16_t)(1u << x);
}

void smd_move(smd_t *s, unsigned x, unsigned from, unsigned to)
{
    s->at[from] &= (uint16_t)~(1u << x);
    s->at[to] |= (uint16_t)(1u << x);
}

/* The one of these that is about the block of this line, or -1. */
static int about(const smd_t *s, unsigned these, uint64_t line, bool victim)
{
    for (; these; these &= these - 1) {
        const smd_transaction_t *x = &s->x[__builtin_ctz(these)];
        if (smd_same_block(victim ? x->victim : x->line, line))
            return __builtin_ctz(these);
    }
    return -1;
}

static void grant(smd_t *s, const smd_data_t *d, const smd_edge_t *e)
{
    int left = about(s, e->at[SMD_T_LEAVE], d->line, true), x = about(s, e->at[SMD_T_WAIT], d->line, false);
    if (left >= 0)
        smd_move(s, (unsigned)left, SMD_T_LEAVE, SMD_T_LEFT);
    if (x < 0)
        return;
    if (s->x[x].kind == SMD_X_FLUSH) {
        smd_move(s, (unsigned)x, SMD_T_WAIT, SMD_T_ARRIVE);
    } else {
        s->x[x].granted = true;
        s->x[x].gstate = d->state;
        if (e->far || !s->x[x].missing)
            s->whole |= (uint16_t)(1u << x);
    }
}

bool smd_takes_data(const smd_t *s)
{
    return s->count[SMD_SQ] < 2 && s->count[SMD_FQ] < 2 && !(s->serve && (s->reads | s->here) == (1u << SMD_SLOTS) - 1);
}

/* The HMD reads or writes a line of this stack. */
static void serve(smd_t *s, const smd_data_t *d, smd_edge_t *e)
{
    const uint64_t line = home_line(e->memory, d->line);
    if (d->mem == SMD_MEM_WRITE) {
        const line_be_t be = mask_none(&d->mask) ? be_all() : mask_bytes(&d->mask);
        smd_to_stack(s, e, &(stack_req_t){.write = true, .line = line, .be = be, .data = d->data});
        e->ev.smd_mem_write = true;
        return;
    }
    const int k = smd_slot(e); /* smd_takes_data has made sure that a slot is free */
    smd_to_stack(s, e, &(stack_req_t){.id = (uint8_t)(L2_MSHRS + k), .line = line});
    s->slot[k].mem = true;
    s->slot[k].id = d->id;
    s->slot[k].line = d->line;
    s->reads |= (uint8_t)(1u << k);
    e->ev.smd_mem_read = true;
}

void smd_data(smd_t *s, const smd_in_t *in, smd_edge_t *e)
{
    const smd_data_t *d = &in->smd_data;
    if (!in->smd_data_valid || !e->takes_data)
        return;
    if (d->mem != SMD_MEM_NONE) {
        serve(s, d, e);
        return;
    }
    if (d->grant) {
        grant(s, d, e);
        return;
    }
    e->ev.smd_line = true;
    if (e->far) {
        s->fq[s->count[SMD_FQ]++] = (smd_data_t){.line = d->line, .data = d->data};
        return;
    }
    smd_to_stack(s, e,
                 &(stack_req_t){.write = true,
                                .line = smd_stack_line(d->line, e->channel),
                                .be = be_all(),
                                .marks = d->mask,
                                .data = d->data});
    e->came = about(s, e->at[SMD_T_WAIT], d->line, false);
    if (e->came >= 0 && s->x[e->came].kind != SMD_X_FETCH)
        e->came = -1;
    for (uint64_t v = e->waits; v; v &= v - 1)
        if (s->w[__builtin_ctzll(v)].line == d->line)
            e->wakes |= v & -v;
}

void smd_data_end(smd_t *s, const smd_in_t *in, const smd_edge_t *e)
{
    unsigned off = smd_off(in->smd_data.line);
    if (e->came < 0)
        return;
    smd_transaction_t *x = &s->x[e->came];
    x->missing -= !smd_has(&x->come, off);
    smd_put(&x->come, off, true);
    if (x->granted && !x->missing)
        s->whole |= (uint16_t)(1u << e->came);
}

/* OUT or ASK: its message goes into rq. */
static void request(smd_t *s, smd_edge_t *e)
{
    unsigned these = e->at[SMD_T_OUT] | e->at[SMD_T_ASK];
    if (!these || !smd_room(e, SMD_RQ))
        return;
    unsigned k = (unsigned)__builtin_ctz(these);
    const smd_transaction_t *x = &s->x[k];
    smd_req_t r = {.op = SMD_EVICT, .bytes = x->bytes, .line = x->victim};
    if (e->at[SMD_T_OUT] >> k & 1) {
        smd_move(s, k, SMD_T_OUT, SMD_T_LEAVE);
    } else {
        r.op = x->kind == SMD_X_FLUSH ? SMD_FLUSH : x->own ? SMD_OWN : SMD_READ;
        r.bytes = x->kind == SMD_X_FLUSH;
        r.line = x->line;
        r.thin = e->far && x->kind == SMD_X_FETCH;
        smd_move(s, k, SMD_T_ASK, SMD_T_WAIT);
    }
    s->rq[s->count[SMD_RQ]++] = r;
    e->ev.smd_fetch = r.op == SMD_READ;
    e->ev.smd_own = r.op == SMD_OWN;
    e->ev.smd_evict = r.op == SMD_EVICT;
    e->ev.smd_flush = r.op == SMD_FLUSH;
}

bool smd_answers(const smd_edge_t *e)
{
    return e->phase == SMD_J_DONE || e->at[SMD_T_LEFT] | e->at[SMD_T_ARRIVE];
}

/* DONE of the job, or ARRIVED of a transaction, goes into kq. */
static void acknowledge(smd_t *s, smd_edge_t *e)
{
    unsigned these = e->at[SMD_T_LEFT] | e->at[SMD_T_ARRIVE];
    if (!e->kq || !smd_answers(e))
        return;
    smd_ack_t *a = &s->kq[s->count[SMD_KQ]++];
    if (e->phase == SMD_J_DONE) {
        *a = (smd_ack_t){
            .kind = SMD_DONE, .line = smd_first(s->job.probe.line), .state = s->job.st, .sent = smd_to_peer(s)};
        memset(&s->job, 0, sizeof s->job);
        e->wakes |= e->waits;
        return;
    }
    unsigned k = (unsigned)__builtin_ctz(these);
    smd_transaction_t *x = &s->x[k];
    bool left = e->at[SMD_T_LEFT] >> k & 1;
    *a = (smd_ack_t){.kind = SMD_ARRIVED, .line = left ? x->victim : x->line};
    if (left && x->kind == SMD_X_FETCH) {
        smd_move(s, k, SMD_T_LEFT, SMD_T_CLEAR);
        return;
    }
    uint16_t others = (uint16_t)~(1u << k);
    s->valid &= others;
    s->of_maint &= others;
    s->at[left ? SMD_T_LEFT : SMD_T_ARRIVE] &= others;
    memset(x, 0, sizeof *x);
    e->wakes |= e->waits;
}

void smd_ask(smd_t *s, smd_edge_t *e)
{
    request(s, e);
    acknowledge(s, e);
    for (unsigned v = e->whole; v; v &= v - 1)
        smd_move(s, (unsigned)__builtin_ctz(v), SMD_T_WAIT, SMD_T_END);
    s->whole &= (uint16_t)~e->whole;
}
