/* Functions for the composition, beside the ports of perf. */
#ifndef SIM_C_CORE_PERF_H
#define SIM_C_CORE_PERF_H
#include "perf_ports.h"

/* Counts the same events in each of `cycles` cycles: how the model jumps over dead time. */
void perf_count(perf_t *s, const ev_core_t *ev, uint64_t cycles);
/* The increment of the selected counter in each of these cycles. */
uint64_t perf_step(const perf_in_t *in);
/* The outputs after `cycles` edges with these inputs and one more. */
void perf_peek(const perf_t *s, const perf_in_t *in, uint64_t cycles, perf_out_t *o);
#endif
