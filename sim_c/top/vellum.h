/* What the golden model offers beyond the ports of rtl/top/vellum.sv. */
#ifndef SIM_C_TOP_VELLUM_H
#define SIM_C_TOP_VELLUM_H
#include "vellum_ports.h"

/* Jumps over cycles in which vellum_idle() holds and nothing comes from outside: only counters move. */
void vellum_skip(vellum_t *m, uint64_t cycles);
/* This cycle's outputs of a block (its BLOCK_out_t); core < 0: of the device's own. */
const void *vellum_block_out(const vellum_t *m, int core, const char *block);
#endif
