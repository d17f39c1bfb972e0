/* See lsu.h. What the front shows is a function of the state: it is worked out once, at the end of each tick, and kept (`view`). */
#include "sim_c/core/lsu.h"
#include "sim_c/core/memop.h"
#include <string.h>

enum {
    IN_DEPTH = LSU_IN_DEPTH,
    ROWS = IN_DEPTH / BEATS,
    STORE_LIMIT = 254
};
#define LANE_BITS (LANES == 64 ? ~0ull : (1ull << (LANES % 64)) - 1)

typedef uint64_t tmask_t; /* a bit a thread */
typedef struct { uint8_t data[SECTOR_BYTES], be[SECTOR_BYTES / 8]; } bytes_t; /* of a sector, and which of them are there */

typedef struct {
    uint8_t warp, seq, rd, op, kind, size;
    bool aq, rl;
    uint64_t pc;
    uint32_t base;
    tmask_t active, spad, global, misaligned, access;
    uint64_t addr[THREADS], rs2[THREADS], rs3[THREADS];
} row_t;

typedef struct {
    bool valid, sign;
    uint8_t warp, seq, rd, size;
    tmask_t left;
    uint8_t off[THREADS];
} entry_rec_t;

/* A store or atomic on its way into a sector. */
typedef struct {
    bool valid, final, atomic;
    uint8_t warp, size, amo, entry, sector;
    uint32_t hart;
    uint64_t line;
    tmask_t threads;
    uint64_t lanes;
    uint8_t off[LANES];
    uint64_t rs2[LANES], rs3[LANES];
} st_t;

enum step { NOTHING, DROP, FAULT, WG, FENCE, POST, PRE, WAIT_ENTRY, ACTIVE };

/* What the front shows in this cycle. */
typedef struct {
    enum step step;
    bool inval, load, take;   /* take: st takes beat st_beat when it can */
    unsigned entry;
    tmask_t left, l;          /* P, L */
    unsigned leader, st_beat;
    bool spad_valid, trace_valid;
    unsigned spad_beat;
    spad_req_t spad;
    memtrace_t trace;
    l1d_req_t req;            /* at l1d_req, when req_valid */
    bool req_valid;
} view_t;

struct lsu {
    uint32_t core;
    bool in_valid;
    operands_t in;
    unsigned wr, rd, full;
    row_t rows[ROWS];
    uint32_t base[WARPS];
    bool dead[WARPS];
    unsigned unacked, held, owed; /* unacked: stores of all warps sent to l1d and not performed yet */
    /* front */
    bool started, pre, post;
    unsigned cur, tbeat, pages;
    tmask_t gdone, lmask, lseen, pseen;
    uint32_t sdone;
    st_t st;
    bytes_t acc;
    entry_rec_t entry[LSU_ENTRIES];
    uint32_t entries, atomics; /* the valid ones; of these, those of atomics */
    /* results */
    unsigned xcount;
    result_t x[2];
    bool l_valid, sp_valid, fr_valid, fault_valid;
    l1d_rsp_t l;
    spad_rsp_t sp;
    uint8_t fr_warp, fr_seq;
    fault_t fault;
    ev_lsu_t ev;
    view_t view;
};

size_t lsu_size(void)
{
    return sizeof(struct lsu);
}

void lsu_reset(lsu_t *s)
{
    memset(s, 0, sizeof *s);
}

static inline unsigned lowest(tmask_t m)
{
    return (unsigned)__builtin_ctzll(m);
}

static inline tmask_t beat_of(tmask_t m, unsigned beat)
{
    return m >> beat * LANES & LANE_BITS;
}

static inline uint32_t hart_of(const lsu_t *s, unsigned warp, unsigned thread)
{
    return ((s->core * WARPS + warp) * THREADS + thread) & ((1u << HART_W) - 1);
}

/* ---- outputs ---- */

static bool idle(const lsu_t *s)
{
    return !s->held && !s->xcount && !s->st.valid && !s->fr_valid && !s->entries && !s->unacked;
}

