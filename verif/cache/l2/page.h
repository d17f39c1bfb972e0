/* The page of l2 (docs/blocks/l2.md) as a program: hit or miss, the victim by true LRU, every wait, read, write-back, answer and event. The step numbers and the
 * letters of the cases are the page's. */
#ifndef VERIF_CACHE_L2_PAGE_H
#define VERIF_CACHE_L2_PAGE_H
#include "l2_ports.h"
#include "verif/common/scoreboard.h"
#include "verif/common/places.h"

/* The names of the ports towards memory, once. */
typedef home_req_t page_home_t;
#define PAGE_HOME_VALID(o) ((o)->home_req_valid)
#define PAGE_HOME(o) ((o)->home_req)
#define PAGE_HOME_READY(in) ((in)->home_req_ready)
#define PAGE_HOME_RSP_VALID(in) ((in)->home_rsp_valid)
#define PAGE_HOME_RSP(in) ((in)->home_rsp)

enum {
    PG_LINE = 128,
    PG_SETS = L2_BYTES / (PG_LINE * L2_WAYS),
    PG_QUEUE = L2_LATENCY - 2,
    PG_TOP = 1 << (HOME_ID_W - 1)
};
typedef enum { PG_READ, PG_WRITE, PG_AMO, PG_ALLOC, PG_PROBE, PG_BYPASS, PG_FLUSH, PG_WB } page_kind_t;
typedef struct {
    uint8_t b[PG_LINE];
} page_bytes_t;
typedef struct {
    bool valid, filled, dirty;
    uint64_t line, used;
    page_bytes_t data;
    bool mask[PG_LINE];
} page_way_t;
typedef struct {
    bool valid, done, byp, drop;
    uint64_t line;
    unsigned way, n;
    bool fetched[PG_LINE];
    net_req_t list[L2_TARGETS];
    page_bytes_t data;
} page_mshr_t;
typedef struct {
    unsigned id, cls, asid, src;
    uint64_t line;
} page_send_t;
typedef struct {
    bool valid, wb, fresh, frombyp;
    page_kind_t kind;
    unsigned way, k;
    net_req_t n;
    uint64_t victim;
} page_s2_t;
typedef struct {
    bool valid, phase, sent, wrote, keep;
    page_kind_t kind;
    page_way_t *row;
    net_req_t n;
    uint64_t victim, old;
    page_bytes_t data;
    bool mask[PG_LINE];
} page_s3_t;

typedef struct {
    uint64_t now;
    unsigned cleared, slice;
    struct {
        net_req_t n;
        uint64_t since;
    } q[PG_QUEUE];
    unsigned q_n;
    bool s1_valid, s1_step;
    net_req_t s1;
    unsigned s1_way;
    bool s1_by_line;
    page_way_t cache[PG_SETS][L2_WAYS];
    uint64_t touches;
    page_mshr_t mshr[L2_MSHRS];
    unsigned targets;
    page_send_t rq[2 * L2_MSHRS];
    unsigned rq_n;
    page_s2_t s2;
    page_s3_t s3;
    struct {
        bool valid;
        unsigned hart;
        uint64_t line;
    } resv[SOURCES];
    enum { PG_NONE, PG_WAIT, PG_WALK, PG_DRAIN } maint;
    maint_t job;
    unsigned step;
    l2_out_t out;
} page_t;

static unsigned page_set(uint64_t line)
{
    return (unsigned)(folded(local_of(line) / L2_SLICES) % PG_SETS);
}

static bool page_all(const bool *mask)
{
    for (unsigned i = 0; i < PG_LINE; i++)
        if (!mask[i])
            return false;
    return true;
}

static bool page_be(const mem_req_t *r, unsigned i)
{
    return r->be.w[i / 64] >> i % 64 & 1;
}

