/* The judge's view of instructions under way: issued, sent to memory, traced by the LSU, written back. */
#ifndef SIM_C_REF_JUDGE_EVENTS_H
#define SIM_C_REF_JUDGE_EVENTS_H
#include "sim_c/ref/judge_state.h"

void judge_issued(judge_t *j, unsigned core, const issued_t *s);
void judge_sent(judge_t *j, unsigned core, const sent_t *s);
void judge_traced(judge_t *j, unsigned core, const memtrace_t *s);
void judge_result(judge_t *j, unsigned core, const wb_t *s);
#endif
