/* Twin of rtl/coherence/l2c.sv: one slice of the coherent second-level cache (docs/blocks/l2c.md). Step numbers are the page's. */
#include "sim_c/coherence/l2c.h"
#include "sim_c/coherence/l2c_state.h"

/* Values that one step of an edge passes to others. */
typedef struct {
    bool wb; /* home_req offers a write-back */
    bool fill_now;
    bool probe; /* a probe is taken */
    ev_l2c_t ev;
} edge_t;

size_t l2c_size(void)
{
    return sizeof(struct l2c);
}

void l2c_reset(l2c_t *s)
{
    memset(s, 0, offsetof(struct l2c, key));
    for (unsigned r = 0; r < MAX_L2C_ROWS; r++)
        s->age[r] = (uint8_t)(r % L2_WAYS);
    s->clearing = s->sets = L2_SETS;
    s->bits = CHANNEL_BITS;
}

static bool offer_wb(const l2c_t *s)
{
    return s->s3_valid && s->s3_kind == L2C_WB && !s->rqcount;
}

static bool calm(const l2c_t *s)
{
    return !s->s1_valid && !s->s2_valid && !s->s3_valid;
}

/* ---- outputs ---- */

static void out_home_req(const l2c_t *s, bool wb, home_req_t *o)
{
    if (wb) {
        const line_be_t be = mask_bytes(&s->s3_mask);
        *o = (home_req_t){.op = HOME_WRITE_BACK,
                          .asid = s->s3_step ? 0 : s->pool[s->s3_slot].req.asid,
                          .src = s->s3_step ? 0 : s->pool[s->s3_slot].src,
                          .line = s->s3_line,
                          .state = s->s3_state,
                          .keep = s->s3_keep,
                          .be = be};
        be_put(&o->data, &s->s3_data, &be, 0);
        return;
    }
    const unsigned k = s->rq[0];
    const net_req_t *n = &s->pool[s->lists.first[k]];
    *o = (home_req_t){.op = s->own >> k & 1          ? HOME_READ_OWN
                            : n->req.op == MEM_WRITE ? HOME_N_READ
                                                     : HOME_READ,
                      .id = (uint8_t)(L2C_FILL_ID | k),
                      .cls = n->req.cls,
                      .asid = n->req.asid,
                      .src = n->src,
                      .line = n->req.line,
                      .state = NMOESI_I};
}

static bool takes_probe(const l2c_t *s)
{
    return !s->p1_valid && !s->deferred && !s->clearing;
}

void l2c_out(const l2c_t *s, l2c_out_t *o)
{
    o->net_req_ready = s->qcount != L2_QDEPTH;
    o->net_rsp_valid =
        s->s3_valid
        && (s->s3_kind == L2C_READ || s->s3_kind == L2C_WRITE || (s->s3_kind == L2C_AMO && s->phase && !s->sent));
    o->trace_line = 0;
    if (o->net_rsp_valid) {
        const net_req_t *n = &s->pool[s->s3_slot];
        o->trace_line = n->req.line;
        o->net_rsp.src = n->src;
        o->net_rsp.rsp.id = n->req.id;
        if (s->s3_kind == L2C_READ)
            o->net_rsp.rsp.data = s->data[s->s3_row];
        else
            o->net_rsp.rsp.data = (line_data_t){{s->s3_kind == L2C_AMO ? s->amo.image : 0}};
    }
    bool wb = offer_wb(s);
    o->home_req_valid = wb || s->rqcount;
    if (o->home_req_valid)
        out_home_req(s, wb, &o->home_req);
    o->home_probe_ready = takes_probe(s);
    o->home_ack_valid = s->s3_valid && s->s3_kind == L2C_ACK;
    if (o->home_ack_valid) {
        o->home_ack = (home_ack_t){.line = s->s3_line, .state = s->s3_state, .be = mask_bytes(&s->s3_mask)};
        be_put(&o->home_ack.data, &s->data[s->s3_row], &o->home_ack.be, 0);
    }
    o->maint_done = s->maint.done;
    o->idle = !s->clearing && !s->qcount && !s->p1_valid && calm(s) && !s->valid && s->maint.state == L2_M_NONE
              && !s->maint.done;
    o->ev = s->ev;
}

/* ---- s3 and s2 ---- */

