/*
 * The fast way to run a thread on the reference's own memory: instructions are decoded once, a page at a time, into records that hold the
 * address of the code that executes them. Instructions are counted where control leaves a straight line.
 */
#include <stdlib.h>

#include "sim_c/ref/fp.h"
#include "sim_c/ref/int.h"
#include "sim_c/ref/internal.h"

/* Forgets instructions that were decoded by other tables. */
static void forget_old(runner *r)
{
    if (r->changes == r->mem->changes)
        return;
    r->changes = r->mem->changes;
    for (unsigned i = 0; i < PAGES; i++)
        if (r->pages[i])
            r->pages[i]->number = UINT64_MAX;
}

/* The decoded page of pc, which may be still empty. NULL: no host memory. */
static page *find_page(runner *r, uint64_t pc, const void *decode, const void *page_end)
{
    uint64_t number = pc >> PAGE_LOG2;
    page **slot = &r->pages[number & (PAGES - 1)], *p = *slot;
    if (p && p->number == number)
        return p;
    if (!p)
        *slot = p = malloc(sizeof *p);
    if (!p)
        return NULL;
    p->number = number;
    for (unsigned i = 0; i < PAGE_INSNS; i++)
        p->insns[i].go = decode;
    p->insns[PAGE_INSNS].go = page_end;
    return p;
}

/* The distance in instructions of a branch or jal to its target in the same page. 0 otherwise. */
static int32_t near_target(const ref_insn *d, uint32_t index)
{
    fmt_e f = isa_rows[d->op].format;
    int64_t to = (int64_t)index + d->imm / 4;
    return (f == FMT_B || f == FMT_J) && d->imm % 4 == 0 && to >= 0 && to < PAGE_INSNS ? d->imm / 4 : 0;
}

/* The word at an address of code. 0, or why it cannot be fetched. */
static ref_cause fetch(ref_mem *m, uint64_t pc, uint32_t *insn)
{
    uint64_t at = pc;
    ref_cause refused =
        m->sv48 ? mem_translate(m, REF_USE_FETCH, (uint64_t)((int64_t)(pc << 16) >> 16), &at) : REF_FAULT_NONE;
    if (refused)
        return refused;
    const uint8_t *bytes = mem_in_window(m, at) ? mem_slow(m, at) : NULL;
    if (!bytes)
        return REF_FAULT_FETCH_ACCESS;
    memcpy(insn, bytes, sizeof *insn);
    return REF_FAULT_NONE;
}

/* ---- what exec.inc is written in: code of run_thread ---- */
// clang-format off
#define DO(op) L_##op: {
#define END } d++; goto *d->go;
#define END_JUMP if (d->rel) goto near_jump; goto far_jump; }
#define X(reg) t->x[reg]
#define W(v) (t->x[d->rd] = (uint64_t)(v))
#define PC ((p->number << PAGE_LOG2) + (uint64_t)(d - p->insns) * 4)
#define FAULT(c, v)                                         \
    do {                                                    \
        *cause = (c), *value = (v);                         \
        goto fault;                                         \
    } while (0)
#define EVENT(kind)                                         \
    if ((kind) == REF_EV_EXIT || (kind) == REF_EV_BARRIER) { \
        left -= d - line + 1;                               \
        end = (kind) == REF_EV_EXIT ? RUN_EXIT : RUN_BARRIER; \
        goto stop;                                          \
    }
#define JUMP(to)                                            \
    target = (to) & REF_PC_MASK;                            \
    if (target & 3) FAULT(REF_FAULT_FETCH_MISALIGNED, target)
#define BRANCH(condition)                                   \
    if (condition) {                                        \
        if (d->rel) goto near_jump;                         \
        JUMP(PC + IMM);                                     \
        goto far_jump;                                      \
    }
#define PLACE(at, type, checked, misaligned, access, use)   \
    const uint64_t asked = (at);                            \
    uint64_t addr = mem_interleave(&t->id.private, asked), pa = addr; \
    if (addr & (sizeof(type) - 1)) FAULT(misaligned, addr); \
    if (m->allowed && !mem_is_allowed(m, &t->id, asked, checked)) FAULT(access, addr); \
    uint8_t *place;                                         \
    if (m->sv48 && !mem_in_aperture(addr)) {                \
        ref_cause refused = mem_translate(m, use, addr, &pa); \
        if (refused) FAULT(refused, addr);                  \
        place = mem_slow(m, pa);                            \
    } else {                                                \
        place = mem_at(m, addr);                            \
        if (!place) place = mem_data(m, r->spad, r->spad_bytes, addr); \
    }                                                       \
    if (!place) FAULT(access, addr)
