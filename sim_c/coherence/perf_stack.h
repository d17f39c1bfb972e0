/* Functions for the composition, beside the ports of perf_stack. */
#ifndef SIM_C_COHERENCE_PERF_STACK_H
#define SIM_C_COHERENCE_PERF_STACK_H
#include "perf_stack_ports.h"

/* A maintenance is under way: each cycle is counted. */
bool perf_stack_syncs(const perf_stack_t *s);
#endif
