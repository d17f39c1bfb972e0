/* The memory side of the golden model: the twins of its blocks and the nets between them (rtl/mem/memside.sv, docs/blocks/memside.md).
 *
 * memside_ports.h has the ports as values, for the bench. The machine does without copying them, once a cycle:
 *
 *     memside_view(m, &v)                     once: where this cycle's outputs are
 *     memside_control(m, &ctl)                when ctrl's registers change
 *     memside_clock(m, &w)                    the edge, from this cycle's inputs
 *     memside_publish(m)                      the outputs of the next cycle, when all readers of this cycle's are done
 *
 * and, when the rest of the machine has nothing to do either, skips many cycles at once:
 *
 *     n = memside_due(m)                      cycles in which without input nothing happens but that time passes
 *     dram_skip(chip, memside_ticks(m, kind, n))    for each channel, if dram_due(chip) lets it
 *     memside_skip(m, n)                      instead of n times clock and publish
 */
#ifndef SIM_C_MEM_MEMSIDE_H
#define SIM_C_MEM_MEMSIDE_H
#include "memside_nets.h" /* generated: the blocks, memside_wires_t (the inputs of a cycle), memside_view_t (where the outputs stand) */

/* For the life of `m`; renewed by memside_publish and memside_skip. */
void memside_view(const memside_t *m, memside_view_t *v);
/* ctl_i from the coming edge on. */
void memside_control(memside_t *m, const mem_ctl_t *ctl);
void memside_clock(memside_t *m, const memside_wires_t *w);
void memside_publish(memside_t *m);

/* Coming edges at which, without input, nothing changes but pins.ticks and counters that are not visible; 0: something is under way. UINT64_MAX: for ever.
 * (memside_idle says more, and is never true where refreshes or an uneven clock ratio count.) */
uint64_t memside_due(const memside_t *m);
/* As this number of those edges: at most memside_due. */
void memside_skip(memside_t *m, uint64_t edges);
/* The sum of pins.ticks, the same for each channel that has this kind of chips, in this cycle and those after it, `cycles` in all: at most memside_due. */
uint64_t memside_ticks(const memside_t *m, unsigned kind, uint64_t cycles);

/* This cycle's outputs of a block (its BLOCK_out_t) for the lockstep; `name` is that of its place (memside_nets.h), `index` the round of its loop. NULL: there
 * is none. */
const void *memside_block_out(const memside_t *m, const char *block, const char *name, unsigned index);
#endif
