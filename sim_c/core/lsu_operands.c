/* Beats come: their addresses, and the checks of these (docs/blocks/lsu.md: addresses). */
#include "sim_c/common/memory_map.h"
#include "sim_c/core/lsu_rows.h"
#include "sim_c/core/homes.h"
#include "sim_c/core/memop.h"

static void begin(row_t *r, const operands_t *o)
{
    r->warp = o->warp;
    r->seq = o->seq;
    r->pc = o->pc;
    r->rd = o->rd;
    r->op = o->op;
    r->kind = memop_kind(o->op);
    r->size = memop_size(o->op);
    r->rl = r->kind == MEMOP_ATOMIC && o->instr >> 25 & 1;
    r->aq = r->kind == MEMOP_ATOMIC && o->instr >> 26 & 1;
    r->write = r->kind == MEMOP_STORE || (r->kind == MEMOP_ATOMIC && memop_amo(o->op) != AMO_LR);
    r->walked = r->active = r->spad = r->global = r->misaligned = r->access = r->page = 0;
    r->unsent = r->todo = r->wait = r->ans = r->ok = r->flt = r->facc = 0;
    r->traced = r->seen = r->reported = false;
    r->pages = 0;
}

static bool canonical(uint64_t a)
{
    return a >> (PA_W - 1) == 0 || a >> (PA_W - 1) == UINT64_MAX >> (PA_W - 1);
}

/* Where an access to address a lies: doubleword k of a warp's stacks side by side (docs/private-memory.md, P1). */
static uint64_t interleave(const kernel_t *k, uint64_t a)
{
    const unsigned s = k->stack_log2, t = (unsigned)lowest(THREADS);
    if (s < STACK_LOG2_MIN || s > STACK_LOG2_MAX || (a ^ k->stack_base) >> (s + HART_W))
        return a;
    const uint64_t thread = a >> s & (THREADS - 1), slot = (a & (BIT(s) - 1)) >> 3;
    return a >> (s + t) << (s + t) | slot << (t + 3) | thread << 3 | (a & 7);
}

unsigned rows_gather(rows_t *s, const operands_t *o, const lsu_in_t *in, const uint32_t base[WARPS])
{
    const kernel_t *k = &in->kernel;
    const bool sv48 = in->root.sv48;
    if (o->first) {
        s->filling = lowest(~s->valid);
        s->valid |= BIT(s->filling);
        s->order[s->count++] = (uint8_t)s->filling;
        begin(&s->row[s->filling], o);
    }
    row_t *r = &s->row[s->filling];
    r->base = base[o->warp];
    if (COMPACTS)
        for (unsigned t = o->beat * LANES; t < o->beat * LANES + LANES; t++)
            r->home[t % HOME_PLACES] = (uint8_t)HOME_OF(in, o->warp, t);
    bool memory = r->kind == MEMOP_LOAD || r->kind == MEMOP_STORE || r->kind == MEMOP_ATOMIC;
    for (uint64_t m = memory ? o->mask : 0; m; m &= m - 1) {
        unsigned l = lowest(m), t = o->beat * LANES + l;
        const uint64_t a = o->rs1[l] + o->imm, bit = BIT(t);
        r->addr[t] = r->phys[t] = interleave(k, a);
        r->rs2[t] = o->rs2[l];
        r->rs3[t] = o->rs3[l];
        r->active |= bit;
        if (a & (r->size - 1u))
            r->misaligned |= bit;
        else if (a >> 16 == SPAD_BASE >> 16)
            *((a & 0xffff) < k->spad_bytes ? &r->spad : &r->access) |= bit;
        else if (sv48)
            *(canonical(a) ? &r->global : &r->page) |= bit;
        else if (in_memory(k, a))
            r->global |= bit;
        else
            r->access |= bit;
    }
    if (!o->last)
        return NO_ROW;
    if ((r->unsent = r->global)) {
        s->unsent |= BIT(r->warp);
        s->unsent_rows[r->warp]++;
    }
    *(sv48 ? &r->todo : &r->ok) = r->global;
    s->complete |= BIT(s->filling);
    if (!row_bad(r)) {
        s->sound |= BIT(s->filling);
        set_to(&s->todo, s->filling, r->todo);
    }
    return s->filling;
}
