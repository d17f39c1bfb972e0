/* The page of hmd (docs/blocks/hmd.md) as a program: the directory, its transactions, and what they send; every output and event of each cycle. Step numbers and
 * stages are the page's. What an edge changes is computed from a copy of the state before it. */
#ifndef VERIF_COHERENCE_HMD_PAGE_H
#define VERIF_COHERENCE_HMD_PAGE_H
#include "hmd_ports.h"
#include "verif/coherence/grains.h"
#include "verif/common/scoreboard.h"

enum {
    PG_LPB = INTERLEAVE_BYTES / LINE_BYTES,
    PG_ENTRIES = HOST_BYTES / INTERLEAVE_BYTES,
    PG_SLOTS = 2 * L2_MSHRS < 8 ? 2 * L2_MSHRS : 8,
    PG_POOL = DEVICES * (CHANNELS / HOST_CHANNELS) * SMD_TRANSACTIONS + 2 * L2_MSHRS
};
typedef struct {
    bool sharer[DEVICES], llc;
    unsigned owner; /* 0: none, else the device + 1 */
} page_entry_t;
typedef enum { PO_READ, PO_OWN, PO_EVICT, PO_FLUSH, PO_L_READ, PO_L_OWN } page_op_e;
typedef struct {
    page_op_e op;
    unsigned device, id;
    uint64_t line;
    bool bytes, thin;
} page_job_t;
typedef enum { PX_LOOK, PX_FIRST, PX_SECOND, PX_LINES, PX_SET, PX_GRANT, PX_ARRIVE } page_stage_e;
typedef struct {
    bool valid;
    page_job_t job;
    page_stage_e stage;
    bool wide; /* all holders give the block up */
    bool first, first_sent, first_peer;
    unsigned first_kind;
    bool probe[DEVICES], lprobe[PG_LPB], wait[DEVICES];
    unsigned pkind, lkind, lwait, next;
    page_entry_t e; /* as it was looked up */
    bool lheld, osent;
    uint8_t ostate;
} page_x_t;
typedef enum { PS_FREE, PS_READ, PS_HERE } page_slot_e;
typedef struct {
    page_slot_e state;
    bool get;
    unsigned x; /* get: the device */
    uint64_t line;
    vl_bits_1024 data;
} page_slot_t;
/* Queues of two: in from devices, from the host's slices, and out to both and to memory. */
#define PAGE_QUEUE(type)  \
    struct {              \
        type w[2];        \
        unsigned n;       \
    }
typedef struct {
    unsigned init;
    PAGE_QUEUE(hmd_req_t) qin;
    PAGE_QUEUE(hmd_ack_t) kin;
    PAGE_QUEUE(home_req_t) lin;
    PAGE_QUEUE(home_ack_t) ain;
    PAGE_QUEUE(hmd_probe_t) pq;
    PAGE_QUEUE(hmd_data_t) dq;
    PAGE_QUEUE(home_probe_t) lq;
    PAGE_QUEUE(home_req_t) mq;
    page_job_t pool[PG_POOL];
    unsigned pool_n;
    page_x_t x[HMD_TRANSACTIONS];
    page_slot_t r[PG_SLOTS];
    bool s1_valid, s1_set;
    unsigned s1_x, memory;
} page_state_t;
typedef struct {
    page_state_t s;
    page_entry_t table[PG_ENTRIES];
    hmd_out_t out;
} page_t;

static uint64_t page_block(uint64_t line)
{
    return line / PG_LPB;
}

/* Where a line stands in the channel's memory (page, Addresses). */
static uint64_t page_host_line(uint64_t line)
{
    const uint64_t block = page_block(line);
    return ((block / HOST_CHANNELS * CHANNELS + block % HOST_CHANNELS) * PG_LPB + line % PG_LPB)
           % (1ull << LINE_ADDR_W);
}

