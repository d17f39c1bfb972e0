/* See spad.h. Step numbers are the page's. */
#include "sim_c/core/spad.h"
#include "sim_c/core/memop.h"
#include <string.h>

enum { WORDS = SPAD_BYTES / 8 };
enum amo_phase { AMO_IDLE, AMO_READ, AMO_WRITE };

struct spad {
    unsigned count;
    spad_req_t q[2];
    bool rsp_valid, sc, fail;
    spad_rsp_t rsp;
    enum amo_phase amo;
    uint64_t old;
    bool r_valid;
    uint32_t r_hart;
    uint32_t r_dw;
    ev_spad_t ev;
    uint64_t mem[WORDS]; /* in order of address: bank is the index mod LANES */
};

size_t spad_size(void)
{
    return sizeof(struct spad);
}

void spad_reset(spad_t *s)
{
    s->count = 0;
    s->rsp_valid = false;
    s->amo = AMO_IDLE;
    s->r_valid = false;
    memset(&s->ev, 0, sizeof s->ev);
}

void spad_out(const spad_t *s, spad_out_t *o)
{
    o->spad_req_ready = s->count != 2;
    o->spad_rsp_valid = s->rsp_valid;
    o->ev = s->ev;
    if (s->rsp_valid)
        o->spad_rsp = s->rsp;
}

static inline uint32_t dw(const spad_req_t *r, unsigned lane)
{
    return r->addr[lane] >> 3;
}

static inline unsigned lowest(uint32_t mask)
{
    return (unsigned)__builtin_ctz(mask);
}

/* Each bank's winner: the lowest pending lane of the bank. Returns the banks that have one. */
static uint32_t winners(const spad_req_t *r, unsigned win[LANES])
{
    uint32_t banks = 0;
    for (uint32_t m = r->mask; m; m &= m - 1) {
        unsigned l = lowest(m), b = dw(r, l) % LANES;
        if (!(banks >> b & 1)) {
            banks |= 1u << b;
            win[b] = l;
        }
    }
    return banks;
}

static void put_bytes(spad_t *s, uint32_t word, unsigned off, unsigned size, uint64_t v)
{
    uint64_t m = size == 8 ? ~0ull : ((1ull << 8 * size) - 1) << 8 * off;
    s->mem[word] = (s->mem[word] & ~m) | (v << 8 * off & m);
}

/* Bank's read register, as it stands in the response. */
static void read_into(spad_t *s, unsigned bank, uint64_t v)
{
    memcpy((uint8_t *)&s->rsp.data + 8 * bank, &v, sizeof v);
}

static uint32_t load(spad_t *s, const spad_req_t *r) /* step 2 */
{
    unsigned win[LANES];
    uint32_t served = 0;
    winners(r, win);
    for (uint32_t m = r->mask; m; m &= m - 1) {
        unsigned l = lowest(m);
        if (dw(r, l) == dw(r, win[dw(r, l) % LANES])) {
            served |= 1u << l;
            read_into(s, dw(r, l) % LANES, s->mem[dw(r, l)]);
        }
    }
    return served;
}

static uint32_t store(spad_t *s, const spad_req_t *r, unsigned size) /* step 3 */
{
    unsigned win[LANES];
    uint32_t served = 0;
    uint32_t banks = winners(r, win);
    if (size == 8) {
        for (; banks; banks &= banks - 1)
            served |= 1u << win[lowest(banks)];
    } else {
        uint32_t half_taken[2] = {0, 0};
        for (uint32_t m = r->mask; m; m &= m - 1) {
            unsigned l = lowest(m), b = dw(r, l) % LANES, half = r->addr[l] >> 2 & 1;
            if (dw(r, l) != dw(r, win[b]) || half_taken[half] >> b & 1)
                continue;
            half_taken[half] |= 1u << b;
            served |= 1u << l;
        }
    }
    for (uint32_t m = served; m; m &= m - 1) {
        unsigned l = lowest(m);
        put_bytes(s, dw(r, l), r->addr[l] & 7, size, r->data[l]);
        if (dw(r, l) == s->r_dw)
            s->r_valid = false;
    }
    return served;
}

static uint32_t hart_of(const spad_req_t *r, unsigned lane)
{
    return (r->hart0 + (COMPACTS ? r->home[lane % HOME_LANES] * THREADS : 0) + lane) & ((1u << HART_W) - 1);
}

