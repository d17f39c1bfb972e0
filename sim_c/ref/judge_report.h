/* Reports of the parts of the judge. */
#ifndef SIM_C_REF_JUDGE_REPORT_H
#define SIM_C_REF_JUDGE_REPORT_H
#include "sim_c/ref/judge_state.h"

/* Records the first difference. Core number HOST_SOURCE is the host port, one between is the shared walker, warp number WARPS is no warp. Returns SIM_EDIFF. */
__attribute__((format(printf, 5, 6))) int judge_differ(judge_t *j, unsigned core, unsigned warp, const insn_t *i,
                                                       const char *fmt, ...);
/* The same of a block of memory, at that address (0: not known), and a device or, DEVICES, the host. */
__attribute__((format(printf, 4, 5))) int judge_differ_block(judge_t *j, uint64_t addr, unsigned party, const char *fmt,
                                                             ...);
/* The judge itself cannot go on, which ends the run: it has no memory left. Returns SIM_ENOMEM. */
int judge_out_of_memory(judge_t *j);
/* An array with room for one more than `n`, `room` being its present size. NULL, and reported: out of memory. */
void *judge_room(judge_t *j, void *at, unsigned n, unsigned *room, size_t size);
/* Something is accepted because the judge cannot know better. */
void judge_waive(judge_t *j, judge_waiver reason);
#endif
