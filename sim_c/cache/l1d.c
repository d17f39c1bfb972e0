/* See l1d.h. Step numbers are the page's. */
#include "sim_c/cache/l1d.h"
#include "sim_c/cache/l1d_state.h"
#include <string.h>

/* Lines of requests are physical by the time they are compared. */
static line_key_t key_at(uint64_t line)
{
    return key_of(line, 0, SPACE_PHYSICAL);
}

static unsigned set_of(line_key_t key)
{
    return (unsigned)(key & (SETS - 1));
}

size_t l1d_size(void)
{
    return sizeof(struct l1d);
}

static void reset_ages(l1d_t *s)
{
    for (unsigned p = 0; p < LINES; p++)
        s->age[p] = (uint8_t)(p % L1D_WAYS);
}

void l1d_reset(l1d_t *s)
{
    memset(s, 0, offsetof(struct l1d, data));
    reset_ages(s);
}

static bool calm(const l1d_t *s)
{
    return !s->count && !s->s2_valid && !s->s3_valid && !s->m_valid && !s->ack && !s->ahead.valid;
}

void l1d_out(const l1d_t *s, l1d_out_t *o)
{
    o->l1d_req_ready = s->count != 2;
    o->l1d_rsp_valid = s->s3_valid;
    if (s->s3_valid) {
        o->l1d_rsp.tag = s->s3_tag;
        memcpy(o->l1d_rsp.data.w, s->s3_data.w, SECTOR_BYTES);
    }
    o->l1d_ack = s->ack;
    o->mem_req_valid = s->m_valid;
    if (s->m_valid)
        o->mem_req = s->m;
    o->idle = calm(s) && !s->mshr_valid && !s->slot_valid;
    o->line_valid = s->told_valid;
    if (s->told_valid)
        o->line = s->told;
    o->ev = s->ev;
}

static void touch(l1d_t *s, unsigned place)
{
    uint8_t *age = s->age + (place & ~(L1D_WAYS - 1)), was = s->age[place];
    for (unsigned w = 0; w < L1D_WAYS; w++)
        age[w] += age[w] < was;
    s->age[place] = 0;
}

static sector_bits_t sector_of(const l1d_t *s, unsigned place, unsigned sector)
{
    sector_bits_t b;
    memcpy(b.w, s->data[place].w + sector * (SECTOR_BYTES / 8), SECTOR_BYTES);
    return b;
}

static void send(l1d_t *s, unsigned op, unsigned kind, unsigned index)
{
    const l1d_req_t *r = &s->s2;
    s->m_valid = true;
    s->m = (mem_req_t){.op = op,
                       .id = (uint16_t)(kind << MEM_IDX_W | index),
                       .line = r->line,
                       .amo = r->amo,
                       .amo_dword = r->amo_dword,
                       .amo_off = r->amo_off,
                       .hart = r->hart};
    memcpy((uint8_t *)s->m.be.w + r->sector * (SECTOR_BYTES / 8), &r->be, SECTOR_BYTES / 8);
    for (unsigned k = 0; k < SECTORS; k++)
        memcpy((uint8_t *)s->m.data.w + k * SECTOR_BYTES, r->data.w, SECTOR_BYTES);
}

/* Nothing inside but fills and atomics that are awaited. */
static bool rests(const l1d_t *s)
{
    static const ev_l1d_t none;
    return calm(s) && !s->told_valid && !s->slot_done && !s->mshr_done && !memcmp(&s->ev, &none, sizeof none);
}

/* Values passed between the steps of an edge. Conditions are those of before the edge. */
typedef struct {
    bool s3_free, m_free, fill_now;
    int hit, merge; /* of the request in s2: the place of its line, its MSHR, or -1 */
    unsigned prefetch;
    bool ans; /* step 1 has answered */
    bool moved; /* the request in s2 leaves */
    int new_slot, new_mshr; /* the place and the MSHR that it gets, or -1 */
    bool invalidate;
    uint64_t poison; /* MSHRs that steps 3 to 5 poison */
    uint64_t mshr_valid, mshr_done;
    unsigned rsp_kind, rsp_index;
    bool tells; /* `line` is valid, with the record `told` */
    line_event_t told;
    ev_l1d_t ev;
} edge_t;

