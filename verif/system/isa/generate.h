/* Random SIMT programs: every thread has data of its own, threads part and meet, and some memory is shared. */
#ifndef VERIF_SYSTEM_ISA_GENERATE_H
#define VERIF_SYSTEM_ISA_GENERATE_H
#include <stdbool.h>

#include "verif/ref/lib/code.h"

typedef struct {
    uint32_t groups[3], local[3];
    bool races;    /* threads touch shared memory without order: only the lockstep can judge the results */
    bool barriers; /* workgroup barriers between the units; no path leaves the common one there */
    unsigned units;
} shape;

/* Of a thread, in the buffer of the first argument, at its number in the launch * AREA. */
#define AREA 2048
#define AREA_INIT 1024  /* first x1..x24 at 8 * number, fcsr at 0 */
#define AREA_STATE 1536 /* the last ones, the same way */
#define SHARED_BYTES 1024 /* of the buffer of the second argument */
#define SPAD_SHARED 256   /* the scratchpad: these bytes for all, then SPAD_PRIVATE for each thread */
#define SPAD_PRIVATE 64

/* The text at BASE; returns where it begins. */
uint64_t generate(program *p, rng *r, const shape *s);
#endif
