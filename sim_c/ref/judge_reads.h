/* The reads of each core: of page tables by its walker, of code by its instruction cache. All that the core's TLBs and instruction cache hold is from these reads. A read of page tables
 * by a shared walker belongs to the address space that it was made for, and so to every core that has it. That each read brings what
 * memory holds when it is answered is checked for all reads (judge_requests.c). */
#ifndef SIM_C_REF_JUDGE_READS_H
#define SIM_C_REF_JUDGE_READS_H
#include "sim_c/ref/judge_state.h"

typedef enum { READ_TABLE, READ_CODE } read_kind_t;

/* A line as a core was answered with it, once or more often. */
typedef struct {
    uint8_t data[LINE_BYTES];
    uint64_t epoch, asked, answered; /* of the last time: shootdowns asked for before it, cycles */
    unsigned first; /* of each epoch (read_time_t), the latest one */
    unsigned next; /* other contents of the line, less lately read; 0: none */
} content_t;

judge_reads_t *judge_reads_new(void); /* NULL: no memory */
void judge_reads_free(judge_reads_t *r);
/* A read was answered with that data: a core's, or the shared walker's. */
void judge_read_answered(judge_t *j, unsigned source, read_kind_t kind, const request_t *q, const void *data);
/* The contents of a line as `reader` has read it, by number, the latest first; 0: none. A reader is a core; of page tables with a shared walker, an address space. */
unsigned judge_contents(const judge_t *j, unsigned reader, read_kind_t kind, uint64_t line);
const content_t *judge_content(const judge_t *j, unsigned number);
/* Has it been read in that epoch or later, and answered in that cycle or before? */
bool judge_read_between(const judge_t *j, const content_t *c, uint64_t epoch, uint64_t until);
/* The newest epoch in which anything was read. */
uint64_t judge_reads_epoch(const judge_t *j);
void judge_reads_forget(judge_t *j);
/* From now on cores may keep pointers to tables (docs/blocks/ptw.md), so a walk may use the reads of an earlier access. That of a shared walker always may. */
void judge_reads_keep(judge_t *j);
bool judge_reads_kept(const judge_t *j);
#endif