static uint64_t modified(unsigned amo, unsigned size, uint64_t m, uint64_t v)
{
    int64_t sm = size == 8 ? (int64_t)m : (int32_t)m, sv = size == 8 ? (int64_t)v : (int32_t)v;
    uint64_t um = memop_low(m, size), uv = memop_low(v, size);
    switch (amo) {
    case AMO_ADD: return m + v;
    case AMO_XOR: return m ^ v;
    case AMO_AND: return m & v;
    case AMO_OR: return m | v;
    case AMO_MIN: return sv < sm ? v : m;
    case AMO_MAX: return sv > sm ? v : m;
    case AMO_MINU: return uv < um ? v : m;
    case AMO_MAXU: return uv > um ? v : m;
    default: return v;
    }
}

static void perform(spad_t *s, const spad_req_t *r) /* step 6 */
{
    unsigned a = lowest(r->mask), size = memop_size(r->op), amo = memop_amo(r->op), off = r->addr[a] & 7;
    uint64_t m = size == 8 ? s->old : s->old >> 8 * (off & 4);
    bool write = true;
    uint64_t v = r->data[a];
    if (amo == AMO_LR) {
        s->r_valid = true;
        s->r_hart = hart_of(r, a);
        s->r_dw = dw(r, a);
        return;
    }
    if (amo == AMO_SC) {
        write = !s->fail;
        if (s->r_hart == hart_of(r, a))
            s->r_valid = false;
    } else if (amo == AMO_CAS) {
        write = memop_low(m, size) == memop_low(r->cmp[a], size);
    } else {
        v = modified(amo, size, m, v);
    }
    if (write) {
        put_bytes(s, dw(r, a), size == 8 ? 0 : off & 4, size, v);
        if (s->r_dw == dw(r, a))
            s->r_valid = false;
    }
}

void spad_tick(spad_t *s, const spad_in_t *in)
{
    bool taken = s->rsp_valid && in->spad_rsp_ready, stall = s->rsp_valid && !in->spad_rsp_ready;
    bool run = s->count && !stall && s->amo == AMO_IDLE, put = in->spad_req_valid && s->count != 2;
    spad_req_t *head = &s->q[0];
    uint32_t served = 0;
    s->ev = (ev_spad_t){.spad_beats = put, .spad_stalls = s->count && stall};
    if (taken)
        s->rsp_valid = false; /* step 1 */
    if (run) {
        enum memop_kind kind = memop_kind(head->op);
        if (kind == MEMOP_STORE) {
            served = store(s, head, memop_size(head->op));
        } else {
            s->rsp.entry = head->entry;
            s->rsp.beat = head->beat;
            s->rsp_valid = true;
            s->sc = s->fail = false;
            memset(&s->rsp.data, 0, sizeof s->rsp.data);
            for (unsigned l = 0; l < LANES; l++)
                s->rsp.bank[l] = dw(head, l) % LANES;
            if (kind == MEMOP_LOAD) {
                served = load(s, head);
                s->rsp.mask = served;
            } else { /* step 4 */
                unsigned a = lowest(head->mask);
                s->rsp.mask = 1u << a;
                s->old = s->mem[dw(head, a)];
                if (memop_amo(head->op) == AMO_SC) {
                    s->sc = true;
                    s->fail = !(s->r_valid && s->r_hart == hart_of(head, a) && s->r_dw == dw(head, a));
                    s->old = 0;
                    for (unsigned b = 0; b < LANES; b++)
                        read_into(s, b, s->fail ? 0x100000001ull : 0);
                } else {
                    read_into(s, dw(head, a) % LANES, s->old);
                }
                s->amo = AMO_READ;
            }
        }
        s->ev.spad_conflicts = kind != MEMOP_ATOMIC && head->mask != served;
    } else if (s->amo == AMO_READ) { /* step 5 */
        if (taken)
            s->amo = AMO_WRITE;
    } else if (s->amo == AMO_WRITE) {
        perform(s, head);
        served = head->mask & -head->mask;
        s->amo = AMO_IDLE;
        s->ev.spad_atomics = true;
    }
    if (served) { /* step 7 */
        head->mask &= ~served;
        if (!head->mask) {
            s->q[0] = s->q[1];
            s->count--;
        }
    }
    if (put)
        s->q[s->count++] = in->spad_req; /* step 8 */
}

bool spad_idle(const spad_t *s)
{
    static const ev_spad_t none;
    return !s->count && !s->rsp_valid && !memcmp(&s->ev, &none, sizeof none);
}
