/* The sequential machine: an instruction is executed when its first beat is traced, and each beat is compared. */
#ifndef VERIF_CORE_MEMPATH_SEQUENTIAL_H
#define VERIF_CORE_MEMPATH_SEQUENTIAL_H
#include "isa_gen.h"
#include "verif/common/atomics.h"
#include "verif/core/memory_op.h"
#include "verif/core/mempath/env.h"

static uint64_t extend(uint64_t v, unsigned op, unsigned n)
{
    if (n == 8 || op == OP_LBU || op == OP_LHU || op == OP_LWU)
        return v;
    return (uint64_t)((int64_t)(v << (64 - 8 * n)) >> (64 - 8 * n));
}

/* An atomic on n bytes; writes through p. Returns rd. */
static uint64_t seq_atomic(unsigned amo, unsigned n, uint8_t *p, uint64_t src, uint64_t cmp, uint64_t hart,
                           uint64_t where, reservation_t *r, bool spad)
{
    const uint64_t old = datum_get(p, n), now = amo_value(amo, n, old, src);
    bool write = amo != AMO_LR;
    uint64_t result = extend(old, OP_LW, n);
    if (amo == AMO_LR) {
        *r = (reservation_t){true, hart, where};
    } else if (amo == AMO_SC) {
        write = r->valid && r->id == hart && r->where == where;
        result = !write;
        if (spad && r->id == hart)
            r->valid = false;
    } else if (amo == AMO_CAS) {
        write = old == memop_low(cmp, n);
    }
    if (write) {
        memcpy(p, &now, n);
        if (r->where == where)
            r->valid = false;
    }
    return result;
}

static void execute(env_t *e, const insn_t *q, unsigned w, uint64_t *value)
{
    unsigned n = memop_size(q->op);
    for (unsigned t = 0; t < THREADS; t++) {
        if (!(q->tmask >> t & 1))
            continue;
        bool spad = q->addr[t] >> 16 == 0x3000;
        uint64_t spot = spad ? w % GROUPS_USED * GROUP_SPAD + (q->addr[t] & 0xffff) : q->addr[t] - BASE;
        uint8_t *p = spad ? e->ref_spad + spot : e->ref + spot;
        reservation_t *res = spad ? &e->ref_spad_res : &e->ref_res;
        uint64_t unit = spad ? spot / 8 : q->addr[t] / LINE_BYTES, hart = w * THREADS + t;
        if (memop_kind(q->op) == MEMOP_STORE) {
            memcpy(p, &q->rs2[t], n);
            if (res->where == unit)
                res->valid = false;
        } else if (memop_kind(q->op) == MEMOP_ATOMIC) {
            value[t] = seq_atomic(memop_amo(q->op), n, p, q->rs2[t], q->rs3[t], hart, unit, res, spad);
        } else {
            value[t] = extend(datum_get(p, n), q->op, n);
        }
    }
}

static void check_trace(env_t *e, const memtrace_t *m)
{
    unsigned w = m->warp;
    if (w >= WARPS || e->order_r[w] == e->order_w[w]) {
        fail(e, "trace of nothing, seq", m->seq, 0);
        return;
    }
    uint8_t seq = e->order[w][e->order_r[w] % SEQS];
    insn_t *q = &e->insns[w][seq];
    memtrace_t want = {.warp = w, .seq = seq, .beat = m->beat};
    want.mask = q->untraced >> (m->beat * LANES) & (LANES < 64 ? (1ull << (LANES % 64)) - 1 : ~0ull);
    for (unsigned l = 0; l < LANES; l++) {
        ((uint64_t *)want.addr)[l] = q->addr[m->beat * LANES + l];
        ((uint64_t *)want.data)[l] = q->rs2[m->beat * LANES + l];
    }
    vl_diff_t d;
    if (!want.mask)
        fail(e, "a beat is traced twice", m->beat, 0);
    else if (memtrace_t_diff(m, &want, &d))
        printf("trace %s: %s expected %s\n", d.field, d.a, d.b), fail(e, "trace differs", 0, 0);
    if (q->untraced == q->tmask)
        execute(e, q, w, e->expect[w][seq].value);
    q->untraced &= ~((uint64_t)want.mask << (m->beat * LANES));
    if (!q->untraced)
        e->order_r[w]++;
}
#endif
