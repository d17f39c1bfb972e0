/* The compute side of the golden model: control port, dispatcher and cores (docs/blocks/compute.md).
 *
 * One cycle: it has the outputs of all blocks; compute_tick reads them and the inputs from outside, and clocks.
 */
#ifndef SIM_C_TOP_COMPUTE_H
#define SIM_C_TOP_COMPUTE_H
/* generated: the blocks, compute_wires_t (its inputs in a cycle), compute_view_t (where its outputs are, as long as it exists) */
#include "compute_nets.h"
#include "sim_c/core/core.h"

typedef struct compute compute_t;

size_t compute_size(void);
/* State after reset. */
void compute_reset(compute_t *m);
void compute_view(compute_t *m, compute_view_t *v);
void compute_tick(compute_t *m, const compute_wires_t *in);
/* Nothing but a memory response, a register access or the end of compute_due() can change anything but counters. */
bool compute_idle(const compute_t *m);
uint64_t compute_due(const compute_t *m);
/* Jumps over cycles in which that is so. */
void compute_skip(compute_t *m, uint64_t cycles);
/* This cycle's outputs of a block (its BLOCK_out_t); core < 0: of ctrl or dispatcher. */
const void *compute_block_out(const compute_t *m, int core, const char *block);
/* A core's load/store unit, for traces. */
const struct lsu *compute_lsu(const compute_t *m, unsigned core);
#endif
