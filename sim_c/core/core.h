/* A SIMT core of the golden model: the twins of its blocks and the nets between them (rtl/core/core.sv).
 *
 * One cycle: the core has the outputs of all blocks; simt_core_tick reads them and clocks every block that is not at rest;
 * simt_core_publish renews the outputs of the blocks that were clocked.
 */
#ifndef SIM_C_CORE_CORE_H
#define SIM_C_CORE_CORE_H
/* generated: the blocks, core_wires_t (its inputs in a cycle besides those from its own blocks), core_view_t (where its outputs are) */
#include "core_nets.h"

typedef struct simt_core simt_core_t;

size_t simt_core_size(void);
/* State after reset; `number` is the core's. Outputs are published. */
void simt_core_reset(simt_core_t *c, unsigned number);
void simt_core_view(simt_core_t *c, core_view_t *v);
/* The control registers changed. */
void simt_core_control(simt_core_t *c, const kernel_t *kernel, const policy_t *policy);
/* Its address space, or the policies of translation, changed. */
void simt_core_vm(simt_core_t *c, const root_t *root, uint8_t tlb_mode, const walk_policy_t *walk);
void simt_core_tick(simt_core_t *c, const core_wires_t *w);
void simt_core_publish(simt_core_t *c);
/* True when ticks change nothing but the counters until an input is active: a valid, a ready for the memory request that is shown,
 * another level. No trace is shown then. */
bool simt_core_rests(const simt_core_t *c);
/* Of a core at rest: counts `cycles` such ticks; does the counter that is read count in them; its output after `cycles` (1 or more) of them. */
void simt_core_skip(simt_core_t *c, uint64_t cycles);
bool simt_core_counts(const simt_core_t *c);
void simt_core_peek(simt_core_t *c, uint64_t cycles);
/* This cycle's outputs of a block (its BLOCK_out_t), for the lockstep. */
const void *simt_core_block_out(const simt_core_t *c, const char *block);
/* Its load/store unit, for traces. */
const struct lsu *simt_core_lsu(const simt_core_t *c);
#endif
