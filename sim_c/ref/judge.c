/* See judge.h: the judge as a whole, cycle by cycle and kernel by kernel. */
#include "sim_c/ref/judge.h"
#include "sim_c/ref/judge_code.h"
#include "sim_c/ref/judge_coherence.h"
#include "sim_c/ref/judge_counters.h"
#include "sim_c/ref/judge_events.h"
#include "sim_c/ref/judge_faults.h"
#include "sim_c/ref/judge_groups.h"
#include "sim_c/ref/judge_homes.h"
#include "sim_c/ref/judge_memory.h"
#include "sim_c/ref/judge_messages.h"
#include "sim_c/ref/judge_pages.h"
#include "sim_c/ref/judge_reads.h"
#include "sim_c/ref/judge_report.h"
#include "sim_c/ref/judge_requests.h"
#include "sim_c/ref/judge_slices.h"
#include "sim_c/ref/judge_stacks.h"
#include "sim_c/ref/judge_traps.h"
#include "sim_c/ref/judge_views.h"
#include "sim_c/ref/judge_walks.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STUCK = 20000 }; /* cycles without any event that a running kernel never needs */

/* After a reset each slice and each directory clears its table, an entry a cycle, and begins nothing before (`init` of l2, l2c, smd, hmd): until the largest is cleared nothing
 * need move. (An SMD has no more places than an HMD has entries.) */
#define LARGER(a, b) ((int)(a) > (int)(b) ? (int)(a) : (int)(b))
enum {
    DIRECTORY = (int)HOME != (int)HOME_FLAT,
    HMD_CLEARED = DIRECTORY ? HOST_BYTES / INTERLEAVE_BYTES : 0,
    LLC_CLEARED = DIRECTORY ? LLC_BYTES / HOST_CHANNELS / LINE_BYTES / L2_WAYS : 0,
    CLEARED = LARGER(L2_BYTES / LINE_BYTES / L2_WAYS, LARGER(LLC_CLEARED, HMD_CLEARED))
};

/* Requests and answers other than a walker's: threads that wait for a walk for ever have not moved, with any number of reads. */
static bool memory_moves(const vellum_out_t *o)
{
    enum { WALK = 5 << MEM_IDX_W }; /* of an id: not the L1D's, and not the L1I's */
    for (unsigned c = 0; c < CORES && o->trace_req_valid; c++)
        if ((uint64_t)o->trace_req_valid >> c & 1 && !o->trace_req[c].cls)
            return true;
    for (unsigned s = 0; s < SLICES && o->trace_rsp_valid; s++)
        if ((uint64_t)o->trace_rsp_valid >> s & 1
            && (o->trace_rsp[s].src == HOST_SOURCE
                || (o->trace_rsp[s].src < CORES && (o->trace_rsp[s].rsp.id & WALK) != WALK)))
            return true;
    return false;
}

static void check_progress(judge_t *j, const vellum_out_t *o)
{
    if (memory_moves(o)
        || (uint64_t)o->trace_mem_valid | o->trace_sent_valid | o->trace_wb_valid | o->trace_start_valid
               | o->trace_issue_valid | o->trace_redirect_valid | o->trace_push_valid)
        j->moved = j->cycle;
    if (!o->running || j->cycle < CLEARED + STUCK || j->cycle - j->moved < STUCK)
        return;
    for (unsigned c = 0; c < CORES; c++)
        for (unsigned w = 0; w < WARPS; w++) {
            const warp_state_t *s = &j->core[c].warp[w];
            if (!s->active || !s->live)
                continue;
            const insn_t *i = s->head != s->tail ? &s->ring[s->head] : NULL;
            for (unsigned k = 0; !i && k < RING; k++)
                if (s->ring[k].used)
                    i = &s->ring[k];
            judge_differ(j, c, w, i, "no progress for %d cycles; live threads of this warp 0x%" PRIx64 "%s", STUCK,
                         s->live,
                         s->waiting ? ", which wait at a barrier"
                         : i        ? ", whose instruction is not complete"
                                    : "");
        }
    judge_differ(j, 0, NO_WARP, NULL, "no progress for %d cycles; no thread is alive, and the kernel has not ended",
                 STUCK);
}

