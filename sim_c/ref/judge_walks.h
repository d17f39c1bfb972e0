/* The judge's view of page walks: which lines a core, or the shared walker, reads as PTEs. */
#ifndef SIM_C_REF_JUDGE_WALKS_H
#define SIM_C_REF_JUDGE_WALKS_H
#include "sim_c/ref/judge_state.h"

judge_walks_t *judge_walks_new(void); /* NULL: no memory */
void judge_walks_free(judge_walks_t *w);
/* The host's write to a register: the policy. */
void judge_walks_register(judge_t *j, const vellum_out_t *o, const vellum_in_t *in);
void judge_walks_begin(judge_t *j); /* before judge_pages_begin */
/* A core's read of class 1 and up: handed over, and answered with that line. */
void judge_walk_asked(judge_t *j, unsigned source, const mem_req_t *q);
void judge_walk_answered(judge_t *j, unsigned source, const mem_req_t *q, const line_data_t *line);
#endif