/* Step 2. Returns whether s3 is free at this edge. */
static bool stage3(l2c_t *s, const l2c_in_t *in, const edge_t *e)
{
    if (!s->s3_valid)
        return true;
    if (s->s3_kind == L2C_WB)
        return e->wb && in->home_req_ready;
    if (s->s3_kind == L2C_ACK)
        return in->home_ack_ready;
    const net_req_t *n = &s->pool[s->s3_slot];
    if (s->s3_kind == L2C_AMO) {
        if (!s->phase) {
            const uint64_t old = s->s3_fail ? 0 : s->data[s->s3_row].w[n->req.amo_off / 8];
            s->amo = l2_amo_perform(&n->req, old, !s->s3_fail && l2_resv_held(&s->resv, n));
            s->phase = true;
            return false;
        }
        s->sent |= in->net_rsp_ready;
        if (!l2_amo_leaves(&s->amo, &n->req, s->sent, !e->fill_now, &s->wrote, &s->data[s->s3_row]))
            return false;
    } else if (!in->net_rsp_ready) {
        return false;
    }
    if (s->s3_kind != L2C_READ)
        l2_reserve(&s->resv, n, s->s3_kind == L2C_WRITE || s->amo.stores);
    s->used[s->s3_slot / 64] &= ~(1ull << s->s3_slot % 64);
    return true;
}

static void fill_s3(l2c_t *s, unsigned kind)
{
    s->s3_valid = true;
    s->s3_kind = (uint8_t)kind;
    s->s3_row = s->s2_row;
    s->s3_slot = s->s2_slot;
    s->s3_fail = s->phase = s->sent = s->wrote = false;
}

/* Step 3, a write-back. */
static void write_back(l2c_t *s)
{
    fill_s3(s, L2C_WB);
    s->s3_line = key_line(s->s2_victim);
    s->s3_state = s->s2_vstate;
    s->s3_step = s->s2_step;
    s->s3_keep = s->s2_step && !l2_maint_inval(&s->maint);
    s->s3_data = s->data[s->s2_row];
    s->s3_mask = s->mask[s->s2_row];
    s->s2_wb = false;
}

/* Step 3, s3 being free. `held`: an atomic has still to write the row of s2; `busy`: the data RAM's write port is not s2's. Returns whether s2 leaves. */
static bool stage2(l2c_t *s, bool held, bool busy)
{
    static const line_mask_t none;
    line_mask_t *mask = &s->mask[s->s2_row];
    if (s->s2_wb) {
        if (held)
            return false;
        write_back(s);
        if (s->s2_again)
            return false;
    }
    switch (s->s2_kind) {
    case L2C_ALLOC: s->rq[s->rqcount++] = s->s2_k; /* fallthrough */
    case L2C_FLUSH: *mask = none; return true;
    case L2C_READ:
        if (held)
            return false;
        fill_s3(s, L2C_READ);
        return true;
    case L2C_AMO: {
        const mem_req_t *r = &s->pool[s->s2_slot].req;
        if (held && !s->s2_fail)
            return false;
        fill_s3(s, L2C_AMO);
        s->s3_fail = s->s2_fail;
        if (r->amo != AMO_LR && !s->s2_fail) {
            line_be_t operand = {{0}};
            operand.w[r->amo_off / 64] = l2_amo_bytes(r);
            mask_mark(mask, &operand);
        }
        return true;
    }
    case L2C_PROBE:
        if (held && s->s2_vstate != NMOESI_I)
            return false;
        fill_s3(s, L2C_ACK);
        s->s3_line = key_line(s->s2_victim);
        s->s3_state = s->s2_vstate;
        s->s3_mask = s->s2_gives ? *mask : none;
        if (s->s2_vstate != NMOESI_I && s->s2_probe != PROBE_READ)
            *mask = none;
        return true;
    default: {
        const mem_req_t *r = &s->pool[s->s2_slot].req;
        if (busy)
            return false;
        fill_s3(s, L2C_WRITE);
        be_put(&s->data[s->s2_row], &r->data, &r->be, 0);
        mask_mark(mask, &r->be);
        return true;
    }
    }
}

static void fill_s2(l2c_t *s, unsigned kind, uint32_t row, l2_pool_t slot)
{
    s->s2_valid = true;
    s->s2_kind = (uint8_t)kind;
    s->s2_row = row;
    s->s2_slot = slot;
    s->s2_wb = s->s2_lost = s->s2_fail = s->s2_again = s->s2_step = s->s2_gives = false;
}

/* A line gives up its bytes, or more, on its way through s2. */
static void gives_up(l2c_t *s, line_key_t key, unsigned state, bool wb, bool lost)
{
    s->s2_victim = key;
    s->s2_vstate = (uint8_t)state;
    s->s2_wb = wb;
    s->s2_lost = lost;
}

static unsigned kind_of(const mem_req_t *r)
{
    return r->op == MEM_STORE ? L2C_WRITE : r->op;
}

