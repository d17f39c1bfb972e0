/* The front: the row that is being sent (docs/blocks/lsu.md: front, early visit). Step numbers are the page's. */
#include "sim_c/core/lsu_state.h"
#include "sim_c/core/memop.h"
#include <string.h>

static bool spad_sent(const lsu_t *s, const row_t *r)
{
    for (unsigned b = 0; b < BEATS; b++)
        if (beat_of(r->spad, b) && !(s->sdone >> b & 1))
            return false;
    return true;
}

/* Which step applies. The front has a row. */
static enum step step_of(const lsu_t *s, const row_t *r, bool overlap)
{
    bool dead = s->rows.dead >> r->warp & 1;
    if (s->early)
        return EARLY;
    if (dead && !r->seen)
        return row_in_look_up(r) ? LEAVE : DROP;
    if (row_bad(r))
        return FAULT;
    if (r->kind == MEMOP_WG)
        return WG;
    if (r->kind == MEMOP_FENCE)
        return FENCE;
    if (s->post)
        return POST;
    if (r->flt && row_settled(r, overlap) && (!r->seen || (s->tbeat == BEATS && !s->lmask && spad_sent(s, r))))
        return SETTLED;
    if (r->rl && !s->pre && !r->seen)
        return PRE;
    return !r->seen && r->kind != MEMOP_STORE && s->entries == ALL_ENTRIES ? WAIT_ENTRY : ACTIVE;
}

static void show_inval(view_t *v, unsigned warp)
{
    v->req_valid = true;
    v->req.op = L1D_INVAL;
    v->req.warp = warp;
}

static void show_trace(lsu_t *s, const row_t *r)
{
    view_t *v = &s->view;
    if (s->tbeat == BEATS)
        return;
    tmask_t m = beat_of(r->active, s->tbeat);
    v->trace_valid = m != 0;
    v->trace.warp = r->warp;
    v->trace.seq = r->seq;
    v->trace.beat = s->tbeat;
    v->trace.mask = m;
    memcpy(v->trace.addr, r->addr + s->tbeat * LANES, sizeof v->trace.addr);
    memcpy(v->trace.data, r->rs2 + s->tbeat * LANES, sizeof v->trace.data);
}

/* E2. */
static void show_early(lsu_t *s, const row_t *r)
{
    view_t *v = &s->view;
    const uint64_t at = r->addr[lowest(r->active)] & 4095;
    if (s->tbeat || s->st.valid || s->sd || s->entries == ALL_ENTRIES || !lookup_early(&s->lookup))
        return;
    for EACH(t, r->active)
        if ((r->addr[t] & 4095) / SECTOR_BYTES != at / SECTOR_BYTES)
            return;
    v->entry = (unsigned)__builtin_ctz(~s->entries);
    v->req_valid = true;
    v->req.op = L1D_LOAD;
    v->req.early = true;
    v->req.tag = (l1d_tag_t){v->entry, r->active};
    v->req.warp = r->warp;
    v->req.line = at >> LINE_OFF_W;
    v->req.sector = sector_of(at);
}

