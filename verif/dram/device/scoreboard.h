/* The rules once more, for the random tests: by looking back over the whole command history, one row a rule, without any state. */
#ifndef VERIF_DRAM_DEVICE_JUDGE_H
#define VERIF_DRAM_DEVICE_JUDGE_H
#include "sim_c/dram/dram.h"

typedef struct {
    uint64_t clock;
    dram_cmd_t cmd;
} judged_t;

typedef struct {
    dram_set_t set;
    judged_t *past; /* what was accepted */
    size_t count, room;
} judge_t;

void judge_open(judge_t *j, const dram_set_t *set);
void judge_close(judge_t *j);
void judge_accept(judge_t *j, uint64_t clock, dram_cmd_t cmd);
/* Rules that the command would break at `clock`, a bit each (write pins excepted); *wait: clocks until the rules of time would allow it. */
uint64_t judge_broken(const judge_t *j, uint64_t clock, dram_cmd_t cmd, uint64_t *wait);
/* The last clock by which the next REF must come; UINT64_MAX without refresh. */
uint64_t judge_deadline(const judge_t *j);
/* The row that is open, or -1. */
int64_t judge_row(const judge_t *j, unsigned group, unsigned bank);
#endif
