/* A machine that only records its requests, and the device, image and kernel that tests on it begin with. */
#ifndef LOADER_RECORDER_H
#define LOADER_RECORDER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sw/runtime/internal.h"

enum { HEAP_BYTES = 1 << 20, IMAGE_BYTES = 1 << 16, ENTRIES = 16 };

typedef struct recorder {
    unsigned char image[IMAGE_BYTES],
        heap[HEAP_BYTES]; /* full of 0xee where the runtime must not have relied on zero */
    vl_backend_launch launch;
    vl_reconv table[ENTRIES];
    unsigned runs, fills, policy, policy_value, traces;
    int outcome, begin_fails;
    uint64_t passed, synced;
    bool back_door;
    unsigned past; /* writes while it was open */
    vl_fault fault;
    int read_fails; /* the code */
    vl_counter counters[3];
} recorder;

extern recorder *last; /* the one that was opened last; NULL: it is closed */
extern int fail_open; /* the next does not open: 1 without a reason, 2 with one */
extern uint64_t want_limit; /* the end of the window that it must get */

/* A test that puts another function in must put the recorder's own back. */
extern vl_backend_ops recorder_ops;
int rec_read(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err);
int rec_begin(void *self, const vl_backend_launch *l, vl_error *err);

/* So many bytes of its memory. */
unsigned char *at(recorder *r, uint64_t addr, uint64_t bytes);
/* What stands there, of at most eight bytes. */
uint64_t word(const unsigned char *p, size_t bytes);

/* A device on a new recorder, with a reconvergence table of ENTRIES, or of `entries`. */
vl_device *device(void);
vl_device *device_with(int64_t entries);
/* The two kernels of make_image(), `first` with one branch. */
vl_image *image(void);
/* A kernel `first` with all arguments set, of an image that is loaded. */
vl_kernel *ready(vl_device *d, const vl_image *img);

#endif