static bool rsp_ready(const lsu_t *s)
{
    return s->xcount < 2 && !s->l_valid && !s->sp_valid;
}

void lsu_out(const lsu_t *s, lsu_out_t *o)
{
    const view_t *v = &s->view;
    o->credit = s->owed != 0;
    o->l1d_req_valid = v->req_valid;
    if (v->req_valid)
        o->l1d_req = v->req;
    o->spad_req_valid = v->spad_valid;
    if (v->spad_valid)
        o->spad_req = v->spad;
    o->trace_valid = v->trace_valid;
    if (v->trace_valid)
        o->trace = v->trace;
    o->l1d_rsp_ready = o->spad_rsp_ready = rsp_ready(s);
    o->lsu_res_valid = s->xcount != 0;
    if (s->xcount)
        o->lsu_res = s->x[0];
    o->fault_valid = s->fault_valid;
    if (s->fault_valid)
        o->fault = s->fault;
    o->idle = idle(s);
    o->ev = s->ev;
}

/* ---- what the front shows ---- */

static unsigned sector_of(uint64_t addr)
{
    return addr % LINE_BYTES / SECTOR_BYTES;
}

static void scatter(const st_t *t, bytes_t *to)
{
    for (uint64_t m = t->lanes; m; m &= m - 1) { /* upwards: the highest thread wins */
        unsigned l = lowest(m), o = t->off[l] % SECTOR_BYTES;
        memcpy(to->data + o, &t->rs2[l], t->size);
        to->be[o / 8] |= (uint8_t)(((1u << t->size) - 1) << o % 8);
    }
}

static void show_st(lsu_t *s)
{
    view_t *v = &s->view;
    const st_t *t = &s->st;
    v->req_valid = true;
    v->req.warp = t->warp;
    v->req.line = t->line;
    if (t->atomic) {
        unsigned l = lowest(t->lanes);
        v->req.op = L1D_AMO;
        v->req.tag = (l1d_tag_t){t->entry, t->threads};
        v->req.data.w[0] = memop_low(t->rs2[l], t->size);
        v->req.data.w[1] = t->amo == AMO_CAS ? memop_low(t->rs3[l], t->size) : 0;
        v->req.amo = t->amo;
        v->req.amo_dword = t->size == 8;
        v->req.amo_off = t->off[l];
        v->req.hart = t->hart;
        return;
    }
    bytes_t b = s->acc;
    v->req.op = L1D_STORE;
    v->req.sector = t->sector;
    scatter(t, &b);
    memcpy(&v->req.be, b.be, sizeof b.be);
    memcpy(v->req.data.w, b.data, sizeof b.data);
}

