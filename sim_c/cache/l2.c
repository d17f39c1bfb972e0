/* Twin of rtl/cache/l2.sv: one slice of the shared cache (docs/blocks/l2.md). Step numbers are the page's. */
#include "sim_c/cache/l2.h"
#include "sim_c/cache/l2_amo.h"
#include "sim_c/cache/l2_state.h"
#include <string.h>

size_t l2_size(void)
{
    return sizeof(struct l2);
}

void l2_reset(l2_t *s)
{
    memset(s, 0, offsetof(struct l2, key));
    for (unsigned r = 0; r < L2_ROWS; r++)
        s->age[r] = (uint8_t)(r % L2_WAYS);
    for (unsigned p = 0; p < L2_POOL; p++)
        s->free[s->nfree++] = (l2_pool_t)p;
    s->clearing = L2_SETS;
}

static bool offer_wb(const l2_t *s)
{
    return s->s3_valid && s->s3_kind == L2_K_WB && !s->rqcount;
}

void l2_out(const l2_t *s, l2_out_t *o)
{
    o->net_req_ready = s->qcount != L2_QDEPTH;
    o->net_rsp_valid = s->s3_valid && s->s3_kind != L2_K_WB && (s->s3_kind != L2_K_AMO || (s->phase && !s->sent));
    o->trace_line = 0;
    if (o->net_rsp_valid) {
        const net_req_t *r = &s->pool[s->s3_slot];
        o->trace_line = r->req.line;
        o->net_rsp.src = r->src;
        o->net_rsp.rsp.id = r->req.id;
        if (s->s3_kind == L2_K_READ)
            o->net_rsp.rsp.data = s->s3_data;
        else
            o->net_rsp.rsp.data = (line_data_t){{s->s3_kind == L2_K_AMO ? s->amo.image : 0}};
    }
    bool wb = offer_wb(s);
    o->home_req_valid = wb || s->rqcount;
    if (wb) {
        o->home_req = (home_req_t){.op = HOME_WRITE_BACK,
                                   .asid = s->s3_asid,
                                   .src = s->s3_src,
                                   .line = s->s3_line,
                                   .state = NMOESI_M,
                                   .keep = s->s3_keep,
                                   .be = s->s3_mask};
        be_put(&o->home_req.data, &s->s3_data, &s->s3_mask, 0);
    } else if (s->rqcount) {
        const l2_read_t *r = &s->rq[s->rqhead];
        o->home_req = (home_req_t){.op = HOME_READ,
                                   .id = r->id,
                                   .cls = r->cls,
                                   .asid = r->asid,
                                   .src = r->src,
                                   .line = r->line,
                                   .state = NMOESI_I};
    }
    o->home_probe_ready = o->home_ack_valid = false;
    o->maint_done = s->maint.done;
    o->idle = !s->clearing && !s->qcount && !s->s1_valid && !s->s2_valid && !s->s3_valid && !s->valid
              && s->maint.state == L2_M_NONE && !s->maint.done;
    o->ev = s->ev;
}

/* Step 2. Returns whether s3 is free at this edge. */
static bool stage3(l2_t *s, const l2_in_t *in, bool wb, bool fill_now)
{
    if (!s->s3_valid)
        return true;
    if (s->s3_kind == L2_K_WB)
        return wb && in->home_req_ready;
    const net_req_t *n = &s->pool[s->s3_slot];
    if (s->s3_kind == L2_K_AMO) {
        if (!s->phase) {
            s->amo = l2_amo_perform(&n->req, s->s3_data.w[n->req.amo_off / 8], l2_resv_held(&s->resv, n));
            s->phase = true;
            return false;
        }
        s->sent |= in->net_rsp_ready;
        if (!l2_amo_leaves(&s->amo, &n->req, s->sent, !fill_now, &s->wrote, &s->data[s->s3_row]))
            return false;
    } else if (!in->net_rsp_ready) {
        return false;
    }
    if (s->s3_kind != L2_K_READ)
        l2_reserve(&s->resv, n, s->s3_kind == L2_K_WRITE || s->amo.stores);
    s->free[s->nfree++] = s->s3_slot;
    return true;
}

