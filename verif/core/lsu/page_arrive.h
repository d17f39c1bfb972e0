/* The page's section "Addresses": a beat arrives in its row, where its places are found and checked; one is given back. */
#ifndef LSU_BENCH_PAGE_ARRIVE_H
#define LSU_BENCH_PAGE_ARRIVE_H
#include "verif/core/lsu/page_before.h"

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

/* A beat comes, one is given back. */
static void page_beats(lsu_page_t *s, const lsu_in_t *in)
{
    const bool credit = s->out.credit;
    s->pending -= credit;
    s->in_valid = in->ops_valid && in->ops.pipe == PIPE_LSU;
    s->in = in->ops;
    s->held += s->in_valid;
    s->held -= credit;
}
#endif
