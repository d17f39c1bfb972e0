/* The reference steps an instruction when its predecessors have been stepped and memory's answer to it is known. */
#ifndef SIM_C_REF_JUDGE_STEP_H
#define SIM_C_REF_JUDGE_STEP_H
#include "sim_c/ref/judge_state.h"

/* Steps whatever is ready of the warp. */
void judge_advance(judge_t *j, unsigned core, unsigned warp, warp_state_t *w);
/* Thread t's result, which the machine has written, of an instruction that has been stepped. */
void judge_compare(judge_t *j, unsigned core, unsigned warp, warp_state_t *w, insn_t *i, unsigned t);
/* Its place is free when nothing more can come of it. */
void judge_finish(insn_t *i);
/* The machine must report this fault, or that of another warp. Nothing more of the warp counts. */
void judge_expect_fault(warp_state_t *w, uint32_t cause, uint64_t pc, uint64_t value, uint64_t mask);
#endif
