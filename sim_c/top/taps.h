/* Every block inside the verilated device against its twin inside the model. The code is generated (scripts/gen/taps.py). */
#ifndef SIM_C_TOP_TAPS_H
#define SIM_C_TOP_TAPS_H
#include "sim_c/top/vellum.h"
#include "verif/common/vl_bits.h"

/* True at the first block output that differs in this cycle: `where` names the block, `d` the field and both values. */
bool taps_diff(void *rtl, const vellum_t *model, char *where, size_t n, vl_diff_t *d);
#endif
