/* What the composition needs beyond the ports of ctrl. */
#ifndef SIM_C_TOP_CTRL_H
#define SIM_C_TOP_CTRL_H
#include "ctrl_ports.h"

/* Counts cycles of a running kernel in which nothing else happens to ctrl: how the model jumps over dead time. */
void ctrl_count(ctrl_t *s, uint64_t cycles);
#endif
