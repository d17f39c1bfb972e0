/* Which buffer misses: what kernels do to ranges of addresses, counted from the outputs of the model's blocks (lsu, tlb, tlb_mshr, l1d, l2), without an effect on the
 * machine. docs/command.md, Buffers. */
#ifndef SIM_C_TOP_BUFFERS_H
#define SIM_C_TOP_BUFFERS_H
#include "sim_c/common/part.h"
#include "sim_c/top/vellum.h"

typedef struct buffers buffers_t;

/* Ranges as programs address them, n of them; number n is the rest of memory. NULL: out of memory. */
buffers_t *buffers_new(const vellum_inside_t *in, const machine_range_t *range, uint32_t n);
void buffers_free(buffers_t *b);
/* One cycle: the outputs that stand. Cycles may be skipped when nothing happens in them. */
void buffers_cycle(buffers_t *b, const vellum_out_t *o);
/* MACHINE_BUFFER_COUNTS numbers of range k. */
const uint64_t *buffers_of(const buffers_t *b, uint32_t k);
#endif