/* Step 6: what an atomic answers, and whether and what it stores. */
static bool page_atomic(const page_t *p, const page_s3_t *s, uint64_t *image, uint64_t *stored)
{
    const mem_req_t *r = &s->n.req;
    const bool d = r->amo_dword;
    const uint64_t low = 0xffffffffull, old = d ? s->old : (r->amo_off & 4 ? s->old >> 32 : s->old) & low;
    const uint64_t x = d ? r->data.w[0] : r->data.w[0] & low, cmp = d ? r->data.w[1] : r->data.w[1] & low;
    const int64_t so = d ? (int64_t)old : (int32_t)old, sx = d ? (int64_t)x : (int32_t)x;
    bool stores = true;
    uint64_t result = old, v = x;
    switch (r->amo) {
    case AMO_SWAP: break;
    case AMO_ADD: v = old + x; break;
    case AMO_XOR: v = old ^ x; break;
    case AMO_AND: v = old & x; break;
    case AMO_OR: v = old | x; break;
    case AMO_MIN: v = so < sx ? old : x; break;
    case AMO_MAX: v = so > sx ? old : x; break;
    case AMO_MINU: v = old < x ? old : x; break;
    case AMO_MAXU: v = old > x ? old : x; break;
    case AMO_CAS: stores = old == cmp; break;
    case AMO_LR: stores = false; break;
    default:
        stores = !r->sc_fail && p->resv[s->n.src].valid && p->resv[s->n.src].hart == r->hart
                 && p->resv[s->n.src].line == r->line;
        result = !stores;
    }
    *image = d ? result : (result & low) << 32 | (result & low);
    *stored = v;
    return stores;
}

static bool page_writes(const l2_out_t *o)
{
    return PAGE_HOME(o).op == HOME_WRITE_BACK;
}

static void page_show(page_t *p)
{
    l2_out_t *o = &p->out;
    const page_s3_t *s = &p->s3;
    o->net_req_ready = p->q_n < PG_QUEUE;
    o->net_rsp_valid = s->valid && s->kind != PG_WB && (s->kind != PG_AMO || (s->phase && !s->sent));
    o->trace_line = o->net_rsp_valid ? s->n.req.line : 0;
    if (o->net_rsp_valid) {
        memset(&o->net_rsp, 0, sizeof o->net_rsp);
        o->net_rsp.src = s->n.src;
        o->net_rsp.rsp.id = s->n.req.id;
        uint64_t stored;
        if (s->kind == PG_READ)
            memcpy(o->net_rsp.rsp.data.w, s->data.b, PG_LINE);
        else if (s->kind == PG_AMO)
            page_atomic(p, s, &o->net_rsp.rsp.data.w[0], &stored);
    }
    const bool wb = s->valid && s->kind == PG_WB && !p->rq_n;
    PAGE_HOME_VALID(o) = wb || p->rq_n;
    memset(&PAGE_HOME(o), 0, sizeof PAGE_HOME(o));
    if (wb) {
        PAGE_HOME(o).op = HOME_WRITE_BACK;
        PAGE_HOME(o).state = NMOESI_M;
        PAGE_HOME(o).keep = s->keep;
        PAGE_HOME(o).src = s->n.src;
        PAGE_HOME(o).asid = s->n.req.asid;
        PAGE_HOME(o).line = s->victim;
        for (unsigned i = 0; i < PG_LINE; i++)
            if (s->mask[i]) {
                PAGE_HOME(o).be.w[i / 64] |= 1ull << i % 64;
                ((uint8_t *)PAGE_HOME(o).data.w)[i] = s->data.b[i];
            }
    } else if (p->rq_n) {
        PAGE_HOME(o).id = (uint8_t)p->rq[0].id;
        PAGE_HOME(o).cls = (uint8_t)p->rq[0].cls;
        PAGE_HOME(o).asid = (uint16_t)p->rq[0].asid;
        PAGE_HOME(o).src = (uint8_t)p->rq[0].src;
        PAGE_HOME(o).line = p->rq[0].line;
    }
    o->idle = p->cleared == PG_SETS && !p->q_n && !p->s1_valid && !p->s2.valid && !p->s3.valid && p->maint == PG_NONE
              && !o->maint_done;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        o->idle &= !p->mshr[k].valid;
}

static void page_begin(page_t *p)
{
    for (unsigned s = 0; s < PG_SETS; s++)
        for (unsigned w = 0; w < L2_WAYS; w++)
            p->cache[s][w].used = L2_WAYS - w; /* way 0 counts as the youngest */
    p->touches = L2_WAYS;
    page_show(p);
}

static void page_send(page_t *p, unsigned id, const net_req_t *n)
{
    p->rq[p->rq_n++] = (page_send_t){id, n->req.cls, n->req.asid, n->src, n->req.line};
}

