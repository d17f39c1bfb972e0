/* Twin of rtl/cache/l1i.sv: instruction cache (docs/blocks/l1i.md). */
#include "l1i_ports.h"
#include "sim_c/common/line_key.h"
#include <string.h>

enum {
    SETS = L1I_BYTES / (LINE_BYTES * L1I_WAYS),
    BLOCKS = LINE_BYTES / 16,
    NONE = 2,
    FREE = 0,
    LOOK,
    ASKED,
    SEND,
    WAIT,
    HAVE,
    TELL,
    TOLD,
    FAULT
};

typedef struct {
    bool valid;
    fetch_req_t req;
} stage1_t;

typedef struct {
    bool valid, hit, absent, fault, page;
    fetch_req_t req;
    uint32_t instr[FETCH_W];
} stage2_t;

typedef struct {
    uint8_t state;
    bool killed, access;
    uint8_t warp; /* the warp of the instruction that missed */
    line_key_t key;
    uint64_t frame;
} fill_t;

struct l1i {
    stage1_t s1;
    stage2_t s2;
    bool valid[SETS][L1I_WAYS];
    uint64_t tag[SETS][L1I_WAYS];
    uint64_t seen[L1I_WAYS]; /* the tags read for the request in s1 */
    uint32_t data[L1I_WAYS][SETS][BLOCKS][FETCH_W];
    uint32_t plru[SETS];
    fill_t fill[2];
    bool last_alloc, tell;
    uint8_t wr_way;
    bool wake1, wake;
    ev_l1i_t ev;
};

size_t l1i_size(void)
{
    return sizeof(struct l1i);
}

void l1i_reset(l1i_t *s)
{
    memset(s, 0, sizeof *s);
}

static unsigned shown(const l1i_t *s)
{
    if (s->fill[0].state == SEND && s->fill[1].state == SEND)
        return !s->last_alloc;
    return s->fill[1].state == SEND;
}

/* The fill with a request for its page; 2: none. */
static unsigned looking(const l1i_t *s)
{
    return s->fill[0].state == LOOK ? 0 : s->fill[1].state == LOOK ? 1 : 2;
}

/* The fill that tells the host of its page; 2: none. */
static unsigned telling(const l1i_t *s)
{
    bool a = s->fill[0].state == TELL, b = s->fill[1].state == TELL;
    return a && b ? s->tell : a ? 0 : b ? 1 : 2;
}

void l1i_out(const l1i_t *s, l1i_out_t *o)
{
    o->req_ready = true;
    o->rsp_valid = s->s2.valid;
    if (s->s2.valid) {
        o->rsp.warp = s->s2.req.warp;
        o->rsp.epoch = s->s2.req.epoch;
        o->rsp.pc = s->s2.req.pc;
        o->rsp.hit = s->s2.hit;
        for (unsigned k = 0; k < FETCH_W; k++)
            o->rsp.instr[k] = s->s2.hit ? s->s2.instr[k] : 0;
        o->rsp.fault = s->s2.fault;
        o->rsp.instr[0] |= s->s2.page;
    }
    o->wake = s->wake;
    o->mem_req_valid = s->fill[0].state == SEND || s->fill[1].state == SEND;
    if (o->mem_req_valid) {
        unsigned f = shown(s);
        memset(&o->mem_req, 0, sizeof o->mem_req);
        o->mem_req.op = MEM_READ;
        o->mem_req.id = (uint16_t)f;
        o->mem_req.line = s->fill[f].frame << PAGE_LINE_W | (key_line(s->fill[f].key) & (PAGE_LINES - 1));
    }
    unsigned t = telling(s);
    o->pf_valid = t < 2;
    if (t < 2)
        o->pf = (page_fault_t){.fetch = true,
                               .warp = (uint8_t)t,
                               .pc = key_line(s->fill[t].key) << LINE_OFF_W,
                               .value = key_line(s->fill[t].key) << LINE_OFF_W};
    unsigned l = looking(s);
    o->look_valid = l < 2;
    if (l < 2)
        o->look = (itlb_look_t){.fill = l, .vpn = key_line(s->fill[l].key) >> PAGE_LINE_W, .warp = s->fill[l].warp};
    o->ev = s->ev;
}

/* Makes each node on the way to `way` point to the other half. */
static void touch(uint32_t *plru, unsigned way)
{
    unsigned node = 0;
    for (unsigned half = L1I_WAYS / 2; half; half /= 2) {
        bool upper = way & half;
        if (upper)
            *plru &= ~(1u << node);
        else
            *plru |= 1u << node;
        node = 2 * node + 1 + upper;
    }
}

