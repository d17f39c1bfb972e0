/* See l1d.h. Step numbers are the page's. A line's place in the arrays is set * L1D_WAYS + way. */
#include "sim_c/cache/l1d.h"
#include "sim_c/common/line_key.h"
#include <string.h>

enum {
    SETS = L1D_BYTES / (LINE_BYTES * L1D_WAYS),
    LINES = SETS * L1D_WAYS,
    SLOTS = THREADS < 32 ? THREADS : 32,
    KIND_FILL = 0,
    KIND_STORE = 1,
    KIND_AMO = 2
};

typedef struct {
    uint64_t w[SECTOR_BYTES / 8];
} sector_bits_t;
typedef struct {
    l1d_tag_t tag;
    unsigned sector;
} target_t;
typedef struct {
    line_key_t key;
    uint32_t place;
    uint8_t count, next;
} mshr_t; /* its targets are apart: these are gone through */
typedef struct {
    l1d_tag_t tag;
    uint64_t data;
} slot_rec_t;

struct l1d {
    unsigned count;
    l1d_req_t q[2];
    bool early,
        dropped
            [2]; /* early: the last one was taken at the last edge, and its frame comes; dropped: its page was not found */
    bool s2_valid, s3_valid, s3_amo, m_valid, ack;
    bool still; /* what is inside waits for a ready, or for memory: until then edges change nothing */
    l1d_req_t s2;
    l1d_tag_t s3_tag;
    sector_bits_t s3_data; /* the data RAM's read register */
    mem_req_t m;
    ev_l1d_t ev;
    uint64_t mshr_valid, mshr_done, mshr_poison; /* a bit an MSHR */
    mshr_t mshr[L1D_MSHRS];
    target_t target[L1D_MSHRS][L1D_TARGETS];
    uint32_t slot_valid, slot_done;
    slot_rec_t slot[SLOTS];
    bool valid[LINES];
    uint8_t age[LINES];
    line_key_t key[LINES]; /* instead of the tag */
    vl_bits_1024 data[LINES];
};

/* Lines of requests are physical by the time they are compared. */
static line_key_t key_at(uint64_t line)
{
    return key_of(line, 0, SPACE_PHYSICAL);
}

static unsigned set_of(line_key_t key)
{
    return (unsigned)(key % SETS);
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
    return !s->count && !s->s2_valid && !s->s3_valid && !s->m_valid && !s->ack;
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
    o->ev = s->ev;
}

static void touch(l1d_t *s, unsigned place)
{
    uint8_t *age = s->age + place / L1D_WAYS * L1D_WAYS, was = s->age[place];
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
    return calm(s) && !s->slot_done && !s->mshr_done && !memcmp(&s->ev, &none, sizeof none);
}