/* memory = memcpy, managed: requests of memory go to stacks. */
static bool page_stacks(const page_state_t *s)
{
    return s->memory == MEMORY_MEMCPY || s->memory == MEMORY_MANAGED;
}

static unsigned page_home(const page_state_t *s, uint64_t line)
{
    return s->memory == MEMORY_MEMCPY ? page_block(line) / CHANNELS % DEVICES : 0;
}

static page_entry_t *page_entry(page_t *p, uint64_t line)
{
    return &p->table[page_block(line) / HOST_CHANNELS % PG_ENTRIES];
}

/* The transaction of a line's block; HMD_TRANSACTIONS: none. */
static unsigned page_of(const page_state_t *s, uint64_t line)
{
    unsigned x = 0;
    while (x < HMD_TRANSACTIONS && !(s->x[x].valid && page_block(s->x[x].job.line) == page_block(line)))
        x++;
    return x;
}

static bool page_llc(page_op_e op)
{
    return op == PO_L_READ || op == PO_L_OWN;
}

static bool page_any(const bool *bits, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (bits[i])
            return true;
    return false;
}

static bool page_masked(vl_bits_128 m)
{
    return m.w[0] || m.w[1];
}

/* Step 7: the entry that x sets, and what it grants. */
static uint8_t page_set(const page_x_t *x, page_entry_t *e)
{
    const unsigned i = x->job.device, o = x->e.owner;
    *e = x->e;
    bool others = o && o != i + 1;
    for (unsigned d = 0; d < DEVICES; d++)
        others |= d != i && x->e.sharer[d];
    switch (x->job.op) {
    case PO_READ:
        if (x->wide) {
            *e = (page_entry_t){.owner = i + 1};
            return NMOESI_E;
        }
        if (!others && o != i + 1 && !x->lheld) {
            *e = (page_entry_t){.owner = i + 1};
            return NMOESI_E;
        }
        e->llc = x->lheld;
        if (o && !(x->first_kind == PROBE_READ && (x->ostate == NMOESI_O || x->ostate == NMOESI_M))) {
            e->owner = 0;
            e->sharer[o - 1] = true;
        }
        e->sharer[i] = true;
        return NMOESI_S;
    case PO_OWN: *e = (page_entry_t){.owner = i + 1}; return NMOESI_M;
    case PO_EVICT:
    case PO_FLUSH:
        if (x->wide)
            *e = (page_entry_t){.owner = 0};
        else if (x->job.op == PO_EVICT) {
            e->sharer[i] = false;
            e->owner = o == i + 1 ? 0 : o;
        } else if (o == i + 1 && x->ostate != NMOESI_E && x->ostate != NMOESI_M) {
            e->owner = 0;
            e->sharer[i] = true;
        }
        return NMOESI_I;
    case PO_L_READ:
        if (x->wide) {
            *e = (page_entry_t){.llc = true};
            return NMOESI_E;
        }
        if (o)
            e->sharer[o - 1] = true;
        e->owner = 0;
        e->llc = true;
        return o || page_any(x->e.sharer, DEVICES) ? NMOESI_S : NMOESI_E;
    default: *e = (page_entry_t){.llc = true}; return NMOESI_M;
    }
}

static void page_show(page_t *p)
{
    const page_state_t *s = &p->s;
    hmd_out_t *o = &p->out;
    o->smd_req_ready = s->qin.n < 2;
    o->smd_ack_ready = s->kin.n < 2;
    o->home_req_ready = s->lin.n < 2;
    o->home_ack_ready = s->ain.n < 2;
    for (unsigned i = 0; i < s->lin.n; i++)
        o->home_ack_ready &= s->lin.w[i].op != HOME_WRITE_BACK;
    o->smd_probe_valid = s->pq.n;
    o->smd_probe = s->pq.w[0];
    o->smd_data_valid = s->dq.n;
    o->smd_data = s->dq.w[0];
    o->home_probe_valid = s->lq.n;
    o->home_probe = s->lq.w[0];
    o->host_req_valid = s->mq.n;
    o->host_req = s->mq.w[0];
    o->idle = s->init == PG_ENTRIES && !s->qin.n && !s->kin.n && !s->lin.n && !s->ain.n && !s->pq.n && !s->dq.n
              && !s->lq.n && !s->mq.n && !s->pool_n && !s->s1_valid && !o->home_rsp_valid;
    for (unsigned x = 0; x < HMD_TRANSACTIONS; x++)
        o->idle &= !s->x[x].valid;
    for (unsigned r = 0; r < PG_SLOTS; r++)
        o->idle &= s->r[r].state == PS_FREE;
}

