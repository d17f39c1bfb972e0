/* The page of lsu (docs/blocks/lsu.md) as a program: which rows are looked up, visited and left, what is shown and what is counted, in every cycle. Operands, addresses of the
 * scratchpad and bytes are scoreboard.h's. Steps and names of the state are the page's; the state stands in env.h. */
#ifndef LSU_BENCH_PAGE_H
#define LSU_BENCH_PAGE_H
#include "verif/common/scoreboard.h"
#include "verif/core/lsu/env.h"

enum { PAGE_SLOTS = TLB_MSHRS + 1, NO_ROW = LSU_ROWS, NO_ENTRY = LSU_ENTRIES, MOST_STORES = 254 };

static uint64_t page_beat(unsigned beat)
{
    return ALL_LANES << beat * LANES;
}

static bool page_overlap(const lsu_in_t *in)
{
    return in->mode == TLB_OVERLAP;
}

static uint64_t page_phys(const page_row_t *r, unsigned t)
{
    return r->frame[t] << 12 | (r->addr[t] & 4095);
}

/* Threads in look-up: in lk, fk, mq, asked. */
static uint64_t page_in_look(const page_row_t *r)
{
    return r->unsent & ~(r->todo | r->wait | r->ans | r->ok | r->flt);
}

static unsigned page_free_entry(const lsu_page_t *s)
{
    unsigned k = 0;
    while (k < LSU_ENTRIES && s->entry[k].valid)
        k++;
    return k;
}

/* Threads of `from` that share the `bits` upper bits of the lowest one's address. */
static uint64_t page_alike(const page_row_t *r, uint64_t from, uint64_t with, unsigned bits, bool phys)
{
    uint64_t set = 0;
    const unsigned l = lowest(with);
    for EACH(t, from)
        if ((phys ? page_phys(r, (unsigned)t) ^ page_phys(r, l) : r->addr[t] ^ r->addr[l]) >> bits == 0)
            set |= BIT(t);
    return set;
}

static unsigned page_log2(unsigned v)
{
    return lowest(v);
}

/* ---- what is shown: a function of the state ---- */

static uint64_t page_ready_threads(const lsu_page_t *s, const page_row_t *r, bool overlap) /* P */
{
    return !s->sd && (overlap || r->unsent == r->ok) ? r->ok : 0;
}

static uint64_t page_next_threads(const lsu_page_t *s, const page_row_t *r, bool overlap) /* L */
{
    const uint64_t p = page_ready_threads(s, r, overlap);
    if (s->lmask || !p)
        return s->lmask;
    return r->kind == MEMOP_ATOMIC ? p & -p : page_alike(r, p, p, page_log2(SECTOR_BYTES), true);
}

typedef enum {
    VISIT_NONE,
    VISIT_EARLY,
    VISIT_DROP,
    VISIT_FAULT,
    VISIT_WG,
    VISIT_FENCE,
    VISIT_POST,
    VISIT_FAULTED,
    VISIT_RELEASE,
    VISIT_WAIT,
    VISIT_ACTIVE
} page_visit_e;

/* The first step that applies. */
static page_visit_e page_visit(const lsu_page_t *s, bool overlap)
{
    const page_row_t *r = &s->row[s->front];
    if (s->front == NO_ROW)
        return VISIT_NONE;
    if (s->early)
        return VISIT_EARLY;
    if (s->dead[r->warp] && !r->seen)
        return VISIT_DROP;
    if (r->bad)
        return VISIT_FAULT;
    if (r->kind == MEMOP_WG)
        return VISIT_WG;
    if (r->kind == MEMOP_FENCE)
        return VISIT_FENCE;
    if (s->post)
        return VISIT_POST;
    const bool midst = r->seen && !(s->tbeat == BEATS && !s->lmask && !s->words);
    if (r->flt && r->unsent == (r->flt | r->ok) && !(overlap && r->ok) && !midst)
        return VISIT_FAULTED;
    if (r->rl && !s->pre && !r->seen)
        return VISIT_RELEASE;
    return r->seen || r->kind == MEMOP_STORE || page_free_entry(s) != NO_ENTRY ? VISIT_ACTIVE : VISIT_WAIT;
}

static bool page_quiet(const lsu_page_t *s)
{
    return !s->unacked && !s->amos;
}

static bool page_sd_shows(const lsu_page_t *s)
{
    return s->sd && !s->unacked && !s->loads && !s->lmask && !s->st.valid;
}

static bool page_lk_shown(const lsu_page_t *s)
{
    return s->lk.ports && !s->slots && s->mqs + (s->fk.ports != 0) <= 1;
}