#define LOAD(type)                                          \
    PLACE(A + IMM, type, sizeof(type), REF_FAULT_LOAD_MISALIGNED, REF_FAULT_LOAD_ACCESS, REF_USE_LOAD); \
    type loaded;                                            \
    memcpy(&loaded, place, sizeof loaded);                  \
    W(loaded)
#define STORE(type)                                         \
    PLACE(A + IMM, type, sizeof(type), REF_FAULT_STORE_MISALIGNED, REF_FAULT_STORE_ACCESS, REF_USE_STORE); \
    type stored = (type)B, before;                          \
    memcpy(&before, place, sizeof before);                  \
    changed |= before != stored;                            \
    memcpy(place, &stored, sizeof stored);                  \
    mem_break(&m->global, pa >> LINE_LOG2);                 \
    mem_break(&m->spad, addr >> 3)
#define ATOMIC(type)                                        \
    bool lr = d->op == OP_LR_W || d->op == OP_LR_D;         \
    /* A byte's atomic is made of these, and so is its volatile load: of the word they need its first byte alone. */ \
    const unsigned checked = d->op == OP_LR_W || d->op == OP_AMOCAS_W ? 1 : sizeof(type); \
    PLACE(A, type, checked, lr ? REF_FAULT_LOAD_MISALIGNED : REF_FAULT_STORE_MISALIGNED, \
          lr ? REF_FAULT_LOAD_ACCESS : REF_FAULT_STORE_ACCESS, lr ? REF_USE_LOAD : REF_USE_STORE); \
    bool local = mem_in_aperture(addr);                     \
    r->atomics[local]++;                                    \
    type before;                                            \
    memcpy(&before, place, sizeof before);                  \
    W((type)mem_amo(local ? &m->spad : &m->global, local ? addr >> 3 : pa >> LINE_LOG2, t->id.hartid, (op_e)d->op, \
                    sizeof(type), place, B, C));            \
    changed |= memcmp(place, &before, sizeof before) != 0
#define CSR_ACCESS() fp_collect(&t->fflags)
#define HOST_FLOATS() on_host = true
// clang-format on

/* Computed goto makes it fast; clang and gcc both have it. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

run_end run_thread(runner *r, ref_thread *t, int64_t *left_now, ref_cause *cause, uint64_t *value)
{
#define LABEL(op) [OP_##op] = &&L_##op,
    static const void *const labels[ISA_OPS] = {ISA_FOREACH_OP(LABEL)};
    ref_mem *const m = r->mem;
    int64_t left = *left_now;
    uint64_t target = t->pc;
    page *p;
    ref_insn *d, *line; /* `line`: where the straight line began */
    run_end end;
    bool on_host = false; /* floats were computed: the host may have raised flags */
    bool changed = false; /* a store or an atomic has left memory other than it was */
    forget_old(r);
    goto far;

#include "sim_c/ref/exec.inc"

near_jump:
    left -= d - line + 1;
    d += d->rel;
    line = d;
    if (left > 0)
        goto * d->go;
    end = RUN_TURN;
    goto stop;

page_end:
    target = PC;
    left -= d - line;
    goto far;

far_jump:
    left -= d - line + 1;
far:
    p = find_page(r, target, &&decode, &&page_end);
    if (!p) {
        m->no_memory = true;
        t->pc = target;
        *cause = REF_FAULT_FETCH_ACCESS, *value = target;
        end = RUN_FAULT;
        goto leave;
    }
    line = d = &p->insns[target >> 2 & (PAGE_INSNS - 1)];
    if (left > 0)
        goto * d->go;
    end = RUN_TURN;
    goto stop;

decode: {
    uint32_t insn;
    ref_cause refused = fetch(m, PC, &insn);
    if (refused)
        FAULT(refused, PC);
    ref_decode(insn, d);
    d->rel = near_target(d, (uint32_t)(d - p->insns));
    d->go = labels[d->op];
    goto * d->go;
}

fault:
    left -= d - line;
    end = RUN_FAULT;
stop:
    t->pc = PC;
leave:
    if (on_host)
        fp_collect(&t->fflags);
    r->writes += changed;
    *left_now = left;
    return end;
}
#pragma GCC diagnostic pop