static unsigned victim(uint32_t plru)
{
    unsigned node = 0, way = 0;
    for (unsigned half = L1I_WAYS / 2; half; half /= 2) {
        bool upper = plru >> node & 1;
        way |= upper ? half : 0;
        node = 2 * node + 1 + upper;
    }
    return way;
}

/* Virtual addresses without an ASID: a kernel of another address space finds the cache empty. */
static line_key_t key_at(uint64_t pc)
{
    return key_of(pc >> LINE_OFF_W, 0, SPACE_VIRTUAL);
}

static bool awaited(const l1i_t *s, line_key_t key)
{
    return (s->fill[0].state != FREE && s->fill[0].key == key) || (s->fill[1].state != FREE && s->fill[1].key == key);
}

/* Values passed between the steps of an edge. Conditions are those of before the edge. */
typedef struct {
    uint8_t before[2]; /* states of the fills */
    bool forget; /* step 7 acts: all lines are dropped */
    fill_t *to; /* the fill of the line that step 4 writes, and the set of that line */
    unsigned to_set;
    unsigned sending, asking, tells; /* fills shown at mem_req, look and pf; 2: none */
    unsigned alloc; /* the fill that step 3 allocates; NONE */
    bool filled, wake1;
} edge_t;

/* Steps 1 and 2: the request in s1 goes to s2 with the outcome of its lookup. */
static void look_up(l1i_t *s, stage2_t *s2, const edge_t *e)
{
    const line_key_t key = key_at(s->s1.req.pc);
    const unsigned set = (unsigned)(key % SETS);
    unsigned found = L1I_WAYS;
    for (unsigned w = 0; s->s1.valid && w < L1I_WAYS; w++)
        if (s->valid[set][w] && s->seen[w] == key / SETS)
            found = w;
    /* Padding included: benches compare the states of an idle block byte by byte. */
    memset(s2, 0, sizeof *s2);
    s2->valid = s->s1.valid;
    s2->hit = found != L1I_WAYS && set != e->to_set;
    s2->req = s->s1.req;
    s2->absent = found == L1I_WAYS && !awaited(s, key);
    for (unsigned f = 0; f < 2; f++)
        if (s->s1.valid && found == L1I_WAYS && e->before[f] == FAULT && s->fill[f].key == key) {
            s2->fault = true;
            s2->page = !s->fill[f].access;
            s->fill[f].state = FREE;
        }
    if (s2->hit)
        memcpy(s2->instr, s->data[found][set][s->s1.req.pc >> 4 & (BLOCKS - 1)], sizeof s2->instr);
    if (s2->hit && !e->to) /* step 2 */
        touch(&s->plru[set], found);
}

/* Step 5, before step 4 may clear the bit. */
static void end_fill(l1i_t *s, edge_t *e)
{
    const unsigned have = e->before[0] == HAVE ? 0 : e->before[1] == HAVE ? 1 : NONE;
    if (have == NONE)
        return;
    e->wake1 = true;
    e->filled = !s->fill[have].killed && !e->forget;
    if (e->filled)
        s->valid[s->fill[have].key % SETS][s->wr_way] = true;
    s->fill[have].state = FREE;
}

/* Step 4. */
static void take_line(l1i_t *s, const l1i_in_t *in, const edge_t *e)
{
    s->fill[in->mem_rsp.id & 1].state = HAVE;
    if (!e->to)
        return;
    const unsigned w = victim(s->plru[e->to_set]);
    s->valid[e->to_set][w] = false;
    s->tag[e->to_set][w] = e->to->key / SETS;
    memcpy(s->data[w][e->to_set], in->mem_rsp.data.w, sizeof s->data[w][e->to_set]);
    touch(&s->plru[e->to_set], w);
    s->wr_way = (uint8_t)w;
}

/* Step 6: the page of a fill has been found, or not. */
static void page_found(l1i_t *s, const ifound_t *found, unsigned k, edge_t *e)
{
    fill_t *f = &s->fill[k];
    if (f->killed || e->forget) {
        f->state = FREE;
        e->wake1 = true;
    } else if (found->result == WALK_OK) {
        f->state = SEND;
        f->frame = found->ppn;
    } else if (found->result == WALK_PAGE) {
        if (e->before[!k] != TELL && s->fill[!k].state != TELL)
            s->tell = k;
        f->state = TELL;
        f->access = false;
    } else {
        f->state = FAULT;
        f->access = true;
        e->wake1 = true;
    }
}