static void compare(const l1d_t *s, edge_t *e)
{
    const line_key_t key = key_at(s->s2.line);
    unsigned base = set_of(key) * L1D_WAYS;
    for (unsigned w = 0; w < L1D_WAYS; w++)
        if (s->valid[base + w] && s->key[base + w] == key)
            e->hit = (int)(base + w);
    for (uint64_t v = e->mshr_valid; v; v &= v - 1)
        if (s->mshr[__builtin_ctzll(v)].key == key)
            e->merge = __builtin_ctzll(v);
}

/* Step 1. Answered slots are freed later (give_up): until then the other steps see it. */
static void answer(l1d_t *s, edge_t *e)
{
    if (!e->s3_free)
        return;
    s->s3_valid = false;
    if (s->slot_done) {
        unsigned a = (unsigned)__builtin_ctz(s->slot_done);
        e->ans = s->s3_valid = s->s3_amo = true;
        s->s3_tag = s->slot[a].tag;
        s->s3_data = (sector_bits_t){{s->slot[a].data}};
    } else if (e->mshr_done) {
        unsigned k = (unsigned)__builtin_ctzll(e->mshr_done);
        e->ans = s->s3_valid = true;
        s->s3_amo = false;
        const target_t *t = &s->target[k][s->mshr[k].next];
        s->s3_tag = t->tag;
        s->s3_data = sector_of(s, s->mshr[k].place, t->sector);
    }
}

/* Step 11: a load of the line in s2 has left, which missed or was the first one of a line fetched ahead. */
static void fetch_next(l1d_t *s, const edge_t *e, bool miss)
{
    const uint64_t line = s->s2.line, place = line & PAGE_LAST;
    const bool probe = miss && e->prefetch == PREFETCH_STREAM && place;
    if (e->prefetch & PREFETCH_NEXT && place != PAGE_LAST)
        s->ahead = (ahead_t){true, probe, s->s2.warp, probe ? line - 1 : line + 1};
}

/* Step 2: `line`, of a load that did not find its line, or of a line that goes for another. */
static void tell(const l1d_t *s, edge_t *e, bool miss)
{
    e->tells = LOCALITY_ENTRIES > 0;
    e->told.miss = miss;
    e->told.walked = miss && s->s2.walked;
    e->told.warp = s->s2.warp;
    e->told.key = key_at(s->s2.line);
}

static void asked(l1d_t *s, edge_t *e, unsigned place)
{
    if (!s->fresh[place])
        return;
    s->fresh[place] = false;
    e->ev.l1d_prefetch_hits = true;
    fetch_next(s, e, false);
}

/* Step 2, with a hit. */
static void load_hit(l1d_t *s, edge_t *e)
{
    const l1d_req_t *r = &s->s2;
    if (e->s3_free && !e->ans) {
        e->moved = s->s3_valid = true;
        s->s3_amo = false;
        s->s3_tag = r->tag;
        s->s3_data = sector_of(s, (unsigned)e->hit, r->sector);
        touch(s, (unsigned)e->hit);
        asked(s, e, (unsigned)e->hit);
    }
    e->ev.l1d_stall_rsp = !e->moved;
    e->ev.l1d_load_hits = e->moved;
}

/* Step 2, without a hit, when its line has been asked for. */
static void load_merge(l1d_t *s, edge_t *e)
{
    mshr_t *k = &s->mshr[e->merge];
    if (!(s->mshr_poison >> e->merge & 1) && k->count < L1D_TARGETS) {
        e->moved = true;
        s->target[e->merge][k->count++] = (target_t){s->s2.tag, s->s2.sector};
        asked(s, e, k->place);
        tell(s, e, true);
    }
    e->ev.l1d_stall_merge = !e->moved;
    e->ev.l1d_load_merges = e->moved;
}

