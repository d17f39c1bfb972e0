/* What a composition knows of dram_ctrl's twin besides its ports: how long it has nothing to do but keep time. The accumulator and the refresh
 * counter go on in every cycle, so dram_ctrl_idle is seldom true; but what they will be in n cycles is arithmetic. */
#ifndef SIM_C_MEM_DRAM_CTRL_H
#define SIM_C_MEM_DRAM_CTRL_H
#include "dram_ctrl_ports.h"
#include "vl_cfg.h"

/* Ticks of the channel's clock in the next `cycles` core cycles of an accumulator, and the accumulator after them. */
static inline uint64_t dram_ticks(uint32_t acc, uint64_t cycles)
{
    return (acc + cycles * DRAM_CLK_NUM) / DRAM_CLK_DEN;
}

static inline uint32_t dram_acc(uint32_t acc, uint64_t cycles)
{
    return (uint32_t)((acc + cycles * DRAM_CLK_NUM) % DRAM_CLK_DEN);
}

/* Edges without a transaction or a burst, under the page policy `page`, at which nothing changes but the time and, of the outputs,
 * pins.ticks. UINT64_MAX: for ever. */
uint64_t dram_ctrl_due(const dram_ctrl_t *s, bool page);
/* The same as so many of those edges; at most dram_ctrl_due. */
void dram_ctrl_skip(dram_ctrl_t *s, uint64_t edges);
#endif
