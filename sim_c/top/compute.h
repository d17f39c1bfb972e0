/* The compute side of the golden model: control port, dispatcher and cores (docs/blocks/compute.md).
 *
 * One cycle: the outputs of all blocks stand in it; compute_tick reads them and what comes from outside, and clocks.
 */
#ifndef SIM_C_TOP_COMPUTE_H
#define SIM_C_TOP_COMPUTE_H
#include "ctrl_ports.h"
#include "vm_ctl_ports.h"
#include "sim_c/core/core.h"

typedef struct compute compute_t;

/* What it hears in a cycle. */
typedef struct {
    bool ctl_req_valid, ctl_rsp_ready;
    const ctl_req_t *ctl_req;
    uint64_t maint_done, slice_idle;       /* a bit a slice */
    uint64_t sched_idle, dram_idle;        /* a bit a channel */
    const uint64_t *slice_perf, *channel_perf;
    uint64_t mem_req_ready, mem_rsp_valid; /* a bit a core */
    const mem_rsp_t *mem_rsp[CORES];
} compute_wires_t;

/* What it says. Pointers stay valid for its life. */
typedef struct {
    const ctrl_out_t *ctrl;
    const bool *attention;
    const core_view_t *core; /* [CORES] */
    const uint64_t *resting, *req_valid; /* cores that show no trace; that show a memory request */
} compute_view_t;

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
#endif
