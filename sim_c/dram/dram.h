/* One DRAM channel as the pins see it: stores data and checks every command against the rules of its timing set.
 * docs/dram-device.md has the rules, the pin timing and the limits of the model.
 *
 *     dram_set_t set;  dram_t *d;
 *     dram_set_read(&set, "rtl/config/dram/ddr4_2400.toml", why, sizeof why);
 *     dram_create(&d, &set);
 *     each clock: e = dram_tick(d, &cmd, write_beat_or_NULL, &valid, read_beat);
 *                 if (e == DRAM_EVIOLATION) { dram_report(d, text, sizeof text); ... end the run with it }
 *
 * The clock numbers its ticks from 0. A RD in tick t has its data in ticks t + tcl ... t + tcl + burst_clocks - 1; a WR
 * in tick t takes its data in ticks t + tcwl ... t + tcwl + burst_clocks - 1; nothing may drive the pins otherwise.
 */
#ifndef SIM_C_DRAM_DRAM_H
#define SIM_C_DRAM_DRAM_H
#include "sim_c/dram/set.h"
#include <stdbool.h>

/* Beside the codes of sim_c/common/error.h: the controller broke a rule; dram_violation and dram_report say which. */
enum { DRAM_EVIOLATION = -64 };

typedef enum dram_op {
    DRAM_CMD_NOP,
    DRAM_CMD_ACT,  /* group, bank, row */
    DRAM_CMD_RD,   /* group, bank, col: a multiple of the burst */
    DRAM_CMD_WR,   /* as RD */
    DRAM_CMD_PRE,  /* group, bank */
    DRAM_CMD_PREA, /* all banks */
    DRAM_CMD_REF,  /* all banks */
    DRAM_CMDS
} dram_op_t;

typedef struct dram_cmd {
    uint8_t op, group, bank; /* dram_op_t; fields an op does not use are ignored, as on the pins */
    uint16_t col;
    uint32_t row;
} dram_cmd_t;

/* The write pins in one clock: byte i of the beat and whether it is to be written (the data mask). */
typedef struct dram_beat {
    uint64_t mask; /* bit i: write byte i */
    uint8_t data[DRAM_BEAT_MAX];
} dram_beat_t;

/* R(name, printed name, demand) */
#define DRAM_RULES(R) \
    R(COMMAND, "command", "the command exists") \
    R(ADDRESS, "address", "bank group, bank, row and column exist; a column begins a burst") \
    R(ACT_OPEN, "ACT to open bank", "a bank is closed before ACT") \
    R(CLOSED, "bank closed", "RD and WR find an open row") \
    R(REF_OPEN, "REF with open bank", "all banks are closed before REF") \
    R(REF_NONE, "REF without refresh", "a set without tREFI takes no REF") \
    R(WRITE_MISSING, "write data missing", "each beat of a WR is driven in its clock") \
    R(WRITE_STRAY, "write data unasked", "nobody drives the pins outside the beats of a WR") \
    R(TRCD_RD, "tRCD (RD)", "ACT to RD") \
    R(TRCD_WR, "tRCD (WR)", "ACT to WR") \
    R(TRP, "tRP", "PRE to ACT or REF") \
    R(TRAS, "tRAS", "ACT to PRE") \
    R(TRC, "tRC", "ACT to ACT or REF, same bank") \
    R(TCCD_S, "tCCD_S", "RD to RD or WR to WR, other bank group") \
    R(TCCD_L, "tCCD_L", "RD to RD or WR to WR, same bank group") \
    R(TRRD_S, "tRRD_S", "ACT to ACT, other bank group") \
    R(TRRD_L, "tRRD_L", "ACT to ACT, same bank group") \
    R(TFAW, "tFAW", "ACT to the fourth ACT after it") \
    R(TWR, "tWR", "WR to PRE: tCWL + burst + tWR") \
    R(TWTR_S, "tWTR_S", "WR to RD, other bank group: tCWL + burst + tWTR_S") \
    R(TWTR_L, "tWTR_L", "WR to RD, same bank group: tCWL + burst + tWTR_L") \
    R(TRTP, "tRTP", "RD to PRE") \
    R(TURNAROUND, "turnaround", "RD to WR: the pins rest between read and write data") \
    R(BUS, "data bus", "two bursts never share a clock on the pins") \
    R(TRFC, "tRFC", "REF to any command") \
    R(TREFI, "tREFI", "a refresh is overdue") \
    R(REF_BURST, "refresh burst", "REFs in 2 tREFI")

