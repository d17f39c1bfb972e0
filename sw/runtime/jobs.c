/* Kernels that run at once, each on cores of its own and in its own address space. */
#include <stdlib.h>

#include "sw/runtime/internal.h"
#include "sw/runtime/memory.h"
#include "sw/runtime/print.h"
#include "sw/runtime/space.h"
#include "vl_perf.h"

/* The counters of a core; of all of them the first is the cycles'. */
#define ONE(...) +1
enum { CORE_COUNTERS = 0 VL_COUNTERS(ONE), PAGING = 3, OWN = CORE_COUNTERS + PAGING };
#undef ONE

/* A launch of jobs, for the driver; the same number of each. */
typedef struct batch {
    vl_job *jobs;
    uint32_t n;
    vl_backend_job *backend;
    vl_backend_launch *launch;
    uint64_t **blocks; /* the launch blocks of each job's later launches */
    uint64_t *counts; /* CORE_COUNTERS of each */
} batch;

static int check_again(vl_device *d, const vl_job *j, uint32_t k)
{
    for (uint32_t i = 0; i < j->n_again; i++)
        if (!j->again || !j->again[i] || !j->kernel || j->again[i]->info != j->kernel->info)
            return vl_fail(&d->error, VL_EINVAL, "kernel %u: what is launched again is %s", k,
                           j->again && j->again[i] ? "another kernel" : "none");
    return 0;
}

static int check_jobs(vl_device *d, const vl_job *jobs, uint32_t n)
{
    vl_error *err = &d->error;
    uint64_t taken = 0, all = ~0ull >> (64 - d->env.cores);
    uint32_t most = (uint32_t)vl_cfg_get(&d->config, "kernels", 1);
    if (!jobs || !n)
        return vl_fail(err, VL_EINVAL, "%s", jobs ? "no kernel at all" : "null argument");
    if (!d->ops->run_jobs || !d->space)
        return vl_fail(err, VL_ENOTSUP,
                       d->space ? "backend %s runs one kernel at a time"
                                : "the device's memory is bare: kernels could not be kept apart",
                       d->name);
    if (n > most)
        return vl_fail(err, VL_EINVAL, "%u kernels: configuration %s runs %u at once", n, d->config.name, most);
    for (uint32_t k = 0; k < n; k++) {
        uint64_t cores = jobs[k].cores;
        if (!cores || cores & ~all || cores & taken)
            return vl_fail(err, VL_EINVAL, "kernel %u: cores %#llx %s", k, (unsigned long long)cores,
                           !cores         ? "are none"
                           : cores & ~all ? "are not all there"
                                          : "are in part another kernel's");
        for (uint32_t o = 0; o < k; o++) /* they would share stacks and launch block */
            if (jobs[o].space == jobs[k].space)
                return vl_fail(err, VL_EINVAL, "kernels %u and %u are of the same address space", o, k);
        taken |= cores;
        int e = check_again(d, &jobs[k], k);
        if (e)
            return e;
    }
    if (n == most && taken != all)
        return vl_fail(err, VL_EINVAL, "cores %#llx have no kernel: %u kernels share all cores",
                       (unsigned long long)(all & ~taken), n);
    return 0;
}

/* The launch block of a later launch: one of its own, for the host cannot write while kernels run. Everything else of the launch is as of the first. */
static int prepare_again(vl_device *d, const vl_job *job, uint32_t i, const vl_backend_launch *first, uint64_t *block)
{
    const vl_ptr kept = d->block;
    const uint64_t kept_bytes = d->block_bytes;
    vl_backend_launch l;
    d->block = 0, d->block_bytes = 0;
    int e = vl_prepare(d, job->again[i], &job->range, &l);
    *block = d->block;
    d->block = kept, d->block_bytes = kept_bytes;
    return e || l.spad_bytes == first->spad_bytes
               ? e
               : vl_fail(&d->error, VL_EINVAL, "what is launched again has %u bytes of scratchpad, not %u",
                         l.spad_bytes, first->spad_bytes);
}

