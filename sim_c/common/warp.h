/* Where a warp is that has begun and not ended (machine.h, warp). */
#ifndef SIM_C_COMMON_WARP_H
#define SIM_C_COMMON_WARP_H
#include <stdint.h>

typedef enum machine_wait {
    MACHINE_ISSUE,
    MACHINE_BARRIER,
    MACHINE_MEMORY,
    MACHINE_UNSENT,
    MACHINE_FETCH
} machine_wait_t;
typedef struct machine_warp {
    uint64_t pc, threads; /* of the instruction that was issued last; before the first one: where it begins */
    uint64_t cycles; /* since then */
    machine_wait_t wait; /* UNSENT: for memory, and a line has not been asked for yet (with pages: translation) */
    uint32_t group[3];
} machine_warp_t;
#endif