static void page_show_request(const lsu_page_t *s, lsu_out_t *o, page_visit_e v, bool overlap)
{
    const page_row_t *r = &s->row[s->front];
    l1d_req_t *q = &o->l1d_req;
    const bool fence = (v == VISIT_FENCE && !s->fr) || v == VISIT_POST || v == VISIT_RELEASE;
    *q = (l1d_req_t){0};
    if (s->st.valid) {
        o->l1d_req_valid = s->st.final;
        *q = (l1d_req_t){.op = s->st.atomic ? L1D_AMO : L1D_STORE,
                         .warp = (uint8_t)s->st.warp,
                         .line = s->st.line,
                         .sector = s->st.sector};
        if (s->st.atomic) {
            q->tag.entry = (uint8_t)s->st.entry;
            q->tag.tmask = s->st.threads;
            q->sector = 0;
        }
    } else if (page_sd_shows(s)) {
        o->l1d_req_valid = true;
        q->op = L1D_INVAL;
    } else if (fence && page_quiet(s)) {
        o->l1d_req_valid = true;
        *q = (l1d_req_t){.op = L1D_INVAL, .warp = (uint8_t)r->warp};
    } else if (v == VISIT_EARLY && s->tbeat == 0 && page_lk_shown(s) && s->lk.ports == 1 && !s->lk.left
               && page_free_entry(s) != NO_ENTRY && !s->sd
               && page_alike(r, r->active, r->active, page_log2(SECTOR_BYTES), false) == r->active) {
        const uint64_t at = r->addr[lowest(r->active)];
        o->l1d_req_valid = true;
        *q = (l1d_req_t){.op = L1D_LOAD,
                         .early = true,
                         .warp = (uint8_t)r->warp,
                         .line = at >> 7 & 31,
                         .sector = at / SECTOR_BYTES % SECTORS};
        q->tag.entry = (uint8_t)page_free_entry(s);
        q->tag.tmask = r->active;
    } else if (v == VISIT_ACTIVE && r->kind == MEMOP_LOAD && page_next_threads(s, r, overlap)) {
        const uint64_t l = page_next_threads(s, r, overlap), at = page_phys(r, lowest(l));
        o->l1d_req_valid = true;
        *q = (l1d_req_t){
            .op = L1D_LOAD, .warp = (uint8_t)r->warp, .line = at >> 7, .sector = at / SECTOR_BYTES % SECTORS};
        q->tag.entry = (uint8_t)(r->seen ? r->entry : page_free_entry(s));
        q->tag.tmask = l;
        q->walked = LOCALITY_ENTRIES != 0 && (l & r->walked) != 0;
    }
}

/* Everything but data. `mode` of the next cycle is this one's: it changes only at rest. */
static void page_show(lsu_page_t *s, const lsu_in_t *in)
{
    lsu_out_t *o = &s->out;
    const bool overlap = page_overlap(in);
    const page_visit_e v = page_visit(s, overlap);
    const page_row_t *r = &s->row[s->front % LSU_ROWS];
    *o = (lsu_out_t){.ev = o->ev,
                     .sent_valid = o->sent_valid,
                     .sent = o->sent,
                     .inv_done = o->inv_done,
                     .fault_valid = o->fault_valid,
                     .fault = o->fault,
                     .pf_valid = o->pf_valid,
                     .pf = o->pf};
    o->credit = s->pending != 0;
    if (page_lk_shown(s)) {
        o->look_valid = (uint8_t)s->lk.ports;
        for EACH(p, s->lk.ports)
            o->look[p] = (look_t){.vpn = s->lk.vpn[p], .store = s->row[s->lk.row].write, .warp = (uint8_t)s->lk.warp};
    }
    o->early = s->ek.valid && s->fk.ports && s->fk.early;
    o->miss_valid = s->mqs && !s->slots;
    if (o->miss_valid) {
        const page_look_t *m = &s->mq[0];
        o->miss = (miss_t){
            .vpn = m->vpn[lowest(m->ports)], .access = m->write ? ACC_STORE : ACC_LOAD, .warp = (uint8_t)m->warp};
    }
    page_show_request(s, o, v, overlap);
    o->l1d_rsp_ready = o->spad_rsp_ready = s->x < 2 && !s->l.valid && !s->sp.valid;
    o->lsu_res_valid = s->x != 0;
    if (s->x)
        o->lsu_res = s->record[0];
    const bool traces = (v == VISIT_ACTIVE || v == VISIT_EARLY) && s->tbeat < BEATS && r->active & page_beat(s->tbeat);
    o->trace_valid = traces;
    if (traces)
        o->trace = (memtrace_t){.warp = (uint8_t)r->warp,
                                .seq = (uint8_t)r->seq,
                                .beat = s->tbeat,
                                .mask = (r->active & page_beat(s->tbeat)) >> s->tbeat * LANES};
    if (v == VISIT_ACTIVE && s->words) {
        const unsigned b = lowest(s->words) / LANES;
        o->spad_req_valid = true;
        o->spad_req = (spad_req_t){.entry = (uint8_t)(r->kind == MEMOP_STORE ? 0
                                                      : r->seen              ? r->entry
                                                                             : page_free_entry(s)),
                                   .beat = b,
                                   .op = (uint8_t)r->op,
                                   .mask = (s->words & page_beat(b)) >> b * LANES};
    }
    bool entries = false;
    for (unsigned k = 0; k < LSU_ENTRIES; k++)
        entries |= s->entry[k].valid;
    for (unsigned k = 0; k < LSU_ROWS; k++)
        if (s->row[k].valid && s->row[k].complete && s->row[k].unsent)
            o->unsent |= BIT(s->row[k].warp);
    for (unsigned k = 0; COMPACTS && k < LSU_ROWS; k++)
        if (s->row[k].valid)
            o->rows |= BIT(s->row[k].warp);
    o->idle = !s->held && !s->x && !s->st.valid && !s->fr && !entries && !s->unacked;
}

static void page_begin(lsu_page_t *s)
{
    s->front = s->lrow = s->ap = s->filling = NO_ROW;
    s->out.idle = s->out.l1d_rsp_ready = s->out.spad_rsp_ready = true;
}

/* ---- the edge ---- */