/* The parts of the launches of job k, in its space. */
static int prepare_job(vl_device *d, batch *b, uint32_t k)
{
    const vl_job *job = &b->jobs[k];
    int e = vl_use_space(d, job->space);
    if (e)
        return e;
    d->job = k;
    e = vl_prepare(d, job->kernel, &job->range, &b->launch[k]);
    b->backend[k] = (vl_backend_job){.launch = &b->launch[k],
                                     .cores = job->cores,
                                     .brief = job->brief,
                                     .counts = b->counts + (size_t)k * CORE_COUNTERS,
                                     .n_again = job->n_again};
    if (e || !job->n_again)
        return e;
    b->backend[k].again = b->blocks[k] = calloc(job->n_again, sizeof **b->blocks);
    if (!b->blocks[k])
        return vl_fail(&d->error, VL_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < job->n_again && !e; i++)
        e = prepare_again(d, job, i, &b->launch[k], &b->blocks[k][i]);
    return e;
}

static int prepare(vl_device *d, batch *b)
{
    vl_space *used = d->space;
    int e = 0;
    for (uint32_t k = 0; k < b->n && !e; k++)
        e = prepare_job(d, b, k);
    d->job = 0;
    vl_error why = d->error;
    (void)vl_use_space(d, used); /* and the table is made anew */
    d->error = why;
    return e;
}

/* Whatever the outcome: the launch blocks of later launches are not used any more. */
static void put_back(vl_device *d, batch *b)
{
    for (uint32_t k = 0; b->blocks && k < b->n; k++) {
        vl_space *s = b->jobs[k].space ? b->jobs[k].space : d->memory.own;
        for (uint32_t i = 0; b->blocks[k] && i < b->jobs[k].n_again; i++)
            if (b->blocks[k][i])
                (void)vl_space_release(s, b->blocks[k][i]);
        free(b->blocks[k]);
    }
    free(b->blocks);
    free(b->backend);
    free(b->launch);
    free(b->counts);
}

/* How the page faults of a job were answered, in its first launch; the machine's are the sum, and those of launches again (stats.c). */
static void put_paging(vl_stat *to, const vl_space *s)
{
    to[0] = (vl_stat){"page_faults", "paging",         "faults", "page faults that the host was asked about",
                      false,         s->counts.faults, 0};
    to[1] = (vl_stat){
        "page_flags_set",    "paging", "faults", "of these, answered by setting A or D of a page in a frame", false,
        s->counts.flags_set, 0};
    to[2] = (vl_stat){"pages_in", "paging", "pages", "pages brought into a frame", false, s->counts.pages_in, 0};
}

/* The counts of each job's cores, under the names of the backend's counters. */
static int collect_own(vl_device *d, batch *b)
{
    size_t n = 0;
    const vl_counter *c = d->ops->counters(d->self, &n);
    free(d->own_stats);
    d->own_stats = calloc((size_t)b->n * OWN, sizeof *d->own_stats);
    if (!d->own_stats)
        return vl_fail(&d->error, VL_ENOMEM, "out of memory");
    for (uint32_t k = 0; k < b->n; k++) {
        vl_stat *s = d->own_stats + (size_t)k * OWN;
        b->jobs[k].own = s;
        b->jobs[k].n_own = b->backend[k].counted;
        for (size_t i = 0; i < b->backend[k].counted; i++) {
            const vl_stat one = {
                c[i + 1].name, c[i + 1].section, c[i + 1].unit, c[i + 1].help, false, b->backend[k].counts[i], 0};
            if (!b->backend[k].brief)
                s[i] = one;
            else if (b->backend[k].counts[i])
                s[0] = one, b->jobs[k].n_own = 1;
        }
        put_paging(s + b->jobs[k].n_own, b->jobs[k].space ? b->jobs[k].space : d->memory.own);
        b->jobs[k].n_own += PAGING;
    }
    return 0;
}