static void send_read(l2_t *s, unsigned id)
{
    const net_req_t *n = &s->pool[s->s2_slot];
    s->rq[(s->rqhead + s->rqcount++) % L2_RQDEPTH] =
        (l2_read_t){n->req.line, (uint8_t)id, n->req.cls, n->src, n->req.asid};
}

static void fill_s3(l2_t *s, unsigned kind)
{
    s->s3_valid = true;
    s->s3_kind = (uint8_t)kind;
    s->s3_row = s->s2_row;
    s->s3_slot = s->s2_slot;
    s->phase = s->sent = s->wrote = false;
}

/* Step 3, while s3 is free. `held`: an atomic still has to write the row of s2; `busy`: the data RAM's write port is taken. `probed`: the MSHR whose line
 * the cache has whole, so that nothing is fetched. Returns whether s2 leaves. */
static bool stage2(l2_t *s, bool held, bool busy, uint64_t *probed)
{
    uint32_t row = s->s2_row;
    line_be_t *mask = &s->mask[row];
    if (s->s2_wb) {
        if (held)
            return false;
        fill_s3(s, L2_K_WB);
        s->s3_line = key_line(s->s2_victim);
        s->s3_asid = s->s2_step ? 0 : s->pool[s->s2_slot].req.asid;
        s->s3_src = s->s2_step ? 0 : s->pool[s->s2_slot].src;
        s->s3_keep = s->s2_step && !l2_maint_inval(&s->maint);
        s->s3_data = s->data[row];
        s->s3_mask = *mask;
        s->s2_wb = false;
        if (s->s2_kind == L2_K_WRITE)
            return false;
    }
    switch (s->s2_kind) {
    case L2_K_ALLOC:
        *mask = s->mshr[s->s2_k].fetch_mask = (line_be_t){0};
        send_read(s, L2_FILL_ID | s->s2_k);
        return true;
    case L2_K_FLUSH: *mask = (line_be_t){0}; return true;
    case L2_K_PROBE:
        if (be_whole(mask)) {
            *probed = 1ull << s->s2_k;
        } else {
            s->mshr[s->s2_k].fetch_mask = *mask;
            send_read(s, L2_FILL_ID | s->s2_k);
        }
        return true;
    case L2_K_BYPASS: send_read(s, s->s2_k); return true;
    case L2_K_READ:
        if (!s->s2_frombyp && held)
            return false;
        fill_s3(s, L2_K_READ);
        s->s3_data = s->s2_frombyp ? s->bypdata[s->s2_k] : s->data[row];
        return true;
    case L2_K_AMO: {
        const mem_req_t *r = &s->pool[s->s2_slot].req;
        if (held)
            return false;
        fill_s3(s, L2_K_AMO);
        s->s3_data = s->data[row];
        if (r->amo != AMO_LR)
            mask->w[r->amo_off / 64] |= l2_amo_bytes(r);
        return true;
    }
    default: {
        const mem_req_t *r = &s->pool[s->s2_slot].req;
        if (busy)
            return false;
        fill_s3(s, L2_K_WRITE);
        be_put(&s->data[row], &r->data, &r->be, 0);
        for (unsigned h = 0; h < BE_WORDS; h++)
            mask->w[h] = r->be.w[h] | (s->s2_fresh ? 0 : mask->w[h]);
        return true;
    }
    }
}

static int find_mshr(const l2_t *s, line_key_t key)
{
    for (uint64_t v = s->valid; v; v &= v - 1)
        if (s->mshr[__builtin_ctzll(v)].key == key)
            return __builtin_ctzll(v);
    return -1;
}

