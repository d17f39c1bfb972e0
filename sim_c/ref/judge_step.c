/* See judge_step.h. The reference executes a thread's instruction with the machine's addresses, data and answers at hand; it reports where they differ from its own. */
#include "sim_c/ref/judge_step.h"
#include "sim_c/ref/judge_counters.h"
#include "sim_c/ref/judge_memory.h"
#include "sim_c/ref/judge_report.h"
#include <inttypes.h>
#include <string.h>

/* ---- the reference's view of memory while it steps -------------------------------------------------------------------- */

/* The address of the access that is being stepped: is it there, and is it the machine's? */
static bool reach(judge_t *j, uint64_t addr)
{
    const insn_t *i = j->in_insn;
    if (!judge_reachable(j, j->core_no, addr))
        return false;
    if (i->traced >> j->in_thread & 1 && i->addr[j->in_thread] != addr)
        judge_differ(j, j->core_no, j->warp_no, i, "thread %u accesses 0x%" PRIx64 ", the reference 0x%" PRIx64,
                     j->in_thread, i->addr[j->in_thread], addr);
    return true;
}

static ref_cause bus_load(void *user, uint64_t addr, unsigned size, uint64_t *value)
{
    judge_t *j = user;
    (void)size;
    *value = j->in_insn->seen[j->in_thread];
    return reach(j, addr) ? REF_FAULT_NONE : REF_FAULT_LOAD_ACCESS;
}

static ref_cause bus_store(void *user, uint64_t addr, unsigned size, uint64_t value)
{
    judge_t *j = user;
    const insn_t *i = j->in_insn;
    if (!reach(j, addr))
        return REF_FAULT_STORE_ACCESS;
    uint64_t mask = size_mask(size), data = i->data[j->in_thread] & mask;
    if (data != (value & mask))
        judge_differ(j, j->core_no, j->warp_no, i, "thread %u stores 0x%" PRIx64 ", the reference 0x%" PRIx64,
                     j->in_thread, data, value & mask);
    return REF_FAULT_NONE;
}

static ref_cause bus_amo(void *user, int op, uint64_t addr, unsigned size, uint64_t operand, uint64_t compare,
                         uint64_t *old)
{
    judge_t *j = user;
    insn_t *i = j->in_insn;
    unsigned t = j->in_thread;
    uint64_t mask = size_mask(size);
    bool lr = op == OP_LR_W || op == OP_LR_D, cas = op == OP_AMOCAS_W || op == OP_AMOCAS_D;
    if (!reach(j, addr))
        return lr ? REF_FAULT_LOAD_ACCESS : REF_FAULT_STORE_ACCESS;
    if (!in_spad(addr) && !(i->performed >> t & 1))
        judge_differ(j, j->core_no, j->warp_no, i, "the atomic of thread %u was never performed in memory", t);
    if (!lr && ((i->data[t] ^ operand) & mask))
        judge_differ(j, j->core_no, j->warp_no, i, "thread %u's operand is 0x%" PRIx64 ", the reference's 0x%" PRIx64,
                     t, i->data[t], operand);
    if (cas && (i->compared[t] ^ compare) & mask)
        judge_differ(j, j->core_no, j->warp_no, i,
                     "thread %u compares with 0x%" PRIx64 ", the reference with 0x%" PRIx64, t, i->compared[t],
                     compare);
    *old = i->seen[t];
    if (!in_spad(addr) && i->instr >> 26 & 1
        && i->performed_at > j->in_warp->since) /* aq: later loads may not see older values */
        j->in_warp->since = i->performed_at;
    return REF_FAULT_NONE;
}

/* ---- stepping -------------------------------------------------------------------------------------------------------- */

void judge_compare(judge_t *j, unsigned core, unsigned warp, warp_state_t *w, insn_t *i, unsigned t)
{
    if (i->result[t] == i->value[t])
        return;
    /* A load may race with another core. Then the reference continues with the machine's value. */
    if (is_load(i) && !in_spad(i->addr[t])) {
        unsigned size = size_of(i);
        uint64_t raw = i->result[t] & size_mask(size), sign = size_mask(size) & ~(size_mask(size) >> 1);
        uint64_t extended = i->instr >> 14 & 1 || !(raw & sign) ? raw : raw | ~size_mask(size);
        if (i->result[t] == extended && judge_load_legal(j, core, i, t, raw)) {
            ref_thread_set_reg(judge_thread(j, w, t), i->rd, i->result[t]);
            return;
        }
    }
    judge_differ(j, core, warp, i, "thread %u writes x%u = 0x%" PRIx64 ", the reference 0x%" PRIx64, t, i->rd,
                 i->result[t], i->value[t]);
}

void judge_finish(insn_t *i)
{
    if (i->stepped && !i->faulted && (i->written & i->expected) == i->expected)
        i->used = false;
}

