/* The judge's view of memory: the values that it may hold, and when. */
#ifndef SIM_C_REF_JUDGE_MEMORY_H
#define SIM_C_REF_JUDGE_MEMORY_H
#include "sim_c/ref/judge_state.h"

/* The slice that answers the source for the line of this address. */
unsigned judge_slice(unsigned source, uint64_t addr);
/* Is there memory for this access of the warp? */
bool judge_reachable(const judge_t *j, unsigned core, uint64_t addr);
/* A thread's access as the LSU lets it go, in LSU order: loads and scratchpad atomics note the values that they read, stores write. */
void judge_access(judge_t *j, unsigned core, unsigned warp, warp_state_t *w, insn_t *i, unsigned t);
/* May this load have given `raw`? */
bool judge_load_legal(judge_t *j, unsigned core, const insn_t *i, unsigned t, uint64_t raw);
/* An access of the warp, or its fence, takes effect: nothing from before a barrier does so after something from beyond it. */
void judge_barrier_kept(judge_t *j, unsigned core, unsigned warp, const warp_state_t *w, const insn_t *i);
/* Accesses of the instruction go to memory: all of the warp's older ones must have gone. So nothing goes that is behind an access that faults. */
void judge_order_kept(judge_t *j, unsigned core, unsigned warp, const warp_state_t *w, const insn_t *i);
/* A write is performed now; that of op MEM_STORE coherently, by one who holds its block alone. */
void judge_written(judge_t *j, unsigned source, const mem_req_t *q);
/* An atomic is performed now, and answered so, it is reported. Returns the required answer. `i`: its instruction, NULL: the host's. */
uint64_t judge_atomic(judge_t *j, unsigned source, const mem_req_t *q, insn_t *i, unsigned t, uint64_t claimed);
/* May the line hold these bytes now, as this requester sees it? If not, `at` is the first wrong byte, and `want` the byte that the line holds there. */
bool judge_holds(judge_t *j, unsigned source, uint64_t line, const line_data_t *data, uint64_t *at, uint8_t *want);
/* Every store and atomic of the warp that was issued before must have been performed, and of the core's others what their LSU had let go before this
 * instruction was issued: the values that its thread can have seen, and the accesses that a barrier puts before it. */
void judge_earlier_done(judge_t *j, unsigned core, unsigned warp, const insn_t *i, const char *why);
/* Once in a while: nothing that was performed may stay unexplained. `ended`: cores whose kernel has ended, nothing may be left of them at all. */
void judge_memory_check(judge_t *j, uint64_t ended);
#endif
