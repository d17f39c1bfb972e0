/* The judge's view of workgroups: each runs once, its warps together, in a scratchpad of its own; no warp passes a barrier before all have come to it. */
#ifndef SIM_C_REF_JUDGE_GROUPS_H
#define SIM_C_REF_JUDGE_GROUPS_H
#include "sim_c/ref/judge_state.h"

/* A warp begins. */
void judge_started(judge_t *j, unsigned core, const start_t *s);
/* It issues a barrier, an end. */
void judge_reach_barrier(judge_t *j, unsigned core, warp_state_t *w, insn_t *i);
void judge_reach_exit(core_state_t *c, warp_state_t *w, const insn_t *i);
/* The rest of a warp that has ended, after another has begun in its slot: freed when it is empty. */
void judge_settle_ghost(judge_t *j, unsigned core, unsigned warp);
void judge_drop_ghost(core_state_t *c, unsigned warp);
#endif
