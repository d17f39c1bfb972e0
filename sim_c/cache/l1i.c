/* Twin of rtl/cache/l1i.sv: instruction cache (docs/blocks/l1i.md). */
#include "l1i_ports.h"
#include "sim_c/common/line_key.h"
#include <string.h>

enum {
    SETS = L1I_BYTES / (128 * L1I_WAYS),
    BLOCKS = 8,
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
    uint8_t warp; /* whose instruction missed */
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

/* The fill whose page is asked for; 2: none. */
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
        o->mem_req.line = s->fill[f].frame << 5 | (key_line(s->fill[f].key) & 31);
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
        o->look = (itlb_look_t){.fill = l, .vpn = key_line(s->fill[l].key) >> 5, .warp = s->fill[l].warp};
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

/* The core's own addresses: what is here of others is forgotten before another begins. */
static line_key_t key_at(uint64_t pc)
{
    return key_of(pc >> LINE_OFF_W, 0, SPACE_VIRTUAL);
}

static bool awaited(const l1i_t *s, line_key_t key)
{
    return (s->fill[0].state != FREE && s->fill[0].key == key) || (s->fill[1].state != FREE && s->fill[1].key == key);
}

void l1i_tick(l1i_t *s, const l1i_in_t *in)
{
    const line_key_t key = key_at(s->s1.req.pc), missed = key_at(s->s2.req.pc);
    const unsigned set = (unsigned)(key % SETS);
    const unsigned sending = shown(s), asking = looking(s), tells = telling(s);
    const bool forget = in->inval || in->inv_valid;
    const bool send = s->fill[0].state == SEND || s->fill[1].state == SEND;
    const uint8_t before[2] = {s->fill[0].state, s->fill[1].state};
    const unsigned have = before[0] == HAVE ? 0 : before[1] == HAVE ? 1 : NONE;
    fill_t *to = in->mem_rsp_valid && !s->fill[in->mem_rsp.id & 1].killed ? &s->fill[in->mem_rsp.id & 1] : NULL;
    const unsigned to_set = to ? (unsigned)(to->key % SETS) : SETS;
    const uint8_t s2_warp = s->s2.req.warp;
    const bool s1_awaited = awaited(s, key), s2_awaited = awaited(s, missed);
    unsigned found = L1I_WAYS;
    uint64_t seen[L1I_WAYS] = {0};

    /* step 1: the request now taken sees the tags before this edge's write */
    if (in->req_valid)
        memcpy(seen, s->tag[key_at(in->req.pc) % SETS], sizeof seen);
    for (unsigned w = 0; s->s1.valid && w < L1I_WAYS; w++)
        if (s->valid[set][w] && s->seen[w] == key / SETS)
            found = w;
    const bool hit = found != L1I_WAYS && set != to_set;
    stage2_t s2;
    memset(&s2, 0,
           sizeof s2); /* with what lies between its fields: benches compare the states of an idle block byte by byte */
    s2.valid = s->s1.valid;
    s2.hit = hit;
    s2.req = s->s1.req;
    for (unsigned f = 0; f < 2; f++)
        if (s->s1.valid && found == L1I_WAYS && before[f] == FAULT && s->fill[f].key == key) {
            s2.fault = true;
            s2.page = !s->fill[f].access;
            s->fill[f].state = FREE;
        }
    if (hit)
        memcpy(s2.instr, s->data[found][set][s->s1.req.pc >> 4 & 7], sizeof s2.instr);
    if (hit && !to) /* step 2 */
        touch(&s->plru[set], found);

    /* step 3 */
    unsigned alloc = NONE;
    s2.absent = found == L1I_WAYS && !s1_awaited;
    if (s->s2.valid && s->s2.absent && !s2_awaited)
        alloc = before[0] == FREE ? 0 : before[1] == FREE ? 1 : before[0] == FAULT ? 0 : before[1] == FAULT ? 1 : NONE;

    /* step 5, before step 4 may clear it */
    bool filled = false, wake1 = have != NONE;
    if (have != NONE) {
        filled = !s->fill[have].killed && !forget;
        if (filled)
            s->valid[s->fill[have].key % SETS][s->wr_way] = true;
        s->fill[have].state = FREE;
    }
    /* step 4 */
    if (in->mem_rsp_valid)
        s->fill[in->mem_rsp.id & 1].state = HAVE;
    if (to) {
        unsigned w = victim(s->plru[to_set]);
        s->valid[to_set][w] = false;
        s->tag[to_set][w] = to->key / SETS;
        memcpy(s->data[w][to_set], in->mem_rsp.data.w, sizeof s->data[w][to_set]);
        touch(&s->plru[to_set], w);
        s->wr_way = (uint8_t)w;
    }
    /* step 6 */
    if (asking < 2)
        s->fill[asking].state = ASKED;
    for (unsigned k = 0; k < 2; k++) {
        fill_t *f = &s->fill[k];
        const ifound_t *told = &in->found[k];
        if (!(in->found_valid >> k & 1))
            continue;
        if (f->killed || forget) {
            f->state = FREE;
            wake1 = true;
        } else if (told->result == WALK_OK) {
            f->state = SEND;
            f->frame = told->ppn;
        } else if (told->result == WALK_PAGE) {
            if (before[!k] != TELL && s->fill[!k].state != TELL)
                s->tell = k;
            f->state = TELL;
            f->access = false;
        } else {
            f->state = FAULT;
            f->access = true;
            wake1 = true;
        }
    }
    if (tells < 2 && in->pf_ready) {
        s->fill[tells].state = TOLD;
        s->tell = !tells;
    }
    if (in->resume_valid && before[in->resume_fill] == TOLD && !forget) {
        s->fill[in->resume_fill].state = in->resume_deny ? FAULT : LOOK;
        wake1 |= in->resume_deny;
    }
    if (send && in->mem_req_ready)
        s->fill[sending].state = WAIT;
    /* step 7 */
    if (forget) {
        memset(s->valid, 0, sizeof s->valid);
        for (unsigned f = 0; f < 2; f++)
            if (before[f] != FREE && f != alloc) {
                s->fill[f].killed = true;
                if ((before[f] == LOOK && f != asking) || before[f] == TELL || before[f] == TOLD
                    || (before[f] == FAULT && s->fill[f].state == FAULT)) {
                    s->fill[f].state = FREE;
                    wake1 = true;
                }
            }
    }
    if (alloc < NONE) {
        s->fill[alloc].state = in->root.sv48 ? LOOK : SEND;
        s->fill[alloc].key = missed;
        s->fill[alloc].warp = s2_warp;
        s->fill[alloc].frame = key_line(missed) >> 5;
        s->fill[alloc].killed = in->inv_valid;
        s->last_alloc = alloc;
    }
    s->ev = (ev_l1i_t){.l1i_hits = hit, .l1i_misses = s->s1.valid && !hit, .l1i_fills = filled};
    s->wake = s->wake1;
    s->wake1 = wake1;
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
