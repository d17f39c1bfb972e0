/* Declarations that the driver (main.c) and the helpers (wl.c) share. */
#ifndef WL_INTERNAL_H
#define WL_INTERNAL_H

#include "sw/runtime/vellum.h"
#include "sw/tools/copies.h"

typedef struct wl_total {
    char *name;
    uint64_t value;
} wl_total;

typedef struct wl_piece {
    vl_ptr at;
    size_t bytes;
} wl_piece;

struct wl {
    const struct workload *work;
    const char *build; /* the folder of this program: build/ */
    vl_device *dev;
    vl_image *image;
    uint64_t random;
    uint64_t data;   /* --data, in bytes */
    bool data_known; /* the workload has asked for it */
    bool vectors, vectors_known; /* --vectors */
    bool first_result; /* --first-result */
    enum copies copies;
    bool written; /* by the host, since the last kernel */
    bool copied_back; /* everything, since the last kernel */
    vl_kernel *ended; /* the kernel that has ended while its final flush waits for the host; NULL: none */
    char why[3072]; /* "" as long as all is well */

    void **host; /* to free */
    wl_piece *device;
    size_t n_host, n_device;
    uint64_t bytes; /* of device memory taken */

    uint32_t launches;
    uint64_t cycles;
    wl_total *totals; /* counters summed over the launches */
    size_t n_totals;
    uint64_t waived; /* accesses that a judge let pass because it could not judge them */
};

/* The final flush of the last kernel, if it waits. With `bytes` the host has first synchronised and read the block at `from`, up to a word. */
void wl_settle(struct wl *w, vl_ptr from, size_t bytes);
/* Frees everything but the device itself. */
void wl_finish(struct wl *w);

#endif
