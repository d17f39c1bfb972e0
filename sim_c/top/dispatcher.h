/* Functions for the composition, beside the ports of dispatcher. */
#ifndef SIM_C_TOP_DISPATCHER_H
#define SIM_C_TOP_DISPATCHER_H
#include "dispatcher_ports.h"

/* True: nothing changes until a workgroup ends or another core is ready than those of `ready`. */
bool dispatcher_waiting(const dispatcher_t *s, uint64_t ready);
#endif
