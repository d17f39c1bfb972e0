/* The driver: page faults of running kernels, and the fault that a kernel ended by. */
#include "sw/runtime/driver.h"

/* The job that the core is at; NULL: none that runs. */
static vl_backend_job *job_of(const driver_jobs *all, unsigned core)
{
    for (uint32_t k = 0; k < all->n; k++)
        if (all->running >> k & 1 && core < 64 && all->job[k].cores >> core & 1)
            return &all->job[k];
    return NULL;
}

/* The work-item of a fault, where the host can see what runs on a warp. */
static void find_item(driver *d, vl_backend_job *job)
{
    uint32_t group[3], number;
    vl_fault *f = &job->fault;
    if (d->host.ops->group && d->host.ops->group(d->host.self, f, group, &number))
        vl_fault_item(f, job->launch, group, number * d->facts->threads);
}

/* *any: there was one. */
static int serve(driver *d, const driver_jobs *all, bool *any, vl_error *err)
{
    uint64_t word, value, pc, threads;
    int e = driver_get(d, REG_PF_WHAT, &word, err);
    const reg_pf_what_t what = reg_pf_what_get(e ? 0 : word);
    *any = what.valid;
    if (e || !what.valid) /* attention was still that of the previous fault, which has been served */
        return e;
    if ((e = driver_get(d, REG_PF_VALUE, &value, err)) || (e = driver_get(d, REG_PF_PC, &pc, err))
        || (e = driver_get(d, REG_PF_THREADS, &threads, err)) || (e = driver_put(d, REG_PF_POP, 0, err)))
        return e;
    const bool fetch = what.fetch, access = what.access, store = what.store;
    value = (uint64_t)((int64_t)(value << 16) >> 16); /* canonical */
    vl_page_fault f = {.cause = fetch   ? VL_FAULT_FETCH_PAGE
                                : store ? VL_FAULT_STORE_PAGE
                                        : VL_FAULT_LOAD_PAGE,
                       .access = fetch   ? VL_ACCESS_FETCH
                                 : store ? VL_ACCESS_STORE
                                         : VL_ACCESS_LOAD,
                       .address = value,
                       .pc = pc,
                       .core = what.core,
                       .warp = what.warp,
                       .threads = threads};
    vl_backend_job *job = job_of(all, f.core);
    if (!job || job->code)
        return 0; /* a line that was fetched beyond the kernel's end, or a job that is already stopped */
    const vl_backend_launch *l = job->launch;
    f.again = job->launches != 0;
    e = access || !l->page_fault ? VL_EFAULT : l->page_fault(l->memory_user, &f, err);
    /* A fetch may have run ahead of the program: it is a fault if its instruction is issued. */
    if (!e || (e == VL_EFAULT && fetch))
        return driver_put(
            d, REG_RESUME,
            reg_resume_put((reg_resume_t){.fetch = fetch, .deny = e != 0, .warp = what.warp, .core = what.core}), err);
    if (e != VL_EFAULT)
        return e;
    job->code = VL_EFAULT;
    job->fault = (vl_fault){.cause = !access ? f.cause
                                     : store ? VL_FAULT_STORE_ACCESS
                                             : VL_FAULT_LOAD_ACCESS,
                            .core = f.core,
                            .warp = f.warp,
                            .value = value,
                            .pc = pc,
                            .mask = threads};
    find_item(d, job);
    return 0;
}

int driver_serve_fault(driver *d, const driver_jobs *all, vl_error *err)
{
    bool any;
    return serve(d, all, &any, err);
}

/* Kernels that run may fault as fast as they are served: no more are served than the queue can have held. */
int driver_serve_faults(driver *d, const driver_jobs *all, vl_error *err)
{
    bool any = true;
    int e = 0;
    for (unsigned i = 0; i <= d->facts->page_faults && any && !e; i++)
        e = serve(d, all, &any, err);
    return e;
}

int driver_read_fault(driver *d, unsigned slot, vl_backend_job *job, vl_error *err)
{
    vl_fault *f = &job->fault;
    uint64_t cause = 0;
    int e = driver_get(d, driver_in_slot(slot, REG_FAULT_CAUSE), &cause, err);
    if (e || !cause)
        return e;
    f->cause = reg_fault_cause_get(cause).cause;
    f->core = reg_fault_cause_get(cause).core;
    f->warp = reg_fault_cause_get(cause).warp;
    if ((e = driver_get(d, driver_in_slot(slot, REG_FAULT_VALUE), &f->value, err))
        || (e = driver_get(d, driver_in_slot(slot, REG_FAULT_PC), &f->pc, err))
        || (e = driver_get(d, driver_in_slot(slot, REG_FAULT_MASK), &f->mask, err)))
        return e;
    job->code = VL_EFAULT;
    find_item(d, job);
    return 0;
}

int driver_drop_faults(driver *d, vl_error *err)
{
    int e = 0;
    for (unsigned i = 0; i <= d->facts->page_faults && !e; i++)
        e = driver_put(d, REG_PF_POP, 0, err);
    return e;
}
