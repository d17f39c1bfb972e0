/* One instruction of one thread, on the caller's memory. */
#include "sim_c/ref/fp.h"
#include "sim_c/ref/int.h"
#include "sim_c/ref/internal.h"

size_t ref_thread_size(void)
{
    return sizeof(ref_thread);
}

void ref_thread_init(ref_thread *t, uint64_t pc, const ref_ident *id)
{
    *t = (ref_thread){.pc = pc & REF_PC_MASK, .id = *id};
}

ref_private ref_private_of(uint64_t base, uint32_t stack_log2, uint32_t harts, uint32_t threads)
{
    if (!harts || stack_log2 < 4 || stack_log2 > 19)
        return (ref_private){0};
    ref_private p = {.base = base, .stack_bits = (uint8_t)stack_log2, .all_bits = (uint8_t)(stack_log2 + 1)};
    while (1u << p.thread_bits < threads)
        p.thread_bits++;
    while (1ull << (p.all_bits - stack_log2) < harts)
        p.all_bits++;
    return p;
}

uint64_t ref_thread_pc(const ref_thread *t)
{
    return t->pc;
}
void ref_thread_set_pc(ref_thread *t, uint64_t pc)
{
    t->pc = pc & REF_PC_MASK;
}
uint64_t ref_thread_reg(const ref_thread *t, unsigned r)
{
    return t->x[r & 31];
}
void ref_thread_set_reg(ref_thread *t, unsigned r, uint64_t value)
{
    t->x[r & 31 ? r & 31 : 32] = value;
}
uint64_t ref_thread_place(const ref_thread *t, uint64_t addr)
{
    return mem_interleave(&t->id.private, addr);
}
uint32_t ref_thread_fcsr(const ref_thread *t)
{
    return t->frm << 5 | t->fflags;
}
void ref_thread_set_fcsr(ref_thread *t, uint32_t fcsr)
{
    csr_write(t, CSR_FCSR, fcsr);
}

void ref_decode(uint32_t insn, ref_insn *d)
{
    op_e op = isa_op(insn);
    fmt_e f = isa_rows[op].format;
    bool no_rd = f == FMT_S || f == FMT_B || f == FMT_FENCE || f == FMT_NONE;
    unsigned rd = insn >> 7 & 31;
    *d = (ref_insn){
        .insn = insn,
        .imm = (int32_t)isa_imm(insn, op),
        .op = (uint8_t)op,
        .rd = (uint8_t)(no_rd || rd == 0 ? 32 : rd),
        .rs1 = insn >> 15 & 31,
        .rs2 = insn >> 20 & 31,
        .rs3 = (uint8_t)isa_rs3(insn, op),
        .rm = insn >> 12 & 7,
    };
}

void ref_thread_exec(ref_thread *t, const ref_insn *d, const ref_bus *bus, ref_step *s)
{
    uint32_t fflags_before = t->fflags;
    pipe_e pipe = isa_rows[d->op].pipe;
    bool fp = pipe == PIPE_FPU || pipe == PIPE_FDIV;
    fp_saved host;
    if (fp) {
        t->fflags = 0; /* so that the flags that this instruction raises are known */
        fp_enter(&host);
    }
    *s = (ref_step){.pc = t->pc, .next_pc = (t->pc + 4) & REF_PC_MASK, .insn = d->insn, .op = d->op};

#define DO(name) case OP_##name: {
#define END break; }
#define END_JUMP END
#define X(r) t->x[r]
#define W(v) (s->rd = d->rd & 31, s->value = (uint64_t)(v))
#define PC t->pc
#define FAULT(c, v)                                                          \
    do {                                                                     \
        s->event = REF_EV_FAULT, s->cause = (c), s->fault_value = (v);       \
        goto done;                                                           \
    } while (0)
#define EVENT(kind) s->event = (kind)
#define JUMP(to)                                                             \
    do {                                                                     \
        uint64_t jump_to = (to) & REF_PC_MASK;                               \
        if (jump_to & 3) FAULT(REF_FAULT_FETCH_MISALIGNED, jump_to);         \
        s->next_pc = jump_to;                                                \
    } while (0)
#define BRANCH(condition) if (condition) JUMP(PC + IMM)
#define ACCESS(kind, at, type, misaligned)                                   \
    s->access = (kind), s->addr = mem_interleave(&t->id.private, (at)), s->size = sizeof(type);              \
    if (s->addr & (sizeof(type) - 1)) FAULT(misaligned, s->addr)
#define CHECK(call)                                                          \
    do {                                                                     \
        ref_cause cause = (call);                                            \
        if (cause) FAULT(cause, s->addr);                                    \
    } while (0)
#define LOAD(type)                                                           \
    ACCESS(REF_MEM_LOAD, A + IMM, type, REF_FAULT_LOAD_MISALIGNED);          \
    CHECK(bus->load(bus->user, s->addr, s->size, &s->loaded));               \
    W((type)s->loaded)
#define STORE(type)                                                          \
    ACCESS(REF_MEM_STORE, A + IMM, type, REF_FAULT_STORE_MISALIGNED);        \
    s->data = (type)B;                                                       \
    CHECK(bus->store(bus->user, s->addr, s->size, s->data))
#define ATOMIC(type)                                                         \
    bool lr = d->op == OP_LR_W || d->op == OP_LR_D;                          \
    ACCESS(REF_MEM_AMO, A, type, lr ? REF_FAULT_LOAD_MISALIGNED : REF_FAULT_STORE_MISALIGNED); \
    s->data = lr ? 0 : sizeof(type) == 4 ? (uint32_t)B : B;                  \
    CHECK(bus->amo(bus->user, d->op, s->addr, s->size, s->data, C, &s->loaded)); \
    W((type)s->loaded)
#define CSR_ACCESS() (void)0
#define HOST_FLOATS() (void)0

    switch ((op_e)d->op) {
#include "sim_c/ref/exec.inc"
    }
done:
    if (fp) {
        fp_collect(&t->fflags);
        fp_leave(&host);
        s->fflags = (uint8_t)t->fflags;
        t->fflags |= fflags_before;
    }
    if (s->event == REF_EV_FAULT) {
        s->next_pc = s->pc;
        s->rd = 0;
        return;
    }
    if (s->rd)
        t->x[s->rd] = s->value;
    else
        s->value = 0;
    t->pc = s->next_pc;
}