/* The way of a set that the next miss gets: the oldest that no MSHR has reserved, or -1. */
static int victim(const l1d_t *s, const edge_t *e, unsigned base)
{
    uint32_t reserved = 0;
    int way = -1;
    for (uint64_t v = e->mshr_valid; v; v &= v - 1) {
        unsigned p = s->mshr[__builtin_ctzll(v)].place;
        reserved |= p - base < L1D_WAYS ? 1u << (p - base) : 0;
    }
    for (unsigned w = 0; w < L1D_WAYS; w++)
        if (!(reserved >> w & 1) && (way < 0 || s->age[base + w] > s->age[base + (unsigned)way]))
            way = (int)w;
    return way;
}

static uint64_t free_mshrs(const edge_t *e)
{
    return ~e->mshr_valid & (L1D_MSHRS == 64 ? ~0ull : (1ull << (L1D_MSHRS % 64)) - 1);
}

/* Requests the line of s2: takes the lowest free MSHR and a way of its set, and sends the request. `ahead`: no load waits for it. */
static void allocate(l1d_t *s, edge_t *e, unsigned place, bool ahead)
{
    e->moved = true;
    e->new_mshr = __builtin_ctzll(free_mshrs(e));
    mshr_t *k = &s->mshr[e->new_mshr];
    k->key = key_at(s->s2.line);
    k->place = place;
    k->count = !ahead;
    k->next = 0;
    s->target[e->new_mshr][0] = (target_t){s->s2.tag, s->s2.sector};
    if (!ahead || s->valid[place])
        tell(s, e, !ahead);
    if (s->valid[place]) {
        e->told.evicted = true;
        e->told.of = s->owner[place];
        e->told.old = s->key[place];
    }
    s->owner[place] = s->s2.warp;
    s->valid[place] = false;
    s->fresh[place] = ahead;
    s->key[place] = k->key;
    touch(s, place);
    send(s, MEM_READ, KIND_FILL, (unsigned)e->new_mshr);
}

/* Step 2: a load without a hit and without an MSHR of its line. */
static void load_miss(l1d_t *s, edge_t *e)
{
    unsigned base = set_of(key_at(s->s2.line)) * L1D_WAYS;
    int way = victim(s, e, base);
    bool room = free_mshrs(e) && way >= 0;
    if (room && e->m_free) {
        allocate(s, e, base + (unsigned)way, false);
        fetch_next(s, e, true);
    }
    e->ev.l1d_stall_mshr = !room;
    e->ev.l1d_stall_mem = room && !e->m_free;
}

/* Step 11: s2 has a line to be fetched ahead, or the one before it. */
static void look_ahead(l1d_t *s, edge_t *e)
{
    const uint64_t line = s->s2.line, free = free_mshrs(e);
    const unsigned base = set_of(key_at(line)) * L1D_WAYS;
    const bool here = e->hit >= 0 || e->merge >= 0;
    const int way = victim(s, e, base);
    e->moved = true;
    if (s->s2_probe && here)
        s->ahead = (ahead_t){true, false, s->s2.warp, line + 2};
    if (s->s2_probe || here || !(free & (free - 1)) || way < 0 || !e->m_free || s->jam)
        return;
    allocate(s, e, base + (unsigned)way, true);
    e->ev.l1d_prefetches = true;
}

/* Step 2. */
static void load(l1d_t *s, edge_t *e)
{
    if (e->hit >= 0)
        load_hit(s, e);
    else if (e->merge >= 0)
        load_merge(s, e);
    else
        load_miss(s, e);
    e->ev.l1d_loads = e->moved;
}

