/* The judge's view of a fault that ends a kernel: the reference must fault the same way there. */
#ifndef SIM_C_REF_JUDGE_TRAPS_H
#define SIM_C_REF_JUDGE_TRAPS_H
#include "sim_c/ref/judge_state.h"

int judge_trapped(judge_t *j, const vl_fault *f);
#endif