/* Step 3. Returns whether s2 leaves. */
static bool page_s2(page_t *p, page_s3_t *to, bool s3_free, bool amo_hold, const page_way_t *amo_row, bool fill_now)
{
    page_s2_t *s = &p->s2;
    page_mshr_t *m = &p->mshr[s->k];
    page_way_t *row = &p->cache[page_set(s->kind == PG_FLUSH ? s->victim : s->n.req.line)][s->way];
    const bool held = amo_hold && amo_row == row;
    if (!s->valid || !s3_free)
        return false;
    if (s->wb) {
        if (held)
            return false;
        *to = (page_s3_t){.valid = true,
                          .kind = PG_WB,
                          .row = row,
                          .n = s->n,
                          .victim = s->victim,
                          .data = row->data,
                          .keep = s->kind == PG_FLUSH && p->job.op != L2_INVAL_LINE && p->job.op != L2_INVAL_PAGE
                                  && p->job.op != L2_INVAL_ALL};
        memcpy(to->mask, row->mask, sizeof to->mask);
        s->wb = false;
        if (s->kind == PG_WRITE)
            return false;
    }
    switch (s->kind) {
    case PG_ALLOC:
        memset(row->mask, 0, sizeof row->mask);
        memset(m->fetched, 0, sizeof m->fetched);
        page_send(p, PG_TOP | s->k, &s->n);
        return true;
    case PG_FLUSH: memset(row->mask, 0, sizeof row->mask); return true;
    case PG_PROBE:
        if (page_all(row->mask)) {
            m->done = true;
        } else {
            memcpy(m->fetched, row->mask, sizeof m->fetched);
            page_send(p, PG_TOP | s->k, &s->n);
        }
        return true;
    case PG_BYPASS: page_send(p, s->k, &s->n); return true;
    case PG_READ:
        if (!s->frombyp && held)
            return false;
        *to = (page_s3_t){
            .valid = true, .kind = PG_READ, .row = row, .n = s->n, .data = s->frombyp ? m->data : row->data};
        return true;
    case PG_AMO:
        if (held)
            return false;
        *to = (page_s3_t){.valid = true, .kind = PG_AMO, .row = row, .n = s->n, .data = row->data};
        if (s->n.req.amo != AMO_LR)
            for (unsigned i = 0; i < (s->n.req.amo_dword ? 8u : 4u); i++)
                row->mask[s->n.req.amo_off + i] = true;
        return true;
    default:
        if (fill_now || amo_hold)
            return false;
        for (unsigned i = 0; i < PG_LINE; i++) {
            const bool be = page_be(&s->n.req, i);
            row->mask[i] = be || (!s->fresh && row->mask[i]);
            if (be)
                row->data.b[i] = ((const uint8_t *)s->n.req.data.w)[i];
        }
        *to = (page_s3_t){.valid = true, .kind = PG_WRITE, .row = row, .n = s->n};
        return true;
    }
}

static void page_unreserve(page_t *p, uint64_t line)
{
    for (unsigned s = 0; s < SOURCES; s++)
        if (p->resv[s].line == line)
            p->resv[s].valid = false;
}

/* Step 6, at leaving. */
static void page_left_s3(page_t *p, const page_s3_t *s)
{
    uint64_t image, stored;
    const mem_req_t *r = &s->n.req;
    if (s->kind == PG_WRITE)
        page_unreserve(p, r->line);
    if (s->kind != PG_AMO)
        return;
    const bool stores = page_atomic(p, s, &image, &stored);
    if (r->amo == AMO_SC && p->resv[s->n.src].hart == r->hart)
        p->resv[s->n.src].valid = false;
    if (stores)
        page_unreserve(p, r->line);
    if (r->amo == AMO_LR) {
        p->resv[s->n.src].valid = true;
        p->resv[s->n.src].hart = r->hart;
        p->resv[s->n.src].line = r->line;
    }
}

