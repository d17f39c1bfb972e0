/* Functions for the composition, beside the ports of perf_channel. */
#ifndef SIM_C_MEM_PERF_CHANNEL_H
#define SIM_C_MEM_PERF_CHANNEL_H
#include "perf_channel_ports.h"

/* The same as `cycles` (> 0) ticks with these inputs, of which clear is false and in which no read comes or is answered: how the model jumps over dead time. Only the DRAM clocks may differ
 * from cycle to cycle: `ticks` is how many all cycles had, in->ticks those of the last cycle. */
void perf_channel_skip(perf_channel_t *s, const perf_channel_in_t *in, uint64_t cycles, uint64_t ticks);
#endif
