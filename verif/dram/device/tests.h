/* Shared by the tests of the DRAM device model. */
#ifndef VERIF_DRAM_DEVICE_TESTS_H
#define VERIF_DRAM_DEVICE_TESTS_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "sim_c/dram/dram.h"
#include "sim_c/common/error.h"
#include "verif/dram/device/scoreboard.h"

extern const char *const set_names[];
enum { SETS = 5 };
/* The set rtl/config/dram/NAME.toml; fails the test when it cannot be read. */
dram_set_t set_of(const char *name);

/* A channel driven command by command: idle clocks are ticked, writes get their data (byte i of the burst: seed + i). */
typedef struct {
    dram_t *d;
    dram_set_t set;
    struct {
        uint64_t start;
        uint8_t seed;
    } write[8];
    unsigned writes;
    uint8_t seed;
    bool rd_valid;
    uint8_t rd[DRAM_BEAT_MAX];
} driver_t;

void driver_open(driver_t *v, const dram_set_t *set);
void driver_close(driver_t *v);
/* One clock with this command: returns the answer of dram_tick. */
int driver_tick(driver_t *v, dram_cmd_t cmd);
/* Idle clocks up to `clock`; each must be accepted. */
void driver_until(driver_t *v, uint64_t clock);
/* The command at `clock`, which must be accepted. */
void driver_at(driver_t *v, uint64_t clock, dram_cmd_t cmd);

static inline dram_cmd_t command(dram_op_t op, unsigned group, unsigned bank)
{
    return (dram_cmd_t){.op = (uint8_t)op, .group = (uint8_t)group, .bank = (uint8_t)bank};
}

#define NOP command(DRAM_CMD_NOP, 0, 0)
#define ACT(g, b) command(DRAM_CMD_ACT, g, b)
#define RD(g, b) command(DRAM_CMD_RD, g, b)
#define WR(g, b) command(DRAM_CMD_WR, g, b)
#define PRE(g, b) command(DRAM_CMD_PRE, g, b)
#define PREA command(DRAM_CMD_PREA, 0, 0)
#define REF command(DRAM_CMD_REF, 0, 0)

/* Groups of tests: how many failed; *count grows by how many there are. */
int set_tests(unsigned *count);
int limit_tests(unsigned *count);
int refresh_tests(unsigned *count);
int protocol_tests(unsigned *count);
int random_tests(unsigned *count);
int trace_tests(unsigned *count);

#define RUN_TESTS(name, tests, count) \
    (*(count) += sizeof(tests) / sizeof *(tests), cmocka_run_group_tests_name(name, tests, NULL, NULL))
/* Seeds of the random tests. */
extern uint64_t first_seed, seeds;
#endif