/* Step 5 for a request: the case, by its letter; 0: it stays, and the event says why. mshr: those before the edge. */
static char page_request(page_t *p, page_s2_t *to, const page_mshr_t *mshr, unsigned targets, bool byp_now,
                         unsigned byp_k, ev_l2_t *ev, int *appended)
{
    const net_req_t *n = &p->s1;
    const mem_req_t *r = &n->req;
    const unsigned set = page_set(r->line);
    page_way_t *ways = p->cache[set];
    const bool nb = r->op == MEM_READ && n->bypass, st = r->op == MEM_WRITE || (r->op == MEM_AMO && r->amo != AMO_LR);
    bool whole = r->op == MEM_WRITE;
    int hit = -1, m = -1, fresh = -1, victim = -1;
    for (unsigned i = 0; i < PG_LINE; i++)
        whole &= page_be(r, i);
    for (int w = L2_WAYS - 1; w >= 0; w--)
        if (ways[w].valid && ways[w].line == r->line)
            hit = w;
    for (int k = L2_MSHRS - 1; k >= 0; k--) {
        if (!mshr[k].valid)
            fresh = k;
        else if (mshr[k].line == r->line)
            m = k;
    }
    for (int w = L2_WAYS - 1; w >= 0; w--)
        if (!ways[w].valid)
            victim = w;
    for (int w = 0; w < L2_WAYS && (victim < 0 || ways[victim].valid); w++) {
        bool reserved = false;
        for (unsigned k = 0; k < L2_MSHRS; k++)
            reserved |= mshr[k].valid && !mshr[k].byp && page_set(mshr[k].line) == set && mshr[k].way == (unsigned)w;
        if (!reserved && (victim < 0 || ways[w].used < ways[victim].used))
            victim = w;
    }

    const char c = m >= 0               ? (r->op == MEM_READ || !mshr[m].byp ? 'a' : 'b')
                   : hit >= 0           ? (ways[hit].filled || r->op == MEM_WRITE ? 'c' : 'd')
                   : nb                 ? 'e'
                   : r->op == MEM_WRITE ? 'g'
                                        : 'f';
    const bool listed = c == 'a' || c == 'b' || c == 'd' || c == 'e' || c == 'f',
               opens = c == 'd' || c == 'e' || c == 'f', places = c == 'b' || c == 'f' || c == 'g';
    if (c == 'b' && (mshr[m].done || (byp_now && byp_k == (unsigned)m))) {
        ev->l2_stall_drain = true;
        return 0;
    }
    if ((listed && targets == L2_TARGETS) || (opens && fresh < 0)) {
        ev->l2_stall_mshr = true;
        return 0;
    }
    if (places && victim < 0) {
        ev->l2_stall_way = true;
        return 0;
    }

    const unsigned k = (unsigned)(m >= 0 ? m : opens ? fresh : 0);
    *to = (page_s2_t){.valid = c != 'a', .n = *n, .k = k, .way = (unsigned)(places ? victim : hit >= 0 ? hit : 0)};
    if (opens)
        p->mshr[k] = (page_mshr_t){.valid = true, .byp = c == 'e', .line = r->line, .way = c == 'e' ? 0 : to->way};
    if (listed) {
        p->mshr[k].list[p->mshr[k].n++] = *n;
        p->targets++;
        *appended = (int)k;
    }
    switch (c) {
    case 'a':
        if (!mshr[m].byp) {
            ways[hit].dirty |= st;
            if (!nb)
                ways[hit].used = ++p->touches;
        }
        break;
    case 'b':
        p->mshr[k].byp = false;
        p->mshr[k].drop = true;
        p->mshr[k].way = to->way;
        to->kind = PG_ALLOC;
        break;
    case 'c':
    case 'd':
        ways[hit].filled |= c == 'd' || whole;
        ways[hit].dirty |= st;
        if (!nb)
            ways[hit].used = ++p->touches;
        to->kind = c == 'd' ? PG_PROBE : r->op == MEM_READ ? PG_READ : r->op == MEM_WRITE ? PG_WRITE : PG_AMO;
        break;
    case 'e': to->kind = PG_BYPASS; break;
    case 'f': to->kind = PG_ALLOC; break;
    default: to->kind = PG_WRITE; to->fresh = true;
    }
    if (places) { /* install */
        page_way_t *v = &ways[victim];
        to->wb = v->valid && v->dirty;
        to->victim = v->line;
        v->valid = true;
        v->filled = c == 'g' ? whole : true;
        v->dirty = st;
        v->line = r->line;
        v->used = ++p->touches;
    }
    ev->l2_bypass = nb;
    ev->l2_evict = places && to->wb;
    return c;
}

