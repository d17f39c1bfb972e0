/* A DRAM timing set: geometry of one channel and its constraints in DRAM clocks (rtl/config/dram/NAME.toml, docs/dram-device.md).
 *
 * The device model has this reader of its own, so that its constraints do not come from the generator that makes the
 * controller's constants.
 */
#ifndef SIM_C_DRAM_SET_H
#define SIM_C_DRAM_SET_H
#include <stddef.h>
#include <stdint.h>

#define DRAM_BEAT_MAX 64 /* bytes that cross the data pins in one clock, at most */
#define DRAM_GROUPS_MAX 8
#define DRAM_BANKS_MAX 64 /* all groups together */

/* F(field, least, most) */
#define DRAM_SET_FIELDS(F) \
    F(tck_ps, 1, 1000000)              /* the clock's period in ps; no constraint uses it */ \
    F(bank_groups, 1, DRAM_GROUPS_MAX) \
    F(banks, 1, DRAM_BANKS_MAX)        /* in a group */ \
    F(rows, 1, 1 << 20)                /* in a bank */ \
    F(columns, 1, 1 << 16)             /* in a row, each `bus_bits` wide */ \
    F(bus_bits, 8, 512) \
    F(burst, 1, 64)                    /* columns that one RD or WR moves */ \
    F(burst_clocks, 1, 64)             /* clocks that takes on the data pins */ \
    F(tcl, 1, 1023)                    /* RD to its first beat */ \
    F(tcwl, 0, 1023)                   /* WR to its first beat */ \
    F(trcd_rd, 1, 1023)                /* ACT to RD */ \
    F(trcd_wr, 1, 1023)                /* ACT to WR */ \
    F(trp, 1, 1023)                    /* PRE to ACT or REF, same bank */ \
    F(tras, 1, 1023)                   /* ACT to PRE */ \
    F(trc, 1, 1023)                    /* ACT to ACT or REF, same bank */ \
    F(tccd_s, 1, 1023)                 /* RD to RD, WR to WR; _s: other bank group, _l: same */ \
    F(tccd_l, 1, 1023) \
    F(trrd_s, 1, 1023)                 /* ACT to ACT, other bank */ \
    F(trrd_l, 1, 1023) \
    F(tfaw, 0, 1023)                   /* ACT to the fourth ACT after it; 0: none */ \
    F(twr, 0, 1023)                    /* end of the write data to PRE */ \
    F(twtr_s, 0, 1023)                 /* end of the write data to RD */ \
    F(twtr_l, 0, 1023) \
    F(trtp, 1, 1023)                   /* RD to PRE */ \
    F(turnaround, 0, 1023)             /* idle clocks on the pins from read to write data */ \
    F(trfc, 0, 65535)                  /* REF to any command; 0 with trefi 0 */ \
    F(trefi, 0, 1 << 24)               /* average time between REFs; 0: a part without refresh */ \
    F(refresh_postpone, 0, 64)         /* REFs that may be late, and that may be ahead */ \
    F(refresh_burst, 0, 64)            /* REFs in any 2 tREFI, at most; 0: no limit */

typedef struct dram_set {
    char standard[16];
#define F(field, least, most) uint32_t field;
    DRAM_SET_FIELDS(F)
#undef F
} dram_set_t;

/* Reads the text of a set: lines `key = integer`, `standard = "WORD"`, comments; every key once. Returns 0, or SIM_ECONFIG with one line
 * in `why` (line number, key). */
int dram_set_parse(dram_set_t *set, const char *text, size_t size, char *why, size_t why_size);
/* The same from a file; also SIM_EIO, SIM_ENOMEM. */
int dram_set_read(dram_set_t *set, const char *path, char *why, size_t why_size);
/* Ranges and the rules between fields; what dram_set_parse and dram_create check. 0 or SIM_ECONFIG. */
int dram_set_check(const dram_set_t *set, char *why, size_t why_size);

static inline uint32_t dram_burst_bytes(const dram_set_t *s)
{
    return s->burst * (s->bus_bits / 8);
}
/* Bytes of one clock on the data pins. */
static inline uint32_t dram_beat_bytes(const dram_set_t *s)
{
    return dram_burst_bytes(s) / s->burst_clocks;
}
static inline uint32_t dram_row_bytes(const dram_set_t *s)
{
    return s->columns * (s->bus_bits / 8);
}
static inline uint64_t dram_bytes(const dram_set_t *s)
{
    return (uint64_t)s->bank_groups * s->banks * s->rows * dram_row_bytes(s);
}
#endif