/* What was before it: rows without their addresses. */
typedef struct {
    struct {
        bool valid, complete, seen, traced, reported;
        uint64_t unsent, todo, wait, ans, ok, flt, in_look;
    } row[LSU_ROWS];
    bool dead[WARPS], entry_free, pf, fr, quiet, sd_shows, overlap, blocking;
    bool left; /* rows of the warp whose slot a new one gets */
    unsigned front, lrow, slots, mqs, head, entry;
    uint64_t unacked, found; /* found: threads that look-up 4 makes ok */
    unsigned found_row;
    page_visit_e visit;
} page_before_t;

static void page_remember(const lsu_page_t *s, const lsu_in_t *in, page_before_t *b)
{
    b->left = false;
    for (unsigned k = 0; k < LSU_ROWS; k++) {
        const page_row_t *r = &s->row[k];
        b->left |= in->start_valid && r->valid && r->warp == in->start.warp;
        b->row[k].valid = r->valid;
        b->row[k].complete = r->complete;
        b->row[k].seen = r->seen;
        b->row[k].traced = r->traced;
        b->row[k].reported = r->reported;
        b->row[k].unsent = r->unsent;
        b->row[k].todo = r->todo;
        b->row[k].wait = r->wait;
        b->row[k].ans = r->ans;
        b->row[k].ok = r->ok;
        b->row[k].flt = r->flt;
        b->row[k].in_look = page_in_look(r);
    }
    memcpy(b->dead, s->dead, sizeof b->dead);
    b->entry = page_free_entry(s);
    b->entry_free = b->entry != NO_ENTRY;
    b->pf = s->out.pf_valid;
    b->fr = s->fr;
    b->quiet = page_quiet(s);
    b->sd_shows = page_sd_shows(s);
    b->overlap = page_overlap(in);
    b->blocking = in->mode == TLB_BLOCKING;
    b->front = s->front;
    b->lrow = s->lrow;
    b->slots = s->slots;
    b->mqs = s->mqs;
    b->head = s->slot_head;
    b->unacked = s->unacked;
    b->found = 0;
    b->found_row = NO_ROW;
    b->visit = page_visit(s, b->overlap);
}

static bool page_first(const lsu_page_t *s, const page_before_t *b, unsigned k, unsigned gone)
{
    for (unsigned o = 0; o < LSU_ROWS; o++)
        if (o != k && o != gone && b->row[o].valid && s->row[o].age < s->row[k].age && s->row[o].warp == s->row[k].warp)
            return false;
    return true;
}

/* Ready to go, given its threads; *entry: it needs one. */
static bool page_ready(const page_before_t *b, const lsu_in_t *in, const page_row_t *r, bool seen, bool reported,
                       uint64_t u, uint64_t ok, uint64_t flt, uint64_t in_look, bool *entry)
{
    *entry = false;
    if (b->dead[r->warp] && !in_look)
        return true;
    if (b->dead[r->warp])
        return false;
    if (r->bad || r->kind >= MEMOP_FENCE)
        return true;
    if (flt && u == (flt | ok) && !(b->overlap && ok) && (in->halt || (!reported && !b->pf)))
        return true;
    if (seen)
        return ok && (b->overlap || u == ok);
    *entry = r->kind != MEMOP_STORE;
    return b->overlap ? ok || (r->spad && u != flt) || !u : u == ok;
}

static bool page_row_ready(const lsu_page_t *s, const page_before_t *b, const lsu_in_t *in, unsigned k, bool *entry)
{
    const uint64_t found = k == b->found_row ? b->found : 0, ok = b->row[k].ok | found;
    return b->row[k].valid && b->row[k].complete
           && page_ready(b, in, &s->row[k], b->row[k].seen, b->row[k].reported, b->row[k].unsent, ok, b->row[k].flt,
                         b->row[k].in_look & ~found, entry);
}

/* The front's choice. `gone`: the row that pops at this edge; `completes`: the row that becomes complete. */
static void page_choose(lsu_page_t *s, const page_before_t *b, const lsu_in_t *in, unsigned gone, unsigned completes,
                        bool used)
{
    unsigned any = NO_ROW, without = NO_ROW, pick;
    for (unsigned k = 0; k < LSU_ROWS; k++) {
        bool entry;
        const bool sent = b->visit == VISIT_EARLY && k == b->front && !b->row[k].unsent; /* E2 */
        if (k == gone || sent || !page_row_ready(s, b, in, k, &entry) || !page_first(s, b, k, gone))
            continue;
        if (any == NO_ROW || s->row[k].age < s->row[any].age)
            any = k;
        if (!entry && (without == NO_ROW || s->row[k].age < s->row[without].age))
            without = k;
    }
    pick = b->entry_free || without == NO_ROW ? any : without;
    s->early = false;
    if (pick == NO_ROW && used && s->row[b->lrow].kind == MEMOP_LOAD && !s->row[b->lrow].spad && !b->row[b->lrow].traced
        && b->row[b->lrow].todo == b->row[b->lrow].unsent && page_first(s, b, b->lrow, NO_ROW)) { /* E1 */
        pick = b->lrow;
        s->early = s->row[pick].traced = true;
        s->front = pick;
        s->pre = s->post = false;
        s->tbeat = 0;
        s->words = s->lmask = s->lseen = s->pseen = 0;
        return;
    }
    if (pick == NO_ROW && completes != NO_ROW) {
        const page_row_t *r = &s->row[completes];
        bool entry;
        if (page_first(s, b, completes, gone) && page_ready(b, in, r, false, false, r->unsent, r->ok, 0, 0, &entry))
            pick = completes;
    }
    s->front = pick;
    if (pick == NO_ROW)
        return;
    s->pre = s->post = false;
    s->tbeat = s->row[pick].traced ? BEATS : 0;
    s->words = s->row[pick].traced ? 0 : s->row[pick].spad;
    s->lmask = s->lseen = s->pseen = 0;
}

