/* The state of a device's memory: pages, areas, the pager (docs/host-memory.md). A device in mode bare has none of this but the store. */
#ifndef VELLUM_MEMORY_STATE_H
#define VELLUM_MEMORY_STATE_H

#include "sw/runtime/backend.h"
#include "sw/runtime/frames.h"

#define VL_PAGE 4096ull
#define VL_NO_SLOT UINT32_MAX

/* A page of 4 KB, or 4 KB of a larger one. */
typedef struct vl_page {
    uint64_t frame; /* physical address; 0: at home */
    uint32_t slot; /* of the pager */
    uint8_t rights; /* VL_READ ... */
    uint8_t level; /* of the leaf it was mapped by */
    bool mapped;
    bool clean; /* home has the same bytes, as far as the host knows */
} vl_page;

typedef struct vl_area {
    uint64_t va, bytes;
    uint64_t mappings; /* mappings of this process that it takes, approximately */
    bool host; /* at the same addresses in this process */
    vl_page *pages;
    /* For registered memory (vl_register), else NULL: registrations of each page, number of pages with one, and the bytes of each frame when it last
     * equalled the program's memory. */
    uint16_t *pins;
    uint64_t pinned;
    uint8_t *before;
} vl_area;

/* How a space's memory is counted. */
typedef struct vl_pager_counts {
    uint64_t faults; /* that the machine reported */
    uint64_t flags_set; /* of these, by setting A or D of a page in a frame */
    uint64_t pages_in; /* filled from home */
    uint64_t pages_out; /* taken from their frames */
    uint64_t written; /* of these, copied home */
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
    /* share of frames of each of several kernels; 0: only one runs, or a share would be too small for an instruction (D8) */
    uint64_t share;
    uint64_t *open; /* slots below n that are free, a stack */
    uint64_t n_open, room_open;
    vl_spurious *spurious; /* by core and warp */
    uint64_t random; /* state of the random numbers for disturbances */
    vl_pager_counts counts;
} vl_pager;

/* Further state of a device. */
typedef struct vl_memory_state {
    vl_memory options;
    int fd; /* file of the store; -1: none */
    int scratch; /* a file of one page, for copies that may fail (vl_host_get); -1: none */
    vl_store store;
    uint8_t *view; /* VL_BARE, shared: the store itself, for vl_host, or a copy of its first `pictured` bytes, */
    uint8_t *before; /* and the copy's contents when it was made or last exchanged */
    uint64_t pictured; /* 0: no kernel runs beside the host */
    vl_frames frames;
    vl_pager pager;
    vl_space **on_core; /* the space of the kernel that runs there, by core */
    vl_space *own, *spaces; /* the device's own; all of them */
    uint64_t *asids; /* bitmap of those in use */
    uint64_t mappings, most_mappings; /* mappings of this process for buffers of vl_map (A6) */
    uint32_t interrupted; /* cycles between two calls of vl_pager_interrupt; 0: it is not called */
    bool running; /* a kernel runs: physical memory is accessed through the host port */
    bool stale; /* rights have been taken away since the last shootdown */
} vl_memory_state;

#endif