static void page_begin(page_t *p)
{
    page_show(p);
}

/* Step 5: a look-up. */
static void page_look(page_x_t *x, const page_entry_t *e, bool peers)
{
    const unsigned i = x->job.device, o = e->owner;
    const page_op_e op = x->job.op;
    const bool mine = !page_llc(op) && o == i + 1, i_holds = mine || (!page_llc(op) && e->sharer[i]),
               gives = op == PO_EVICT || op == PO_FLUSH;
    bool another = e->llc || (o && !mine);
    for (unsigned d = 0; d < DEVICES; d++)
        another |= d != i && e->sharer[d];
    x->e = *e;
    x->wide = gives ? x->job.bytes && i_holds && another
                    : (op == PO_L_READ || (op == PO_READ && !peers)) && o && page_any(e->sharer, DEVICES);
    const bool held = o || page_any(e->sharer, DEVICES), all = x->wide || op == PO_OWN || op == PO_L_OWN;
    x->first = o && (x->wide || !gives);
    x->first_kind = all ? PROBE_WRITE : op == PO_READ && peers ? PROBE_READ : PROBE_CLEAN;
    x->first_peer = peers && (op == PO_READ || (op == PO_OWN && !mine && !page_any(e->sharer, DEVICES)));
    for (unsigned d = 0; d < DEVICES; d++)
        x->probe[d] = all ? e->sharer[d] : gives && d == i && i_holds;
    x->pkind = all || op == PO_EVICT ? PROBE_WRITE : PROBE_CLEAN;
    for (unsigned k = 0; k < PG_LPB; k++)
        x->lprobe[k] = e->llc && (x->wide || op == PO_READ || op == PO_OWN || (op == PO_L_OWN && held));
    x->lkind = all ? PROBE_WRITE : PROBE_CLEAN;
    x->stage = PX_FIRST;
}

/* Step 6, FIRST and SECOND: stages of transaction k, but for probes. */
static void page_probed(const page_x_t *was, page_x_t *x)
{
    if (was->stage == PX_FIRST && (!was->first || (was->first_sent && !page_any(was->wait, DEVICES))))
        x->stage = PX_SECOND;
    if (was->stage == PX_SECOND && !page_any(was->probe, DEVICES) && !page_any(was->lprobe, PG_LPB)
        && !page_any(was->wait, DEVICES) && !was->lwait) {
        const page_op_e op = was->job.op;
        x->stage =
            page_llc(op) || ((op == PO_READ || op == PO_OWN) && !was->osent && !was->job.thin) ? PX_LINES : PX_SET;
        x->next = 0;
    }
}