/* ---- s1 and p1 ---- */

/* Step 1, after s2 has read the RAM. */
static void fill(l2c_t *s, const home_rsp_t *h, ev_l2c_t *ev)
{
    const unsigned k = h->id & L2C_K;
    const l2c_mshr_t *m = &s->mshr[k];
    const unsigned granted = s->own >> k & 1      ? NMOESI_M
                             : s->stored >> k & 1 ? nmoesi_next(h->state, NM_N_STORE)
                                                  : h->state;
    s->data[m->row] = h->data;
    s->key[m->row] = m->key;
    s->done |= 1ull << k;
    l2c_become(s, m->row / L2_WAYS, m->row % L2_WAYS, granted, ev);
}

/* Step 4. */
static void replay(l2c_t *s, unsigned k)
{
    const l2_pool_t slot = l2_list_take(&s->lists, k);
    fill_s2(s, kind_of(&s->pool[slot].req), s->mshr[k].row, slot);
}

/* Step 5. */
static void stage_probe(l2c_t *s, ev_l2c_t *ev)
{
    static const uint8_t what_of[] = {
        [PROBE_READ] = NM_READ_REQUEST, [PROBE_WRITE] = NM_WRITE_REQUEST, [PROBE_CLEAN] = NM_CLEAN};
    const line_key_t key = l2_key_at(s->p1.line);
    const unsigned set = l2c_set_of(s, key), what = what_of[s->p1.kind];
    const int hit = l2c_find_way(s, set, key);
    const uint32_t row = set * L2_WAYS + (hit < 0 ? 0 : (unsigned)hit);
    const unsigned st = hit < 0 ? (unsigned)NMOESI_I : s->state[row];
    fill_s2(s, L2C_PROBE, row, 0);
    gives_up(s, key, st, false, s->p1.kind == PROBE_WRITE && hit >= 0);
    s->s2_probe = s->p1.kind;
    s->s2_gives = nmoesi_gives(st, what);
    if (hit >= 0)
        l2c_become(s, set, (unsigned)hit, nmoesi_next(st, what), ev);
    s->p1_valid = false;
    ev->l2_probe = true;
    ev->l2_probe_hit = hit >= 0;
    ev->l2_probe_gives = s->s2_gives;
}

/* Step 6, cases e and f: the line is asked for, and `way` (of `hit`, or of a victim) is its place. */
static void ask(l2c_t *s, unsigned what, bool again, unsigned way, unsigned k, ev_l2c_t *ev)
{
    const l2_pool_t slot = s->s1_slot;
    const line_key_t key = l2_key_at(s->pool[slot].req.line);
    const unsigned set = l2c_set_of(s, key);
    const uint32_t row = set * L2_WAYS + way;
    const uint64_t one = 1ull << k;
    const unsigned st = s->state[row];
    s->valid |= one;
    s->done &= ~one;
    s->own = (s->own & ~one) | (what == NM_STORE ? one : 0);
    s->stored = (s->stored & ~one) | (what == NM_N_STORE ? one : 0);
    s->mshr[k].key = key;
    s->mshr[k].row = row;
    l2_list_append(&s->lists, k, slot);
    fill_s2(s, L2C_ALLOC, row, slot);
    gives_up(s, s->key[row], st, nmoesi_gives(st, NM_EVICT), st != NMOESI_I);
    s->s2_again = again;
    s->s2_k = (uint8_t)k;
    l2c_become(s, set, way, NMOESI_I, ev);
    l2_lru_touch(s->age + set * L2_WAYS, way);
    ev->l2_upgrade = again;
    ev->l2_evict = !again && s->s2_wb;
    ev->l2_own = what == NM_STORE;
    ev->l2_n_read = what == NM_N_STORE;
}

/* Resources that a request needs. */
static unsigned what_of(const mem_req_t *r)
{
    static const uint8_t of_op[] = {
        [MEM_READ] = NM_LOAD, [MEM_WRITE] = NM_N_STORE, [MEM_AMO] = NM_STORE, [MEM_STORE] = NM_STORE};
    return r->op == MEM_WRITE && mask_partial(&r->be) ? NM_STORE : of_op[r->op];
}

