/* The driver: page faults of running kernels, and the fault that a kernel ended by. */
#include "sw/runtime/driver.h"

/* The job that the core is at; NULL: none that runs. */
static vl_backend_job *job_of(const driver_jobs *all, unsigned core) {
  for (uint32_t k = 0; k < all->n; k++)
    if (all->running >> k & 1 && core < 64 && all->job[k].cores >> core & 1) return &all->job[k];
  return NULL;
}

int driver_serve_fault(driver *d, const driver_jobs *all, vl_error *err) {
  uint64_t what, value, pc, threads;
  int e;
  if ((e = driver_get(d, R_PF_WHAT, &what, err)) || (e = driver_get(d, R_PF_VALUE, &value, err)) || (e = driver_get(d, R_PF_PC, &pc, err)) ||
      (e = driver_get(d, R_PF_THREADS, &threads, err)) || (e = driver_put(d, R_PF_POP, 0, err)))
    return e;
  const bool fetch = what & 1, access = what >> 1 & 1, store = what >> 2 & 1;
  value = (uint64_t)((int64_t)(value << 16) >> 16); /* canonical */
  const vl_page_fault f = {.cause = fetch ? VL_FAULT_FETCH_PAGE : store ? VL_FAULT_STORE_PAGE : VL_FAULT_LOAD_PAGE,
                           .access = fetch ? VL_ACCESS_FETCH : store ? VL_ACCESS_STORE : VL_ACCESS_LOAD,
                           .address = value,
                           .pc = pc,
                           .core = what >> 16 & 255,
                           .warp = what >> 8 & 255,
                           .threads = threads};
  vl_backend_job *job = job_of(all, f.core);
  if (!job || job->code) return 0; /* fetched ahead of its end, or already given up */
  const vl_backend_launch *l = job->launch;
  e = access || !l->page_fault ? VL_EFAULT : l->page_fault(l->memory_user, &f, err);
  if (!e || (e == VL_EFAULT && fetch)) /* a fetch may have run ahead of the program: it is a fault if its instruction is issued */
    return driver_put(d, R_RESUME, (uint64_t)f.core << 16 | (uint64_t)f.warp << 8 | (uint64_t)(e != 0) << 1 | fetch, err);
  if (e != VL_EFAULT) return e;
  job->code = VL_EFAULT;
  job->fault = (vl_fault){.cause = !access ? f.cause : store ? VL_FAULT_STORE_ACCESS : VL_FAULT_LOAD_ACCESS,
                          .core = f.core,
                          .warp = f.warp,
                          .value = value,
                          .pc = pc,
                          .mask = threads};
  return 0;
}

int driver_read_fault(driver *d, unsigned slot, vl_backend_job *job, vl_error *err) {
  const uint32_t base = slot * R_SLOT;
  vl_fault *f = &job->fault;
  uint64_t cause = 0;
  int e = driver_get(d, base + R_FAULT_CAUSE, &cause, err);
  if (e || !cause) return e;
  f->cause = cause & 0xf;
  f->core = cause >> 16 & 0xff;
  f->warp = (uint32_t)(cause >> 32);
  if ((e = driver_get(d, base + R_FAULT_VALUE, &f->value, err)) || (e = driver_get(d, base + R_FAULT_PC, &f->pc, err)) ||
      (e = driver_get(d, base + R_FAULT_MASK, &f->mask, err)))
    return e;
  job->code = VL_EFAULT;
  return 0;
}

int driver_drop_faults(driver *d, vl_error *err) {
  int e = 0;
  for (unsigned i = 0; i <= d->facts->page_faults && !e; i++) e = driver_put(d, R_PF_POP, 0, err);
  return e;
}