static void fill_s2(l2_t *s, unsigned kind, uint32_t row, unsigned k, l2_pool_t slot)
{
    s->s2_valid = true;
    s->s2_kind = (uint8_t)kind;
    s->s2_row = row;
    s->s2_k = (uint8_t)k;
    s->s2_slot = slot;
    s->s2_wb = s->s2_fresh = s->s2_frombyp = s->s2_step = false;
}

/* The victim becomes the place of the line of `key`; its own is written back if it is dirty. s2 is there already. */
static void install(l2_t *s, unsigned set, unsigned way, line_key_t key, bool filled, bool dirty)
{
    uint32_t bit = 1u << way, row = set * L2_WAYS + way;
    s->s2_wb = s->dvalid[set] & s->dirty[set] & bit;
    s->s2_victim = s->key[row];
    s->dvalid[set] |= bit;
    s->filled[set] = (s->filled[set] & ~bit) | (filled ? bit : 0);
    s->dirty[set] = (s->dirty[set] & ~bit) | (dirty ? bit : 0);
    s->key[row] = key;
    l2_lru_touch(s->age + set * L2_WAYS, way);
}

/* Step 5, a request. `byp_now`: MSHR that gets the answer {0, k} at this edge, or -1; `kept`: MSHR that stays because a request was appended to its list.
 * Returns whether it leaves. */
static bool stage1(l2_t *s, int byp_now, uint64_t *kept, ev_l2_t *ev)
{
    l2_pool_t slot = s->s1_slot;
    const net_req_t *n = &s->pool[slot];
    const mem_req_t *r = &n->req;
    line_key_t key = l2_key_at(r->line);
    unsigned set = l2_set_of(key), base = set * L2_WAYS;
    int m = find_mshr(s, key), hit = l2_find_way(s, set, key), way = -1, k = -1;
    bool nb = r->op == MEM_READ && n->bypass, st = r->op == MEM_WRITE || (r->op == MEM_AMO && r->amo != AMO_LR);
    bool whole = r->op == MEM_WRITE && be_whole(&r->be);
    uint32_t bit = hit >= 0 ? 1u << hit : 0;
    bool hits = m < 0 && hit >= 0 && (s->filled[set] & bit || r->op == MEM_WRITE);
    bool probes = m < 0 && hit >= 0 && !hits;
    bool merges = m >= 0 && (r->op == MEM_READ || !(s->byp >> m & 1)), upgrades = m >= 0 && !merges;
    bool misses = m < 0 && hit < 0;
    bool installs = upgrades || (misses && !nb), lists = !hits && !(misses && r->op == MEM_WRITE);

    /* Resources that the request needs. */
    if (upgrades && (s->done >> m & 1 || byp_now == m)) {
        ev->l2_stall_drain = true;
        return false;
    }
    if (lists && m < 0) {
        uint64_t free = ~s->valid & (L2_MSHRS == 64 ? ~0ull : (1ull << L2_MSHRS % 64) - 1);
        k = free ? __builtin_ctzll(free) : -1;
    } else {
        k = m;
    }
    if (lists && (k < 0 || s->lists.targets == L2_TARGETS)) {
        ev->l2_stall_mshr = true;
        return false;
    }
    if (installs && (way = l2_victim_of(s, set)) < 0) {
        ev->l2_stall_way = true;
        return false;
    }

    if (lists) {
        uint64_t one = 1ull << k;
        if (m < 0) {
            s->valid |= one;
            s->done &= ~one;
            s->drop &= ~one;
            s->byp = (s->byp & ~one) | (probes || !nb ? 0 : one);
            s->mshr[k].key = key;
            s->mshr[k].row = base + (unsigned)(probes ? hit : installs ? way : 0);
        } else if (upgrades) {
            s->byp &= ~one;
            s->drop |= one;
            s->mshr[k].row = base + (unsigned)way;
        }
        l2_list_append(&s->lists, (unsigned)k, slot);
        *kept = one;
    }
    if (hits || probes || (merges && !(s->byp >> m & 1))) {
        if (hits ? whole : probes)
            s->filled[set] |= bit;
        if (st)
            s->dirty[set] |= bit;
        if (!nb)
            l2_lru_touch(s->age + set * L2_WAYS, (unsigned)hit);
    }
    if (hits)
        fill_s2(s, r->op, base + (unsigned)hit, 0, slot);
    else if (probes)
        fill_s2(s, L2_K_PROBE, base + (unsigned)hit, (unsigned)k, slot);
    else if (installs)
        fill_s2(s, lists ? L2_K_ALLOC : L2_K_WRITE, base + (unsigned)way, lists ? (unsigned)k : 0, slot);
    else if (misses)
        fill_s2(s, L2_K_BYPASS, base, (unsigned)k, slot);
    if (installs) {
        install(s, set, (unsigned)way, key, lists || whole, st);
        s->s2_fresh = !lists;
        ev->l2_evict = s->s2_wb;
    }
    ev->l2_access = true;
    ev->l2_hit = hits;
    ev->l2_merge = m >= 0;
    ev->l2_bypass = nb;
    ev->l2_atomic = r->op == MEM_AMO;
    ev->l2_cls = r->cls;
    ev->l2_asid = r->asid;
    ev->l2_probe = probes;
    ev->l2_upgrade = upgrades;
    return true;
}