static void look(lsu_t *s)
{
    view_t *v = &s->view;
    const row_t *r = &s->rows[s->rd];
    v->step = NOTHING;
    v->inval = v->load = v->take = v->spad_valid = v->trace_valid = v->req_valid = false;
    if (s->st.valid || s->full)
        memset(&v->req, 0, sizeof v->req);
    if (s->st.valid && s->st.final)
        show_st(s);
    if (!s->full)
        return;
    unsigned w = r->warp;
    bool quiet = !s->unacked && !s->atomics && !s->st.valid;
    if (s->dead[w] && !s->started)
        v->step = DROP;
    else if (r->misaligned | r->access)
        v->step = FAULT;
    else if (r->kind == MEMOP_WG)
        v->step = WG;
    else if (r->kind == MEMOP_FENCE)
        v->step = FENCE, v->inval = !s->fr_valid && quiet;
    else if (s->post)
        v->step = POST, v->inval = quiet;
    else if (r->rl && !s->pre && !s->started)
        v->step = PRE, v->inval = quiet;
    else if (!s->started && r->kind != MEMOP_STORE && s->entries == (LSU_ENTRIES == 32 ? ~0u : (1u << (LSU_ENTRIES % 32)) - 1))
        v->step = WAIT_ENTRY;
    else
        v->step = ACTIVE;
    if (v->inval) {
        v->req_valid = true;
        v->req.op = L1D_INVAL;
        v->req.warp = r->warp;
    }
    if (v->step != ACTIVE)
        return;
    v->entry = r->kind == MEMOP_STORE ? 0 : s->started ? s->cur : (unsigned)__builtin_ctz(~s->entries);

    if (s->tbeat < BEATS) {
        tmask_t m = beat_of(r->active, s->tbeat);
        v->trace_valid = m != 0;
        v->trace.warp = r->warp;
        v->trace.seq = r->seq;
        v->trace.beat = s->tbeat;
        v->trace.mask = m;
        memcpy(v->trace.addr, r->addr + s->tbeat * LANES, sizeof v->trace.addr);
        memcpy(v->trace.data, r->rs2 + s->tbeat * LANES, sizeof v->trace.data);
    }
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
        v->spad.hart0 = hart_of(s, w, b * LANES);
    }
    v->left = r->global & ~s->gdone;
    if (!v->left)
        return;
    v->leader = lowest(s->lmask ? s->lmask : v->left);
    uint64_t at = r->addr[v->leader];
    if (s->lmask) {
        v->l = s->lmask;
    } else if (r->kind == MEMOP_ATOMIC) {
        v->l = 1ull << v->leader;
    } else {
        v->l = 0;
        for (tmask_t m = v->left; m; m &= m - 1)
            if (r->addr[lowest(m)] / SECTOR_BYTES == at / SECTOR_BYTES)
                v->l |= m & -m;
    }
    if (r->kind == MEMOP_LOAD) {
        v->load = !s->st.valid;
        if (v->load) {
            v->req_valid = true;
            v->req.op = L1D_LOAD;
            v->req.tag = (l1d_tag_t){v->entry, v->l};
            v->req.warp = r->warp;
            v->req.line = at >> LINE_OFF_W;
            v->req.sector = sector_of(at);
        }
    } else {
        v->take = r->kind == MEMOP_ATOMIC || s->unacked < STORE_LIMIT;
        v->st_beat = lowest(v->l) / LANES;
    }
}

/* ---- the clock edge ---- */

/* The beat that came at the last edge: addresses and checks, into the row at wr. */
static void gather(lsu_t *s, const kernel_t *k)
{
    const operands_t *o = &s->in;
    row_t *r = &s->rows[s->wr];
    unsigned first = o->beat * LANES;
    if (o->first) {
        r->warp = o->warp;
        r->seq = o->seq;
        r->pc = o->pc;
        r->rd = o->rd;
        r->op = o->op;
        r->kind = memop_kind(o->op);
        r->size = memop_size(o->op);
        r->rl = r->kind == MEMOP_ATOMIC && o->instr >> 25 & 1;
        r->aq = r->kind == MEMOP_ATOMIC && o->instr >> 26 & 1;
        r->active = r->spad = r->global = r->misaligned = r->access = 0;
    }
    r->base = s->base[o->warp];
    bool memory = r->kind == MEMOP_LOAD || r->kind == MEMOP_STORE || r->kind == MEMOP_ATOMIC;
    for (uint64_t m = memory ? o->mask : 0; m; m &= m - 1) {
        unsigned l = lowest(m), t = first + l;
        uint64_t a = o->rs1[l] + o->imm, bit = 1ull << t;
        r->addr[t] = a;
        r->rs2[t] = o->rs2[l];
        r->rs3[t] = o->rs3[l];
        r->active |= bit;
        if (a & (r->size - 1u))
            r->misaligned |= bit;
        else if (a >> 16 == SPAD_BASE >> 16)
            *((a & 0xffff) < k->spad_bytes ? &r->spad : &r->access) |= bit;
        else if (!(a >> PA_W) && a >= k->mem_base && a < k->mem_limit)
            r->global |= bit;
        else
            r->access |= bit;
    }
    if (o->last) {
        s->wr = (s->wr + 1) % ROWS;
        s->full++;
    }
}