/* docs/private-memory.md, the table of the permutation: each bit of where it lies is a bit of the address. */
static uint64_t page_interleave(const kernel_t *k, uint64_t a)
{
    unsigned s = k->stack_log2, t = 0, harts = 1;
    while (1u << t < THREADS)
        t++;
    while (1u << harts < CORES * WARPS * THREADS)
        harts++;
    uint64_t p = 0;
    if (s < 4 || s > 19)
        return a;
    for (unsigned i = s + harts; i < 64; i++)
        if ((a >> i & 1) != (k->stack_base >> i & 1))
            return a;
    for (unsigned i = 0; i < 64; i++) {
        const unsigned from = i < 3 || i >= s + t ? i : i < t + 3 ? s + i - 3 : i - t;
        p |= (a >> from & 1) << i;
    }
    return p;
}

/* A beat arrives in its row. Returns the row that it completes. */
static unsigned page_arrive(lsu_page_t *s, const page_before_t *b, const lsu_in_t *in)
{
    const operands_t *q = &s->in;
    if (!s->in_valid)
        return NO_ROW;
    if (q->first) {
        unsigned k = 0;
        while (b->row[k].valid)
            k++;
        s->filling = k;
        s->row[k] = (page_row_t){
            .valid = true, .warp = q->warp, .seq = q->seq, .op = q->op, .rd = q->rd, .pc = q->pc, .age = ++s->ages};
        page_row_t *r = &s->row[k];
        r->kind = memop_kind(q->op);
        r->size = memop_size(q->op);
        r->rl = r->kind == MEMOP_ATOMIC && q->instr >> 25 & 1;
        r->aq = r->kind == MEMOP_ATOMIC && q->instr >> 26 & 1;
        r->write = r->kind == MEMOP_STORE || (r->kind == MEMOP_ATOMIC && memop_amo(q->op) != AMO_LR);
    }
    page_row_t *r = &s->row[s->filling];
    for EACH(l, r->kind >= MEMOP_FENCE ? 0 : q->mask) {
        const unsigned t = q->beat * LANES + (unsigned)l;
        const uint64_t a = q->rs1[l] + (r->kind == MEMOP_ATOMIC ? 0 : q->imm), top = a >> 47;
        r->active |= BIT(t);
        r->addr[t] = page_interleave(&in->kernel, a) & (BIT(48) - 1);
        if (a % r->size)
            r->bad |= BIT(t);
        else if (a >> 16 == SPAD_BASE >> 16)
            *((a & 0xffff) < in->kernel.spad_bytes ? &r->spad : &r->bad) |= BIT(t);
        else if (in->root.sv48 ? top == 0 || top == 0x1ffff
                               : a >> 48 == 0 && a >= in->kernel.mem_base && a < in->kernel.mem_limit) {
            r->global |= BIT(t);
            r->unsent |= BIT(t);
            *(in->root.sv48 ? &r->todo : &r->ok) |= BIT(t);
            r->frame[t] = r->addr[t] >> 12;
        } else {
            r->bad |= BIT(t);
        }
    }
    if (!q->last)
        return NO_ROW;
    r->complete = true;
    return s->filling;
}

/* Look-up 1, look-up 2. Returns whether lrow was used. `lk_free`: it is taken at this edge, or not valid. */
static bool page_look(lsu_page_t *s, const page_before_t *b, bool lk_free, unsigned completes, ev_lsu_t *ev)
{
    page_row_t *r = &s->row[b->lrow % LSU_ROWS];
    const bool may = b->lrow != NO_ROW && !b->dead[r->warp] && b->row[b->lrow].todo && !b->slots && lk_free;
    bool others = false;
    for (unsigned k = 0; k < LSU_ROWS; k++)
        others |= k != b->lrow && b->row[k].valid && (b->row[k].in_look | b->row[k].wait | b->row[k].ans);
    const bool used = may && !(b->blocking && others);
    bool left = false;
    ev->lsu_stall_blocked = may && !used;
    if (used) {
        uint64_t rest = b->row[b->lrow].todo;
        s->lk = (page_look_t){.row = b->lrow, .write = r->write, .warp = r->warp};
        unsigned p = 0;
        for (; p < TLB_PORTS && rest; p++) {
            s->lk.mask[p] = page_alike(r, rest, rest, 12, false);
            s->lk.vpn[p] = r->addr[lowest(rest)] >> 12;
            s->lk.ports |= 1u << p;
            rest &= ~s->lk.mask[p];
        }
        r->todo = rest;
        r->pages += p;
        if (r->pages > 127)
            r->pages = 127;
        left = s->lk.left = rest != 0;
        ev->lsu_pages = (uint8_t)p;
        ev->lsu_stall_port = left;
    }
    if (b->lrow != NO_ROW && !b->dead[r->warp] && b->row[b->lrow].todo && !(used && !left))
        return used;
    s->lrow = NO_ROW; /* look-up 1 */
    for (unsigned k = 0; k < LSU_ROWS; k++) {
        const page_row_t *n = &s->row[k];
        const uint64_t todo = k == completes ? n->todo : k == b->lrow ? n->todo & b->row[k].todo : b->row[k].todo;
        if (!((b->row[k].valid && b->row[k].complete) || k == completes) || n->bad || b->dead[n->warp] || !todo)
            continue;
        bool held = false;
        for (unsigned o = 0; o < LSU_ROWS; o++)
            held |= b->blocking && o != k && b->row[o].valid && (b->row[o].in_look | b->row[o].wait | b->row[o].ans);
        ev->lsu_stall_blocked |= held;
        if (!held && (s->lrow == NO_ROW || n->age < s->row[s->lrow].age))
            s->lrow = k;
    }
    return used;
}

