/* A host that is a table of registers, a few kernels that end at given times, a queue of page faults, and a log of the requests to it. */
#ifndef VERIF_SW_DRIVER_MOCK_H
#define VERIF_SW_DRIVER_MOCK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sw/runtime/driver.h"

enum { SLOTS = 4, MOST_FAULTS = 64, MOST_LOG = 1 << 16, NEVER = -1 };

typedef struct asked_for {
    enum {
        READ_REG,
        WRITE_REG,
        MEM_WRITE,
        MEM_READ,
        MEM_FILL,
        MEM_LOAD,
        MEM_DUMP,
        MEM_CLEAR,
        MEM_SYNC,
        SHARE,
        PLACE,
        BEGIN,
        END,
        AGAIN,
        PASS
    } what;
    uint64_t addr, value; /* of memory: bytes */
} asked_for;

typedef struct mock {
    vl_host_facts facts;
    uint64_t reg[8192]; /* by address / 8 */
    uint64_t now;
    unsigned cost; /* cycles of a register access */

    /* Kernel slots: how long each kernel takes from its start; NEVER: it does not end. */
    int64_t takes[SLOTS];
    uint64_t started[SLOTS];
    uint64_t running; /* as of now */
    uint64_t warps_ended;

    /* Page faults, each raised at its time: {what, value, pc, threads}. */
    struct mock_fault {
        uint64_t at, reg[4];
    } fault[MOST_FAULTS];
    unsigned n_faults, first_fault;
    bool popping; /* the last access has popped one, and attention has not fallen yet */

    /* Reads that STATUS, KERNEL_STATUS, ROOT and INV need to come to rest; NEVER. */
    int maintenance, rest, stop, root, shootdown;
    int left_maintenance, left_rest, left_stop[SLOTS], left_root, left_shootdown;

    int fail_at, fail_code; /* the access with this number (from 1) fails; 0: none */
    bool fail_on_stop; /* the write that stops a kernel fails */
    unsigned accesses;
    unsigned sleep_ms; /* host time that each wait takes */
    uint64_t most_asked; /* of the last wait */
    unsigned waits;

    asked_for log[MOST_LOG];
    unsigned n_log;
    int closed;
    vl_backend_job seen_begin[SLOTS], seen_end[SLOTS];
    struct {
        uint32_t slot;
        uint64_t launch_arg;
    } seen_again; /* the last */
    /* the first kernel of slot 0 that ends from then on does so by this; 0: none does */
    uint64_t fault_at, fault_cause;
    bool late_fault; /* the page fault at time NEVER comes with the first end of slot 0 */
} mock;

extern mock m;
extern driver *d;

/* A driver of a mock with two kernel slots and four cores, opened; everything comes to rest at the second read. */
int mock_setup(void **state);
/* The same over directories, with blocks of 4096 bytes. */
int mock_setup_directory(void **state);
/* Counters of a core that a block of it has. */
size_t rows_of(const char *block);
/* ... that the mock has not, of the parts that only some machines have: a shared translation, victim tags. */
size_t absent_rows(void);
/* The same of a memory channel. */
size_t channel_rows_of(const char *block);
size_t absent_channel_rows(void);
int mock_teardown(void **state);
/* Opens the driver on m as it is; the facts are those of the environment. */
int mock_open(vl_error *err);
void mock_reset(void);
extern vl_backend_env env;
extern vl_host_ops mock_ops;

void forget(void); /* the log */
unsigned writes(uint32_t reg); /* to a register */
unsigned count(int what); /* of a kind */
const asked_for *nth_write(uint32_t reg, unsigned n); /* NULL: there are fewer */
int place_of(int what, uint64_t addr); /* in the log; -1 */
void raise_fault(uint64_t at, unsigned core, unsigned warp, bool fetch, bool access, bool store, uint64_t value);

/* A launch of `groups` workgroups of a warp. */
vl_backend_launch launch(uint32_t groups);
/* It runs alone; two run beside each other, on those cores. */
int run_groups(uint32_t groups, vl_fault *fault, vl_error *err);
int run_two_jobs(uint64_t cores0, uint64_t cores1, vl_backend_job job[2], vl_error *err);

extern const struct CMUnitTest access_tests[], launch_tests[], counter_tests[], job_tests[], again_tests[],
    fault_tests[];
extern const size_t n_access_tests, n_launch_tests, n_counter_tests, n_job_tests, n_again_tests, n_fault_tests;

#endif
