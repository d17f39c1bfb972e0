/* The judge's view of requests between cores and memory, and of their answers. */
#ifndef SIM_C_REF_JUDGE_REQUESTS_H
#define SIM_C_REF_JUDGE_REQUESTS_H
#include "sim_c/ref/judge_state.h"

/* A core or the host port hands over a request. */
void judge_asked(judge_t *j, unsigned source, const mem_req_t *q);
/* A slice answers a request for that line, and so performs it. Slices in ascending order; in one cycle they perform requests of different lines. */
void judge_answered(judge_t *j, unsigned slice, const net_rsp_t *a, uint64_t line);
/* No core awaits anything. */
void judge_all_answered(judge_t *j);
#endif
