/* The judge's view of page faults (judge_state.h). The host serves them from a queue of registers (docs/blocks/vm_ctl.md); its reads there are judged: the threads of an
 * instruction that has not gone to memory, or a line that is fetched, wait for a page; so page tables must have had none for it.
 *
 * A fault may be served long after it came about, when its page has been mapped and shot down for others. So PTEs count from the last shootdown on that was acknowledged before it can
 * have come about: before its instruction was issued or went on the last time, or, of a fetch, before the queue was read as too short to hold it.
 * Nor are failures remembered: one that comes again after the instruction has gone on is that of a walk which began after the walk before had ended, and that was after the
 * instruction had been issued, or had gone on the time before. With a shared walker the answer of the walk before may have been under way to the core when the instruction went on and
 * joined it: so its own request began after the time before that, and the walk ended later still. There, too, this is asked of the PTE alone by which the walk failed, and only if that is
 * no leaf: pointers on the way to it may be in the walk cache, and a leaf that was found for another access may be kept (docs/shared-translation.md, Access).
 *
 * The host's answer to a fetch names a line fill, not a line: it must not meet another line there.
 */
#include "sim_c/ref/judge_faults.h"
#include "sim_c/ref/judge_pages.h"
#include "sim_c/ref/judge_report.h"
#include <inttypes.h>
#include <string.h>

void judge_faults_begin(judge_t *j)
{
    memset(&j->faults, 0, sizeof j->faults);
}

void judge_faults_again(judge_t *j, uint64_t cores)
{
    for (unsigned c = 0; c < CORES; c++) {
        if (!(cores >> c & 1))
            continue;
        memset(j->faults.waits[c], 0, sizeof j->faults.waits[c]);
        memset(j->faults.denied[c], 0, sizeof j->faults.denied[c]);
    }
}

static bool writes(const insn_t *i)
{
    return is_store(i) || (is_atomic(i) && i->op != OP_LR_W && i->op != OP_LR_D);
}

/* The instruction with threads that wait. */
static insn_t *waiting(warp_state_t *w, uint64_t pc, uint64_t threads, bool store)
{
    for (uint8_t k = w ? w->head : 0; w && k != w->tail; k++) {
        insn_t *i = &w->ring[k];
        if (i->used && i->pipe == PIPE_LSU && i->pc == pc && threads && !(threads & ~(i->tmask & ~i->sent))
            && writes(i) == store)
            return i;
    }
    return NULL;
}

static uint64_t canonical(uint64_t addr)
{
    return (uint64_t)((int64_t)(addr << 16) >> 16);
}

static void check_fetch(judge_t *j, unsigned core, uint64_t since)
{
    fault_queue_t *q = &j->faults;
    q->fetch[core][q->what.warp & 1] = q->value;
    if (!judge_fault_legal(j, core, canonical(q->value), REF_USE_FETCH,
                           q->what.access ? REF_ACCESS_FAULT : REF_PAGE_FAULT, since, 0))
        judge_differ(j, core, NO_WARP, NULL, "the fetch of 0x%" PRIx64 " waits for a page, but the tables permit it",
                     q->value);
}

/* Does the lowest of them access that address? Known as soon as all before it has been stepped. */
static void check_address(judge_t *j, unsigned core, unsigned warp, warp_state_t *w, const insn_t *i)
{
    const fault_queue_t *q = &j->faults;
    const unsigned t = (unsigned)__builtin_ctzll(q->threads);
    if (i != &w->ring[w->head])
        return;
    const ref_thread *thread = judge_thread(j, w, t);
    const uint64_t imm = is_atomic(i) ? 0 : (uint64_t)isa_imm(i->instr, i->op),
                   addr = ref_thread_place(thread, ref_thread_reg(thread, i->instr >> 15 & 31) + imm);
    if ((addr ^ q->value) << 16)
        judge_differ(j, core, warp, i,
                     "thread %u waits for the page of 0x%" PRIx64 ", the reference accesses 0x%" PRIx64, t, q->value,
                     addr);
}