void ref_thread_step(ref_thread *t, const ref_bus *bus, ref_step *s)
{
    uint32_t insn;
    ref_insn d;
    ref_cause cause = bus->fetch(bus->user, t->pc, &insn);
    if (cause) {
        *s = (ref_step){.pc = t->pc, .next_pc = t->pc, .event = REF_EV_FAULT, .cause = cause, .fault_value = t->pc};
        return;
    }
    ref_decode(insn, &d);
    ref_thread_exec(t, &d, bus, s);
}

/* ---- a bus straight onto memory ---------------------------------------------------------------------------------- */

static ref_cause bus_fetch(void *user, uint64_t pc, uint32_t *insn)
{
    ref_bus_state *s = user;
    if (!mem_in_window(s->mem, pc))
        return REF_FAULT_FETCH_ACCESS;
    const uint8_t *p = mem_slow(s->mem, pc);
    if (!p)
        return REF_FAULT_FETCH_ACCESS;
    memcpy(insn, p, 4);
    return REF_FAULT_NONE;
}

static uint8_t *place(ref_bus_state *s, uint64_t addr, reservation **r, uint64_t *line)
{
    bool spad = addr - REF_SPAD_BASE < REF_SPAD_MAX;
    *r = spad ? &s->mem->spad : &s->mem->global;
    *line = spad ? addr >> 3 : addr >> LINE_LOG2;
    return mem_data(s->mem, s->spad, s->spad ? s->spad_bytes : 0, addr);
}

static ref_cause bus_load(void *user, uint64_t addr, unsigned size, uint64_t *value)
{
    reservation *r;
    uint64_t line;
    const uint8_t *p = place(user, addr, &r, &line);
    if (!p)
        return REF_FAULT_LOAD_ACCESS;
    *value = 0;
    memcpy(value, p, size);
    return REF_FAULT_NONE;
}

static ref_cause bus_store(void *user, uint64_t addr, unsigned size, uint64_t value)
{
    reservation *r;
    uint64_t line;
    uint8_t *p = place(user, addr, &r, &line);
    if (!p)
        return REF_FAULT_STORE_ACCESS;
    memcpy(p, &value, size);
    mem_break(r, line);
    return REF_FAULT_NONE;
}

static ref_cause bus_amo(void *user, int op, uint64_t addr, unsigned size, uint64_t operand, uint64_t compare,
                         uint64_t *old)
{
    ref_bus_state *s = user;
    reservation *r;
    uint64_t line;
    uint8_t *p = place(s, addr, &r, &line);
    if (!p)
        return op == OP_LR_W || op == OP_LR_D ? REF_FAULT_LOAD_ACCESS : REF_FAULT_STORE_ACCESS;
    *old = mem_amo(r, line, s->hart, (op_e)op, size, p, operand, compare);
    return REF_FAULT_NONE;
}

ref_bus ref_mem_bus(ref_bus_state *s)
{
    return (ref_bus){s, bus_fetch, bus_load, bus_store, bus_amo};
}