static void page_probes(const page_state_t *was, page_state_t *s, ev_hmd_t *ev)
{
    bool sent = was->pq.n >= 2, lsent = was->lq.n >= 2;
    for (unsigned k = 0; k < HMD_TRANSACTIONS; k++) {
        const page_x_t *w = &was->x[k];
        page_x_t *x = &s->x[k];
        if (!w->valid)
            continue;
        const bool first = w->stage == PX_FIRST && w->first && !w->first_sent, second = w->stage == PX_SECOND;
        unsigned d = first ? w->e.owner - 1 : 0, line = 0;
        while (!first && d < DEVICES && !w->probe[d])
            d++;
        if (!sent && (first || (second && d < DEVICES))) {
            hmd_probe_t *q = &s->pq.w[s->pq.n++];
            memset(q, 0, sizeof *q);
            q->device = (__typeof__(q->device))d;
            q->probe.kind = (__typeof__(q->probe.kind))(first ? w->first_kind : w->pkind);
            q->probe.line = page_block(w->job.line) * PG_LPB;
            q->probe.to_peer = first && w->first_peer;
            if (q->probe.to_peer)
                q->probe.peer = (__typeof__(q->probe.peer))w->job.device;
            q->probe.keep = second && w->job.op == PO_FLUSH && !w->wide;
            x->wait[d] = true;
            if (first)
                x->first_sent = true;
            else
                x->probe[d] = false;
            sent = ev->hmd_probe = true;
        }
        while (line < PG_LPB && !w->lprobe[line])
            line++;
        if (!lsent && second && line < PG_LPB) {
            s->lq.w[s->lq.n].kind = (__typeof__(s->lq.w[0].kind))w->lkind;
            s->lq.w[s->lq.n++].line = page_block(w->job.line) * PG_LPB + line;
            x->lprobe[line] = false;
            x->lwait++;
            lsent = ev->hmd_host_probe = true;
        }
    }
}

/* What would enter mq enters dq. */
static void page_to_stack(page_state_t *s, unsigned mem, unsigned id, uint64_t line, vl_bits_128 be, vl_bits_1024 data)
{
    hmd_data_t *d = &s->dq.w[s->dq.n++];
    const bool all = be.w[0] == ~0ull && be.w[1] == ~0ull;
    memset(d, 0, sizeof *d);
    d->device = (__typeof__(d->device))page_home(s, line);
    d->data.mem = (__typeof__(d->data.mem))mem;
    d->data.id = (__typeof__(d->data.id))id;
    d->data.line = line;
    if (!all)
        d->data.mask = mask_of_be(&be);
    d->data.data = data;
}

static void page_reads(page_state_t *s, unsigned slot, uint64_t line, ev_hmd_t *ev)
{
    ev->hmd_stack |= page_stacks(s);
    if (page_stacks(s))
        page_to_stack(s, SMD_MEM_READ, slot, line, (vl_bits_128){{0}}, (vl_bits_1024){{0}});
    else
        s->mq.w[s->mq.n++] =
            (home_req_t){.op = HOME_READ, .id = (__typeof__(s->mq.w[0].id))slot, .line = page_host_line(line)};
}

static void page_write(page_state_t *s, uint64_t line, vl_bits_128 be, vl_bits_1024 data, ev_hmd_t *ev)
{
    ev->hmd_stack |= page_stacks(s);
    if (page_stacks(s)) {
        page_to_stack(s, SMD_MEM_WRITE, 0, line, be, data);
        return;
    }
    home_req_t *r = &s->mq.w[s->mq.n++];
    *r = (home_req_t){.op = HOME_WRITE_BACK, .line = page_host_line(line), .state = NMOESI_M, .be = be};
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (be.w[i / 64] >> i % 64 & 1)
            r->data.w[i / 8] |= data.w[i / 8] & 0xffull << i % 8 * 8;
}

