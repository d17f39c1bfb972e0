/* What the composition needs beyond the ports of perf_slice. */
#ifndef SIM_C_MEM_PERF_SLICE_H
#define SIM_C_MEM_PERF_SLICE_H
#include "perf_slice_ports.h"

/* The same as `cycles` (> 0) ticks with these inputs, of which clear is false: how the model jumps over dead time. */
void perf_slice_skip(perf_slice_t *s, const perf_slice_in_t *in, uint64_t cycles);
#endif
