/* The judge's view of warps that are formed anew (docs/compaction.md): the threads that a warp runs. A thread's state is kept at its place of some warp of its group, its *seat*; when a
 * warp is formed, its threads change seats with those that are there. So the other state that the judge keeps by warp and place is of the threads that run there. */
#ifndef SIM_C_REF_JUDGE_HOMES_H
#define SIM_C_REF_JUDGE_HOMES_H
#include "sim_c/ref/judge_state.h"

/* A warp is formed. */
void judge_formed(judge_t *j, unsigned core, const formed_t *f);
/* The warp in which the thread of this home and place that asks for an atomic runs; its home if none does. */
unsigned judge_seat(core_state_t *c, unsigned home, unsigned t);
/* Threads come to a barrier, or end (before the judge takes it up): do others wait for a thread that will not come, or do these? */
void judge_barrier_meets(core_state_t *c, const warp_state_t *w, const insn_t *i);
/* A fault at a barrier in a compacted group, where it depends on what meets first who misses whom: is it of such threads? */
bool judge_barrier_fails(const core_state_t *c, const warp_state_t *w, const sim_fault_t *f);
#endif