/* Steps 1 to 3: what brings bytes. Returns whether the place of mq is taken. */
static bool page_bytes(const page_state_t *was, page_state_t *s, bool mq, ev_hmd_t *ev)
{
    const hmd_ack_t *k = &was->kin.w[0];
    unsigned slot = 0, free = 0;
    while (slot < PG_SLOTS && was->r[slot].state != PS_FREE)
        slot++;
    for (unsigned i = 0; i < PG_SLOTS; i++)
        free += was->r[i].state == PS_FREE;
    const bool get = k->ack.kind == SMD_GET, writes = k->ack.kind == SMD_BYTES;
    if (was->kin.n && (!(get || writes) || !mq) && (!get || free >= 2)) {
        const unsigned x = page_of(was, k->ack.line);
        page_x_t *t = &s->x[x % HMD_TRANSACTIONS];
        if (writes) {
            page_write(s, k->ack.line, be_of_mask(&k->ack.mask), k->ack.data, ev);
            mq = ev->hmd_bytes = true;
        } else if (get) {
            page_reads(s, slot, k->ack.line, ev);
            s->r[slot] = (page_slot_t){.state = PS_READ, .get = true, .x = k->device, .line = k->ack.line};
            mq = ev->hmd_get = true;
        } else if (x < HMD_TRANSACTIONS && k->ack.kind == SMD_DONE) {
            t->wait[k->device] = false;
            if (t->e.owner == k->device + 1u) {
                t->ostate = (uint8_t)k->ack.state;
                t->osent = k->ack.sent;
            }
            ev->hmd_peer = k->ack.sent;
        } else if (x < HMD_TRANSACTIONS) {
            t->valid = false;
        }
        s->kin.w[0] = s->kin.w[1];
        s->kin.n--;
    }
    const home_ack_t *a = &was->ain.w[0];
    if (was->ain.n && (!page_masked(a->be) || !mq)) {
        const unsigned x = page_of(was, a->line);
        if (page_masked(a->be)) {
            page_write(s, a->line, a->be, a->data, ev);
            mq = ev->hmd_bytes = true;
        }
        if (x < HMD_TRANSACTIONS) {
            s->x[x].lwait--;
            s->x[x].lheld |= a->state != NMOESI_I;
        }
        s->ain.w[0] = s->ain.w[1];
        s->ain.n--;
    }
    const home_req_t *l = &was->lin.w[0];
    const bool write = was->lin.n && l->op == HOME_WRITE_BACK, read = was->lin.n && !write;
    if (write && !was->ain.n && (!page_masked(l->be) || !mq)) {
        if (page_masked(l->be)) {
            page_write(s, l->line, l->be, l->data, ev);
            mq = ev->hmd_bytes = true;
        }
        s->lin.w[0] = s->lin.w[1];
        s->lin.n--;
    }
    if (read) {
        s->pool[s->pool_n++] =
            (page_job_t){.op = l->op == HOME_READ_OWN ? PO_L_OWN : PO_L_READ, .id = l->id, .line = l->line};
        s->lin.w[0] = s->lin.w[1];
        s->lin.n--;
    } else if (was->qin.n) {
        const hmd_req_t *q = &was->qin.w[0];
        s->pool[s->pool_n++] = (page_job_t){.op = (page_op_e)(PO_READ + (q->req.op - SMD_READ)),
                                            .device = q->device,
                                            .line = q->req.line,
                                            .bytes = q->req.bytes,
                                            .thin = q->req.thin};
        s->qin.w[0] = s->qin.w[1];
        s->qin.n--;
    }
    return mq;
}

/* Step 6, LINES. mq: its place is taken. */
static void page_lines(const page_state_t *was, page_state_t *s, bool mq, ev_hmd_t *ev)
{
    unsigned slot = 0;
    while (slot < PG_SLOTS && was->r[slot].state != PS_FREE)
        slot++;
    for (unsigned k = 0; k < HMD_TRANSACTIONS; k++) {
        const page_x_t *w = &was->x[k];
        const unsigned n = page_llc(w->job.op) ? 1 : PG_LPB;
        if (!w->valid || w->stage != PX_LINES)
            continue;
        if (w->next < n && slot < PG_SLOTS && !mq) {
            const uint64_t line = page_block(w->job.line) * PG_LPB + (w->job.line + w->next) % PG_LPB;
            page_reads(s, slot, line, ev);
            s->r[slot].state = PS_READ;
            s->r[slot].get = false;
            s->r[slot].x = k;
            s->r[slot].line = line;
            s->x[k].next++;
            mq = true;
        }
        bool mine = false;
        for (unsigned i = 0; i < PG_SLOTS; i++)
            mine |= was->r[i].state != PS_FREE && !was->r[i].get && was->r[i].x == k;
        if (w->next == n && !mine)
            s->x[k].stage = PX_SET;
    }
}

