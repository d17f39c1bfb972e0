/* Kernels that run at once, each on cores of its own and in its own address space. */
#include <stdlib.h>

#include "sw/runtime/internal.h"
#include "sw/runtime/memory.h"

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
    }
    if (n == most && taken != all)
        return vl_fail(err, VL_EINVAL, "cores %#llx have no kernel: %u kernels share all cores",
                       (unsigned long long)(all & ~taken), n);
    return 0;
}

/* The parts of the launches, each in its space. */
static int prepare(vl_device *d, vl_job *jobs, uint32_t n, vl_backend_job *b, vl_backend_launch *l)
{
    vl_space *used = d->space;
    int e = 0;
    for (uint32_t k = 0; k < n && !e; k++) {
        if ((e = vl_use_space(d, jobs[k].space)))
            break;
        d->job = k;
        e = vl_prepare(d, jobs[k].kernel, &jobs[k].range, &l[k]);
        b[k] = (vl_backend_job){.launch = &l[k], .cores = jobs[k].cores};
    }
    d->job = 0;
    vl_error why = d->error;
    (void)vl_use_space(d, used); /* and the table is made anew */
    d->error = why;
    return e;
}

/* b and l: for the driver, one a job. */
static int run_jobs(vl_device *d, vl_job *jobs, uint32_t n, vl_backend_job *b, vl_backend_launch *l)
{
    for (uint32_t k = 0; k < n; k++)
        jobs[k].result = (vl_result){.code = VL_EINVAL};
    int e = prepare(d, jobs, n, b, l);
    if (!e && (e = vl_memory_begin_jobs(d, jobs, b, l, n)))
        (void)vl_record_error(d, e);
    if (e)
        return e;
    e = d->ops->run_jobs(d->self, b, n, &d->error);
    vl_memory_end(d);
    if (e) {
        d->dead = true;
        (void)vl_record_error(d, e);
    }
    int s = vl_stats_collect(d);
    for (uint32_t k = 0; k < n; k++) {
        int code = e ? e : b[k].code;
        jobs[k].result = (vl_result){
            .code = code, .fault = b[k].fault, .cycles = b[k].cycles, .stats = d->stats, .n_stats = d->n_stats};
        if (!e && code == VL_EFAULT)
            vl_record_fault(d, &l[k], &jobs[k].result.fault);
    }
    return e ? e : s;
}

int vl_launch_jobs(vl_device *d, vl_job *jobs, uint32_t n)
{
    if (!d)
        return VL_EINVAL;
    d->error.text[0] = 0;
    int e = check_jobs(d, jobs, n);
    if (e)
        return e;
    vl_backend_job *b = calloc(n, sizeof *b);
    vl_backend_launch *l = calloc(n, sizeof *l);
    e = b && l ? run_jobs(d, jobs, n, b, l) : vl_fail(&d->error, VL_ENOMEM, "out of memory");
    free(b);
    free(l);
    return e;
}