void lsu_show(lsu_t *s, const lsu_in_t *in)
{
    view_t *v = &s->view;
    const bool has = s->front != NO_ROW, overlap = in->mode == TLB_OVERLAP;
    v->step = NOTHING;
    v->shootdown = v->inval = v->load = v->take = v->spad_valid = v->trace_valid = v->req_valid = false;
    if (s->st.valid || has || s->sd)
        memset(&v->req, 0, sizeof v->req);
    if (s->st.valid && s->st.final)
        lsu_store_show(s);
    if (s->sd && !s->unacked && !s->loads && !s->lmask && !s->st.valid) {
        v->shootdown = true;
        show_inval(v, 0);
    }
    if (!has)
        return;
    const row_t *r = &s->rows.row[s->front];
    unsigned w = r->warp;
    bool quiet = !s->unacked && !s->atomics && !s->st.valid;
    v->step = step_of(s, r, overlap);
    if (v->step == FENCE)
        v->inval = !s->fr_valid && quiet && !v->shootdown;
    else if (v->step == POST || v->step == PRE)
        v->inval = quiet && !v->shootdown;
    if (v->inval)
        show_inval(v, w);
    if (v->step == EARLY) {
        show_trace(s, r);
        show_early(s, r);
    }
    if (v->step != ACTIVE)
        return;
    v->entry = r->kind == MEMOP_STORE ? 0 : r->seen ? r->entry : (unsigned)__builtin_ctz(~s->entries);

    show_trace(s, r);
    for (unsigned b = 0; b < BEATS && !v->spad_valid; b++) {
        tmask_t m = beat_of(r->spad, b);
        if (!m || s->sdone >> b & 1)
            continue;
        v->spad_valid = true;
        v->spad_beat = b;
        v->spad.entry = v->entry;
        v->spad.beat = b;
        v->spad.op = r->op;
        v->spad.mask = m;
        for (unsigned l = 0; l < LANES; l++)
            v->spad.addr[l] = (r->base + r->addr[b * LANES + l]) & ((1u << SPAD_W) - 1);
        memcpy(v->spad.data, r->rs2 + b * LANES, sizeof v->spad.data);
        memcpy(v->spad.cmp, r->rs3 + b * LANES, sizeof v->spad.cmp);
        v->spad.hart0 = hart_of(s, COMPACTS ? 0 : w, b * LANES);
        if (COMPACTS)
            for (unsigned l = 0; l < LANES; l++)
                v->spad.home[l % HOME_LANES] = r->home[(b * LANES + l) % HOME_PLACES];
    }
    v->left = !s->sd && (overlap || r->unsent == r->ok) ? r->ok : 0;
    if (!(v->left | s->lmask))
        return;
    v->leader = lowest(s->lmask ? s->lmask : v->left);
    uint64_t at = r->phys[v->leader];
    if (s->lmask) {
        v->l = s->lmask;
    } else if (r->kind == MEMOP_ATOMIC) {
        v->l = 1ull << v->leader;
    } else {
        v->l = 0;
        for (tmask_t m = v->left; m; m &= m - 1)
            if (r->phys[lowest(m)] / SECTOR_BYTES == at / SECTOR_BYTES)
                v->l |= m & -m;
    }
    if (r->kind == MEMOP_LOAD) {
        v->load = !s->st.valid;
        if (v->load) {
            v->req_valid = true;
            v->req.op = L1D_LOAD;
            v->req.tag = (l1d_tag_t){v->entry, v->l};
            v->req.warp = r->warp;
            v->req.walked = LOCALITY_ENTRIES > 0 && (r->walked & v->l);
            v->req.line = at >> LINE_OFF_W;
            v->req.sector = sector_of(at);
        }
    } else {
        v->take = r->kind == MEMOP_ATOMIC || s->unacked < STORE_LIMIT;
        v->st_beat = lowest(v->l) / LANES;
    }
}

/* ---- the clock edge ---- */

static void note_pages(lsu_t *s, const row_t *r)
{
    if (!r->global)
        return;
    unsigned p = r->pages;
    s->ev.page_div_1 = p < 2;
    s->ev.page_div_2_3 = p >= 2 && p < 4;
    s->ev.page_div_4_7 = p >= 4 && p < 8;
    s->ev.page_div_8_15 = p >= 8 && p < 16;
    s->ev.page_div_16_up = p >= 16;
}

/* The take of a sector (or atomic): lines, and Bare pages, for the counters. */
static void note_take(lsu_t *s, row_t *r, bool bare)
{
    unsigned leader = s->view.leader;
    if (!(s->lseen >> leader & 1)) {
        s->ev.lsu_lines = r->kind != MEMOP_ATOMIC;
        for EACH(t, s->view.left)
            if (r->phys[t] >> LINE_OFF_W == r->phys[leader] >> LINE_OFF_W)
                s->lseen |= BIT(t);
    }
    if (bare && !(s->pseen >> leader & 1)) {
        r->pages++;
        s->ev.lsu_pages = 1;
        for EACH(t, r->global)
            if (r->addr[t] >> 12 == r->addr[leader] >> 12)
                s->pseen |= BIT(t);
    }
}

/* Step 6. */
static enum fate settled(lsu_t *s, row_t *r, bool halt, dropped_t *dropped)
{
    if (halt) {
        s->rows.dead |= BIT(r->warp);
        s->stirred = true;
        if (r->seen && r->kind != MEMOP_STORE)
            *dropped = (dropped_t){r->entry, r->unsent};
        return POPS;
    }
    if (!r->reported && !s->pf_valid)
        lsu_report(s, r);
    return LEAVES;
}

static void enter(lsu_t *s, const row_t *r)
{
    const unsigned entry = s->view.entry;
    entry_rec_t *e = &s->entry[entry];
    bool sc = r->kind == MEMOP_ATOMIC && memop_amo(r->op) == AMO_SC;
    s->entries |= 1u << entry;
    if (r->kind == MEMOP_ATOMIC)
        s->entries_atomic |= 1u << entry;
    e->warp = r->warp;
    e->seq = r->seq;
    e->rd = r->rd;
    e->size = sc ? 4 : r->size;
    e->sign = !memop_unsigned(r->op);
    e->left = r->active;
    for (unsigned t = 0; t < THREADS; t++)
        e->off[t] = r->addr[t] % (r->kind == MEMOP_ATOMIC ? 8 : SECTOR_BYTES);
}