static uint64_t page_faults_of(const page_row_t *r, uint64_t threads, const walked_t *w)
{
    return w->result == WALK_PAGE || !(r->write ? w->leaf.w : w->leaf.r) ? threads
           : w->result == WALK_ACCESS                                    ? threads
                                                                         : 0;
}

/* Look-up 8: the answer at the head, for one row. */
static void page_answer(lsu_page_t *s, const page_before_t *b)
{
    if (!b->slots)
        return;
    const bool acts = s->ap != NO_ROW && !s->fk.ports;
    const walked_t *w = &s->slot[b->head];
    if (acts) {
        page_row_t *r = &s->row[s->ap];
        for EACH(t, b->row[s->ap].ans) {
            if (r->id[t] != b->head)
                continue;
            const bool page = w->result == WALK_PAGE || !(r->write ? w->leaf.w : w->leaf.r);
            const uint64_t low = BIT(9 * w->leaf.level) - 1;
            r->ans &= ~BIT(t);
            r->walked |= BIT(t);
            r->frame[t] = r->addr[t] >> 12;
            if (page_faults_of(r, BIT(t), w)) {
                r->flt |= BIT(t);
                r->facc = page ? r->facc & ~BIT(t) : r->facc | BIT(t);
            } else {
                r->ok |= BIT(t);
                r->frame[t] = (w->leaf.ppn & ~low) | (r->frame[t] & low);
            }
        }
    }
    if (s->ap != NO_ROW && !acts)
        return;
    unsigned next = NO_ROW;
    for (unsigned k = LSU_ROWS; k-- > 0;)
        for EACH(t, b->row[k].valid && k != s->ap ? b->row[k].ans : 0)
            if (s->row[k].id[t] == b->head)
                next = k;
    s->ap = next;
    if (next == NO_ROW) {
        s->slot_head = (s->slot_head + 1) % PAGE_SLOTS;
        s->slots--;
    }
}

static void page_pop(lsu_page_t *s, unsigned k)
{
    page_row_t *r = &s->row[k];
    r->valid = r->complete = false;
    r->unsent = r->todo = r->wait = r->ans = r->ok = r->flt = 0;
    s->pending += BEATS;
}

static void page_count_pages(const page_row_t *r, ev_lsu_t *ev)
{
    if (!r->global)
        return;
    if (r->pages < 2)
        ev->page_div_1++;
    else if (r->pages < 4)
        ev->page_div_2_3 = true;
    else if (r->pages < 8)
        ev->page_div_4_7 = true;
    else if (r->pages < 16)
        ev->page_div_8_15 = true;
    else
        ev->page_div_16_up = true;
}

typedef enum { STAY, LEAVE, POP } page_end_e;

static page_end_e page_faulted(lsu_page_t *s, const page_before_t *b, const lsu_in_t *in, page_row_t *r, ev_lsu_t *ev)
{
    if (in->halt) { /* step 6 */
        s->dead[r->warp] = true;
        if (r->seen && r->kind != MEMOP_STORE) {
            page_entry_t *e = &s->entry[r->entry];
            e->left &= ~r->unsent;
            e->valid = e->left != 0;
        }
        return POP;
    }
    if (r->reported || b->pf)
        return LEAVE;
    const unsigned t = lowest(r->flt);
    s->out.pf_valid = true;
    s->out.pf = (page_fault_t){.access = r->facc >> t & 1,
                               .store = r->write,
                               .warp = (uint8_t)r->warp,
                               .pc = r->pc,
                               .value = r->addr[t],
                               .threads = r->flt};
    r->reported = ev->lsu_page_faults = true;
    return LEAVE;
}