/* Step 3. */
static void store(l1d_t *s, edge_t *e)
{
    const l1d_req_t *r = &s->s2;
    bool ok = e->hit < 0 || (!e->fill_now && !(e->merge >= 0 && e->mshr_done >> e->merge & 1));
    if (ok && e->m_free) {
        e->moved = true;
        if (e->merge >= 0)
            e->poison |= 1ull << e->merge;
        if (e->hit >= 0) {
            uint8_t *line = (uint8_t *)s->data[e->hit].w + r->sector * SECTOR_BYTES;
            const uint8_t *from = (const uint8_t *)r->data.w, *be = (const uint8_t *)&r->be;
            for (unsigned d = 0; d < SECTOR_BYTES / 8; d++)
                for (unsigned b = be[d]; b; b &= b - 1) {
                    unsigned k = 8 * d + (unsigned)__builtin_ctz(b);
                    line[k] = from[k];
                }
            touch(s, (unsigned)e->hit);
        }
        send(s, MEM_WRITE, KIND_STORE, r->warp);
    }
    e->ev.l1d_stores = e->moved;
    e->ev.l1d_store_hits = e->moved && e->hit >= 0;
    e->ev.l1d_stall_store = !ok;
    e->ev.l1d_stall_mem = ok && !e->m_free;
}

/* Step 4. */
static void atomic(l1d_t *s, edge_t *e)
{
    uint32_t free = ~s->slot_valid & (SLOTS == 32 ? ~0u : (1u << (SLOTS % 32)) - 1);
    if (free && e->m_free) {
        e->moved = true;
        e->new_slot = __builtin_ctz(free);
        s->slot[e->new_slot].tag = s->s2.tag;
        if (e->merge >= 0)
            e->poison |= 1ull << e->merge;
        if (e->hit >= 0)
            s->valid[e->hit] = false;
        send(s, MEM_AMO, KIND_AMO, (unsigned)e->new_slot);
    }
    e->ev.l1d_atomics = e->moved;
    e->ev.l1d_stall_atomic = !free;
    e->ev.l1d_stall_mem = free && !e->m_free;
}

/* Step 5. */
static void inval(edge_t *e)
{
    e->moved = true;
    e->invalidate = true;
    e->poison = e->mshr_valid;
    e->ev.l1d_invals = true;
}

/* Steps 2 to 6: the request in s2. Nothing of the answered MSHR or slot has been given up: it looks at them. */
static void request(l1d_t *s, edge_t *e)
{
    compare(s, e);
    switch (s->s2.op) {
    case L1D_LOAD: s->s2_ahead ? look_ahead(s, e) : load(s, e); break;
    case L1D_STORE: store(s, e); break;
    case L1D_AMO: atomic(s, e); break;
    default: inval(e); break;
    }
}

/* Steps 1 to 5: answered slots and MSHRs are freed, allocated ones are valid, poisoned ones are marked. */
static void give_up(l1d_t *s, const edge_t *e)
{
    if (e->ans) {
        if (s->s3_amo) {
            s->slot_valid &= s->slot_valid ^ (s->slot_done & -s->slot_done);
            s->slot_done &= s->slot_done - 1;
        } else {
            unsigned k = (unsigned)__builtin_ctzll(e->mshr_done);
            if (++s->mshr[k].next == s->mshr[k].count) {
                s->mshr_valid &= ~(1ull << k);
                s->mshr_done &= ~(1ull << k);
            }
        }
    }
    if (e->new_slot >= 0)
        s->slot_valid |= 1u << e->new_slot;
    if (e->new_mshr >= 0) {
        s->mshr_valid |= 1ull << e->new_mshr;
        s->mshr_poison &= ~(1ull << e->new_mshr);
    }
    s->mshr_poison |= e->poison;
}

/* Step 7. */
static void mem_rsp(l1d_t *s, const l1d_in_t *in, edge_t *e)
{
    s->ack = false;
    if (e->fill_now) {
        unsigned p = s->mshr[e->rsp_index].place;
        bool dropped = in->inval || s->mshr_poison >> e->rsp_index & 1;
        s->data[p] = in->mem_rsp.data;
        /* An MSHR without waiting requests ends here; one with some is done, and answers them. */
        *(s->mshr[e->rsp_index].count ? &s->mshr_done : &s->mshr_valid) ^= 1ull << e->rsp_index;
        s->valid[p] = !dropped;
        e->ev.l1d_fills = true;
        e->ev.l1d_fills_dropped = dropped;
    } else if (in->mem_rsp_valid && e->rsp_kind == KIND_STORE) {
        s->ack = true;
    } else if (in->mem_rsp_valid) {
        s->slot[e->rsp_index].data = in->mem_rsp.data.w[0];
        s->slot_done |= 1u << e->rsp_index;
    }
}