static void check(judge_t *j)
{
    fault_queue_t *q = &j->faults;
    const unsigned core = q->what.core, warp = q->what.warp;
    const bool there = core < CORES && (q->what.fetch || warp < WARPS);
    if (there && q->what.fetch) {
        check_fetch(j, core, q->after[q->popped % FAULTS_KNOWN]);
        return;
    }
    warp_state_t *w = there ? &j->core[core].warp[warp] : NULL, *ghost = there ? j->core[core].ghost[warp] : NULL;
    const bool store = q->what.store;
    insn_t *i = waiting(ghost, q->pc, q->threads, store);
    if (i)
        w = ghost;
    else
        i = waiting(w, q->pc, q->threads, store);
    if (!i) {
        judge_differ(j, there ? core : 0, there ? warp : 0, NULL,
                     "threads 0x%" PRIx64 " of a %s at pc 0x%" PRIx64
                     " wait for a page, but no such instruction is in flight",
                     q->threads, store ? "store" : "load", q->pc);
        return;
    }
    const uint64_t since = i->resumed ? i->resumed : i->cycle;
    q->waits[core][warp] = i->number;
    const ref_verdict verdict = q->what.access ? REF_ACCESS_FAULT : REF_PAGE_FAULT;
    if (!judge_fault_legal(j, core, canonical(q->value), store ? REF_USE_STORE : REF_USE_LOAD, verdict, since,
                           i->went_on[SHARED_WALKER ? 2 : 1]))
        judge_differ(j, core, warp, i,
                     "threads 0x%" PRIx64 " wait for the page of 0x%" PRIx64
                     " (%s fault), but the tables permit the access",
                     q->threads, q->value, verdict == REF_PAGE_FAULT ? "page" : "access");
    else
        check_address(j, core, warp, w, i);
}

/* Faults that this look shows for the first time came after the look before. */
static void look(fault_queue_t *q, uint64_t cycle)
{
    const uint64_t total = q->popped + q->what.queued;
    for (; q->seen < total; q->seen++)
        q->after[q->seen % FAULTS_KNOWN] = q->looked;
    q->looked = cycle;
}

/* That instruction's threads are looked up again. (A warp may have others that wait, and are not told of before it has gone.) */
static void resume(judge_t *j, uint64_t core, uint64_t warp)
{
    warp_state_t *warps[] = {&j->core[core].warp[warp], j->core[core].ghost[warp]};
    for (unsigned k = 0; k < 2 && warps[k]; k++)
        for (uint8_t n = warps[k]->head; n != warps[k]->tail; n++)
            if (warps[k]->ring[n].number == j->faults.waits[core][warp]) {
                insn_t *i = &warps[k]->ring[n];
                i->resumed = j->cycle;
                i->went_on[2] = i->went_on[1];
                i->went_on[1] = i->went_on[0];
                i->went_on[0] = j->cycle;
            }
}

bool judge_fetch_denied(const judge_t *j, unsigned core, uint64_t pc)
{
    const uint64_t *denied = j->faults.denied[core];
    return denied[0] / LINE_BYTES == pc / LINE_BYTES || denied[1] / LINE_BYTES == pc / LINE_BYTES;
}

void judge_faults_register(judge_t *j, const vellum_out_t *o, const vellum_in_t *in)
{
    fault_queue_t *q = &j->faults;
    if (q->reading && o->ctl_rsp_valid) {
        switch (q->reading) {
        case REG_PF_WHAT:
            q->what = reg_pf_what_get(o->ctl_rsp.data);
            look(q, q->asked);
            break;
        case REG_PF_VALUE: q->value = o->ctl_rsp.data; break;
        case REG_PF_PC: q->pc = o->ctl_rsp.data; break;
        case REG_PF_THREADS: q->threads = o->ctl_rsp.data; break;
        default: break;
        }
        q->reading = 0;
    }
    if (!in->ctl_req_valid || !o->ctl_req_ready)
        return;
    const unsigned addr = in->ctl_req.addr & ~7u;
    if (!in->ctl_req.write) {
        q->reading = addr;
        q->asked = j->cycle;
    } else if (addr == REG_PF_POP && q->what.valid) {
        check(j);
        q->what = (reg_pf_what_t){0};
        q->popped++;
    } else if (addr == REG_RESUME) {
        const reg_resume_t r = reg_resume_get(in->ctl_req.data);
        if (!r.fetch && r.core < CORES && r.warp < WARPS)
            resume(j, r.core, r.warp);
        else if (r.fetch && r.deny && r.core < CORES)
            q->denied[r.core][r.warp & 1] = q->fetch[r.core][r.warp & 1];
    }
}