/* Step 8 of a row that is active. */
static page_end_e page_send(lsu_page_t *s, const page_before_t *b, const lsu_in_t *in, page_row_t *r, bool st_taken,
                            ev_lsu_t *ev)
{
    const bool taken = s->out.l1d_req_valid && s->out.l1d_req.op == L1D_LOAD && in->l1d_req_ready;
    uint64_t p = page_ready_threads(s, r, b->overlap), l = page_next_threads(s, r, b->overlap), go = 0;
    const bool first = !s->lmask;
    if (!r->seen) {
        r->seen = true;
        ev->lsu_loads = r->kind == MEMOP_LOAD && !r->traced;
        ev->lsu_stores = r->kind == MEMOP_STORE;
        ev->lsu_atomics = r->kind == MEMOP_ATOMIC;
        r->traced = true;
        if (r->kind != MEMOP_STORE) {
            r->entry = b->entry;
            s->entry[r->entry] = (page_entry_t){.valid = true,
                                                .atomic = r->kind == MEMOP_ATOMIC,
                                                .warp = r->warp,
                                                .seq = r->seq,
                                                .rd = r->rd,
                                                .left = r->active};
        }
    }
    s->tbeat += s->tbeat < BEATS;
    if (s->out.spad_req_valid && in->spad_req_ready)
        s->words &= ~page_beat(s->out.spad_req.beat);
    if (r->kind == MEMOP_LOAD) {
        go = taken ? l : 0;
        s->loads += taken;
    } else if (l && (!s->st.valid || !s->st.final || st_taken)
               && (r->kind == MEMOP_ATOMIC || b->unacked < MOST_STORES)) {
        const unsigned beat = lowest(l) / LANES;
        const uint64_t at = page_phys(r, lowest(l));
        s->st_next = (page_st_t){.valid = true,
                                 .final = !(l & ~page_beat(beat)),
                                 .atomic = r->kind == MEMOP_ATOMIC,
                                 .warp = r->warp,
                                 .line = at >> 7,
                                 .sector = at / SECTOR_BYTES % SECTORS,
                                 .entry = r->entry,
                                 .threads = l};
        go = l;
        s->lmask = l & ~page_beat(beat);
    }
    if (go && (first || r->kind != MEMOP_STORE)) {
        const bool counted = s->lseen >> lowest(go) & 1;
        s->out.sent_valid = true;
        s->out.sent = (sent_t){
            .warp = (uint8_t)r->warp, .seq = (uint8_t)r->seq, .threads = go, .line = page_phys(r, lowest(go)) >> 7};
        ev->lsu_lines += !counted && r->kind != MEMOP_ATOMIC;
        s->lseen |= counted ? 0 : page_alike(r, p, go, 7, true);
        if (!in->root.sv48 && !(s->pseen >> lowest(go) & 1)) {
            r->pages += r->pages < 127;
            ev->lsu_pages = 1;
            s->pseen |= page_alike(r, r->global, go, 12, false);
        }
    }
    r->ok &= ~go;
    r->unsent &= ~go;
    if ((p & ~go) | s->lmask || s->words || s->tbeat < BEATS)
        return STAY;
    if (r->unsent) {
        ev->lsu_parked = true;
        return LEAVE;
    }
    page_count_pages(r, ev);
    s->post = r->aq;
    return r->aq ? STAY : POP;
}

static page_end_e page_front(lsu_page_t *s, const page_before_t *b, const lsu_in_t *in, bool st_taken, ev_lsu_t *ev)
{
    page_row_t *r = &s->row[s->front % LSU_ROWS];
    const bool inval = s->out.l1d_req_valid && s->out.l1d_req.op == L1D_INVAL && !b->sd_shows,
               done = inval && in->l1d_req_ready;
    switch (b->visit) {
    case VISIT_NONE: return LEAVE;
    case VISIT_EARLY:
        ev->lsu_loads = s->tbeat == 0;
        s->tbeat++;
        return s->tbeat == BEATS ? LEAVE : STAY;
    case VISIT_DROP: return b->row[b->front].in_look ? LEAVE : POP;
    case VISIT_FAULT: s->dead[r->warp] = s->out.fault_valid = true; return POP;
    case VISIT_WG:
    case VISIT_FENCE:
        ev->lsu_stall_fence = b->visit == VISIT_FENCE && !inval;
        if (b->visit == VISIT_WG ? b->fr : !done)
            return STAY;
        s->fr = true;
        s->fr_warp = r->warp;
        s->fr_seq = r->seq;
        ev->lsu_fences = true;
        return POP;
    case VISIT_POST: ev->lsu_stall_fence = !inval; return done ? POP : STAY;
    case VISIT_FAULTED: return page_faulted(s, b, in, r, ev);
    case VISIT_RELEASE:
        ev->lsu_stall_fence = !inval;
        s->pre = done;
        return STAY;
    case VISIT_WAIT:
        ev->lsu_stall_entry = true;
        for (unsigned k = 0; k < LSU_ROWS; k++) {
            bool entry;
            if (k != b->front && b->row[k].seen && page_row_ready(s, b, in, k, &entry) && page_first(s, b, k, NO_ROW)) {
                ev->lsu_parked = true;
                return LEAVE;
            }
        }
        return STAY;
    default: return page_send(s, b, in, r, st_taken, ev);
    }
}

/* One record into x; its threads leave the entry. */
static void page_record(lsu_page_t *s, unsigned entry, unsigned beat, uint64_t threads)
{
    page_entry_t *e = &s->entry[entry];
    e->left &= ~threads;
    s->record[s->x++] = (result_t){.warp = (uint8_t)e->warp,
                                   .seq = (uint8_t)e->seq,
                                   .beat = beat,
                                   .rd = (uint8_t)e->rd,
                                   .last = !e->left,
                                   .mask = threads >> beat * LANES};
    e->valid = e->left != 0;
}

