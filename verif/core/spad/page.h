/* The page of spad (docs/blocks/spad.md) as a program: which lanes are served in each cycle, every answer and event. The banks' contents are one array of bytes. */
#ifndef VERIF_CORE_SPAD_PAGE_H
#define VERIF_CORE_SPAD_PAGE_H
#include "spad_ports.h"
#include "verif/common/atomics.h"
#include "verif/common/scoreboard.h"
#include "verif/core/memory_op.h"

typedef struct {
    spad_req_t queue[2];
    unsigned n;
    uint8_t byte[SPAD_BYTES];
    enum { PG_IDLE, PG_READ, PG_WRITE } amo;
    uint64_t old;
    bool fail, r_valid;
    unsigned r_hart, r_dw;
    spad_out_t out;
} page_t;

static void page_begin(page_t *p)
{
    p->out.spad_req_ready = true;
}

static uint64_t page_word(const page_t *p, unsigned dw)
{
    uint64_t v;
    memcpy(&v, p->byte + 8 * dw, 8);
    return v;
}

/* Steps 2 and 3: the lanes served, and of a load the words read. */
static uint64_t page_serve(page_t *p, const spad_req_t *r, bool store, unsigned size, spad_rsp_t *rsp)
{
    uint64_t served = 0;
    int winner[LANES];
    for (unsigned b = 0; b < LANES; b++)
        winner[b] = -1;
    for (unsigned l = LANES; l-- > 0;)
        if (r->mask >> l & 1)
            winner[r->addr[l] / 8 % LANES] = (int)l;
    for (unsigned b = 0; b < LANES; b++) {
        if (winner[b] < 0)
            continue;
        const unsigned dw = r->addr[winner[b]] / 8;
        bool half[2] = {false, false};
        if (!store)
            memcpy((uint8_t *)&rsp->data + 8 * b, p->byte + 8 * dw, 8);
        for (unsigned l = 0; l < LANES; l++) {
            const unsigned h = r->addr[l] >> 2 & 1;
            if (!(r->mask >> l & 1) || r->addr[l] / 8 != dw || (store && size == 8 && l != (unsigned)winner[b])
                || (store && half[h]))
                continue;
            served |= 1ull << l;
            half[h] = true;
            if (store) {
                memcpy(p->byte + r->addr[l], &r->data[l], size);
                p->r_valid &= dw != p->r_dw;
            }
        }
    }
    return served;
}

/* With compaction = block each lane's thread has a home. */
static unsigned page_home(const spad_req_t *r, unsigned lane)
{
    return COMPACTS ? r->home[lane % HOME_LANES] : 0;
}

static void page_expect(page_t *p, const spad_in_t *in)
{
    const bool stall = p->out.spad_rsp_valid && !in->spad_rsp_ready, run = p->n && !stall && p->amo == PG_IDLE;
    spad_req_t *r = &p->queue[0];
    const unsigned kind = p->n ? memop_kind(r->op) : MEMOP_NONE, size = memop_size(r->op), amo = memop_amo(r->op);
    unsigned a = 0;
    uint64_t served = 0;
    spad_out_t o = {.spad_rsp_valid = stall, .spad_rsp = p->out.spad_rsp};
    while (p->n && !(r->mask >> a & 1))
        a++;
    const unsigned dw = r->addr[a] / 8, hart = (r->hart0 + page_home(r, a) * THREADS + a) & ((1u << HART_W) - 1);
    o.ev.spad_stalls = p->n && stall;

    if (run && (kind == MEMOP_LOAD || kind == MEMOP_STORE)) {
        if (kind == MEMOP_LOAD)
            memset(&o.spad_rsp, 0, sizeof o.spad_rsp);
        served = page_serve(p, r, kind == MEMOP_STORE, size, &o.spad_rsp);
        o.ev.spad_conflicts = (r->mask & ~served) != 0;
    } else if (run) {
        memset(&o.spad_rsp, 0, sizeof o.spad_rsp);
        p->fail = amo == AMO_SC && !(p->r_valid && p->r_hart == hart && p->r_dw == dw);
        if (amo != AMO_SC)
            memcpy((uint8_t *)&o.spad_rsp.data + 8 * (dw % LANES), p->byte + 8 * dw, 8);
        for (unsigned b = 0; p->fail && b < LANES; b++) {
            const uint64_t v = 0x100000001ull;
            memcpy((uint8_t *)&o.spad_rsp.data + 8 * b, &v, 8);
        }
        p->amo = PG_READ;
    } else if (p->amo == PG_READ && !stall) {
        p->old = page_word(p, dw);
        p->amo = PG_WRITE;
    } else if (p->amo == PG_WRITE) {
        const uint64_t m = memop_low(p->old >> (size == 8 ? 0 : 8 * (r->addr[a] & 4)), size),
                       v = memop_low(r->data[a], size);
        const bool writes = amo == AMO_LR    ? false
                            : amo == AMO_SC  ? !p->fail
                            : amo == AMO_CAS ? m == memop_low(r->cmp[a], size)
                                             : true;
        if (writes) {
            const uint64_t now = amo_value(amo, size, m, v);
            memcpy(p->byte + r->addr[a], &now, size);
            p->r_valid &= dw != p->r_dw;
        }
        if (amo == AMO_SC && p->r_hart == hart)
            p->r_valid = false;
        if (amo == AMO_LR)
            p->r_valid = true, p->r_hart = hart, p->r_dw = dw;
        served = 1ull << a;
        o.ev.spad_atomics = true;
        p->amo = PG_IDLE;
    }
    if (run && kind != MEMOP_STORE) {
        o.spad_rsp_valid = true;
        o.spad_rsp.entry = r->entry;
        o.spad_rsp.beat = r->beat;
        o.spad_rsp.mask = kind == MEMOP_LOAD ? served : 1ull << a;
        for (unsigned l = 0; l < LANES; l++)
            o.spad_rsp.bank[l] = r->addr[l] / 8 % LANES;
    }
    const bool takes = in->spad_req_valid && p->out.spad_req_ready;
    if (served) {
        r->mask &= ~served;
        if (!r->mask) {
            p->queue[0] = p->queue[1];
            p->n--;
        }
    }
    if (takes)
        p->queue[p->n++] = in->spad_req;
    o.ev.spad_beats = takes;
    o.spad_req_ready = p->n != 2;
    p->out = o;
}
#endif