int judge_cycle(judge_t *j, uint64_t cycle, const vellum_out_t *o, const vellum_in_t *in, sim_error_t *err)
{
    j->cycle = cycle;
    j->err = err;
    /* Accesses that slices perform come first: a core learns of them, or asks for something because of them, cycles later, and a slice gives their bytes to its home after its answer. */
    for (unsigned s = 0; s < SLICES && !j->verdict; s++)
        if ((uint64_t)o->trace_rsp_valid >> s & 1)
            judge_answered(j, s, &o->trace_rsp[s], o->trace_rsp_line[s]);
    judge_messages_cycle(j);
    if (in->ctl_req_valid && o->ctl_req_ready && in->ctl_req.write && reg_in_slot(in->ctl_req.addr) == REG_CMD
        && reg_cmd_get(in->ctl_req.data).stop && reg_slot(in->ctl_req.addr) < KERNELS)
        j->reset |= j->kernel[reg_slot(in->ctl_req.addr)].cores;
    judge_pages_register(j, o, in);
    judge_faults_register(j, o, in);
    judge_counters_register(j, o, in);
    judge_views_register(j, o, in);
    judge_stacks_register(j, o, in);
    judge_walks_register(j, o, in);
    if (in->host_req_valid && o->host_req_ready)
        judge_asked(j, HOST_SOURCE, &in->host_req);
    for (unsigned c = 0; c < CORES && !j->verdict; c++) {
        if ((uint64_t)o->trace_req_valid >> c & 1)
            judge_asked(j, c, &o->trace_req[c]);
        if ((uint64_t)o->trace_sent_valid >> c & 1)
            judge_sent(j, c, &o->trace_sent[c]);
        if ((uint64_t)o->trace_mem_valid >> c & 1)
            judge_traced(j, c, &o->trace_mem[c]);
        if ((uint64_t)o->trace_wb_valid >> c & 1)
            judge_result(j, c, &o->trace_wb[c]);
        if (COMPACTS && (uint64_t)o->trace_formed_valid >> c & 1)
            judge_formed(j, c, &o->trace_formed[c]);
        if ((uint64_t)o->trace_start_valid >> c & 1)
            judge_started(j, c, &o->trace_start[c]);
        if ((uint64_t)o->trace_issue_valid >> c & 1)
            judge_issued(j, c, &o->trace_issue[c]);
        if ((uint64_t)o->trace_push_valid >> c & 1)
            judge_pushed(j, c, &o->trace_push[c]);
        if ((uint64_t)o->trace_redirect_valid >> c & 1) /* after the push of this cycle, which a redirect discards */
            judge_redirected(j, c, &o->trace_redirect[c]);
    }
    for (unsigned s = CORES; s < HOST_SOURCE && !j->verdict; s++)
        if ((uint64_t)o->trace_req_valid >> s & 1)
            judge_asked(j, s, &o->trace_req[s]);
    judge_memory_check(j, 0);
    check_progress(j, o);
    return j->verdict;
}

/* ---- life --------------------------------------------------------------------------------------------------------- */

judge_t *judge_new(void)
{
    judge_t *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    j->thread_size = ref_thread_size();
    j->let_go = versions_new();
    j->core = calloc(CORES, sizeof *j->core);
    j->shots = judge_shots_new();
    j->reads = judge_reads_new();
    j->pages = judge_pages_new();
    j->code = judge_code_new();
    j->walks = judge_walks_new();
    j->coherence = judge_coherence_new();
    j->stacks = judge_stacks_new();
    j->slices = judge_slices_new();
    j->scratch = calloc(1, j->thread_size);
    bool ok = j->let_go && j->core && j->shots && j->reads && j->pages && j->code && j->walks && j->coherence
              && j->stacks && j->slices && j->scratch;
    for (unsigned v = 0; v < VIEWERS; v++)
        ok &= (j->performed[v] = versions_new()) != NULL;
    for (unsigned c = 0; ok && c < CORES; c++)
        for (unsigned w = 0; ok && w < WARPS; w++)
            ok = (j->core[c].warp[w].threads = calloc(THREADS, j->thread_size)) != NULL;
    if (!ok) {
        judge_free(j);
        return NULL;
    }
    return j;
}

