/* Functions for the composition, beside the ports of mem_sched. */
#ifndef SIM_C_MEM_MEM_SCHED_H
#define SIM_C_MEM_MEM_SCHED_H
#include "mem_sched_ports.h"

/* After reset, before anything else: the chips are of this kind (docs/configuration.md); else of kind 0. */
void mem_sched_kind(mem_sched_t *s, unsigned kind);
#endif
