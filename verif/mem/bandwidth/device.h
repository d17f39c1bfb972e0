/* The memory side under measurement: the twin (twin.c) or the verilated RTL (rtl.c), whichever is linked in. */
#ifndef VERIF_BANDWIDTH_DEVICE_H
#define VERIF_BANDWIDTH_DEVICE_H
#include "memside_ports.h"

extern const char device_name[];
void device_new(void);
void device_out(memside_out_t *o);
void device_tick(const memside_in_t *in);
/* The request that channel 0's scheduler takes from its L2 slice `sub` at the coming edge; false: none, or it cannot be seen. */
bool device_request(unsigned sub, uint64_t *line, bool *write);
#endif