static bool ripens(const l2_t *s)
{
    return s->qcount && s->q[(s->qhead + s->qcount - 1) % L2_QDEPTH].ripe > s->now;
}

/* Steps 7 and 8: the next occupant of s1, which is free or not. `was_calm`: s1 to s3 were empty before the edge, `quiet`: no MSHR was valid either. */
static void intake(l2_t *s, const l2_in_t *in, bool free, bool was_calm, bool quiet)
{
    bool was_none = s->maint.state == L2_M_NONE;
    if (l2_maint_next(&s->maint, in->maint_valid ? &in->maint : NULL, free, was_calm, quiet && !s->clearing, L2_ROWS,
                      &s->s1_line, &s->s1_row))
        s->s1_valid = s->s1_maint = true;
    bool put = in->net_req_valid && s->qcount != L2_QDEPTH;
    if (s->qcount && free && !s->clearing && was_none && s->q[s->qhead].ripe <= s->now) {
        s->s1_valid = true;
        s->s1_maint = false;
        s->s1_slot = s->q[s->qhead].slot;
        s->qhead = (s->qhead + 1) % L2_QDEPTH;
        s->qcount--;
    }
    if (put) {
        unsigned at = (s->qhead + s->qcount++) % L2_QDEPTH;
        s->q[at].ripe = s->now + L2_LATENCY - 3;
        s->q[at].slot = s->free[--s->nfree];
        s->pool[s->q[at].slot] = in->net_req;
    }
    s->now += ripens(s);
}

bool l2_idle(const l2_t *s)
{
    static const ev_l2_t none;
    return !s->clearing && !s->qcount && !s->s1_valid && !s->s2_valid && !s->s3_valid && !s->rqcount
           && !(s->valid & s->done & (s->lists.waiting | ~s->drop)) && s->maint.state == L2_M_NONE && !s->maint.done
           && !memcmp(&s->ev, &none, sizeof none);
}

/* Something comes in, is taken or goes on at this edge, whatever s1 does. What s1 does not leave for it waits for. */
static bool goes(const l2_t *s, const l2_in_t *in, bool wb)
{
    if (in->home_rsp_valid || in->maint_valid || s->maint.state != L2_M_NONE || s->maint.done || s->clearing
        || (in->net_req_valid && s->qcount != L2_QDEPTH) || (in->home_req_ready && (wb || s->rqcount))
        || (s->valid & s->done & (s->lists.waiting | ~s->drop)) || (s->s2_valid && !s->s3_valid) || ripens(s))
        return true;
    if (s->qcount && !s->s1_valid)
        return true;
    return s->s3_valid && (s->s3_kind == L2_K_AMO || (s->s3_kind != L2_K_WB && in->net_rsp_ready));
}

