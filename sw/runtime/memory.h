/* Address spaces and the pager (docs/host-memory.md). A device in mode bare has none of this but the store. */
#ifndef VELLUM_MEMORY_H
#define VELLUM_MEMORY_H

#include "sw/runtime/frames.h"
#include "sw/runtime/page_table.h"
#include "sw/runtime/store.h"

#define VL_PAGE 4096ull
#define VL_NO_SLOT UINT32_MAX

struct vl_device;
struct vl_heap;
typedef struct vl_kept vl_kept;

/* A page of 4 KB, or 4 KB of a larger one. */
typedef struct vl_page {
  uint64_t frame; /* physical address; 0: at home */
  uint32_t slot;  /* of the pager */
  uint8_t rights; /* VL_READ ... */
  uint8_t level;  /* of the leaf it was mapped by */
  bool mapped;
  bool clean; /* home holds the same, as far as the host knows */
} vl_page;

typedef struct vl_area {
  uint64_t va, bytes;
  uint64_t mappings; /* of this process, about */
  bool host;         /* at the same addresses in this process */
  vl_page *pages;
} vl_area;

/* How a space's memory is counted. */
typedef struct vl_pager_counts {
  uint64_t faults;     /* that the machine reported */
  uint64_t flags_set;  /* of these, by setting A or D of a page in a frame */
  uint64_t pages_in;   /* filled from home */
  uint64_t pages_out;  /* taken from their frames */
  uint64_t written;    /* of these, copied home */
  uint64_t shootdowns; /* while a kernel ran */
} vl_pager_counts;

typedef struct vl_slot {
  vl_space *space; /* NULL: free */
  uint64_t va, came; /* the page, and its number among all that came */
} vl_slot;

/* Spurious faults of a warp, one like the other: they found nothing to do. */
typedef struct vl_spurious {
  uint64_t address, pc;
  unsigned times;
} vl_spurious;

/* Pages in frames, for eviction: a ring of `limit` slots at most. */
typedef struct vl_pager {
  vl_slot *slots;
  uint64_t limit, n, room, used, hand, came;
  uint64_t *open; /* slots below n that are free, a stack */
  uint64_t n_open, room_open;
  vl_spurious *spurious; /* by core and warp */
  uint64_t random;       /* of the disturbance */
  vl_pager_counts counts;
} vl_pager;

/* What a device has beside. */
typedef struct vl_memory_state {
  vl_memory options;
  int fd; /* of the store; -1: none */
  vl_store store;
  vl_frames frames;
  vl_pager pager;
  vl_space **on_core;               /* whose kernel runs there, by core */
  vl_space *own, *spaces;           /* the device's own; all of them */
  uint64_t *asids;                  /* bitmap */
  uint64_t mappings, most_mappings; /* of this process: of buffers mapped by vl_map (A6) */
  bool running;                     /* a kernel: physical memory through the host port */
  bool stale;                       /* rights were taken away since the last shootdown */
} vl_memory_state;

/* ---- the device's memory (memory.c, physical.c) ---- */
int vl_memory_open(struct vl_device *d, const vl_memory *options, vl_error *err);
void vl_memory_close(struct vl_device *d);
int vl_physical_write(struct vl_device *d, uint64_t addr, const void *from, uint64_t bytes);
int vl_physical_read(struct vl_device *d, uint64_t addr, void *to, uint64_t bytes);
/* Nothing that the tables said of this page (bytes: VL_PAGE) or of the space is used any more. */
int vl_shootdown(vl_space *s, uint64_t va, uint64_t bytes);
int vl_shootdown_all(struct vl_device *d);
/* Before and after a kernel. */
int vl_memory_begin(struct vl_device *d, vl_backend_launch *l);
/* The same for kernels that run at once: n of each. */
int vl_memory_begin_jobs(struct vl_device *d, vl_job *jobs, vl_backend_job *b, vl_backend_launch *l, uint32_t n);
void vl_memory_end(struct vl_device *d);

/* ---- spaces (mapping.c, areas.c) ---- */
int vl_space_malloc(vl_space *s, uint64_t bytes, uint64_t *va);
/* VL_EINVAL: va begins no range. */
int vl_space_release(vl_space *s, uint64_t va);
/* Pages for the image, at addresses that this process has not. In place of what was there. */
int vl_space_image(vl_space *s, uint64_t va, uint64_t bytes, unsigned rights);
void vl_space_drop_image(vl_space *s);
/* One of from, to or (both NULL) byte. VL_EACCESS: not all of it is mapped. */
int vl_space_copy(vl_space *s, uint64_t va, uint64_t bytes, const uint8_t *from, uint8_t *to, uint8_t byte);
vl_page *vl_space_page(vl_space *s, uint64_t va, const vl_area **area);
/* What this process sees at a page: its frame, or home. */
int vl_space_show(vl_space *s, uint64_t va, const vl_page *p);
uint8_t *vl_space_home(vl_space *s, uint64_t va);
static inline unsigned vl_page_flags(unsigned rights) {
  unsigned read = rights & VL_WRITE ? VL_READ : 0; /* write without read is reserved */
  return (rights | read) << 1 | PT_U;
}

/* ---- the pager (pager.c) ---- */
int vl_pager_init(struct vl_device *d, vl_error *err);
void vl_pager_done(vl_pager *p);
/* The page leaves its slot: it is unmapped. */
void vl_pager_forget(vl_pager *p, vl_page *page);
/* The host may have written pages in frames. */
void vl_pager_host_wrote(struct vl_device *d);
int vl_pager_fault(void *device, const vl_page_fault *f, vl_error *err);
int vl_pager_interrupt(void *device, vl_error *err);

#endif