/* Step 6, Emit and GRANT. Returns whether the place of dq is taken. */
static bool page_data(const page_state_t *was, page_state_t *s, page_t *p, ev_hmd_t *ev)
{
    unsigned here = 0;
    bool emitted = false, granted = false;
    p->out.home_rsp_valid = false;
    while (here < PG_SLOTS && was->r[here].state != PS_HERE)
        here++;
    if (here < PG_SLOTS) {
        const page_slot_t *r = &was->r[here];
        const page_x_t *w = &was->x[r->get ? 0 : r->x];
        page_entry_t e;
        if (!r->get && page_llc(w->job.op)) {
            p->out.home_rsp_valid = true;
            p->out.home_rsp.id = (__typeof__(p->out.home_rsp.id))w->job.id;
            p->out.home_rsp.state = (__typeof__(p->out.home_rsp.state))page_set(w, &e);
            p->out.home_rsp.data = r->data;
            s->r[here].state = PS_FREE;
            ev->hmd_line = true;
        } else if (was->dq.n < 2) {
            hmd_data_t *d = &s->dq.w[s->dq.n++];
            memset(d, 0, sizeof *d);
            d->device = (__typeof__(d->device))(r->get ? r->x : w->job.device);
            d->data.line = r->line;
            d->data.data = r->data;
            s->r[here].state = PS_FREE;
            emitted = ev->hmd_line = true;
        }
    }
    for (unsigned k = 0; k < HMD_TRANSACTIONS && !granted && !emitted && was->dq.n < 2; k++) {
        const page_x_t *w = &was->x[k];
        page_entry_t e;
        if (!w->valid || w->stage != PX_GRANT)
            continue;
        hmd_data_t *d = &s->dq.w[s->dq.n++];
        memset(d, 0, sizeof *d);
        d->device = (__typeof__(d->device))w->job.device;
        d->data.grant = true;
        d->data.line = w->job.line;
        d->data.state = (__typeof__(d->data.state))page_set(w, &e);
        s->x[k].stage = PX_ARRIVE;
        granted = ev->hmd_grant = true;
        ev->hmd_state = d->data.state;
    }
    return was->dq.n >= 2 || emitted || granted;
}

/* Step 5, a write: the record for observers. */
static void page_told(uint64_t line, const page_entry_t *e, hmd_dir_t *d)
{
    memset(d, 0, sizeof *d);
    d->line = line;
    d->llc = e->llc;
    for (unsigned k = 0; k < DEVICES; k++) {
        d->sharers |= (__typeof__(d->sharers))(e->sharer[k] << k);
        d->owner |= (__typeof__(d->owner))((e->owner == k + 1) << k);
    }
}