static void pop(lsu_t *s)
{
    s->rd = (s->rd + 1) % ROWS;
    s->full--;
    s->owed += BEATS;
    s->started = s->pre = s->post = false;
    s->tbeat = s->pages = 0;
    s->gdone = s->lmask = s->lseen = s->pseen = 0;
    s->sdone = 0;
}

static void note_pages(lsu_t *s, const row_t *r)
{
    if (!r->global)
        return;
    unsigned p = s->pages;
    s->ev.page_div_1 = p < 2;
    s->ev.page_div_2_3 = p >= 2 && p < 4;
    s->ev.page_div_4_7 = p >= 4 && p < 8;
    s->ev.page_div_8_15 = p >= 8 && p < 16;
    s->ev.page_div_16_up = p >= 16;
}

/* Threads in global memory whose addresses equal the leader's from bit `from` on. */
static tmask_t together(const row_t *r, unsigned leader, unsigned from)
{
    tmask_t same = 0;
    for (tmask_t m = r->global; m; m &= m - 1)
        if (r->addr[lowest(m)] >> from == r->addr[leader] >> from)
            same |= m & -m;
    return same;
}

/* The take of a sector (or atomic): lines and pages for the counters. */
static void note_take(lsu_t *s, const row_t *r)
{
    unsigned leader = s->view.leader;
    if (!(s->lseen >> leader & 1)) {
        s->ev.lsu_lines = r->kind != MEMOP_ATOMIC;
        s->lseen |= together(r, leader, LINE_OFF_W);
    }
    if (!(s->pseen >> leader & 1)) {
        s->pages++;
        s->ev.lsu_pages = true;
        s->pseen |= together(r, leader, 12);
    }
}

static void fault(lsu_t *s, const row_t *r)
{
    tmask_t bad = r->misaligned | r->access;
    unsigned t = lowest(bad);
    bool load = r->kind == MEMOP_LOAD || memop_amo(r->op) == AMO_LR, mis = r->misaligned >> t & 1;
    if (r->kind == MEMOP_STORE)
        load = false;
    s->fault_valid = true;
    s->fault = (fault_t){
        .cause = mis ? (load ? FAULT_LOAD_MISALIGNED : FAULT_STORE_MISALIGNED) : load ? FAULT_LOAD_ACCESS : FAULT_STORE_ACCESS,
        .warp = r->warp, .pc = r->pc, .value = r->addr[t], .mask = bad};
    s->dead[r->warp] = true;
}

/* st takes the threads of one beat of the sector. */
static void take(lsu_t *s, const row_t *r)
{
    const view_t *v = &s->view;
    st_t *t = &s->st;
    unsigned first = v->st_beat * LANES;
    t->valid = true;
    t->atomic = r->kind == MEMOP_ATOMIC;
    t->warp = r->warp;
    t->size = r->size;
    t->amo = memop_amo(r->op);
    t->entry = v->entry;
    t->line = r->addr[v->leader] >> LINE_OFF_W;
    t->sector = sector_of(r->addr[v->leader]);
    t->threads = v->l;
    t->hart = hart_of(s, r->warp, v->leader);
    t->lanes = beat_of(v->l, v->st_beat);
    for (uint64_t m = t->lanes; m; m &= m - 1) {
        unsigned l = lowest(m);
        t->off[l] = r->addr[first + l] & 127;
        t->rs2[l] = r->rs2[first + l];
        t->rs3[l] = r->rs3[first + l];
    }
    tmask_t rest = v->l & ~(LANE_BITS << first);
    t->final = !rest;
    s->gdone |= v->l & LANE_BITS << first;
    if (!s->lmask || t->atomic)
        note_take(s, r);
    s->lmask = rest;
}

