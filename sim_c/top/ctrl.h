/* What the composition needs beyond the ports of ctrl. */
#ifndef SIM_C_TOP_CTRL_H
#define SIM_C_TOP_CTRL_H
#include "ctrl_ports.h"

/* How the model jumps over dead time: edges from now on at which nothing of ctrl but `cycles` and the count of the epoch moves, as long as its
 * inputs stay what they were at the last edge (0: none; UINT64_MAX: nothing will happen by itself), and the jump over at most so many. */
uint64_t ctrl_due(const ctrl_t *s);
void ctrl_count(ctrl_t *s, uint64_t cycles);
#endif
