/* The page of l2c (docs/blocks/l2c.md) as a program: every state of every line, the victim by true LRU, every wait, read, write-back, acknowledgement, answer and event.
 * The step numbers and the letters of the cases are the page's. The table of states is written here by hand from docs/coherence.md. */
#ifndef VERIF_COHERENCE_L2C_PAGE_H
#define VERIF_COHERENCE_L2C_PAGE_H
#include "l2c_ports.h"
#include "verif/common/scoreboard.h"
#include "verif/common/places.h"
#include "verif/coherence/grains.h"

enum {
    PG_LINE = 128,
    PG_SETS = L2_BYTES / (PG_LINE * L2_WAYS),
    PG_QUEUE = L2_LATENCY - 2,
    PG_TOP = 1 << (HOME_ID_W - 1)
};
typedef enum { PG_READ, PG_WRITE, PG_AMO, PG_ALLOC, PG_FLUSH, PG_PROBE, PG_WB, PG_ACK } page_kind_t;
/* What is done to a line, in the order of the columns of docs/coherence.md. */
typedef enum { PG_LOAD, PG_STORE, PG_N_STORE, PG_EVICT, PG_READS, PG_WRITES, PG_CLEAN } page_what_t;
typedef struct {
    uint8_t b[PG_LINE];
    bool own[PG_LINE]; /* the mask */
} page_bytes_t;
typedef struct {
    char state; /* of "INSEOM"; 0 is I too */
    uint64_t line, used;
    page_bytes_t data;
} page_way_t;
typedef struct {
    bool valid, done, own, stored;
    uint64_t line;
    unsigned way, n;
} page_mshr_t;
typedef struct {
    bool valid, wb, lost, fail, gives;
    page_kind_t kind;
    unsigned way, k, probe;
    char vstate;
    net_req_t n;
    uint64_t victim;
} page_s2_t;
typedef struct {
    bool valid, phase, sent, wrote, keep, fail;
    page_kind_t kind;
    char state;
    page_way_t *row;
    net_req_t n;
    uint64_t line, old;
    page_bytes_t data;
} page_s3_t;
typedef struct {
    unsigned op, id, cls, asid, src;
    uint64_t line;
} page_send_t;

typedef struct {
    uint64_t now;
    unsigned cleared, slice;
    struct {
        net_req_t n;
        uint64_t since;
    } q[PG_QUEUE];
    unsigned q_n;
    bool p1_valid, deferred;
    home_probe_t p1;
    bool s1_valid, s1_step, s1_by_line;
    net_req_t s1;
    unsigned s1_way;
    page_way_t cache[PG_SETS][L2_WAYS];
    uint64_t touches;
    page_mshr_t mshr[L2_MSHRS];
    net_req_t list[L2_MSHRS][L2_TARGETS];
    unsigned targets;
    page_send_t rq[L2_MSHRS];
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
    l2c_out_t out;
} page_t;

/* The table of docs/coherence.md: two letters a cell. h: a hit; g: its bytes go to the home or to who asks; and the state after it. */
static const char *page_cell(char state, page_what_t what)
{
    static const char *const table[] = {
        "-S -M -N -I -I -I -I", /* I; load, store: what is asked for at least */
        "hN -M hN gI -N gI gS", /* N */
        "hS -M hN -I -S -I -S", /* S */
        "hE hM hN -I gS gI -S", /* E */
        "hO -M hO gI gO gI gS", /* O */
        "hM hM hM gI gO gI gS", /* M */
    };
    static const char rows[] = "INSEOM";
    return table[state ? strchr(rows, state) - rows : 0] + 3 * what;
}

static bool page_hit(char state, page_what_t what)
{
    return page_cell(state, what)[0] == 'h';
}

static bool page_gives(char state, page_what_t what)
{
    return page_cell(state, what)[0] == 'g';
}

static char page_next(char state, page_what_t what)
{
    return page_cell(state, what)[1];
}

static bool page_held(const page_way_t *w)
{
    return w->state && w->state != 'I';
}

