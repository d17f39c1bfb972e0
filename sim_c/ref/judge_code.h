/* The judge's view of instruction fetch: every word that comes from the instruction cache, whether it is ever executed or not, and that fetched words are the issued ones. */
#ifndef SIM_C_REF_JUDGE_CODE_H
#define SIM_C_REF_JUDGE_CODE_H
#include "sim_c/ref/judge_state.h"

judge_code_t *judge_code_new(void); /* NULL: no memory */
void judge_code_free(judge_code_t *c);
void judge_code_begin(judge_t *j);
/* The kernel of these cores begins again. */
void judge_code_again(judge_t *j, uint64_t cores);
/* Words for a warp's buffer, from its fetch pc on. */
void judge_pushed(judge_t *j, unsigned core, const push_t *p);
/* The warp goes on elsewhere, or ends. */
void judge_redirected(judge_t *j, unsigned core, const redirect_t *r);
/* An instruction leaves the buffer. */
void judge_popped(judge_t *j, unsigned core, const issued_t *s, const insn_t *i);
#endif
