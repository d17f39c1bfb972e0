/* A SIMT core of the golden model: the twins of its blocks and the nets between them (rtl/core/core.sv).
 *
 * One cycle: the outputs of all blocks stand in the core; core_tick reads them and clocks every block that is not at rest;
 * core_publish renews the outputs of the blocks that were clocked.
 */
#ifndef SIM_C_CORE_CORE_H
#define SIM_C_CORE_CORE_H
#include "vl_types.h"

typedef struct simt_core simt_core_t;

/* What a core hears in a cycle besides its own blocks. */
typedef struct {
    bool kernel_start, halt_all, reconv_valid, group_valid, mem_req_ready, mem_rsp_valid, inv_valid, pf_ready, ipf_ready, resume_valid, fetch_resume_valid, deny;
    const inv_t *inv;
    uint8_t resume;
    const reconv_write_t *reconv;
    const group_t *group;
    const mem_rsp_t *mem_rsp;
    uint8_t perf_idx;
} core_wires_t;

/* What it says. Pointers stay valid for the core's life, payloads until the next publish. */
typedef struct {
    const bool *inv_done, *pf_valid, *ipf_valid; /* page faults of lsu, of l1i */
    const page_fault_t *pf, *ipf;
    const bool *faulted, *quiet, *group_ready, *group_done, *mem_req_valid;
    const fault_t *fault;
    const uint64_t *perf_data;
    const mem_req_t *mem_req;
    const bool *start_valid, *redirect_valid, *push_valid, *issue_valid, *wb_valid, *mem_valid;
    const start_t *start;
    const redirect_t *redirect;
    const push_t *push;
    const issued_t *issue;
    const wb_t *wb;
    const memtrace_t *mem;
    const bool *sent_valid;
    const sent_t *sent;
} core_view_t;

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
/* True when ticks change nothing but the counters until something new is heard: a valid, a ready for the memory request that is shown,
 * another level. No trace is shown then. */
bool simt_core_rests(const simt_core_t *c);
/* Of a core at rest: counts `cycles` such ticks; does the counter that is read count in them; its output after `cycles` (1 or more) of them. */
void simt_core_skip(simt_core_t *c, uint64_t cycles);
bool simt_core_counts(const simt_core_t *c);
void simt_core_peek(simt_core_t *c, uint64_t cycles);
/* This cycle's outputs of a block (its BLOCK_out_t), for the lockstep. */
const void *simt_core_block_out(const simt_core_t *c, const char *block);
#endif