/* The code of a state on a port, and back. */
static uint8_t page_code(char state)
{
    switch (state) {
    case 'N': return NMOESI_N;
    case 'S': return NMOESI_S;
    case 'E': return NMOESI_E;
    case 'O': return NMOESI_O;
    case 'M': return NMOESI_M;
    default: return NMOESI_I;
    }
}

static char page_state(unsigned code)
{
    for (const char *s = "INSEOM"; *s; s++)
        if (page_code(*s) == code)
            return *s;
    return 'I';
}

/* "What a request needs". */
static page_what_t page_what(const mem_req_t *r)
{
    return r->op == MEM_READ ? PG_LOAD : r->op == MEM_WRITE && !be_partial(&r->be) ? PG_N_STORE : PG_STORE;
}

static page_what_t page_asks(unsigned probe)
{
    return probe == PROBE_READ ? PG_READS : probe == PROBE_WRITE ? PG_WRITES : PG_CLEAN;
}

static page_kind_t page_kind(const mem_req_t *r)
{
    return r->op == MEM_READ ? PG_READ : r->op == MEM_AMO ? PG_AMO : PG_WRITE;
}

static unsigned page_set(uint64_t line)
{
    return (unsigned)(folded(local_of(line) / L2_SLICES) % PG_SETS);
}

/* The way of its set that has the line; -1: none. */
static int page_way(const page_t *p, uint64_t line)
{
    const page_way_t *ways = p->cache[page_set(line)];
    for (int w = 0; w < L2_WAYS; w++)
        if (page_held(&ways[w]) && ways[w].line == line)
            return w;
    return -1;
}

static bool page_forgets(const maint_t *m)
{
    return m->op == L2_INVAL_LINE || m->op == L2_INVAL_PAGE || m->op == L2_INVAL_ALL;
}

/* Step 7: what an atomic answers, and whether and what it stores. */
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
        stores = !s->fail && !r->sc_fail && p->resv[s->n.src].valid && p->resv[s->n.src].hart == r->hart
                 && p->resv[s->n.src].line == r->line;
        result = !stores;
    }
    *image = d ? result : (result & low) << 32 | (result & low);
    *stored = v;
    return stores;
}

/* The bytes of a mask, and their values; 0 elsewhere. */
static void page_given(const page_bytes_t *d, vl_bits_128 *be, vl_bits_1024 *data)
{
    for (unsigned i = 0; i < PG_LINE; i++)
        if (d->own[i]) {
            be->w[i / 64] |= 1ull << i % 64;
            ((uint8_t *)data->w)[i] = d->b[i];
        }
}