static void page_maintain(page_t *p, page_s2_t *to)
{
    const uint64_t line = p->s1.req.line;
    page_way_t *v = NULL;
    unsigned way = p->s1_way;
    if (!p->s1_by_line) {
        v = &p->cache[line][way]; /* the step names a set */
    } else if (where(line).slice == p->slice) {
        for (way = 0; way < L2_WAYS; way++) {
            v = &p->cache[page_set(line)][way];
            if (v->valid && v->line == line)
                break;
            v = NULL;
        }
    }
    if (!v || !v->valid)
        return;
    if (v->dirty)
        *to = (page_s2_t){.valid = true, .kind = PG_FLUSH, .wb = true, .way = way, .victim = v->line};
    v->dirty = false;
    v->valid &= p->job.op != L2_INVAL_LINE && p->job.op != L2_INVAL_PAGE && p->job.op != L2_INVAL_ALL;
}

static void page_expect(page_t *p, const l2_in_t *in)
{
    static page_mshr_t before[L2_MSHRS];
    memcpy(before, p->mshr, sizeof before);
    const l2_out_t was = p->out;
    const bool top = PAGE_HOME_RSP(in).id & PG_TOP, fill_now = PAGE_HOME_RSP_VALID(in) && top,
               byp_now = PAGE_HOME_RSP_VALID(in) && !top;
    const unsigned rsp_k = PAGE_HOME_RSP(in).id & (PG_TOP - 1), targets = p->targets;
    const bool clear = p->cleared == PG_SETS;
    l2_out_t o = {0};
    ev_l2_t *ev = &o.ev;
    p->slice = in->slice;

    /* 2. s3. */
    page_s3_t s3 = p->s3, next = {0};
    const bool amo_hold = s3.valid && s3.kind == PG_AMO && !s3.wrote, answered = was.net_rsp_valid && in->net_rsp_ready;
    bool leaves = false, store = false;
    uint64_t image, stored = 0;
    if (s3.valid && s3.kind == PG_AMO) {
        const bool stores = s3.phase && page_atomic(p, &s3, &image, &stored);
        leaves = s3.phase && (s3.sent || in->net_rsp_ready) && (!stores || s3.wrote || !fill_now);
        store = s3.phase && stores && !s3.wrote && !fill_now;
        next = s3;
        if (!s3.phase)
            memcpy(&next.old, s3.data.b + (s3.n.req.amo_off & ~7u), 8);
        next.phase = true;
        next.sent |= answered;
        next.wrote |= store;
    } else if (s3.valid) {
        leaves =
            s3.kind == PG_WB ? PAGE_HOME_VALID(&was) && page_writes(&was) && PAGE_HOME_READY(in) : in->net_rsp_ready;
        next = s3;
    }
    const bool s3_free = !s3.valid || leaves;
    if (leaves)
        page_left_s3(p, &s3);
    if (s3_free)
        next = (page_s3_t){0};

    /* What memory took. */
    const bool sent = PAGE_HOME_VALID(&was) && PAGE_HOME_READY(in);
    ev->l2_read = sent && !page_writes(&was);
    ev->l2_write = sent && page_writes(&was);
    if (ev->l2_read)
        memmove(p->rq, p->rq + 1, --p->rq_n * sizeof *p->rq);

    /* 3, 4, 5. */
    page_s2_t s2 = {0};
    const bool s2_leaves = page_s2(p, &next, s3_free, amo_hold, s3.row, fill_now), s2_free = !p->s2.valid || s2_leaves;
    int replay = -1, appended = -1;
    for (int k = L2_MSHRS - 1; k >= 0; k--)
        if (before[k].valid && before[k].done && before[k].n)
            replay = k;
    bool s1_leaves = false;
    if (s2_free && replay >= 0) {
        page_mshr_t *m = &p->mshr[replay];
        const net_req_t n = m->list[0];
        s2 = (page_s2_t){.valid = true,
                         .kind = n.req.op == MEM_READ    ? PG_READ
                                 : n.req.op == MEM_WRITE ? PG_WRITE
                                                         : PG_AMO,
                         .frombyp = m->byp,
                         .way = m->way,
                         .k = (unsigned)replay,
                         .n = n};
        memmove(m->list, m->list + 1, --m->n * sizeof *m->list);
        p->targets--;
        ev->l2_replay = true;
    }
    if (p->s1_valid && !p->s1_step && (!s2_free || replay >= 0)) {
        ev->l2_stall_pipe = true;
    } else if (p->s1_valid && s2_free && replay < 0) {
        if (p->s1_step) {
            page_maintain(p, &s2);
            s1_leaves = true;
        } else {
            const char c = page_request(p, &s2, before, targets, byp_now, rsp_k, ev, &appended);
            s1_leaves = c != 0;
            if (c) {
                ev->l2_access = true;
                ev->l2_hit = c == 'c';
                ev->l2_merge = c == 'a' || c == 'b';
                ev->l2_upgrade = c == 'b';
                ev->l2_probe = c == 'd';
                ev->l2_atomic = p->s1.req.op == MEM_AMO;
                ev->l2_cls = p->s1.req.cls;
                ev->l2_asid = p->s1.req.asid;
            }
        }
    }
    for (unsigned k = 0; k < L2_MSHRS; k++)
        if (before[k].valid && before[k].done && !before[k].n && !before[k].drop && appended != (int)k)
            p->mshr[k].valid = false;

    /* 1, and the store of step 6. */
    ev->l2_fill = fill_now;
    if (fill_now) {
        page_mshr_t *m = &p->mshr[rsp_k];
        page_way_t *v = &p->cache[page_set(before[rsp_k].line)][before[rsp_k].way];
        for (unsigned i = 0; i < PG_LINE; i++)
            if (!before[rsp_k].fetched[i])
                v->data.b[i] = ((const uint8_t *)PAGE_HOME_RSP(in).data.w)[i];
        m->done = true;
    } else if (byp_now) {
        page_mshr_t *m = &p->mshr[rsp_k];
        if (before[rsp_k].byp) {
            memcpy(m->data.b, PAGE_HOME_RSP(in).data.w, PG_LINE);
            m->done = true;
        } else {
            m->drop = false;
        }
    }
    if (store)
        memcpy(s3.row->data.b + s3.n.req.amo_off, &stored, s3.n.req.amo_dword ? 8 : 4);

    /* 7, 8. */
    const bool s1_free = !p->s1_valid || s1_leaves, s1_was = p->s1_valid, take = was.net_req_ready && in->net_req_valid;
    bool awaited = false;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        awaited |= before[k].valid;
    if (s1_free)
        p->s1_valid = false;
    if (s1_free && clear && p->maint == PG_NONE && p->q_n && p->now >= p->q[0].since + L2_LATENCY - 3) {
        p->s1_valid = true;
        p->s1_step = false;
        p->s1 = p->q[0].n;
        memmove(p->q, p->q + 1, --p->q_n * sizeof *p->q);
    }
    if (take) {
        p->q[p->q_n].n = in->net_req;
        p->q[p->q_n++].since = p->now;
    }
    switch (p->maint) {
    case PG_NONE: break;
    case PG_WAIT:
        if (clear && !s1_was && !p->s2.valid && !s3.valid && !awaited) {
            p->maint = PG_WALK;
            p->step = 0;
        }
        break;
    case PG_WALK:
        if (s1_free) {
            const bool one = p->job.op == L2_FLUSH_LINE || p->job.op == L2_INVAL_LINE,
                       some = p->job.op == L2_FLUSH_PAGE || p->job.op == L2_INVAL_PAGE;
            memset(&p->s1, 0, sizeof p->s1);
            p->s1_valid = p->s1_step = true;
            p->s1_by_line = one || some;
            p->s1_way = p->step % L2_WAYS;
            p->s1.req.line = one ? p->job.line : some ? p->job.line / 32 * 32 + p->step : p->step / L2_WAYS;
            if (++p->step == (one ? 1 : some ? 32 : PG_SETS * L2_WAYS))
                p->maint = PG_DRAIN;
        }
        break;
    default:
        if (!s1_was && !p->s2.valid && !s3.valid) {
            p->maint = PG_NONE;
            o.maint_done = true;
        }
    }
    if (in->maint_valid) {
        p->maint = PG_WAIT;
        p->job = in->maint;
    }
    p->s3 = next;
    if (s2_free)
        p->s2 = s2;
    p->cleared += !clear;
    p->now++;
    p->out = o;
    page_show(p);
}
#endif
