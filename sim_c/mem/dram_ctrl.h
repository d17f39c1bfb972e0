/* Functions for the composition, beside the ports of dram_ctrl: for how long it only keeps time. The accumulator and the refresh
 * counter change in every cycle, so dram_ctrl_idle is seldom true; but their values in n cycles can be computed. */
#ifndef SIM_C_MEM_DRAM_CTRL_H
#define SIM_C_MEM_DRAM_CTRL_H
#include "dram_ctrl_ports.h"
#include "vl_cfg.h"

/* After reset, before anything else: the chips are of this kind (docs/configuration.md); else of kind 0. */
void dram_ctrl_kind(dram_ctrl_t *s, unsigned kind);

/* Clocks of a kind of chips: num in den core cycles. (A machine of one kind has constants.) */
static inline uint32_t dram_clk_num(unsigned kind)
{
    return DRAM_KINDS > 1 && kind ? HOST_DRAM_CLK_NUM : DRAM_CLK_NUM;
}

static inline uint32_t dram_clk_den(unsigned kind)
{
    return DRAM_KINDS > 1 && kind ? HOST_DRAM_CLK_DEN : DRAM_CLK_DEN;
}

/* Ticks of a kind's clock in the next `cycles` core cycles of an accumulator, and the accumulator after them. */
static inline uint64_t dram_ticks(unsigned kind, uint32_t acc, uint64_t cycles)
{
    return (acc + cycles * dram_clk_num(kind)) / dram_clk_den(kind);
}

static inline uint32_t dram_acc(unsigned kind, uint32_t acc, uint64_t cycles)
{
    return (uint32_t)((acc + cycles * dram_clk_num(kind)) % dram_clk_den(kind));
}

/* Edges without a transaction or a burst, under the page policy `page`, at which nothing changes but the time and, of the outputs,
 * pins.ticks. UINT64_MAX: for ever. */
uint64_t dram_ctrl_due(const dram_ctrl_t *s, bool page);
/* The same as this number of those edges; at most dram_ctrl_due. */
void dram_ctrl_skip(dram_ctrl_t *s, uint64_t edges);
#endif
