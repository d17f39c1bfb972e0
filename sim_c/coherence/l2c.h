/* What the composition needs beyond the ports of l2c. */
#ifndef SIM_C_COHERENCE_L2C_H
#define SIM_C_COHERENCE_L2C_H
#include "l2c_ports.h"

/* True when ticks change nothing, and show the same stalls, until a valid comes in or a ready for what is shown. */
bool l2c_waits(const l2c_t *s);
#endif
