/* A device's memory and its pager (docs/host-memory.md); address spaces are in space.h. */
#ifndef VELLUM_MEMORY_H
#define VELLUM_MEMORY_H

#include "sw/runtime/memory_state.h"

struct vl_device;

/* ---- the device's memory (memory.c, physical.c) ---- */
int vl_memory_open(struct vl_device *d, const vl_memory *options, vl_error *err);
void vl_memory_close(struct vl_device *d);
int vl_physical_write(struct vl_device *d, uint64_t addr, const void *from, uint64_t bytes);
int vl_physical_read(struct vl_device *d, uint64_t addr, void *to, uint64_t bytes);
/* Afterwards no old translation of this page (bytes: VL_PAGE), or of the space, is in use. */
int vl_shootdown(vl_space *s, uint64_t va, uint64_t bytes);
int vl_shootdown_all(struct vl_device *d);
/* VL_ENOTSUP: this machine has no flush of some cores. (flush.c) */
int vl_flush_check(const struct vl_device *d, vl_error *err);
/* Before and after a kernel. The end: VL_EACCESS, registered memory has gone. */
int vl_memory_begin(struct vl_device *d, vl_backend_launch *l);
/* The same for kernels that run at once: n of each. */
int vl_memory_begin_jobs(struct vl_device *d, vl_job *jobs, vl_backend_job *b, vl_backend_launch *l, uint32_t n);
int vl_memory_end(struct vl_device *d);

/* ---- the pager (pager.c) ---- */
int vl_pager_init(struct vl_device *d, vl_error *err);
void vl_pager_done(vl_pager *p);
/* So many kernels are about to run at once. */
void vl_pager_share(struct vl_device *d, uint32_t kernels);
/* The page leaves its slot: it is unmapped. */
void vl_pager_forget(vl_pager *p, vl_page *page);
/* The host may have written pages in frames. */
void vl_pager_host_wrote(struct vl_device *d);
int vl_pager_fault(void *device, const vl_page_fault *f, vl_error *err);
int vl_pager_interrupt(void *device, vl_error *err);

#endif