typedef enum dram_rule {
    DRAM_RULE_NONE,
#define R(name, text, what) DRAM_RULE_##name,
    DRAM_RULES(R)
#undef R
        DRAM_RULE_COUNT
} dram_rule_t;

/* Why the last tick was refused. For a rule of time: the command may come `required` clocks after the event that it depends on, and came `actual`
 * clocks after. Of several broken rules, `rule` is the one that holds the command back longest; a protocol rule goes first. */
typedef struct dram_violation {
    dram_rule_t rule;
    uint64_t broken; /* bit r: rule r is broken */
    uint64_t clock, required, actual;
    dram_cmd_t cmd;
    unsigned group, bank; /* where: the command's own, or for PREA and REF the bank that forbids it */
} dram_violation_t;

typedef struct dram_stats {
    uint64_t clocks;
    uint64_t commands[DRAM_CMDS]; /* by op; NOP: clocks without a command */
    uint64_t row_hits; /* RD and WR to a row that an earlier RD or WR had used since its ACT */
    uint64_t read_clocks, write_clocks; /* clocks of the data pins given out; utilisation is their sum over clocks */
    uint64_t refresh_late; /* most refreshes that were due and not done */
} dram_stats_t;

typedef struct dram dram_t;

/* SIM_ECONFIG (dram_set_check tells why), SIM_ENOMEM. All bytes are 0, all banks closed, no refresh is due. */
int dram_create(dram_t **out, const dram_set_t *set);
void dram_destroy(dram_t *d);
const dram_set_t *dram_set(const dram_t *d);

/* The owner's memory in place of the device's own: where bytes `offset` and on of a row are (bank: group * banks + bank). Asked once for
 * each beat that moves; a beat's bytes are adjacent. While nothing is on its way; the back door goes there as well. NULL: the device's own, which
 * are as they were. */
typedef uint8_t *dram_cells_fn(void *user, unsigned bank, uint32_t row, uint32_t offset);
void dram_use_cells(dram_t *d, dram_cells_fn *cells, void *user);

/* One clock: takes the command (NULL: NOP) and, in a clock of write data, the beat on the write pins (NULL: not driven). *rd_valid tells
 * whether this clock carries read data: dram_beat_bytes() bytes, then in rd_data (DRAM_BEAT_MAX bytes of room).
 * DRAM_EVIOLATION or SIM_ENOMEM: nothing has changed, not even the clock. */
int dram_tick(dram_t *d, const dram_cmd_t *cmd, const dram_beat_t *wr, bool *rd_valid, uint8_t *rd_data);

/* Clocks until the next tick in which data move on the pins: 0 for the coming one, UINT64_MAX without one. */
uint64_t dram_due(const dram_t *d);
/* The same as `clocks` ticks without command and data, in constant time. SIM_EINVAL (nothing changed) when data move in one of
 * them; DRAM_EVIOLATION, with the clock where ticking would have stopped, when a refresh becomes overdue. */
int dram_skip(dram_t *d, uint64_t clocks);
uint64_t dram_clock(const dram_t *d);

const dram_violation_t *dram_violation(const dram_t *d);
/* The violation in words, with the last commands to that bank and to the channel. Writes at most `size` bytes, a final zero included;
 * returns the length of the whole text, as snprintf does. */
size_t dram_report(const dram_t *d, char *text, size_t size);
const char *dram_rule_name(dram_rule_t rule);
const char *dram_op_name(dram_op_t op);

void dram_stats(const dram_t *d, dram_stats_t *s);
void dram_stats_clear(dram_t *d);

/* BACK DOOR, for loading before a run and dumping after it, never within: bytes of one row, past the pins and all rules.
 * SIM_EINVAL when the range is not inside one row, SIM_ESTATE while data are on their way, SIM_ENOMEM. */
int dram_load(dram_t *d, unsigned group, unsigned bank, uint32_t row, uint32_t offset, const void *from,
              uint32_t bytes);
int dram_dump(const dram_t *d, unsigned group, unsigned bank, uint32_t row, uint32_t offset, void *to, uint32_t bytes);
#endif
