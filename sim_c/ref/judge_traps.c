/* See judge_traps.h. */
#include "sim_c/ref/judge_traps.h"
#include "sim_c/ref/judge_homes.h"
#include "sim_c/ref/judge_memory.h"
#include "sim_c/ref/judge_pages.h"
#include "sim_c/ref/judge_report.h"
#include "sim_c/ref/judge_requests.h"
#include <inttypes.h>
#include <string.h>

static int wrong_fault(judge_t *j, const sim_fault_t *f, const sim_fault_t *want)
{
    return judge_differ(j, f->core, f->warp, NULL,
                        "the machine faults with cause %u, value 0x%" PRIx64 ", pc 0x%" PRIx64 ", threads 0x%" PRIx64
                        "; the reference with cause %u, value 0x%" PRIx64 ", pc 0x%" PRIx64 ", threads 0x%" PRIx64,
                        f->cause, f->value, f->pc, f->mask, want->cause, want->value, want->pc, want->mask);
}

/* Memory behind pages that are all there. */
typedef struct {
    const ref_bus *behind;
} paged_t;

static bool canonical(uint64_t addr)
{
    return (uint64_t)((int64_t)(addr << 16) >> 16) == addr;
}

static ref_cause paged_load(void *user, uint64_t addr, unsigned size, uint64_t *value)
{
    const ref_bus *b = ((paged_t *)user)->behind;
    *value = 0;
    return in_spad(addr) ? b->load(b->user, addr, size, value) : canonical(addr) ? REF_FAULT_NONE : REF_FAULT_LOAD_PAGE;
}

static ref_cause paged_store(void *user, uint64_t addr, unsigned size, uint64_t value)
{
    const ref_bus *b = ((paged_t *)user)->behind;
    return in_spad(addr)     ? b->store(b->user, addr, size, value)
           : canonical(addr) ? REF_FAULT_NONE
                             : REF_FAULT_STORE_PAGE;
}

static ref_cause paged_amo(void *user, int op, uint64_t addr, unsigned size, uint64_t operand, uint64_t compare,
                           uint64_t *old)
{
    const ref_bus *b = ((paged_t *)user)->behind;
    *old = 0;
    if (in_spad(addr))
        return b->amo(b->user, op, addr, size, operand, compare, old);
    return canonical(addr)                  ? REF_FAULT_NONE
           : op == OP_LR_W || op == OP_LR_D ? REF_FAULT_LOAD_PAGE
                                            : REF_FAULT_STORE_PAGE;
}

/* A memory instruction that has not been let go: each thread tries it on a copy of itself. */
static void try_memory(judge_t *j, unsigned core, unsigned warp, warp_state_t *w, const insn_t *i, sim_fault_t *want)
{
    unsigned char *copy = j->scratch;
    for (uint64_t m = i->tmask; m; m &= m - 1) {
        unsigned t = (unsigned)__builtin_ctzll(m);
        /* the kernel ends with this fault, so writes of the instruction's other threads there do no harm */
        ref_mem *scratch = j->order;
        ref_bus_state s = {.mem = scratch,
                           .spad = j->core[core].spad,
                           .spad_bytes = judge_launch(j, core)->spad_bytes,
                           .hart = (uint32_t)hart_at(core, warp, w, t)};
        ref_bus bus = ref_mem_bus(&s);
        ref_step st;
        memcpy(copy, judge_thread(j, w, t), j->thread_size);
        /* Page faults are judged elsewhere: here only faults that do not depend on the page count. */
        if (judge_sv48(j, core)) {
            paged_t paged = {.behind = &bus};
            const ref_bus canonical = {.user = &paged, .load = paged_load, .store = paged_store, .amo = paged_amo};
            ref_insn d;
            ref_decode(i->instr, &d);
            ref_thread_exec((ref_thread *)(void *)copy, &d, &canonical, &st);
        } else {
            ref_thread_step((ref_thread *)(void *)copy, &bus, &st);
        }
        if (st.event != REF_EV_FAULT)
            continue;
        if (!want->mask)
            *want = (sim_fault_t){.cause = (uint32_t)st.cause, .pc = i->pc, .value = st.fault_value};
        want->mask |= 1ull << t;
    }
}

/* Threads stand at something that cannot be executed: it was judged when it was fetched and issued. */
static void try_fetch(const warp_state_t *w, uint64_t pc, sim_fault_t *want)
{
    if (!w->illegal.mask || w->illegal.pc != pc)
        return;
    const bool page = w->illegal.word & 1;
    *want = (sim_fault_t){.cause = !w->illegal.fetch ? FAULT_ILLEGAL
                                   : page            ? FAULT_FETCH_PAGE
                                                     : FAULT_FETCH_ACCESS,
                          .pc = pc,
                          .value = w->illegal.fetch ? pc : w->illegal.word,
                          .mask = w->illegal.mask};
}

int judge_trapped(judge_t *j, const sim_fault_t *f)
{
    if (f->core >= CORES || f->warp >= WARPS || !f->mask)
        return judge_differ(j, 0, NO_WARP, NULL,
                            "the machine reports a fault of core %u, warp %u, threads 0x%" PRIx64
                            ", which do not exist",
                            f->core, f->warp, f->mask);
    core_state_t *c = &j->core[f->core];
    warp_state_t *w = c->ghost[f->warp] ? c->ghost[f->warp] : &c->warp[f->warp]; /* a ghost's stores come first */
    const insn_t *i = w->head != w->tail ? &w->ring[w->head] : NULL;
    sim_fault_t want = {0};
    if (w->fault) {
        want = w->expected;
    } else if (f->cause == FAULT_BARRIER) {
        if (w->waiting && c->group[w->slot].ended)
            want = (sim_fault_t){.cause = FAULT_BARRIER, .pc = w->wait_pc, .value = 1, .mask = w->wait_mask};
    } else if (w->active && i && i->used && i->pipe == PIPE_LSU) {
        try_memory(j, f->core, f->warp, w, i, &want);
    } else if (w->active && !i) {
        try_fetch(w, ref_thread_pc(judge_thread(j, w, (unsigned)__builtin_ctzll(f->mask) % THREADS)), &want);
    }
    if (!judge_barrier_fails(c, w, f)
        && (want.cause != f->cause || want.value != f->value || want.pc != f->pc || want.mask != f->mask))
        return wrong_fault(j, f, &want);
    judge_memory_check(j, ~0ull);
    judge_all_answered(j);
    return j->verdict;
}