/* The printed text of each, of all its launches. */
static int print_jobs(vl_device *d, const batch *b)
{
    vl_space *used = d->space;
    int e = 0;
    for (uint32_t k = 0; k < b->n && !e; k++) {
        (void)vl_use_space(d, b->jobs[k].space);
        e = vl_print_collect(d, b->jobs[k].kernel->info);
    }
    vl_error why = d->error;
    (void)vl_use_space(d, used);
    d->error = why;
    return e;
}

static int run_jobs(vl_device *d, batch *b)
{
    for (uint32_t k = 0; k < b->n; k++) {
        b->jobs[k].result = (vl_result){.code = VL_EINVAL};
        b->jobs[k].launches = 0;
        b->jobs[k].cycles_all = 0;
        b->jobs[k].own = NULL;
        b->jobs[k].n_own = 0;
    }
    int e = prepare(d, b);
    if (!e && (e = vl_memory_begin_jobs(d, b->jobs, b->backend, b->launch, b->n)))
        (void)vl_record_error(d, e);
    if (e)
        return e;
    e = d->ops->run_jobs(d->self, b->backend, b->n, &d->error);
    vl_error why = d->error;
    const int m = vl_memory_end(d);
    if (e) {
        d->error = why;
        d->dead = true;
        (void)vl_record_error(d, e);
    }
    why = d->error;
    vl_stopped_collect(d);
    int s = vl_stats_collect(d);
    if (!s)
        s = collect_own(d, b);
    for (uint32_t k = 0; k < b->n; k++) {
        const vl_backend_job *j = &b->backend[k];
        int code = e ? e : j->code;
        b->jobs[k].launches = j->launches;
        b->jobs[k].cycles_all = j->cycles_all;
        b->jobs[k].result =
            (vl_result){.code = code, .fault = j->fault, .cycles = j->cycles, .stats = d->stats, .n_stats = d->n_stats};
        if (!e && code == VL_EFAULT)
            vl_record_fault(d, b->jobs[k].space ? b->jobs[k].space : d->memory.own, b->jobs[k].kernel->image,
                            &b->launch[k], &b->jobs[k].result.fault);
    }
    if (!e && !s)
        s = print_jobs(d, b);
    if (m && !e)
        d->error = why;
    return e ? e : m ? vl_record_error(d, m) : s;
}

int vl_check_jobs(vl_device *d, const vl_job *jobs, uint32_t n)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    return check_jobs(d, jobs, n);
}

int vl_launch_jobs(vl_device *d, vl_job *jobs, uint32_t n)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    int e = check_jobs(d, jobs, n);
    if (e)
        return e;
    batch b = {.jobs = jobs,
               .n = n,
               .backend = calloc(n, sizeof *b.backend),
               .launch = calloc(n, sizeof *b.launch),
               .blocks = calloc(n, sizeof *b.blocks),
               .counts = calloc((size_t)n * CORE_COUNTERS, sizeof *b.counts)};
    e = b.backend && b.launch && b.blocks && b.counts ? run_jobs(d, &b)
                                                      : vl_fail(&d->error, VL_ENOMEM, "out of memory");
    put_back(d, &b);
    return e;
}

int vl_sharing_of(vl_sharing *out, const double *alone, const double *shared, uint32_t n)
{
    if (!out || !alone || !shared || !n)
        return VL_EINVAL;
    *out = (vl_sharing){0};
    for (uint32_t k = 0; k < n; k++) {
        if (!(alone[k] > 0) || !(shared[k] > 0))
            return VL_EINVAL;
        out->weighted_speedup += shared[k] / alone[k];
        out->throughput += shared[k];
        if (out->unfairness < alone[k] / shared[k])
            out->unfairness = alone[k] / shared[k];
    }
    return 0;
}