static void start(lsu_t *s, row_t *r)
{
    r->seen = true;
    s->rows.seen |= BIT(s->front);
    s->ev.lsu_loads = r->kind == MEMOP_LOAD && !r->traced;
    s->ev.lsu_stores = r->kind == MEMOP_STORE;
    s->ev.lsu_atomics = r->kind == MEMOP_ATOMIC;
    r->traced = true;
    if (r->kind == MEMOP_STORE)
        return;
    r->entry = (uint8_t)s->view.entry;
    enter(s, r);
}

/* E2, at the edge. */
static enum fate visit_early(lsu_t *s, row_t *r, bool sent)
{
    const l1d_req_t *q = &s->view.req;
    s->ev.lsu_loads = s->tbeat == 0;
    if (sent && q->early) {
        enter(s, r);
        s->ek.valid = true;
        s->ek.entry = (uint8_t)s->view.entry;
        s->ek.row = s->front;
        s->ek.sent = (sent_t){.warp = r->warp, .seq = r->seq, .threads = r->active, .line = q->line};
    }
    return ++s->tbeat < BEATS ? STAYS : r->unsent ? PASSES : POPS;
}

/* Step 8, of an active row. */
static enum fate go_on(lsu_t *s, row_t *r, const lsu_in_t *in, bool sent, bool st_free)
{
    const view_t *v = &s->view;
    const bool bare = !in->root.sv48;
    if (!r->seen)
        start(s, r);
    if (s->tbeat < BEATS)
        s->tbeat++;
    if (v->spad_valid && in->spad_req_ready)
        s->sdone |= 1u << v->spad_beat;
    tmask_t taken = 0;
    const bool first = !s->lmask;
    if (v->left | s->lmask) {
        if (v->load && sent) {
            s->loads++;
            note_take(s, r, bare);
            taken = v->l;
        } else if (v->take && st_free) {
            if (first)
                note_take(s, r, bare);
            s->lmask = lsu_store_take(s, r);
            taken = v->l;
        }
    }
    if ((s->sent_valid = taken && first))
        s->sent =
            (sent_t){.warp = r->warp, .seq = r->seq, .threads = taken, .line = v->load ? v->req.line : s->st.line};
    r->ok &= ~taken;
    rows_sent(&s->rows, s->front, taken);
    if (v->left & ~taken || s->lmask || s->tbeat < BEATS || !spad_sent(s, r))
        return STAYS;
    if (r->unsent) {
        s->ev.lsu_parked = true;
        return LEAVES;
    }
    note_pages(s, r);
    s->post = r->aq;
    return r->aq ? STAYS : POPS;
}

static void fence_result(lsu_t *s, const row_t *r)
{
    s->fr_valid = true;
    s->fr_warp = r->warp;
    s->fr_seq = r->seq;
    s->ev.lsu_fences = true;
}

bool lsu_front_waits(const lsu_t *s, const lsu_in_t *in)
{
    const view_t *v = &s->view;
    if ((v->req_valid && in->l1d_req_ready) || (s->st.valid && !s->st.final) || v->step == EARLY)
        return false;
    return v->step != ACTIVE
           || (s->rows.row[s->front].seen && s->tbeat == BEATS && !(v->spad_valid && in->spad_req_ready)
               && !(v->take && !s->st.valid));
}

enum fate lsu_front(lsu_t *s, const lsu_in_t *in, bool another_ready, dropped_t *dropped)
{
    const view_t *v = &s->view;
    const bool sent = v->req_valid && in->l1d_req_ready, st_free = lsu_store_send(s, sent);
    if (v->step == NOTHING)
        return STAYS;
    row_t *r = &s->rows.row[s->front];
    switch (v->step) {
    case DROP: return POPS;
    case LEAVE: return LEAVES;
    case FAULT: lsu_fault(s, r); return POPS;
    case WG:
        if (s->fr_valid)
            return STAYS;
        fence_result(s, r);
        return POPS;
    case FENCE:
    case POST:
    case PRE:
        s->ev.lsu_stall_fence = !v->inval;
        if (!v->inval || !sent)
            return STAYS;
        s->pre = true;
        if (v->step == FENCE)
            fence_result(s, r);
        return v->step == PRE ? STAYS : POPS;
    case SETTLED: return settled(s, r, in->halt, dropped);
    case EARLY: return visit_early(s, r, sent);
    case WAIT_ENTRY:
        s->ev.lsu_stall_entry = true;
        s->ev.lsu_parked = another_ready;
        return another_ready ? LEAVES : STAYS;
    default: return go_on(s, r, in, sent, st_free);
    }
}