static void page_show(page_t *p)
{
    l2c_out_t *o = &p->out;
    const page_s3_t *s = &p->s3;
    o->net_req_ready = p->q_n < PG_QUEUE;
    o->home_probe_ready = !p->p1_valid && p->cleared == PG_SETS && !p->deferred;
    o->net_rsp_valid =
        s->valid && s->kind != PG_WB && s->kind != PG_ACK && (s->kind != PG_AMO || (s->phase && !s->sent));
    o->trace_line = o->net_rsp_valid ? s->n.req.line : 0;
    if (o->net_rsp_valid) {
        o->net_rsp.src = s->n.src;
        o->net_rsp.rsp.id = s->n.req.id;
        uint64_t stored;
        if (s->kind == PG_READ)
            memcpy(o->net_rsp.rsp.data.w, s->data.b, PG_LINE);
        else if (s->kind == PG_AMO)
            page_atomic(p, s, &o->net_rsp.rsp.data.w[0], &stored);
    }
    o->home_ack_valid = s->valid && s->kind == PG_ACK;
    if (o->home_ack_valid) {
        o->home_ack.line = s->line;
        o->home_ack.state = page_code(s->state);
        page_given(&s->data, &o->home_ack.be, &o->home_ack.data);
    }
    const bool wb = s->valid && s->kind == PG_WB && !p->rq_n;
    home_req_t *h = &o->home_req;
    o->home_req_valid = wb || p->rq_n;
    if (wb) {
        h->op = HOME_WRITE_BACK;
        h->state = page_code(s->state);
        h->keep = s->keep;
        h->src = s->n.src;
        h->asid = s->n.req.asid;
        h->line = s->line;
        page_given(&s->data, &h->be, &h->data);
    } else if (p->rq_n) {
        h->op = (uint8_t)p->rq[0].op;
        h->id = (uint8_t)p->rq[0].id;
        h->cls = (uint8_t)p->rq[0].cls;
        h->asid = (uint16_t)p->rq[0].asid;
        h->src = (uint8_t)p->rq[0].src;
        h->line = p->rq[0].line;
    }
    o->idle = p->cleared == PG_SETS && !p->q_n && !p->p1_valid && !p->s1_valid && !p->s2.valid && !p->s3.valid
              && p->maint == PG_NONE && !o->maint_done;
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

static void page_moved(ev_l2c_t *ev, char from, char to)
{
    const uint8_t f = page_code(from), t = page_code(to);
    if (f == t)
        return;
    ev->l2_moved = true;
    ev->l2_from = f;
    ev->l2_to = t;
}

/* Step 3: the line that s2 is about, which names its row. */
static uint64_t page_s2_line(const page_s2_t *s)
{
    return s->kind == PG_FLUSH || s->kind == PG_PROBE ? s->victim : s->n.req.line;
}

/* Step 3. Returns whether s2 leaves. */
static bool page_s2(page_t *p, page_s3_t *to, bool s3_free, const page_way_t *amo_row, bool amo_hold, bool fill_now)
{
    page_s2_t *s = &p->s2;
    if (!s->valid || !s3_free)
        return false;
    page_way_t *row = &p->cache[page_set(page_s2_line(s))][s->way];
    const bool clash = amo_hold && amo_row == row;
    switch (s->kind) {
    case PG_ALLOC:
    case PG_FLUSH:
        if (s->wb) {
            if (clash)
                return false;
            *to = (page_s3_t){.valid = true,
                              .kind = PG_WB,
                              .state = s->vstate,
                              .row = row,
                              .n = s->n,
                              .line = s->victim,
                              .data = row->data,
                              .keep = s->kind == PG_FLUSH && !page_forgets(&p->job)};
            s->wb = false;
            /* The read of a line must not pass its write-back. */
            if (s->kind == PG_ALLOC && s->victim == s->n.req.line)
                return false;
        }
        memset(row->data.own, 0, sizeof row->data.own);
        if (s->kind == PG_ALLOC) {
            const mem_req_t *r = &s->n.req;
            static const unsigned ops[] = {
                [PG_LOAD] = HOME_READ, [PG_N_STORE] = HOME_N_READ, [PG_STORE] = HOME_READ_OWN};
            p->rq[p->rq_n++] = (page_send_t){ops[page_what(r)], PG_TOP | s->k, r->cls, r->asid, s->n.src, r->line};
        }
        return true;
    case PG_READ:
        if (clash)
            return false;
        *to = (page_s3_t){.valid = true, .kind = PG_READ, .row = row, .n = s->n, .data = row->data};
        return true;
    case PG_AMO:
        if (clash && !s->fail)
            return false;
        *to = (page_s3_t){
            .valid = true, .kind = PG_AMO, .row = s->fail ? NULL : row, .n = s->n, .data = row->data, .fail = s->fail};
        if (s->n.req.amo != AMO_LR && !s->fail)
            memset(row->data.own + s->n.req.amo_off, true, s->n.req.amo_dword ? 8 : 4);
        return true;
    case PG_PROBE:
        if (clash && s->vstate != 'I')
            return false;
        *to = (page_s3_t){
            .valid = true, .kind = PG_ACK, .state = s->vstate, .row = row, .line = s->victim, .data = row->data};
        if (!s->gives)
            memset(to->data.own, 0, sizeof to->data.own);
        if (s->vstate != 'I' && s->probe != PROBE_READ)
            memset(row->data.own, 0, sizeof row->data.own);
        return true;
    default:
        if (fill_now || amo_hold)
            return false;
        for (unsigned i = 0; i < PG_LINE; i++) {
            row->data.own[i] |= grain_touched(&s->n.req.be, i);
            if (be_has(&s->n.req.be, i))
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

/* Step 7, at leaving. */
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

/* Step 5. */
static void page_probed(page_t *p, page_s2_t *to, ev_l2c_t *ev)
{
    const int w = page_way(p, p->p1.line);
    page_way_t *v = w < 0 ? NULL : &p->cache[page_set(p->p1.line)][w];
    const char st = v ? v->state : 'I';
    const page_what_t e = page_asks(p->p1.kind);
    *to = (page_s2_t){.valid = true,
                      .kind = PG_PROBE,
                      .probe = p->p1.kind,
                      .way = w < 0 ? 0 : (unsigned)w,
                      .lost = p->p1.kind == PROBE_WRITE && st != 'I',
                      .victim = p->p1.line,
                      .vstate = st,
                      .gives = page_gives(st, e)};
    ev->l2_probe = true;
    ev->l2_probe_hit = st != 'I';
    ev->l2_probe_gives = to->gives;
    page_moved(ev, st, page_next(st, e));
    if (v)
        v->state = page_next(st, e);
}

/* Who a request is looked up against: MSHRs and targets before the edge. */
typedef struct {
    const page_mshr_t *mshr;
    unsigned targets;
} page_before_t;

/* The way that a miss takes: -1, none. */
static int page_victim(const page_t *p, const page_before_t *was, unsigned set)
{
    const page_way_t *ways = p->cache[set];
    bool reserved[L2_WAYS] = {false};
    int victim = -1;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        if (was->mshr[k].valid && !was->mshr[k].done && page_set(was->mshr[k].line) == set)
            reserved[was->mshr[k].way] = true;
    for (int w = 0; w < L2_WAYS; w++)
        if (!reserved[w] && !page_held(&ways[w]))
            return w;
    for (int w = 0; w < L2_WAYS; w++)
        if (!reserved[w] && (victim < 0 || ways[w].used < ways[victim].used))
            victim = w;
    return victim;
}

/* Step 6 for a request: the case, by its letter; 0: it stays, and the event says why. */
static char page_request(page_t *p, page_s2_t *to, const page_before_t *was, ev_l2c_t *ev)
{
    const net_req_t *n = &p->s1;
    const mem_req_t *r = &n->req;
    const page_what_t what = page_what(r);
    const unsigned set = page_set(r->line);
    page_way_t *ways = p->cache[set];
    const int hit = page_way(p, r->line);
    const char st = hit < 0 ? 'I' : ways[hit].state;
    const bool sc = r->op == MEM_AMO && r->amo == AMO_SC;
    int m = -1, fresh = -1;
    for (int k = L2_MSHRS - 1; k >= 0; k--) {
        if (!was->mshr[k].valid)
            fresh = k;
        else if (!was->mshr[k].done && was->mshr[k].line == r->line)
            m = k;
    }
    const char c = m < 0 && page_hit(st, what)                     ? 'c'
                   : sc                                            ? 'd'
                   : m >= 0 && what == PG_STORE && !p->mshr[m].own ? 'b'
                   : m >= 0                                        ? 'a'
                   : st != 'I'                                     ? 'e'
                                                                   : 'f';
    const int victim = c == 'f' ? page_victim(p, was, set) : c == 'e' ? hit : 0;
    if (c == 'b') {
        ev->l2_stall_own = true;
        return 0;
    }
    if (((c == 'e' || c == 'f') && fresh < 0) || (c != 'c' && c != 'd' && was->targets == L2_TARGETS)) {
        ev->l2_stall_mshr = true;
        return 0;
    }
    if (victim < 0) {
        ev->l2_stall_way = true;
        return 0;
    }

    *to = (page_s2_t){.valid = c != 'a', .n = *n};
    if (c == 'a') {
        p->mshr[m].stored |= what == PG_N_STORE;
        p->list[m][p->mshr[m].n++] = *n;
        p->targets++;
    } else if (c == 'c' || c == 'd') {
        to->kind = page_kind(r);
        to->fail = c == 'd';
        to->way = hit < 0 ? 0 : (unsigned)hit;
        if (c == 'd')
            return c;
        const bool lr = r->op == MEM_AMO && r->amo == AMO_LR;
        ways[hit].used = ++p->touches;
        if (!lr) {
            ways[hit].state = page_next(st, what);
            page_moved(ev, st, ways[hit].state);
        }
    } else {
        page_way_t *v = &ways[victim];
        const char vstate = page_held(v) ? v->state : 'I';
        p->mshr[fresh] = (page_mshr_t){.valid = true,
                                       .own = what == PG_STORE,
                                       .stored = what == PG_N_STORE,
                                       .line = r->line,
                                       .way = (unsigned)victim,
                                       .n = 1};
        p->list[fresh][0] = *n;
        p->targets++;
        to->kind = PG_ALLOC;
        to->way = (unsigned)victim;
        to->k = (unsigned)fresh;
        to->wb = page_gives(vstate, PG_EVICT);
        to->lost = vstate != 'I';
        to->victim = v->line;
        to->vstate = vstate;
        page_moved(ev, vstate, 'I');
        v->state = 'I';
        v->line = r->line;
        v->used = ++p->touches;
        ev->l2_own = what == PG_STORE;
        ev->l2_evict = c == 'f' && to->wb;
        ev->l2_n_read = c == 'f' && what == PG_N_STORE;
    }
    return c;
}

static void page_maintain(page_t *p, page_s2_t *to, ev_l2c_t *ev)
{
    const uint64_t line = p->s1.req.line;
    page_way_t *v = NULL;
    int way = (int)p->s1_way;
    if (!p->s1_by_line) {
        v = &p->cache[line][way]; /* the step names a set */
    } else if (where(line).slice == p->slice) {
        way = page_way(p, line);
        v = way < 0 ? NULL : &p->cache[page_set(line)][way];
    }
    if (!v || !page_held(v))
        return;
    const bool forget = page_forgets(&p->job), gives = page_gives(v->state, PG_EVICT);
    const char st = v->state;
    if (!forget && !gives)
        return;
    *to = (page_s2_t){.valid = true,
                      .kind = PG_FLUSH,
                      .wb = gives,
                      .lost = forget,
                      .way = (unsigned)way,
                      .victim = v->line,
                      .vstate = st};
    v->state = forget ? 'I' : st == 'M' ? 'E' : 'S';
    page_moved(ev, st, v->state);
}

/* Steps 8 and 10, the maintenance's part of them; s1_in: something may come into s1. */
static void page_maintenance(page_t *p, const l2c_in_t *in, bool s1_in, bool empty, bool awaited, bool clear,
                             l2c_out_t *o)
{
    const bool one = p->job.op == L2_FLUSH_LINE || p->job.op == L2_INVAL_LINE,
               some = p->job.op == L2_FLUSH_PAGE || p->job.op == L2_INVAL_PAGE;
    switch (p->maint) {
    case PG_NONE: break;
    case PG_WAIT:
        if (clear && empty && !awaited) {
            p->maint = PG_WALK;
            p->step = 0;
        }
        break;
    case PG_WALK:
        if (!s1_in)
            break;
        memset(&p->s1, 0, sizeof p->s1);
        p->s1_valid = p->s1_step = true;
        p->s1_by_line = one || some;
        p->s1_way = p->step % L2_WAYS;
        p->s1.req.line = one ? p->job.line : some ? p->job.line / 32 * 32 + p->step : p->step / L2_WAYS;
        if (++p->step == (one ? 1 : some ? 32 : PG_SETS * L2_WAYS))
            p->maint = PG_DRAIN;
        break;
    default:
        if (empty) {
            p->maint = PG_NONE;
            o->maint_done = true;
        }
    }
    if (in->maint_valid && in->host && !page_forgets(&in->maint)) {
        o->maint_done = true; /* a FLUSH passes by the last-level cache */
    } else if (in->maint_valid) {
        p->maint = PG_WAIT;
        p->job = in->maint;
    }
}

/* Step 2. Returns whether s3 leaves; *next is what it becomes otherwise. */
static bool page_s3(const page_t *p, const l2c_in_t *in, bool fill_now, page_s3_t *next, bool *store, uint64_t *stored)
{
    const page_s3_t *s = &p->s3;
    *next = *s;
    if (!s->valid)
        return false;
    switch (s->kind) {
    case PG_AMO: {
        uint64_t image;
        const bool stores = s->phase && page_atomic(p, s, &image, stored);
        *store = stores && !s->wrote && !fill_now;
        if (!s->phase)
            memcpy(&next->old, s->data.b + (s->n.req.amo_off & ~7u), 8);
        next->phase = true;
        next->sent |= p->out.net_rsp_valid && in->net_rsp_ready;
        next->wrote |= *store;
        return s->phase && (s->sent || in->net_rsp_ready) && (!stores || s->wrote || !fill_now);
    }
    case PG_WB: return !p->rq_n && in->home_req_ready;
    case PG_ACK: return in->home_ack_ready;
    default: return in->net_rsp_ready;
    }
}

/* Steps 4, 5 and 6: what comes into s2, which is free. */
static void page_into_s2(page_t *p, const page_before_t *was, bool fill_now, page_s2_t *s2, bool *p1_leaves,
                         bool *s1_leaves, ev_l2c_t *ev)
{
    for (unsigned k = 0; k < L2_MSHRS; k++) {
        page_mshr_t *m = &p->mshr[k];
        if (!was->mshr[k].valid || !was->mshr[k].done || !was->mshr[k].n)
            continue;
        *s2 = (page_s2_t){
            .valid = true, .kind = page_kind(&p->list[k][0].req), .way = m->way, .k = k, .n = p->list[k][0]};
        memmove(p->list[k], p->list[k] + 1, --m->n * sizeof *p->list[k]);
        p->targets--;
        ev->l2_replay = true;
        return;
    }
    if (fill_now)
        return;
    if (p->p1_valid) {
        page_probed(p, s2, ev);
        *p1_leaves = true;
    } else if (p->s1_valid && p->s1_step) {
        page_maintain(p, s2, ev);
        *s1_leaves = true;
    } else if (p->s1_valid) {
        const char c = page_request(p, s2, was, ev);
        *s1_leaves = c != 0;
        if (!c)
            return;
        ev->l2_access = true;
        ev->l2_hit = c == 'c';
        ev->l2_merge = c == 'a';
        ev->l2_sc_lost = c == 'd';
        ev->l2_upgrade = c == 'e';
        ev->l2_atomic = p->s1.req.op == MEM_AMO;
        ev->l2_cls = p->s1.req.cls;
        ev->l2_asid = p->s1.req.asid;
    }
}

/* Step 1. */
static void page_filled(page_t *p, const l2c_in_t *in, ev_l2c_t *ev)
{
    page_mshr_t *m = &p->mshr[in->home_rsp.id & (PG_TOP - 1)];
    page_way_t *v = &p->cache[page_set(m->line)][m->way];
    const char granted = page_state(in->home_rsp.state);
    memcpy(v->data.b, in->home_rsp.data.w, PG_LINE);
    v->state = m->own ? 'M' : m->stored ? page_next(granted, PG_N_STORE) : granted;
    v->line = m->line;
    m->done = true;
    ev->l2_fill = true;
    page_moved(ev, 'I', v->state);
}

static void page_expect(page_t *p, const l2c_in_t *in)
{
    page_mshr_t before[L2_MSHRS];
    memcpy(before, p->mshr, sizeof before);
    const page_before_t was = {before, p->targets};
    const bool fill_now = in->home_rsp_valid, clear = p->cleared == PG_SETS,
               empty = !p->s1_valid && !p->s2.valid && !p->s3.valid, taken = p->out.net_req_ready && in->net_req_valid,
               probed = p->out.home_probe_ready && in->home_probe_valid;
    bool awaited = false;
    for (unsigned k = 0; k < L2_MSHRS; k++)
        awaited |= before[k].valid;
    l2c_out_t o = {0};
    ev_l2c_t *ev = &o.ev;
    p->slice = in->slice;

    /* 2, 7. */
    page_s3_t s3 = p->s3, next;
    bool store = false;
    uint64_t stored = 0;
    const bool amo_hold = s3.valid && s3.kind == PG_AMO && !s3.wrote,
               leaves = page_s3(p, in, fill_now, &next, &store, &stored), s3_free = !s3.valid || leaves;
    if (leaves)
        page_left_s3(p, &s3);
    if (s3_free)
        next = (page_s3_t){0};

    /* What the home took. */
    const bool sent = p->out.home_req_valid && in->home_req_ready, wrote_back = p->out.home_req.op == HOME_WRITE_BACK;
    ev->l2_read = sent && !wrote_back;
    ev->l2_write = sent && wrote_back;
    ev->l2_ack = p->out.home_ack_valid && in->home_ack_ready;
    if (ev->l2_read)
        memmove(p->rq, p->rq + 1, --p->rq_n * sizeof *p->rq);

    /* 3; 4, 5, 6. */
    page_s2_t s2 = {0};
    const bool s2_leaves = page_s2(p, &next, s3_free, s3.row, amo_hold, fill_now), s2_free = !p->s2.valid || s2_leaves;
    if (s2_leaves && p->s2.lost)
        page_unreserve(p, p->s2.victim);
    bool p1_leaves = false, s1_leaves = false;
    if (s2_free)
        page_into_s2(p, &was, fill_now, &s2, &p1_leaves, &s1_leaves, ev);
    const bool turn = s2_free && !ev->l2_replay && !fill_now, stays = p->s1_valid && !s1_leaves;
    if (stays && !p->s1_step) {
        ev->l2_stall_probe = p->p1_valid;
        ev->l2_stall_pipe = !p->p1_valid && !turn;
    }
    p->deferred = p->s1_valid && (p->p1_valid ? p->deferred : !turn);
    for (unsigned k = 0; k < L2_MSHRS; k++)
        if (before[k].valid && before[k].done && !before[k].n)
            p->mshr[k].valid = false;

    /* 1, and the store of step 2. */
    if (fill_now)
        page_filled(p, in, ev);
    if (store)
        memcpy(s3.row->data.b + s3.n.req.amo_off, &stored, s3.n.req.amo_dword ? 8 : 4);

    /* 8, 9, 10. */
    const bool s1_free = !p->s1_valid || s1_leaves, s1_in = s1_free && !probed && (!p->p1_valid || p1_leaves);
    if (s1_free)
        p->s1_valid = false;
    if (s1_in && clear && p->maint == PG_NONE && p->q_n && p->now >= p->q[0].since + L2_LATENCY - 3) {
        p->s1_valid = true;
        p->s1_step = false;
        p->s1 = p->q[0].n;
        memmove(p->q, p->q + 1, --p->q_n * sizeof *p->q);
    }
    if (taken) {
        p->q[p->q_n].n = in->net_req;
        p->q[p->q_n++].since = p->now;
    }
    if (p1_leaves)
        p->p1_valid = false;
    if (probed) {
        p->p1_valid = true;
        p->p1 = in->home_probe;
    }
    page_maintenance(p, in, s1_in, empty, awaited, clear, &o);
    p->s3 = next;
    if (s2_free)
        p->s2 = s2;
    p->cleared += !clear;
    p->now++;
    p->out = o;
    page_show(p);
}
#endif
