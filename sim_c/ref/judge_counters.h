/* The judge's view of the performance counters that the reference knows (docs/counters.md): its own count of each core since the counters were cleared, against the values that the host
 * reads when a kernel has ended. */
#ifndef SIM_C_REF_JUDGE_COUNTERS_H
#define SIM_C_REF_JUDGE_COUNTERS_H
#include "sim_c/ref/judge_state.h"

static inline void judge_count(judge_t *j, unsigned core, reference_counter_e what, uint64_t n)
{
    j->counters.count[core][what] += n;
}

/* An instruction of some warp has been stepped: `taken`, the threads of a branch that took it, or those of an indirect jump that it took along. */
void judge_count_instruction(judge_t *j, unsigned core, const insn_t *i, uint64_t taken);
/* The register port: kernels start, counters are selected and read. */
void judge_counters_register(judge_t *j, const vellum_out_t *o, const vellum_in_t *in);
/* Kernels begin: nothing has been compared. */
void judge_counters_begin(judge_t *j);
/* The kernel of these cores begins again. */
void judge_counters_again(judge_t *j, uint64_t cores);
#endif