void l1d_tick(l1d_t *s, const l1d_in_t *in)
{
    const l1d_req_t *r = &s->s2;
    bool s3_free = !s->s3_valid || in->l1d_rsp_ready, m_free = !s->m_valid || in->mem_req_ready;
    unsigned rsp_kind = in->mem_rsp.id >> MEM_IDX_W & 3, rsp_index = in->mem_rsp.id & ((1u << MEM_IDX_W) - 1);
    bool fill_now = in->mem_rsp_valid && rsp_kind == KIND_FILL;
    bool put = in->l1d_req_valid && s->count != 2;
    uint64_t poison = 0; /* by steps 3 to 5 */
    uint64_t mshr_valid = s->mshr_valid, mshr_done = s->mshr_done;
    bool moved = false, ans = false, invalidate = in->inval;
    int hit = -1, merge = -1;
    ev_l1d_t ev = {0};
    const bool goes = put || s->early || s->ack || in->mem_rsp_valid || in->inval || (s->s3_valid && in->l1d_rsp_ready)
                      || (s->m_valid && in->mem_req_ready) || (!s->s2_valid && s->count);

    if (s->s2_valid) {
        const line_key_t key = key_at(r->line);
        unsigned base = set_of(key) * L1D_WAYS;
        for (unsigned w = 0; w < L1D_WAYS; w++)
            if (s->valid[base + w] && s->key[base + w] == key)
                hit = (int)(base + w);
        for (uint64_t v = mshr_valid; v; v &= v - 1)
            if (s->mshr[__builtin_ctzll(v)].key == key)
                merge = __builtin_ctzll(v);
    }

    /* Step 1: answers. */
    if (s3_free) {
        s->s3_valid = false;
        if (s->slot_done) {
            unsigned a = (unsigned)__builtin_ctz(s->slot_done);
            ans = s->s3_valid = s->s3_amo = true;
            s->s3_tag = s->slot[a].tag;
            s->s3_data = (sector_bits_t){{s->slot[a].data}};
        } else if (mshr_done) {
            unsigned k = (unsigned)__builtin_ctzll(mshr_done);
            ans = s->s3_valid = true;
            s->s3_amo = false;
            const target_t *t = &s->target[k][s->mshr[k].next];
            s->s3_tag = t->tag;
            s->s3_data = sector_of(s, s->mshr[k].place, t->sector);
        }
    }

    /* Steps 2 to 6: the request in s2. Nothing of the answered MSHR or slot is given up before they have looked at it. */
    int new_slot = -1, new_mshr = -1;
    if (s->m_valid && in->mem_req_ready)
        s->m_valid = false;
    if (s->s2_valid) {
        switch (r->op) {
        case L1D_LOAD:
            if (hit >= 0) {
                if (s3_free && !ans) {
                    moved = s->s3_valid = true;
                    s->s3_amo = false;
                    s->s3_tag = r->tag;
                    s->s3_data = sector_of(s, (unsigned)hit, r->sector);
                    touch(s, (unsigned)hit);
                }
                ev.l1d_stall_rsp = !moved;
                ev.l1d_load_hits = moved;
            } else if (merge >= 0) {
                mshr_t *k = &s->mshr[merge];
                if (!(s->mshr_poison >> merge & 1) && k->count < L1D_TARGETS) {
                    moved = true;
                    s->target[merge][k->count++] = (target_t){r->tag, r->sector};
                }
                ev.l1d_stall_merge = !moved;
                ev.l1d_load_merges = moved;
            } else {
                const line_key_t key = key_at(r->line);
                unsigned base = set_of(key) * L1D_WAYS;
                uint32_t reserved = 0;
                int way = -1;
                for (uint64_t v = mshr_valid; v; v &= v - 1) {
                    unsigned p = s->mshr[__builtin_ctzll(v)].place;
                    if (p - base < L1D_WAYS)
                        reserved |= 1u << (p - base);
                }
                for (unsigned w = 0; w < L1D_WAYS; w++)
                    if (!(reserved >> w & 1) && (way < 0 || s->age[base + w] > s->age[base + (unsigned)way]))
                        way = (int)w;
                uint64_t free = ~mshr_valid & (L1D_MSHRS == 64 ? ~0ull : (1ull << (L1D_MSHRS % 64)) - 1);
                bool room = free && way >= 0;
                if (room && m_free) {
                    moved = true;
                    new_mshr = __builtin_ctzll(free);
                    mshr_t *k = &s->mshr[new_mshr];
                    const unsigned place = base + (unsigned)way;
                    k->key = key;
                    k->place = place;
                    k->count = 1;
                    k->next = 0;
                    s->target[new_mshr][0] = (target_t){r->tag, r->sector};
                    s->valid[place] = false;
                    s->key[place] = key;
                    touch(s, place);
                    send(s, MEM_READ, KIND_FILL, (unsigned)new_mshr);
                }
                ev.l1d_stall_mshr = !room;
                ev.l1d_stall_mem = room && !m_free;
            }
            ev.l1d_loads = moved;
            break;
        case L1D_STORE: {
            bool ok = hit < 0 || (!fill_now && !(merge >= 0 && mshr_done >> merge & 1));
            if (ok && m_free) {
                moved = true;
                if (merge >= 0)
                    poison |= 1ull << merge;
                if (hit >= 0) {
                    uint8_t *line = (uint8_t *)s->data[hit].w + r->sector * SECTOR_BYTES;
                    const uint8_t *from = (const uint8_t *)r->data.w, *be = (const uint8_t *)&r->be;
                    for (unsigned d = 0; d < SECTOR_BYTES / 8; d++)
                        for (unsigned b = be[d]; b; b &= b - 1) {
                            unsigned k = 8 * d + (unsigned)__builtin_ctz(b);
                            line[k] = from[k];
                        }
                    touch(s, (unsigned)hit);
                }
                send(s, MEM_WRITE, KIND_STORE, r->warp);
            }
            ev.l1d_stores = moved;
            ev.l1d_store_hits = moved && hit >= 0;
            ev.l1d_stall_store = !ok;
            ev.l1d_stall_mem = ok && !m_free;
            break;
        }
        case L1D_AMO: {
            uint32_t free = ~s->slot_valid & (SLOTS == 32 ? ~0u : (1u << (SLOTS % 32)) - 1);
            if (free && m_free) {
                moved = true;
                new_slot = __builtin_ctz(free);
                s->slot[new_slot].tag = r->tag;
                if (merge >= 0)
                    poison |= 1ull << merge;
                if (hit >= 0)
                    s->valid[hit] = false;
                send(s, MEM_AMO, KIND_AMO, (unsigned)new_slot);
            }
            ev.l1d_atomics = moved;
            ev.l1d_stall_atomic = !free;
            ev.l1d_stall_mem = free && !m_free;
            break;
        }
        default: /* step 5 */
            moved = true;
            invalidate = true;
            poison = mshr_valid;
            break;
        }
    }
    ev.l1d_invals = in->inval || (moved && r->op == L1D_INVAL);

    /* Steps 1 and 2 to 4: what was answered is given up, what was allocated is there. */
    if (ans) {
        if (s->s3_amo) {
            s->slot_valid &= s->slot_valid ^ (s->slot_done & -s->slot_done);
            s->slot_done &= s->slot_done - 1;
        } else {
            unsigned k = (unsigned)__builtin_ctzll(mshr_done);
            if (++s->mshr[k].next == s->mshr[k].count) {
                s->mshr_valid &= ~(1ull << k);
                s->mshr_done &= ~(1ull << k);
            }
        }
    }
    if (new_slot >= 0)
        s->slot_valid |= 1u << new_slot;
    if (new_mshr >= 0) {
        s->mshr_valid |= 1ull << new_mshr;
        s->mshr_poison &= ~(1ull << new_mshr);
    }
    s->mshr_poison |= poison;
    if (in->inval)
        s->mshr_poison |= s->mshr_valid; /* step 8 */
    if (invalidate) {
        memset(s->valid, 0, sizeof s->valid);
        reset_ages(s);
    }

    /* Step 7. */
    s->ack = false;
    if (fill_now) {
        unsigned p = s->mshr[rsp_index].place;
        bool dropped = in->inval || s->mshr_poison >> rsp_index & 1;
        s->data[p] = in->mem_rsp.data;
        s->mshr_done |= 1ull << rsp_index;
        s->valid[p] = !dropped;
        ev.l1d_fills = true;
        ev.l1d_fills_dropped = dropped;
    } else if (in->mem_rsp_valid && rsp_kind == KIND_STORE) {
        s->ack = true;
    } else if (in->mem_rsp_valid) {
        s->slot[rsp_index].data = in->mem_rsp.data.w[0];
        s->slot_done |= 1u << rsp_index;
    }

    /* Step 9. */
    if (s->early) {
        unsigned last = s->count - 1;
        s->q[last].line |= (uint64_t)in->found.ppn << (12 - LINE_OFF_W);
        s->dropped[last] = !in->early || !in->found.hit;
    }
    if (!s->s2_valid || moved) {
        s->s2_valid = s->count && !s->dropped[0];
        if (s->count) {
            s->s2 = s->q[0];
            s->q[0] = s->q[1];
            s->dropped[0] = s->dropped[1];
            s->count--;
        }
    }
    s->early = put && in->l1d_req.early;
    if (put) {
        s->dropped[s->count] = false;
        s->q[s->count++] = in->l1d_req;
    }
    const bool same = !goes && !moved && !ans && !memcmp(&ev, &s->ev, sizeof ev);
    s->ev = ev;
    s->still = same || rests(s);
}

bool l1d_idle(const l1d_t *s)
{
    return s->still;
}