/* Step 6, a request. Returns whether it leaves. */
static bool stage1(l2c_t *s, ev_l2c_t *ev)
{
    const l2_pool_t slot = s->s1_slot;
    const mem_req_t *r = &s->pool[slot].req;
    const line_key_t key = l2_key_at(r->line);
    const unsigned set = l2c_set_of(s, key), base = set * L2_WAYS, what = what_of(r);
    const int m = l2c_awaited(s, key), hit = m < 0 ? l2c_find_way(s, set, key) : -1;
    const unsigned st = hit < 0 ? (unsigned)NMOESI_I : s->state[base + (unsigned)hit];
    const bool hits = nmoesi_hit(st, what);
    if (hits) {
        if (r->op != MEM_AMO || r->amo != AMO_LR)
            l2c_become(s, set, (unsigned)hit, nmoesi_next(st, what), ev);
        l2_lru_touch(s->age + set * L2_WAYS, (unsigned)hit);
        fill_s2(s, kind_of(r), base + (unsigned)hit, slot);
    } else if (r->op == MEM_AMO && r->amo == AMO_SC) {
        fill_s2(s, L2C_AMO, base, slot);
        s->s2_fail = ev->l2_sc_lost = true;
    } else {
        if (m >= 0 && what == NM_STORE && !(s->own >> m & 1)) {
            ev->l2_stall_own = true;
            return false;
        }
        const int k = m >= 0 ? m : l2c_new_mshr(s);
        if (k < 0 || s->lists.targets == L2_TARGETS) {
            ev->l2_stall_mshr = true;
            return false;
        }
        const int way = m >= 0 || hit >= 0 ? hit : l2c_victim_of(s, set);
        if (m < 0 && way < 0) {
            ev->l2_stall_way = true;
            return false;
        }
        if (m >= 0) {
            l2_list_append(&s->lists, (unsigned)k, slot);
            s->stored |= (uint64_t)(what == NM_N_STORE) << k;
        } else {
            ask(s, what, hit >= 0, (unsigned)way, (unsigned)k, ev);
        }
    }
    ev->l2_access = true;
    ev->l2_hit = hits;
    ev->l2_merge = m >= 0 && !ev->l2_sc_lost;
    ev->l2_atomic = r->op == MEM_AMO;
    ev->l2_cls = r->cls;
    ev->l2_asid = r->asid;
    return true;
}

/* Step 6, a maintenance step, which always leaves. */
static void stage1_maint(l2c_t *s, ev_l2c_t *ev)
{
    unsigned set = s->s1_row / L2_WAYS;
    int way = (int)(s->s1_row % L2_WAYS);
    if (!l2_maint_all(&s->maint)) {
        if (slice_among(s->bits, s->s1_line) != s->slice)
            return;
        set = l2c_set_of(s, l2_key_at(s->s1_line));
        way = l2c_find_way(s, set, l2_key_at(s->s1_line));
    }
    if (way < 0)
        return;
    const uint32_t row = set * L2_WAYS + (unsigned)way;
    const unsigned st = s->state[row];
    const bool wb = nmoesi_gives(st, NM_EVICT), inval = l2_maint_inval(&s->maint);
    if (st == NMOESI_I || (!wb && !inval))
        return;
    fill_s2(s, L2C_FLUSH, row, 0);
    gives_up(s, s->key[row], st, wb, inval);
    s->s2_step = true;
    l2c_become(s, set, (unsigned)way, inval ? NMOESI_I : st == NMOESI_M ? NMOESI_E : NMOESI_S, ev);
}

/* ---- the edge ---- */

/* home_req: the offered request is taken. */
static void home_takes(l2c_t *s, edge_t *e)
{
    e->ev.l2_write = e->wb;
    e->ev.l2_read = !e->wb;
    if (!e->wb) {
        memmove(s->rq, s->rq + 1, sizeof s->rq - 1);
        s->rq[--s->rqcount] = 0;
    }
}

/* Steps 8 to 10. `drained`: s1 to s3 were empty before the edge, `quiet`: no MSHR was valid either. */
static void intake(l2c_t *s, const l2c_in_t *in, bool probe, bool drained, bool quiet)
{
    const bool free = !s->s1_valid && !s->p1_valid && !probe, none = s->maint.state == L2_M_NONE;
    const bool put = in->net_req_valid && s->qcount != L2_QDEPTH;
    const bool passes = in->host && in->maint_valid && in->maint.op < L2_INVAL_LINE; /* step 10 */
    if (l2_maint_next(&s->maint, in->maint_valid && !passes ? &in->maint : NULL, free, drained, quiet && !s->clearing,
                      s->sets * L2_WAYS, &s->s1_line, &s->s1_row))
        s->s1_valid = s->s1_maint = true;
    s->maint.done |= passes;
    if (free && s->ripe && !s->clearing && none) {
        s->s1_valid = true;
        s->s1_maint = false;
        s->s1_slot = s->q[0];
        memmove(s->q, s->q + 1, sizeof s->q - sizeof *s->q);
        s->q[--s->qcount] = 0;
        s->ripe--;
    }
    if (put) {
        const l2_pool_t slot = l2c_new_slot(s);
        s->pool[slot] = in->net_req;
        s->q[s->qcount++] = slot;
    }
    const uint64_t ripens = s->ripens << 1 | put;
    s->ripe += ripens >> L2C_RIPENS & 1;
    s->ripens = ripens & ((1ull << L2C_RIPENS) - 1);
    if (probe) {
        s->p1_valid = true;
        s->p1 = in->home_probe;
    }
}