static void page_results(lsu_page_t *s, const lsu_in_t *in)
{
    const bool room = s->x < 2, ready = s->out.l1d_rsp_ready, line = in->l1d_rsp_valid && ready,
               word = in->spad_rsp_valid && ready;
    if (s->x && in->lsu_res_ready) {
        s->record[0] = s->record[1];
        s->x--;
    }
    if (line) {
        const bool atomic = s->entry[in->l1d_rsp.tag.entry].atomic;
        s->loads--;
        s->amos -= atomic;
    }
    if (!room)
        return;
    if (s->sp.valid) {
        page_record(s, s->sp.entry, s->sp.beat, s->sp.threads);
        s->sp.valid = false;
    } else if (s->l.valid || line) {
        if (line)
            s->l = (page_rsp_t){.entry = in->l1d_rsp.tag.entry, .threads = in->l1d_rsp.tag.tmask};
        const unsigned beat = lowest(s->l.threads) / LANES;
        page_record(s, s->l.entry, beat, s->l.threads & page_beat(beat));
        s->l.threads &= ~page_beat(beat);
        s->l.valid = s->l.threads != 0;
        if (word)
            s->sp = (page_rsp_t){.valid = true,
                                 .entry = in->spad_rsp.entry,
                                 .beat = in->spad_rsp.beat,
                                 .threads = (uint64_t)in->spad_rsp.mask << in->spad_rsp.beat * LANES};
    } else if (word) {
        page_record(s, in->spad_rsp.entry, in->spad_rsp.beat, (uint64_t)in->spad_rsp.mask << in->spad_rsp.beat * LANES);
    } else if (s->fr) {
        s->record[s->x++] = (result_t){.warp = (uint8_t)s->fr_warp, .seq = (uint8_t)s->fr_seq, .last = true};
        s->fr = false;
    }
}

static void page_expect(lsu_page_t *s, const lsu_in_t *in)
{
    static page_before_t b;
    ev_lsu_t ev = {0};
    page_remember(s, in, &b);
    const lsu_out_t shown = s->out;
    const bool req = shown.l1d_req_valid && in->l1d_req_ready, st_taken = req && s->st.valid,
               early_taken = req && shown.l1d_req.early;
    const page_look_t lk = s->lk, fk = s->fk;
    const bool lk_taken = shown.look_valid && in->look_ready;
    s->out.sent_valid = s->out.inv_done = s->out.fault_valid = false;
    s->out.pf_valid &= !in->pf_ready;
    s->st_next.valid = false;
    ev.lsu_stall_l1d = shown.l1d_req_valid && !in->l1d_req_ready;
    ev.lsu_stall_spad = shown.spad_req_valid && !in->spad_req_ready;
    ev.lsu_stall_look = lk.ports && !lk_taken;
    ev.lsu_stall_walk = shown.miss_valid && !in->miss_ready;
    for (unsigned k = 0; k < LSU_ROWS; k++)
        ev.lsu_waiting += b.row[k].valid && b.row[k].wait;

    page_results(s, in);
    const unsigned completes = page_arrive(s, &b, in);

    /* look-up 5, 6 */
    const page_asked_t asked = s->asked;
    s->asked.threads = 0;
    if (shown.miss_valid && in->miss_ready) {
        page_look_t *m = &s->mq[0];
        const unsigned p = lowest(m->ports);
        s->asked = (page_asked_t){.row = m->row, .threads = m->mask[p]};
        m->ports &= ~(1u << p);
        if (!m->ports) {
            s->mq[0] = s->mq[1];
            s->mqs--;
        }
    }
    if (asked.threads) {
        page_row_t *r = &s->row[asked.row];
        r->wait |= asked.threads;
        for EACH(t, asked.threads)
            r->id[t] = in->walk;
    }
    /* look-up 4, E3 */
    bool early_hit = false;
    if (fk.ports) {
        page_row_t *r = &s->row[fk.row];
        page_look_t misses = fk;
        early_hit = fk.early && s->ek.valid && in->found[0].hit;
        for EACH(p, fk.ports) {
            if (!in->found[p].hit)
                continue;
            misses.ports &= ~(1u << p);
            if (early_hit)
                continue;
            r->ok |= fk.mask[p];
            r->walked &= ~fk.mask[p];
            b.found |= fk.mask[p];
            b.found_row = fk.row;
            for EACH(t, fk.mask[p])
                r->frame[t] = in->found[p].ppn;
        }
        if (misses.ports)
            s->mq[s->mqs++] = misses;
    }
    /* look-up 3 */
    s->fk.ports = 0;
    if (lk_taken) {
        s->fk = lk;
        s->fk.early = early_taken;
        s->lk.ports = 0;
    }
    const bool used = page_look(s, &b, !lk.ports || lk_taken, completes, &ev);
    /* look-up 8, look-up 7 */
    const page_look_t fk_next = s->fk;
    s->fk = fk;
    page_answer(s, &b);
    s->fk = fk_next;
    if (in->walked_valid) {
        const unsigned tail = (s->slot_head + s->slots) % PAGE_SLOTS;
        bool any = false;
        for (unsigned k = 0; k < LSU_ROWS; k++)
            for EACH(t, b.row[k].valid ? b.row[k].wait : 0)
                if (s->row[k].id[t] == in->walked.walk) {
                    s->row[k].wait &= ~BIT(t);
                    s->row[k].ans |= BIT(t);
                    s->row[k].id[t] = (uint8_t)tail;
                    any = true;
                }
        if (any) {
            s->slot[tail] = in->walked;
            s->slots++;
        }
    }
    /* the front */
    const bool sd_taken = b.sd_shows && req && shown.l1d_req.op == L1D_INVAL;
    const page_ek_t ek = s->ek;
    s->ek.valid = false;
    if (in->resume_valid)
        for (unsigned k = 0; k < LSU_ROWS; k++)
            if (b.row[k].valid && b.row[k].reported && s->row[k].warp == in->resume) {
                s->row[k].todo |= b.row[k].flt;
                s->row[k].flt &= ~b.row[k].flt;
                s->row[k].reported = false;
                ev.lsu_resumed = true;
            }
    /* The front sees the threads as they were. */
    const unsigned at = b.front;
    page_end_e end = LEAVE;
    page_row_t held = {0};
    if (at != NO_ROW) {
        held = s->row[at];
        s->row[at].unsent = b.row[at].unsent;
        s->row[at].ok = b.row[at].ok;
        s->row[at].flt = b.row[at].flt;
        s->row[at].reported = b.row[at].reported;
        end = page_front(s, &b, in, st_taken, &ev);
        page_row_t *r = &s->row[at];
        const uint64_t went = b.row[at].unsent & ~r->unsent;
        r->unsent = held.unsent & ~went;
        r->ok = held.ok & ~went;
        r->flt = held.flt;
        r->reported = held.reported || (r->reported && !b.row[at].reported);
    }
    if (early_taken) {
        const page_row_t *r = &s->row[at];
        s->entry[shown.l1d_req.tag.entry] =
            (page_entry_t){.valid = true, .warp = r->warp, .seq = r->seq, .rd = r->rd, .left = r->active};
        s->ek = (page_ek_t){.valid = true,
                            .entry = shown.l1d_req.tag.entry,
                            .row = at,
                            .threads = r->active,
                            .line = shown.l1d_req.line};
    }
    unsigned early_gone = NO_ROW;
    if (ek.valid && early_hit) {
        page_row_t *r = &s->row[ek.row];
        r->unsent = 0;
        s->loads++;
        ev.lsu_lines++;
        ev.page_div_1++;
        const sent_t mine = {.warp = (uint8_t)r->warp,
                             .seq = (uint8_t)r->seq,
                             .threads = ek.threads,
                             .line = in->found[0].ppn << 5 | ek.line};
        if (s->out.sent_valid) {
            s->out.sent.with_warp = mine.warp;
            s->out.sent.with_seq = mine.seq;
            s->out.sent.with_threads = mine.threads;
            s->out.sent.with_line = mine.line;
        } else {
            s->out.sent = mine;
            s->out.sent_valid = true;
        }
        if (!(s->early && at == ek.row) || end == LEAVE)
            early_gone = ek.row;
    } else if (ek.valid) {
        s->entry[ek.entry].valid = false;
    }
    if (b.visit == VISIT_EARLY && end == LEAVE && !s->row[at].unsent)
        early_gone = at;
    /* st */
    if (s->st.valid && (!s->st.final || st_taken)) {
        if (st_taken) {
            s->unacked += !s->st.atomic;
            s->loads += s->st.atomic;
            s->amos += s->st.atomic;
        }
        s->st.valid = false;
    }
    if (s->st_next.valid)
        s->st = s->st_next;
    s->unacked -= in->l1d_ack;
    /* the front's choice */
    const bool chooses = b.front == NO_ROW || end == POP || (b.visit == VISIT_EARLY && end == LEAVE);
    if (chooses)
        page_choose(s, &b, in, end == POP ? at : NO_ROW, completes, used);
    else if (end == LEAVE)
        s->front = NO_ROW;
    if (end == POP)
        page_pop(s, at);
    if (early_gone != NO_ROW)
        page_pop(s, early_gone);
    /* a shootdown */
    if (sd_taken) {
        s->sd = false;
        s->out.inv_done = true;
    }
    if (in->inv_valid) {
        s->sd = true;
        if (in->root.sv48) {
            s->lk.ports = s->fk.ports = 0;
            s->mqs = s->slots = 0;
            s->ap = s->lrow = NO_ROW;
            for (unsigned k = 0; k < LSU_ROWS; k++) {
                page_row_t *r = &s->row[k];
                r->ok = r->ans = 0;
                if (r->valid)
                    r->todo = r->unsent
                              & ~(r->flt | r->wait | (s->asked.threads && s->asked.row == k ? s->asked.threads : 0));
            }
        }
    }
    if (in->start_valid && !b.left)
        s->dead[in->start.warp] = false;
    /* beats */
    s->pending -= shown.credit;
    s->in_valid = in->ops_valid && in->ops.pipe == PIPE_LSU;
    s->in = in->ops;
    s->held += s->in_valid;
    s->held -= shown.credit;
    s->out.ev = ev;
    page_show(s, in);
}

