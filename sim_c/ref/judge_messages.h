/* The judge reads the messages of directories, slices and their networks off the blocks' outputs: a message that is offered and taken in a cycle is transferred. */
#ifndef SIM_C_REF_JUDGE_MESSAGES_H
#define SIM_C_REF_JUDGE_MESSAGES_H
#include "sim_c/ref/judge_state.h"

/* Where the outputs of the machine's blocks stand; the machine is reset. False: there is no memory left. */
bool judge_messages_watch(judge_t *j, const vellum_t *m,
                          const void *(*out)(const vellum_t *m, int index, const char *block, const char *name));
void judge_messages_free(judge_messages_t *w);
/* Those of this cycle. */
void judge_messages_cycle(judge_t *j);
#endif