/* Threads of a JALR that this issue takes along: those with the leader's rs1, bit 0 apart if the offset is even (docs/blocks/core.md). */
static uint64_t jalr_threads(judge_t *j, warp_state_t *w, const insn_t *i)
{
    unsigned rs1 = i->instr >> 15 & 31;
    uint64_t leader = ref_thread_reg(judge_thread(j, w, (unsigned)__builtin_ctzll(i->tmask)), rs1), go = 0;
    uint64_t bits = REF_PC_MASK & ~(uint64_t)!((uint64_t)isa_imm(i->instr, OP_JALR) & 1);
    for (uint64_t m = i->tmask; m; m &= m - 1) {
        unsigned t = (unsigned)__builtin_ctzll(m);
        if (((ref_thread_reg(judge_thread(j, w, t), rs1) ^ leader) & bits) == 0)
            go |= 1ull << t;
    }
    return go;
}

void judge_expect_fault(warp_state_t *w, uint32_t cause, uint64_t pc, uint64_t value, uint64_t mask)
{
    w->fault = true;
    w->expected = (sim_fault_t){.cause = cause, .pc = pc, .value = value, .mask = mask};
}

/* Would the thread take this branch? By a jump to elsewhere: where it leads, the next instruction may stand. */
static bool takes(judge_t *j, const ref_thread *th, const ref_insn *d)
{
    ref_insn probe = *d;
    ref_step s;
    probe.imm = 8;
    memcpy(j->scratch, th, j->thread_size);
    ref_thread_exec((ref_thread *)(void *)j->scratch, &probe, NULL, &s);
    return s.next_pc != ((s.pc + 4) & REF_PC_MASK);
}

static void step(judge_t *j, unsigned core, unsigned warp, warp_state_t *w, insn_t *i)
{
    core_state_t *c = &j->core[core];
    ref_bus bus = {.user = j, .load = bus_load, .store = bus_store, .amo = bus_amo};
    ref_insn d;
    ref_decode(i->instr, &d);
    j->in_core = c;
    j->in_warp = w;
    j->in_insn = i;
    j->core_no = core;
    j->warp_no = warp;
    i->stepped = true;
    const bool branch = isa_rows[i->op].format == FMT_B;
    uint64_t go = i->op == OP_JALR ? jalr_threads(j, w, i) : i->tmask, faulted = 0, exits = 0, taken = branch ? 0 : go;
    ref_step fault = {0};
    for (uint64_t m = go; m && !j->verdict; m &= m - 1) {
        unsigned t = j->in_thread = (unsigned)__builtin_ctzll(m);
        ref_thread *th = judge_thread(j, w, t);
        if (!(w->live >> t & 1) || ref_thread_pc(th) != i->pc) {
            judge_differ(j, core, warp, i, "thread %u is %s, the reference has it at pc 0x%" PRIx64, t,
                         w->live >> t & 1 ? "executed here" : "executed after its end", ref_thread_pc(th));
            return;
        }
        if (i->early)
            continue;
        if (branch && takes(j, th, &d))
            taken |= 1ull << t;
        ref_step s;
        ref_thread_exec(th, &d, &bus, &s);
        if (j->verdict)
            return;
        if (s.event == REF_EV_FAULT) {
            if (!faulted)
                fault = s;
            faulted |= 1ull << t;
            continue;
        }
        if (s.event == REF_EV_EXIT)
            exits |= 1ull << t;
        i->value[t] = s.value;
        if (s.rd)
            i->expected |= 1ull << t;
        if (s.rd && i->written >> t & 1)
            judge_compare(j, core, warp, w, i, t);
    }
    if (faulted) {
        i->faulted = true;
        if (i->pipe == PIPE_LSU) /* its accesses have been let go */
            judge_differ(j, core, warp, i,
                         "thread %u faults in the reference (cause %d, value 0x%" PRIx64 "), the machine goes on",
                         (unsigned)__builtin_ctzll(faulted), (int)fault.cause, fault.fault_value);
        else
            judge_expect_fault(w, (uint32_t)fault.cause, i->pc, fault.fault_value, faulted);
    }
    judge_count_instruction(j, core, i, taken);
    w->live &= ~exits;
    if (is_fence(i) && i->begin > w->since)
        w->since = i->begin;
    if (is_atomic(i) && i->instr >> 25 & 1 && i->begin > w->since) /* rl: as a fence before it */
        w->since = i->begin;
    if (i->written & ~i->expected)
        judge_differ(j, core, warp, i, "a result is written that the reference does not write (threads 0x%" PRIx64 ")",
                     i->written & ~i->expected);
    judge_finish(i);
}

static bool ready(const insn_t *i)
{
    if (is_fence(i))
        return i->last_seen;
    if (!accesses(i))
        return true;
    return i->gone == i->tmask && (!is_atomic(i) || i->last_seen);
}

void judge_advance(judge_t *j, unsigned core, unsigned warp, warp_state_t *w)
{
    while (!j->verdict && !w->fault && w->head != w->tail && ready(&w->ring[w->head]))
        step(j, core, warp, w, &w->ring[w->head++]);
}