void judge_free(judge_t *j)
{
    if (!j)
        return;
    for (unsigned c = 0; j->core && c < CORES; c++) {
        for (unsigned w = 0; w < WARPS; w++) {
            free(j->core[c].warp[w].threads);
            judge_drop_ghost(&j->core[c], w);
        }
        free(j->core[c].stores.at);
        free(j->core[c].early.at);
    }
    for (unsigned s = 0; s < SOURCES; s++)
        free(j->source[s].at);
    ref_mem_free(j->order);
    judge_views_free(j);
    versions_free(j->let_go);
    for (unsigned v = 0; v < VIEWERS; v++)
        versions_free(j->performed[v]);
    judge_shots_free(j->shots);
    judge_reads_free(j->reads);
    judge_pages_free(j->pages);
    judge_code_free(j->code);
    judge_walks_free(j->walks);
    judge_coherence_free(j->coherence);
    judge_stacks_free(j->stacks);
    judge_slices_free(j->slices);
    judge_messages_free(j->messages);
    free(j->scratch);
    for (unsigned k = 0; k < KERNELS; k++)
        free(j->kernel[k].group_seen);
    free(j->core);
    free(j);
}

int judge_watch(judge_t *j, const vellum_t *m,
                const void *(*out)(const vellum_t *m, int index, const char *block, const char *name))
{
    return judge_messages_watch(j, m, out) ? 0 : SIM_ENOMEM;
}

int judge_window(judge_t *j, uint64_t base, uint64_t limit)
{
    j->base = base;
    j->limit = limit;
    j->order = ref_mem_new(base, limit);
    return judge_views_open(j, base, limit) && j->order ? 0 : SIM_ENOMEM;
}

void judge_write(judge_t *j, uint64_t addr, const void *data, uint64_t bytes)
{
    (void)ref_mem_write(j->order, addr, data, bytes);
    judge_views_set(j, addr, data, bytes);
    judge_stacks_forget(j);
}

void judge_fill(judge_t *j, uint64_t addr, uint8_t byte, uint64_t bytes)
{
    (void)ref_mem_fill(j->order, addr, byte, bytes);
    judge_views_fill(j, addr, byte, bytes);
    judge_stacks_forget(j);
}

void judge_share(judge_t *j, const uint8_t *bytes)
{
    ref_mem_forget(j->order, bytes);
    judge_views_share(j, bytes);
    judge_stacks_forget(j);
}

/* 0 or SIM_ENOMEM: each workgroup is to run once, and a bit says which have. */
static int kernel_begins(kernel_state_t *k, const sim_job_t *job, sim_error_t *err)
{
    const sim_launch_t *l = job->launch;
    k->launch = *l;
    k->cores = job->cores;
    k->groups_started = 0;
    free(k->group_seen);
    k->group_seen = NULL;
    bool many = __builtin_mul_overflow((uint64_t)l->groups[0] * l->groups[1], l->groups[2], &k->groups);
    if (!many)
        k->group_seen = calloc(1, k->groups / 8 + 1);
    if (k->group_seen)
        return 0;
    snprintf(err->text, sizeof err->text, "judge: no memory for a list of %u x %u x %u workgroups", l->groups[0],
             l->groups[1], l->groups[2]);
    return SIM_ENOMEM;
}

/* It has no warps. */
static void core_begins(core_state_t *s)
{
    for (unsigned w = 0; w < WARPS; w++) {
        unsigned char *threads = s->warp[w].threads;
        judge_drop_ghost(s, w);
        memset(&s->warp[w], 0, sizeof s->warp[w]);
        s->warp[w].threads = threads;
    }
    memset(s->group, 0, sizeof s->group);
    s->stores.n = s->early.n = 0;
}

