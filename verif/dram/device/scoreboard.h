/* The rules once more, for the random tests: by looking back over the whole command history, one row a rule, without any state. */
#ifndef VERIF_DRAM_DEVICE_SCOREBOARD_H
#define VERIF_DRAM_DEVICE_SCOREBOARD_H
#include "sim_c/dram/dram.h"

typedef struct {
    uint64_t clock;
    dram_cmd_t cmd;
} accepted_t;

typedef struct {
    dram_set_t set;
    accepted_t *past; /* accepted commands */
    size_t count, room;
} scoreboard_t;

void scoreboard_open(scoreboard_t *sb, const dram_set_t *set);
void scoreboard_close(scoreboard_t *sb);
void scoreboard_accept(scoreboard_t *sb, uint64_t clock, dram_cmd_t cmd);
/* Rules that the command would break at `clock`, a bit each (write pins excepted); *wait: clocks until the rules of time would allow it. */
uint64_t scoreboard_broken(const scoreboard_t *sb, uint64_t clock, dram_cmd_t cmd, uint64_t *wait);
/* The last clock by which the next REF must come; UINT64_MAX without refresh. */
uint64_t scoreboard_deadline(const scoreboard_t *sb);
/* The row that is open, or -1. */
int64_t scoreboard_row(const scoreboard_t *sb, unsigned group, unsigned bank);
#endif
