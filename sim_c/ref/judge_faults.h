/* The judge's view of page faults: the queue as the host reads it. */
#ifndef SIM_C_REF_JUDGE_FAULTS_H
#define SIM_C_REF_JUDGE_FAULTS_H
#include "sim_c/ref/judge_state.h"

void judge_faults_begin(judge_t *j);
/* The kernel of these cores begins again. */
void judge_faults_again(judge_t *j, uint64_t cores);
/* Register accesses of the host that concern page faults, and their results. */
void judge_faults_register(judge_t *j, const vellum_out_t *o, const vellum_in_t *in);
/* Has the host denied this core the line of that pc? */
bool judge_fetch_denied(const judge_t *j, unsigned core, uint64_t pc);
#endif