int judge_begin(judge_t *j, uint64_t cycle, const sim_job_t *jobs, uint32_t n, sim_error_t *err)
{
    j->err = err;
    for (unsigned c = 0; c < CORES; c++)
        j->kernel_of[c] = KERNELS;
    for (uint32_t k = 0; k < KERNELS; k++)
        j->kernel[k].cores = 0;
    for (uint32_t k = 0; k < n; k++) {
        int r = kernel_begins(&j->kernel[k], &jobs[k], err);
        if (r)
            return r;
        for (unsigned c = 0; c < CORES; c++)
            if (jobs[k].cores >> c & 1)
                j->kernel_of[c] = (uint8_t)k;
    }
    j->verdict = 0;
    j->cycle = j->moved = cycle;
    j->instructions = 0;
    versions_clear(j->let_go);
    judge_views_begin(j);
    memset(j->waived, 0, sizeof j->waived);
    j->races = j->words = 0;
    judge_walks_begin(j);
    judge_pages_begin(j);
    judge_code_begin(j);
    judge_faults_begin(j);
    judge_counters_begin(j);
    for (unsigned c = 0; c < CORES; c++) {
        core_begins(&j->core[c]);
        if (j->reset >> c & 1)
            j->source[c].last.valid = false;
    }
    j->reset = 0;
    return 0;
}

void judge_cut(judge_t *j, uint64_t cores)
{
    for (unsigned c = 0; c < CORES; c++)
        if (cores >> c & 1)
            j->core[c].stores.n = j->core[c].early.n = 0;
}

/* The kernel says it has ended without a fault. */
static void kernel_ends(judge_t *j, const kernel_state_t *k)
{
    if (k->groups_started != k->groups)
        judge_differ(j, (unsigned)__builtin_ctzll(k->cores), NO_WARP, NULL,
                     "the kernel has ended after %" PRIu64 " of %" PRIu64 " workgroups", k->groups_started, k->groups);
    for (unsigned c = 0; c < CORES && !j->verdict; c++)
        for (unsigned w = 0; k->cores >> c & 1 && w < WARPS && !j->verdict; w++) {
            warp_state_t *s = &j->core[c].warp[w], *g = j->core[c].ghost[w];
            if (g)
                judge_differ(j, c, w, &g->ring[g->head],
                             "the kernel has ended, but this store of an ended warp was never sent to memory");
            if (!s->active)
                continue;
            if (s->fault)
                judge_differ(j, c, w, NULL,
                             "the kernel has ended without a fault, but in the reference threads 0x%" PRIx64
                             " fault at pc 0x%" PRIx64 " (cause %u, value 0x%" PRIx64 ")",
                             s->expected.mask, s->expected.pc, s->expected.cause, s->expected.value);
            if (s->live)
                judge_differ(j, c, w, NULL, "the kernel has ended, but threads 0x%" PRIx64 " of this warp have not",
                             s->live);
            for (unsigned q = 0; q < RING && !j->verdict; q++)
                if (s->ring[q].used)
                    judge_differ(j, c, w, &s->ring[q],
                                 "the kernel has ended, but this instruction is not complete (%s in the reference, "
                                 "results written of threads 0x%" PRIx64 ")",
                                 s->ring[q].stepped ? "executed" : "not executed", s->ring[q].written);
        }
}

int judge_again(judge_t *j, uint64_t cycle, uint32_t k, const sim_job_t *job, sim_error_t *err)
{
    j->err = err;
    j->cycle = cycle;
    kernel_ends(j, &j->kernel[k]);
    if (!j->verdict)
        judge_memory_check(j, job->cores);
    const int r = j->verdict ? j->verdict : kernel_begins(&j->kernel[k], job, err);
    if (r)
        return r;
    judge_code_again(j, job->cores);
    judge_faults_again(j, job->cores);
    judge_counters_again(j, job->cores);
    for (unsigned c = 0; c < CORES; c++)
        if (job->cores >> c & 1)
            core_begins(&j->core[c]);
    return 0;
}

int judge_end(judge_t *j, const sim_job_t *jobs, uint32_t n, sim_error_t *err)
{
    j->err = err;
    for (uint32_t k = 0; k < n; k++)
        if (!jobs[k].code)
            kernel_ends(j, &j->kernel[k]);
    judge_memory_check(j, ~0ull);
    judge_stacks_end(j);
    judge_all_answered(j);
    return j->verdict;
}

int judge_fault(judge_t *j, const sim_fault_t *f, sim_error_t *err)
{
    j->err = err;
    return judge_trapped(j, f);
}

uint64_t judge_races(const judge_t *j)
{
    return j->races;
}

uint64_t judge_words(const judge_t *j)
{
    return j->words;
}

uint64_t judge_compared(const judge_t *j)
{
    return j->counters.compared;
}

uint64_t judge_waived(const judge_t *j, judge_waiver reason)
{
    return j->waived[reason];
}
