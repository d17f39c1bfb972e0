/* Functions for the composition, beside the ports of ctrl. */
#ifndef SIM_C_TOP_CTRL_H
#define SIM_C_TOP_CTRL_H
#include "ctrl_ports.h"

/* How the model jumps over dead time: edges from now on at which nothing of ctrl but `cycles` and the count of the epoch moves, as long as its
 * inputs keep their values of the last edge (0: no such edge; UINT64_MAX: no limit), and the jump over at most that many. */
uint64_t ctrl_due(const ctrl_t *s);
void ctrl_count(ctrl_t *s, uint64_t cycles);
#endif
