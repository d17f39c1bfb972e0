/* The state of a channel, shared by the files of the device model. */
#ifndef SIM_C_DRAM_DEVICE_H
#define SIM_C_DRAM_DEVICE_H
#include "sim_c/dram/dram.h"

/* Longer ago than any constraint. */
#define LONG_AGO (-((int64_t)1 << 40))
/* Commands kept for the report. */
#define HISTORY 256

typedef struct bank {
    int64_t act, pre, rd, wr; /* the last of each */
    uint32_t row;
    bool open, used; /* used: the open row has seen a RD or WR */
} bank_t;

typedef struct group {
    int64_t act, rd, wr;
} group_t;

typedef struct transfer {
    int64_t start;
    bool write;
    unsigned bank;
    uint32_t row, offset;
} transfer_t;

typedef struct past {
    int64_t clock;
    dram_cmd_t cmd;
} past_t;

struct dram {
    dram_set_t set;
    uint32_t beat, row_bytes;
    int64_t now;
    bank_t bank[DRAM_BANKS_MAX]; /* group * banks + bank */
    group_t group[DRAM_GROUPS_MAX];
    int64_t acts[4]; /* the last four, a ring */
    unsigned acts_next;

    /* The data pins. Bursts never overlap, so transfers begin in the order of their commands. */
    transfer_t *flight; /* a ring of flight_mask + 1 */
    unsigned flight_mask, flight_first, flight_count;
    int64_t bus_free;    /* first clock that no transfer so far uses */
    int64_t bus_command; /* the command of the latest transfer */
    bool bus_write;

    /* Refresh: `refs_done` of the refreshes that are due (one each tREFI), at most refresh_postpone ahead of time. */
    int64_t ref, refs_done, ref_deadline;
    int64_t refs[64]; /* the last refresh_burst, a ring */
    unsigned refs_next;

    dram_cells_fn *cells; /* NULL: memory of our own */
    void *cells_user;
    uint8_t **rows; /* bank * rows + row; NULL: all zero */
    struct cells *made; /* the memory of all rows that have some */
    dram_violation_t violation;
    past_t history[HISTORY];
    uint64_t history_count;
    int64_t stats_from;
    dram_stats_t stats;
};

/* Judges `cmd` against the state: whether it breaks nothing. Fills d->violation otherwise. */
bool dram_legal(dram_t *d, const dram_cmd_t *cmd);
/* Notes a violation of the protocol in the present clock. */
void dram_protocol(dram_t *d, const dram_cmd_t *cmd, dram_rule_t rule);
/* Whether a refresh is overdue in the present clock; notes it. */
bool dram_overdue(dram_t *d, const dram_cmd_t *cmd);

/* Where a beat is; NULL: nothing was ever written there. */
uint8_t *dram_at(const dram_t *d, unsigned bank, uint32_t row, uint32_t offset);
/* Gets memory for a row (false: out of memory); frees that of all rows. */
bool dram_row_make(dram_t *d, unsigned bank, uint32_t row);
void dram_rows_free(dram_t *d);
#endif