void l2_tick(l2_t *s, const l2_in_t *in)
{
    unsigned rsp_k = in->home_rsp.id & (L2_FILL_ID - 1);
    bool fill_now = in->home_rsp_valid && in->home_rsp.id & L2_FILL_ID;
    int byp_now = in->home_rsp_valid && !fill_now ? (int)rsp_k : -1;
    bool was_calm = !s->s1_valid && !s->s2_valid && !s->s3_valid, quiet = was_calm && !s->valid;
    uint64_t ready = s->valid & s->done & s->lists.waiting, leaving = s->valid & s->done & ~s->lists.waiting & ~s->drop;
    uint64_t kept = 0, probed = 0;
    bool wb = offer_wb(s), s3_free, s2_free;
    ev_l2_t ev = {.l2_fill = fill_now};
    bool still = !goes(s, in, wb);
    s->slice = in->slice;

    /* home_req: the offered request is taken. */
    if (in->home_req_ready && (wb || s->rqcount)) {
        ev.l2_write = wb;
        ev.l2_read = !wb;
        if (!wb) {
            s->rqhead = (s->rqhead + 1) % L2_RQDEPTH;
            s->rqcount--;
        }
    }

    /* Steps 2 and 3. */
    bool amo_hold = s->s3_valid && s->s3_kind == L2_K_AMO && !s->wrote;
    uint32_t amo_row = s->s3_row;
    s3_free = stage3(s, in, wb, fill_now);
    if (s3_free)
        s->s3_valid = false;
    s2_free = !s->s2_valid || (s3_free && stage2(s, amo_hold && amo_row == s->s2_row, amo_hold || fill_now, &probed));
    if (s2_free)
        s->s2_valid = false;

    /* Step 1, after s2 has read the RAM. */
    if (fill_now) {
        const l2_mshr_t *m = &s->mshr[rsp_k];
        be_put(&s->data[m->row], &in->home_rsp.data, &m->fetch_mask, ~0ull);
    } else if (byp_now >= 0 && s->byp >> byp_now & 1) {
        s->bypdata[byp_now] = in->home_rsp.data;
    }

    /* Steps 4 and 5. */
    bool left = false;
    uint32_t row;
    if (s2_free && ready) {
        unsigned k = (unsigned)__builtin_ctzll(ready);
        l2_mshr_t *m = &s->mshr[k];
        const l2_pool_t slot = l2_list_take(&s->lists, k);
        fill_s2(s, s->pool[slot].req.op, m->row, k, slot);
        s->s2_frombyp = s->byp >> k & 1;
        ev.l2_replay = true;
    } else if (s->s1_valid && s2_free) {
        left = s->s1_maint || stage1(s, byp_now, &kept, &ev);
        if (s->s1_maint && l2_maint_step(s, &row)) {
            fill_s2(s, L2_K_FLUSH, row, 0, 0);
            s->s2_step = s->s2_wb = true;
            s->s2_victim = s->key[row];
        }
    }
    if (s->s1_valid && !s->s1_maint && (!s2_free || ev.l2_replay))
        ev.l2_stall_pipe = true;
    if (left)
        s->s1_valid = false;

    /* States of MSHRs after step 1, a probe and an empty list. An MSHR that is upgraded at this edge is not the one of byp_now. */
    if (fill_now || (byp_now >= 0 && s->byp >> byp_now & 1))
        s->done |= 1ull << rsp_k;
    else if (byp_now >= 0)
        s->drop &= ~(1ull << rsp_k);
    s->done |= probed;
    s->valid &= ~(leaving & ~kept);

    intake(s, in, !s->s1_valid, was_calm, quiet);
    s->clearing -= s->clearing != 0;
    still &= !left && !memcmp(&ev, &s->ev, sizeof ev);
    s->ev = ev;
    s->still = still || l2_idle(s);
}

bool l2_waits(const l2_t *s)
{
    return s->still;
}