static void front(lsu_t *s, const lsu_in_t *in)
{
    const view_t *v = &s->view;
    row_t *r = &s->rows[s->rd];
    bool sent = v->req_valid && in->l1d_req_ready;
    bool st_was_free = !s->st.valid || !s->st.final || sent;
    if (s->st.valid && !s->st.final) {
        scatter(&s->st, &s->acc);
        s->st.valid = false;
    } else if (s->st.valid && sent) {
        s->st.valid = false;
        if (!s->st.atomic) {
            memset(&s->acc, 0, sizeof s->acc);
            s->unacked++;
        }
    }
    switch (v->step) {
    case NOTHING:
        return;
    case DROP:
        pop(s);
        return;
    case FAULT:
        fault(s, r);
        pop(s);
        return;
    case WG:
        if (s->fr_valid)
            return;
        s->fr_valid = true;
        s->fr_warp = r->warp;
        s->fr_seq = r->seq;
        s->ev.lsu_fences = true;
        pop(s);
        return;
    case FENCE: case POST: case PRE:
        s->ev.lsu_stall_fence = !v->inval;
        if (!v->inval || !sent)
            return;
        if (v->step == PRE) {
            s->pre = true;
            return;
        }
        if (v->step == FENCE) {
            s->fr_valid = true;
            s->fr_warp = r->warp;
            s->fr_seq = r->seq;
            s->ev.lsu_fences = true;
        }
        pop(s);
        return;
    case WAIT_ENTRY:
        s->ev.lsu_stall_entry = true;
        return;
    case ACTIVE:
        break;
    }
    if (!s->started) {
        s->started = true;
        s->ev.lsu_loads = r->kind == MEMOP_LOAD;
        s->ev.lsu_stores = r->kind == MEMOP_STORE;
        s->ev.lsu_atomics = r->kind == MEMOP_ATOMIC;
        if (r->kind != MEMOP_STORE) {
            entry_rec_t *e = &s->entry[v->entry];
            bool sc = r->kind == MEMOP_ATOMIC && memop_amo(r->op) == AMO_SC;
            s->cur = v->entry;
            s->entries |= 1u << v->entry;
            if (r->kind == MEMOP_ATOMIC)
                s->atomics |= 1u << v->entry;
            e->warp = r->warp;
            e->seq = r->seq;
            e->rd = r->rd;
            e->size = sc ? 4 : r->size;
            e->sign = !memop_unsigned(r->op);
            e->left = r->active;
            for (unsigned t = 0; t < THREADS; t++)
                e->off[t] = r->addr[t] % (r->kind == MEMOP_ATOMIC ? 8 : SECTOR_BYTES);
        }
    }
    if (s->tbeat < BEATS)
        s->tbeat++;
    if (v->spad_valid && in->spad_req_ready)
        s->sdone |= 1u << v->spad_beat;
    if (v->left) {
        if (v->load && sent) {
            s->gdone |= v->l;
            note_take(s, r);
        } else if (v->take && st_was_free) {
            take(s, r);
        }
    }
    bool done = !(r->global & ~s->gdone) && s->tbeat == BEATS;
    for (unsigned b = 0; b < BEATS; b++)
        done &= !beat_of(r->spad, b) || s->sdone >> b & 1;
    if (!done)
        return;
    note_pages(s, r);
    if (r->aq)
        s->post = true;
    else
        pop(s);
}

/* A record of an entry's threads in one beat, from the doublewords of its lanes. */
static void put_record(lsu_t *s, unsigned entry, unsigned beat, uint64_t lanes, const uint64_t dword[LANES])
{
    entry_rec_t *e = &s->entry[entry];
    result_t *x = &s->x[s->xcount++];
    e->left &= ~(lanes << beat * LANES);
    memset(x, 0, sizeof *x);
    x->warp = e->warp;
    x->seq = e->seq;
    x->beat = beat;
    x->rd = e->rd;
    x->last = !e->left;
    x->mask = lanes;
    for (uint64_t m = lanes; m; m &= m - 1) {
        unsigned l = lowest(m), bits = 8u * e->size;
        uint64_t d = dword[l] >> 8 * (e->off[beat * LANES + l] & 7);
        x->data[l] = e->sign ? (uint64_t)((int64_t)(d << (64 - bits)) >> (64 - bits)) : memop_low(d, e->size);
    }
    if (!e->left) {
        s->entries &= ~(1u << entry);
        s->atomics &= ~(1u << entry);
    }
}