bool l2c_idle(const l2c_t *s)
{
    static const ev_l2c_t none;
    return !s->clearing && !s->qcount && !s->p1_valid && calm(s) && !s->rqcount && !(s->valid & s->done)
           && s->maint.state == L2_M_NONE && !s->maint.done && !memcmp(&s->ev, &none, sizeof none);
}

/* Something comes in, is taken or goes on at this edge, whatever s1 does. What s1 does not leave for it waits for. */
static bool goes(const l2c_t *s, const l2c_in_t *in, const edge_t *e)
{
    if (in->home_rsp_valid || e->probe || in->maint_valid || s->maint.state != L2_M_NONE || s->maint.done || s->clearing
        || (in->net_req_valid && s->qcount != L2_QDEPTH) || (in->home_req_ready && (e->wb || s->rqcount))
        || s->valid & s->done || s->ripens || (s->s2_valid && !s->s3_valid) || (s->ripe && !s->s1_valid))
        return true;
    return s->s3_valid
           && (s->s3_kind == L2C_AMO || (s->s3_kind == L2C_ACK && in->home_ack_ready)
               || (s->s3_kind <= L2C_WRITE && in->net_rsp_ready));
}

/* Steps 2 and 3. Returns whether s2 is free. */
static bool pipeline(l2c_t *s, const l2c_in_t *in, const edge_t *e)
{
    const bool amo_hold = s->s3_valid && s->s3_kind == L2C_AMO && !s->wrote;
    const bool clash = amo_hold && !s->s3_fail && s->s3_row == s->s2_row;
    if (!stage3(s, in, e))
        return !s->s2_valid;
    s->s3_valid = false;
    if (s->s2_valid && stage2(s, clash, amo_hold || e->fill_now)) {
        s->s2_valid = false;
        if (s->s2_lost)
            l2_resv_end(&s->resv, s->s2_victim);
    }
    return !s->s2_valid;
}

void l2c_tick(l2c_t *s, const l2c_in_t *in)
{
    edge_t e = {.wb = offer_wb(s),
                .fill_now = in->home_rsp_valid,
                .probe = in->home_probe_valid && takes_probe(s),
                .ev = {.l2_fill = in->home_rsp_valid}};
    const bool drained = calm(s), quiet = drained && !s->valid, first = s->p1_valid;
    const uint64_t here = s->valid & s->done, ready = here & s->lists.waiting, empty = here & ~s->lists.waiting;
    bool still = !goes(s, in, &e), left = false;
    s->slice = in->slice;
    e.ev.l2_ack = s->s3_valid && s->s3_kind == L2C_ACK && in->home_ack_ready;
    if (in->home_req_ready && (e.wb || s->rqcount))
        home_takes(s, &e);

    const bool s2_free = pipeline(s, in, &e), turn = s2_free && !ready && !e.fill_now;
    if (e.fill_now)
        fill(s, &in->home_rsp, &e.ev);
    if (s2_free && ready) {
        replay(s, (unsigned)__builtin_ctzll(ready));
        e.ev.l2_replay = true;
    }
    if (first && turn)
        stage_probe(s, &e.ev);
    s->deferred = s->s1_valid && (first ? s->deferred : !turn);
    if (s->s1_valid && s->s1_maint) {
        left = !first && turn;
        if (left)
            stage1_maint(s, &e.ev);
    } else if (s->s1_valid) {
        e.ev.l2_stall_probe = first;
        e.ev.l2_stall_pipe = !first && !turn;
        left = !first && turn && stage1(s, &e.ev);
    }
    if (left)
        s->s1_valid = false;
    s->valid &= ~empty;

    intake(s, in, e.probe, drained, quiet);
    s->clearing -= s->clearing != 0;
    still &= !left && !memcmp(&e.ev, &s->ev, sizeof e.ev);
    s->ev = e.ev;
    s->still = still || l2c_idle(s);
}

bool l2c_waits(const l2c_t *s)
{
    return s->still;
}
