/* Functions for the composition, beside the ports of l2. */
#ifndef SIM_C_CACHE_L2_H
#define SIM_C_CACHE_L2_H
#include "l2_ports.h"

/* True when ticks change nothing, and show the same stalls, until a valid comes in or a ready for a valid output. */
bool l2_waits(const l2_t *s);
#endif