/* Step 6. */
static void advance_fills(l1i_t *s, const l1i_in_t *in, edge_t *e)
{
    if (e->asking < 2)
        s->fill[e->asking].state = ASKED;
    for (unsigned k = 0; k < 2; k++)
        if (in->found_valid >> k & 1)
            page_found(s, &in->found[k], k, e);
    if (e->tells < 2 && in->pf_ready) {
        s->fill[e->tells].state = TOLD;
        s->tell = !e->tells;
    }
    if (in->resume_valid && e->before[in->resume_fill] == TOLD) {
        fill_t *f = &s->fill[in->resume_fill];
        f->state = f->killed ? FREE : in->resume_deny ? FAULT : LOOK;
        e->wake1 |= f->state != LOOK;
    }
    if (e->sending < 2 && in->mem_req_ready)
        s->fill[e->sending].state = WAIT;
}

/* Step 7. A fill that the host has been told of stays until it has answered, so that its answer finds no other line there. A kernel's start empties the queue first. */
static bool goes(const l1i_t *s, const edge_t *e, unsigned f, bool starts)
{
    switch (e->before[f]) {
    case LOOK: return f != e->asking;
    case TELL:
    case TOLD: return starts || s->fill[f].state != TOLD;
    case FAULT: return s->fill[f].state == FAULT;
    default: return false;
    }
}

/* Step 7. */
static void forget_all(l1i_t *s, edge_t *e, bool starts)
{
    const uint8_t *before = e->before;
    memset(s->valid, 0, sizeof s->valid);
    for (unsigned f = 0; f < 2; f++)
        if (before[f] != FREE && f != e->alloc) {
            s->fill[f].killed = true;
            if (goes(s, e, f, starts)) {
                s->fill[f].state = FREE;
                e->wake1 = true;
            }
        }
}

/* Step 3: which fill a line that is missed is given. */
static unsigned allocated(const l1i_t *s, const uint8_t before[2])
{
    unsigned alloc = NONE;
    if (s->s2.valid && s->s2.absent && !awaited(s, key_at(s->s2.req.pc)))
        alloc = before[0] == FREE ? 0 : before[1] == FREE ? 1 : before[0] == FAULT ? 0 : before[1] == FAULT ? 1 : NONE;
    return alloc;
}

static void begin_fill(l1i_t *s, const l1i_in_t *in, unsigned alloc)
{
    const line_key_t missed = key_at(s->s2.req.pc);
    s->fill[alloc].state = in->root.sv48 ? LOOK : SEND;
    s->fill[alloc].key = missed;
    s->fill[alloc].warp = s->s2.req.warp;
    s->fill[alloc].frame = key_line(missed) >> PAGE_LINE_W;
    s->fill[alloc].killed = in->inv_valid;
    s->last_alloc = alloc;
}

void l1i_tick(l1i_t *s, const l1i_in_t *in)
{
    const bool send = s->fill[0].state == SEND || s->fill[1].state == SEND;
    edge_t e = {.before = {s->fill[0].state, s->fill[1].state},
                .forget = in->inval || in->inv_valid,
                .to = in->mem_rsp_valid && !s->fill[in->mem_rsp.id & 1].killed ? &s->fill[in->mem_rsp.id & 1] : NULL,
                .to_set = SETS,
                .sending = send ? shown(s) : 2,
                .asking = looking(s),
                .tells = telling(s)};
    if (e.to)
        e.to_set = (unsigned)(e.to->key % SETS);
    e.alloc = allocated(s, e.before);
    uint64_t seen[L1I_WAYS] = {0}; /* the request now taken sees the tags before this edge's write */
    if (in->req_valid)
        memcpy(seen, s->tag[key_at(in->req.pc) % SETS], sizeof seen);

    stage2_t s2;
    look_up(s, &s2, &e);
    end_fill(s, &e);
    if (in->mem_rsp_valid)
        take_line(s, in, &e);
    advance_fills(s, in, &e);
    if (e.forget)
        forget_all(s, &e, in->inval);
    if (e.alloc < NONE)
        begin_fill(s, in, e.alloc);
    s->ev = (ev_l1i_t){.l1i_hits = s2.hit, .l1i_misses = s->s1.valid && !s2.hit, .l1i_fills = e.filled}; /* step 9 */
    s->wake = s->wake1; /* step 8 */
    s->wake1 = e.wake1;
    s->s2 = s2;
    s->s1.valid = in->req_valid;
    if (in->req_valid) {
        s->s1.req = in->req;
        memcpy(s->seen, seen, sizeof s->seen);
    }
}

bool l1i_idle(const l1i_t *s)
{
    for (unsigned f = 0; f < 2; f++)
        if (s->fill[f].state != FREE && s->fill[f].state != WAIT && s->fill[f].state != ASKED
            && s->fill[f].state != FAULT && s->fill[f].state != TOLD)
            return false;
    return !s->s1.valid && !s->s2.valid && !s->wake && !s->wake1 && !s->ev.l1i_hits && !s->ev.l1i_misses
           && !s->ev.l1i_fills;
}
