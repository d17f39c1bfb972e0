/* The judge of the lockstep: steps the architectural reference beside a machine under test, by the machine's ports, and shares nothing with it.
 *
 * It watches the device's ports (docs/blocks/vellum.md) and checks
 *   - every word of code that is fetched: it is in a line that the core has read since the kernel began and since the last acknowledged shootdown of its page,
 *     by a translation that allows it (judge_code.c);
 *   - every instruction issued: it is the one fetched for its pc, its threads are alive and at that pc, and
 *     they are not beyond a barrier that their workgroup has not passed;
 *   - every result written: each active thread's rd exactly once, with the reference's value;
 *   - every address and every stored datum of a memory instruction;
 *   - every load: it sees its core's own newest store before it, or, where other cores write too, something that memory has held since
 *     that store was performed and since the last fence (judge_memory.c);
 *   - every access: those of a warp go to memory in program order, and so nothing behind one that faults;
 *   - every store: it arrives in memory once, whole and in order, before a later fence or release is complete; before anything that its workgroup does in memory
 *     beyond the next barrier;
 *   - every atomic: operation, operands and answer, against memory at the moment it is performed there;
 *   - every request of a core or the host port: answered once, by the slice that has the line, those of one line in their order; a line that
 *     is read is what memory holds at that moment, to the byte (judge_requests.c);
 *   - every translation: a physical address is what some PTEs give that the core has read since the last acknowledged shootdown that covers
 *     it was asked for (judge_pages.c); every page fault that the host serves: so do some (judge_faults.c); every read of a PTE: it is of a table to which
 *     the tables lead (judge_walks.c);
 *   - every workgroup: it runs once, its warps together, in a scratchpad of its own, and none begins before the last one's end;
 *   - every counter that the host reads when a kernel has ended without a fault, and that the reference counts (docs/counters.md; judge_counters.h);
 *   - every fault: cause, value, pc and threads; and that no fault is left out;
 *   - with directories, every message: the protocol allows a block's states, holders and marked bytes (judge_coherence.h);
 *   - at the end: all threads have ended, nothing is missing, no warp is left; and until then there is progress.
 * It never predicts timing.
 */
#ifndef SIM_C_REF_JUDGE_H
#define SIM_C_REF_JUDGE_H
#include "sim_c/common/error.h"
#include "sim_c/common/job.h"
#include "sim_c/ref/judge_waived.h"
#include "vellum_ports.h"

typedef struct judge judge_t;

/* NULL when there is no memory. */
judge_t *judge_new(void);
void judge_free(judge_t *j);
/* With directories: it also sees the messages between slices, directories and networks, on the outputs of the model's blocks (which the lockstep compares with those of the
 * RTL). The machine is reset. 0 or SIM_ENOMEM. */
int judge_watch(judge_t *j, const vellum_t *m,
                const void *(*out)(const vellum_t *m, int index, const char *block, const char *name));
/* Memory as the machine's: 0 or SIM_ENOMEM. */
int judge_window(judge_t *j, uint64_t base, uint64_t limit);
void judge_write(judge_t *j, uint64_t addr, const void *data, uint64_t bytes);
void judge_fill(judge_t *j, uint64_t addr, uint8_t byte, uint64_t bytes);
/* Memory is what these bytes of the window hold, each part when the machine first touches it: before it can have changed them. */
void judge_share(judge_t *j, const uint8_t *bytes);
/* Kernels begin, at once and each on its own cores / have all ended, each as its job says. 0, or SIM_EDIFF with the report in err. What a kernel does
 * is judged by its own launch, and what it reaches by the tables of its cores' roots. */
int judge_begin(judge_t *j, uint64_t cycle, const sim_job_t *jobs, uint32_t n, sim_error_t *err);
int judge_end(judge_t *j, const sim_job_t *jobs, uint32_t n, sim_error_t *err);
/* Kernel k of them has ended by itself, and begins again as this job, while others run. */
int judge_again(judge_t *j, uint64_t cycle, uint32_t k, const sim_job_t *job, sim_error_t *err);
/* The kernel of these cores was stopped: its remains are not judged. Before any of the next two. */
void judge_cut(judge_t *j, uint64_t cores);
/* The machine says that one of them has faulted so: the reference must fault the same way there. Before judge_end. */
int judge_fault(judge_t *j, const sim_fault_t *f, sim_error_t *err);
/* One cycle of the machine's outputs and inputs. 0, or SIM_EDIFF. */
int judge_cycle(judge_t *j, uint64_t cycle, const vellum_out_t *o, const vellum_in_t *in, sim_error_t *err);
/* Loads that were allowed because they race. */
uint64_t judge_races(const judge_t *j);
/* Words of code that were fetched and judged. */
uint64_t judge_words(const judge_t *j);
/* Counters that were read of the machine and compared with the reference's. */
uint64_t judge_compared(const judge_t *j);

/* How often each has been accepted since the kernels began. */
uint64_t judge_waived(const judge_t *j, judge_waiver reason);
#endif
