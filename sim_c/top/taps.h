/* Every block inside the verilated device against its twin inside the model. The code is generated (scripts/gen/taps.py). */
#ifndef SIM_C_TOP_TAPS_H
#define SIM_C_TOP_TAPS_H
#include "sim_c/top/vellum.h"
#include "sim_c/common/vl_bits.h"

/* The outputs of every block of the model, which stay where they are after its reset: an array of taps_count() pointers, for taps_diff. */
size_t taps_count(void);
void taps_find(const vellum_t *model, const void **outputs);
/* True at the first block output that differs in this cycle: `where` names the block, `d` the field and both values. */
bool taps_diff(void *rtl, const void *const *outputs, char *where, size_t n, vl_diff_t *d);
#endif