/* Steps 4, 5 and 7: the table, and which transaction comes to it next. */
static void page_table(page_t *p, const page_state_t *was, page_state_t *s, bool peers, ev_hmd_t *ev)
{
    const bool clearing = was->init < PG_ENTRIES;
    s->s1_valid = false;
    p->out.dir_valid = was->s1_valid && was->s1_set;
    if (was->s1_valid) {
        const page_x_t *w = &was->x[was->s1_x];
        page_entry_t *e = page_entry(p, w->job.line);
        if (!was->s1_set) {
            page_look(&s->x[was->s1_x], e, peers);
        } else {
            page_set(w, e);
            page_told(w->job.line, e, &p->out.dir);
            if (page_llc(w->job.op))
                s->x[was->s1_x].valid = false;
        }
    }
    if (clearing) {
        p->table[was->init] = (page_entry_t){.owner = 0};
        s->init++;
    }
    for (unsigned k = 0; k < HMD_TRANSACTIONS && !s->s1_valid; k++) {
        const page_x_t *w = &was->x[k];
        if (!w->valid || w->stage != PX_SET || (was->s1_valid && was->s1_set && was->s1_x == k))
            continue;
        s->s1_valid = s->s1_set = true;
        s->s1_x = k;
        if (!page_llc(w->job.op))
            s->x[k].stage = PX_GRANT;
    }
    unsigned x = 0, i = 0;
    while (x < HMD_TRANSACTIONS && was->x[x].valid)
        x++;
    while (i < was->pool_n && page_of(was, was->pool[i].line) < HMD_TRANSACTIONS)
        i++;
    if (clearing || s->s1_valid || x == HMD_TRANSACTIONS || i == was->pool_n) {
        ev->hmd_wait = was->pool_n != 0;
        return;
    }
    s->x[x] = (page_x_t){.valid = true, .job = was->pool[i], .stage = PX_LOOK};
    s->pool_n--;
    memmove(s->pool + i, s->pool + i + 1, (s->pool_n - i) * sizeof s->pool[0]);
    s->s1_valid = true;
    s->s1_set = false;
    s->s1_x = x;
    ev->hmd_read = was->pool[i].op == PO_READ;
    ev->hmd_own = was->pool[i].op == PO_OWN;
    ev->hmd_evict = was->pool[i].op == PO_EVICT;
    ev->hmd_flush = was->pool[i].op == PO_FLUSH;
    ev->hmd_host_read = was->pool[i].op == PO_L_READ;
    ev->hmd_host_own = was->pool[i].op == PO_L_OWN;
}

static void page_expect(page_t *p, const hmd_in_t *in)
{
    static page_state_t before;
    before = p->s;
    const page_state_t *was = &before;
    page_state_t *s = &p->s;
    const hmd_out_t o = p->out;
    ev_hmd_t ev;
    memset(&ev, 0, sizeof ev);
    /* what is taken leaves before anything enters */
    if (o.smd_probe_valid && in->smd_probe_ready) {
        s->pq.w[0] = s->pq.w[1];
        s->pq.n--;
    }
    if (o.smd_data_valid && in->smd_data_ready) {
        s->dq.w[0] = s->dq.w[1];
        s->dq.n--;
    }
    if (o.home_probe_valid && in->home_probe_ready) {
        s->lq.w[0] = s->lq.w[1];
        s->lq.n--;
    }
    if (o.host_req_valid && in->host_req_ready) {
        s->mq.w[0] = s->mq.w[1];
        s->mq.n--;
    }
    s->memory = in->memory;
    const bool dq = page_data(was, s, p, &ev), mq = page_bytes(was, s, page_stacks(s) ? dq : was->mq.n >= 2, &ev);
    page_probes(was, s, &ev);
    for (unsigned k = 0; k < HMD_TRANSACTIONS; k++)
        if (was->x[k].valid)
            page_probed(&was->x[k], &s->x[k]);
    page_lines(was, s, mq, &ev);
    page_table(p, was, s, in->peers && in->memory == MEMORY_UMH, &ev);
    if (in->host_rsp_valid) {
        s->r[in->host_rsp.id].state = PS_HERE;
        s->r[in->host_rsp.id].data = in->host_rsp.data;
    }
    if (in->smd_mem_valid) {
        s->r[in->smd_mem.id].state = PS_HERE;
        s->r[in->smd_mem.id].data = in->smd_mem.data;
    }
    if (in->home_ack_valid && o.home_ack_ready)
        s->ain.w[s->ain.n++] = in->home_ack;
    if (in->smd_req_valid && o.smd_req_ready)
        s->qin.w[s->qin.n++] = in->smd_req;
    if (in->smd_ack_valid && o.smd_ack_ready)
        s->kin.w[s->kin.n++] = in->smd_ack;
    if (in->home_req_valid && o.home_req_ready)
        s->lin.w[s->lin.n++] = in->home_req;
    p->out.ev = ev;
    page_show(p);
}
#endif
