/* Functions for the composition, beside the ports of perf_shared. */
#ifndef SIM_C_MMU_PERF_SHARED_H
#define SIM_C_MMU_PERF_SHARED_H
#include "perf_shared_ports.h"

/* The same as `cycles` (> 0) ticks with these inputs, of which clear is false: how the model jumps over dead time. */
void perf_shared_skip(perf_shared_t *s, const perf_shared_in_t *in, uint64_t cycles);
#endif