/* What is seen is what the page says: all but data and what follows from addresses alone, which are scoreboard.h's. */
static void page_check(bench_t *b, const lsu_page_t *s, const lsu_out_t *seen)
{
    lsu_out_t said = s->out;
    said.l1d_req.be = seen->l1d_req.be;
    said.l1d_req.data = seen->l1d_req.data;
    said.l1d_req.amo = seen->l1d_req.amo;
    said.l1d_req.amo_dword = seen->l1d_req.amo_dword;
    said.l1d_req.amo_off = seen->l1d_req.amo_off;
    said.l1d_req.hart = seen->l1d_req.hart;
    memcpy(said.spad_req.addr, seen->spad_req.addr, sizeof said.spad_req.addr);
    memcpy(said.spad_req.data, seen->spad_req.data, sizeof said.spad_req.data);
    memcpy(said.spad_req.cmp, seen->spad_req.cmp, sizeof said.spad_req.cmp);
    said.spad_req.hart0 = seen->spad_req.hart0;
    memcpy(said.spad_req.home, seen->spad_req.home, sizeof said.spad_req.home);
    memcpy(said.lsu_res.data, seen->lsu_res.data, sizeof said.lsu_res.data);
    memcpy(said.trace.addr, seen->trace.addr, sizeof said.trace.addr);
    memcpy(said.trace.data, seen->trace.data, sizeof said.trace.data);
    said.fault = seen->fault;
    SCOREBOARD(b, lsu, seen, &said);
}
#endif