/* Step 9. */
static void frames_and_queue(l1d_t *s, const l1d_in_t *in, bool s2_free, bool put, ahead_t enters)
{
    if (s->early) {
        unsigned last = s->count - 1;
        s->q[last].line |= (uint64_t)in->found.ppn << PAGE_LINE_W;
        s->dropped[last] = !in->early || !in->found.hit;
    }
    if (s2_free) {
        s->s2_valid = s->count && !s->dropped[0];
        s->s2_ahead = s->q_ahead;
        s->s2_probe = s->q_probe;
        if (s->count) {
            s->s2 = s->q[0];
            s->q[0] = s->q[1];
            s->dropped[0] = s->dropped[1];
            s->q_ahead = false;
            s->count--;
        }
    }
    s->early = put && in->l1d_req.early;
    if (put) {
        s->dropped[s->count] = false;
        s->q[s->count++] = in->l1d_req;
    }
    if (enters.valid) { /* step 11 */
        s->q_ahead = true;
        s->q_probe = enters.probe;
        s->dropped[0] = false;
        s->q[0] = (l1d_req_t){.op = L1D_LOAD, .warp = enters.warp, .line = enters.line};
        s->count = 1;
    }
}

void l1d_tick(l1d_t *s, const l1d_in_t *in)
{
    const bool put = in->l1d_req_valid && s->count != 2;
    const bool goes = put || s->early || s->ack || s->told_valid || in->mem_rsp_valid || in->inval
                      || (s->s3_valid && in->l1d_rsp_ready) || (s->m_valid && in->mem_req_ready)
                      || (s->count ? !s->s2_valid : s->ahead.valid);
    edge_t e = {.s3_free = !s->s3_valid || in->l1d_rsp_ready,
                .m_free = !s->m_valid || in->mem_req_ready,
                .hit = -1,
                .merge = -1,
                .new_slot = -1,
                .new_mshr = -1,
                .invalidate = in->inval,
                .mshr_valid = s->mshr_valid,
                .mshr_done = s->mshr_done,
                .prefetch = in->prefetch,
                .rsp_kind = in->mem_rsp.id >> MEM_IDX_W & 3,
                .rsp_index = in->mem_rsp.id & ((1u << MEM_IDX_W) - 1)};
    e.fill_now = in->mem_rsp_valid && e.rsp_kind == KIND_FILL;
    e.ev.l1d_invals = in->inval;

    const bool may_enter = !s->count && !put && !in->inval && !(s->s2_valid && s->s2.op == L1D_INVAL);
    const ahead_t enters = may_enter ? s->ahead : (ahead_t){0};
    s->ahead.valid &= !may_enter;
    answer(s, &e);
    if (s->m_valid && in->mem_req_ready)
        s->m_valid = false;
    if (s->s2_valid)
        request(s, &e);
    give_up(s, &e);
    s->jam = e.m_free ? s->jam - (s->jam != 0) : JAM;
    if (in->inval)
        s->mshr_poison |= s->mshr_valid; /* step 8 */
    if (e.invalidate) { /* steps 5 and 8 */
        memset(s->valid, 0, sizeof s->valid);
        reset_ages(s);
        s->ahead.valid = false;
    }
    mem_rsp(s, in, &e);
    frames_and_queue(s, in, !s->s2_valid || e.moved, put, enters);

    const bool same = !goes && !e.moved && !e.ans && !memcmp(&e.ev, &s->ev, sizeof e.ev);
    s->ev = e.ev;
    s->told_valid = e.tells;
    s->told = e.told;
    s->still = (same || rests(s)) && s->jam == (s->m_valid ? JAM : 0);
}

bool l1d_idle(const l1d_t *s)
{
    return s->still;
}
