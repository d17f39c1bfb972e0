/* A kernel slot of ctrl: the registers of one kernel, its start, its stop, its end (docs/blocks/ctrl.md, registers marked K, steps 3 to 6). */
#ifndef SIM_C_TOP_KERNEL_CTL_H
#define SIM_C_TOP_KERNEL_CTL_H
#include "ctrl_ports.h"

typedef struct {
    kernel_t kernel;
    uint64_t reconv_pc, cycles;
    bool running, start, stop, halt;
    bool faulted, quiet, done; /* inputs of the last edge; their effects may still be to come */
    uint8_t rst, settle;
} kernel_ctl_t;

void kernel_ctl_reset(kernel_ctl_t *s);
bool kernel_ctl_stopping(const kernel_ctl_t *s);
/* `cores`: its own; `reg`: from the slot's base on. */
uint64_t kernel_ctl_read(const kernel_ctl_t *s, unsigned reg, uint64_t cores, bool faulted);
/* Steps 4 and 5, and the end of a pulse. The last edge's inputs are in faulted, quiet and done. */
void kernel_ctl_tick(kernel_ctl_t *s);
/* After it. True: a start. `refused`: it was stopping before the edge. */
bool kernel_ctl_write(kernel_ctl_t *s, unsigned reg, uint64_t d, uint64_t cores, bool refused);
/* Something other than `cycles` moves at the next edge. */
bool kernel_ctl_moves(const kernel_ctl_t *s);
#endif
