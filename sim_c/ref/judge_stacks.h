/* Home memory that is in stacks (policies memory = memcpy and managed; docs/umh.md, 9): the judge computes itself where each line is at home, and accounts for its
 * bytes. The home directory's writes and the data of the home device's slice must be written into that stack, once, and nothing else; a line that is read
 * must be as it was last written; each read of the directory is answered once, with that line. */
#ifndef SIM_C_REF_JUDGE_STACKS_H
#define SIM_C_REF_JUDGE_STACKS_H
#include "sim_c/ref/judge_state.h"
#include "hmd_ports.h"
#include "smd_ports.h"

judge_stacks_t *judge_stacks_new(void);
void judge_stacks_free(judge_stacks_t *s);
/* The machine is reset. */
void judge_stacks_reset(judge_t *j);
/* Memory has been written past the machine. */
void judge_stacks_forget(judge_t *j);
/* The host's registers: the policy. */
void judge_stacks_register(judge_t *j, const vellum_out_t *o, const vellum_in_t *in);

/* Is the line at home in the stack of this device, under the policy? */
bool judge_at_home(const judge_t *j, unsigned device, uint64_t line);
/* Bytes that the slice of an SMD gives, of a line that is at home there. */
void judge_stack_given(judge_t *j, unsigned smd, uint64_t line, const line_be_t *be, const line_data_t *data);

/* Blocks handed over: by an HMD, to an SMD, by that to its stack and back, by it to the home, to an HMD. */
void judge_stack_asked(judge_t *j, unsigned hmd, const hmd_data_t *d);
void judge_stack_served(judge_t *j, unsigned smd, const smd_data_t *d);
void judge_stack_request(judge_t *j, unsigned smd, const stack_req_t *q);
void judge_stack_answer(judge_t *j, unsigned smd, const stack_rsp_t *a);
void judge_stack_line(judge_t *j, unsigned smd, const smd_peer_t *p);
void judge_stack_came(judge_t *j, unsigned hmd, const smd_mem_t *m);
/* Kernels have ended: nothing has been on its way for very long. */
void judge_stacks_end(judge_t *j);
#endif