static void put_word(lsu_t *s, const spad_rsp_t *r)
{
    uint64_t d[LANES];
    for (uint64_t m = r->mask; m; m &= m - 1)
        memcpy(&d[lowest(m)], (const uint8_t *)&r->data + 8 * r->bank[lowest(m)], sizeof *d);
    put_record(s, r->entry, r->beat, r->mask, d);
}

static void put_line(lsu_t *s, const l1d_rsp_t *r, unsigned beat)
{
    uint64_t lanes = beat_of(r->tag.tmask, beat), d[LANES];
    for (uint64_t m = lanes; m; m &= m - 1) {
        unsigned l = lowest(m);
        d[l] = r->data.w[s->entry[r->tag.entry].off[beat * LANES + l] >> 3];
    }
    put_record(s, r->tag.entry, beat, lanes, d);
}

static void results(lsu_t *s, const lsu_in_t *in, bool fr_was)
{
    bool room = s->xcount < 2, ready = rsp_ready(s);
    bool line = ready && in->l1d_rsp_valid, word = ready && in->spad_rsp_valid;
    if (s->xcount && in->lsu_res_ready) {
        s->x[0] = s->x[1];
        s->xcount--;
    }
    if (!room)
        return;
    if (s->sp_valid) {
        put_word(s, &s->sp);
        s->sp_valid = false;
    } else if (s->l_valid) {
        unsigned b = lowest(s->l.tag.tmask) / LANES;
        put_line(s, &s->l, b);
        s->l.tag.tmask &= ~(LANE_BITS << b * LANES);
        s->l_valid = s->l.tag.tmask != 0;
    } else if (line) {
        unsigned b = lowest(in->l1d_rsp.tag.tmask) / LANES;
        put_line(s, &in->l1d_rsp, b);
        tmask_t rest = in->l1d_rsp.tag.tmask & ~(LANE_BITS << b * LANES);
        if (rest) {
            s->l_valid = true;
            s->l = in->l1d_rsp;
            s->l.tag.tmask = rest;
        }
        if (word) {
            s->sp_valid = true;
            s->sp = in->spad_rsp;
        }
    } else if (word) {
        put_word(s, &in->spad_rsp);
    } else if (fr_was) {
        result_t *x = &s->x[s->xcount++];
        memset(x, 0, sizeof *x);
        x->warp = s->fr_warp;
        x->seq = s->fr_seq;
        x->last = true;
        s->fr_valid = false;
    }
}

void lsu_tick(lsu_t *s, const lsu_in_t *in)
{
    bool fr_was = s->fr_valid, give = s->owed != 0;
    memset(&s->ev, 0, sizeof s->ev);
    s->core = in->core;
    s->ev.lsu_stall_l1d = s->view.req_valid && !in->l1d_req_ready;
    s->ev.lsu_stall_spad = s->view.spad_valid && !in->spad_req_ready;
    s->fault_valid = false;
    front(s, in);
    results(s, in, fr_was);
    if (s->in_valid)
        gather(s, &in->kernel);
    s->in_valid = in->ops_valid && in->ops.pipe == PIPE_LSU;
    if (s->in_valid) {
        s->in = in->ops;
        s->held++;
    }
    if (give) {
        s->owed--;
        s->held--;
    }
    s->unacked -= in->l1d_ack;
    if (in->start_valid) {
        s->base[in->start.warp] = in->start.spad_base & ((1u << SPAD_W) - 1);
        s->dead[in->start.warp] = false;
    }
    look(s);
}

bool lsu_idle(const lsu_t *s)
{
    static const ev_lsu_t none;
    return !s->in_valid && !s->full && !s->xcount && !s->l_valid && !s->sp_valid && !s->fr_valid && !s->st.valid && !s->owed
        && !s->fault_valid && !memcmp(&s->ev, &none, sizeof none);
}
