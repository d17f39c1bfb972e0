/* The part of a run that a trace has, and the addresses with counted accesses. */
#ifndef SIM_C_COMMON_PART_H
#define SIM_C_COMMON_PART_H
#include <stdint.h>

/* Which part of a run a trace has. */
typedef struct machine_part {
    uint64_t from,
        to; /* cycles since the first kernel in it began, from <= cycle < to; 0 and UINT64_MAX: the whole run */
    uint64_t cores; /* a bit each */
    const char *
        blocks; /* names with commas between them: of waves blocks of the design, of a pipeline trace pipes, of a timeline lanes; NULL: all */
} machine_part_t;

/* Addresses as programs see them, and a kernel's accesses to them. */
typedef struct machine_range {
    uint64_t base, bytes;
} machine_range_t;
enum {
    MACHINE_TLB_LOOKUPS,
    MACHINE_TLB_MISSES,
    MACHINE_L1D_LOADS,
    MACHINE_L1D_STORES,
    MACHINE_L2_READS,
    MACHINE_L2_WRITES,
    MACHINE_L2_MISSES,
    MACHINE_L2_WRITE_BACKS,
    MACHINE_BUFFER_COUNTS
};
#endif
